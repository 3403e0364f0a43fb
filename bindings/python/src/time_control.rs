//! Limits of a player in a match.

use komadai::matches::TimeControl;
use pyo3::prelude::*;

use crate::errors;
use crate::limit::{PyLimit, seconds};

/// The clock and the limits of a player in a match: `TimeControl(main=60, increment=1)`.
///
/// main is the time of the game (持ち時間), byoyomi the time for each move after it (秒読み), increment
/// the time that each move adds (フィッシャー), move_time the longest time for a move; all in seconds.
/// nodes and depth limit each search.
#[pyclass(name = "TimeControl", module = "komadai", frozen, eq, get_all)]
#[derive(Debug, Clone, PartialEq)]
pub struct PyTimeControl {
    /// Seconds for the game.
    main: f64,
    /// Seconds for each move after the main time.
    byoyomi: f64,
    /// Seconds that each move adds.
    increment: f64,
    /// The longest time for a move in seconds.
    move_time: Option<f64>,
    /// The largest number of nodes of a move.
    nodes: Option<u64>,
    /// The largest depth of a search in plies.
    depth: Option<u32>,
}

#[pymethods]
impl PyTimeControl {
    #[new]
    #[pyo3(signature = (*, main=0.0, byoyomi=0.0, increment=0.0, move_time=None, nodes=None, depth=None))]
    fn new(
        main: f64,
        byoyomi: f64,
        increment: f64,
        move_time: Option<f64>,
        nodes: Option<u64>,
        depth: Option<u32>,
    ) -> PyResult<Self> {
        let control = Self { main, byoyomi, increment, move_time, nodes, depth };
        if control.get()?.is_unlimited() {
            return Err(errors::value(
                "found no limit, expected main, byoyomi, increment, move_time, nodes or depth",
            ));
        }
        Ok(control)
    }

    fn __repr__(&self) -> String {
        let Self { main, byoyomi, increment, move_time, nodes, depth } = self;
        let times = [("main", *main), ("byoyomi", *byoyomi), ("increment", *increment)];
        let times = times.into_iter().filter(|&(_, time)| time > 0.0);
        let mut parts: Vec<String> = times.map(|(name, time)| format!("{name}={time}")).collect();
        parts.extend(move_time.map(|time| format!("move_time={time}")));
        parts.extend(nodes.map(|nodes| format!("nodes={nodes}")));
        parts.extend(depth.map(|depth| format!("depth={depth}")));
        format!("TimeControl({})", parts.join(", "))
    }
}

impl PyTimeControl {
    fn get(&self) -> PyResult<TimeControl> {
        Ok(TimeControl {
            main: seconds("main", self.main)?,
            byoyomi: seconds("byoyomi", self.byoyomi)?,
            increment: seconds("increment", self.increment)?,
            move_time: self.move_time.map(|time| seconds("move_time", time)).transpose()?,
            nodes: self.nodes,
            depth: self.depth,
        })
    }
}

/// The limits of a player as a caller may give them.
#[derive(FromPyObject)]
pub enum ControlArg {
    /// Limits of each move.
    Limit(Py<PyLimit>),
    /// Limits with a clock.
    Control(Py<PyTimeControl>),
}

impl ControlArg {
    /// The limits of the library.
    pub fn get(&self) -> PyResult<TimeControl> {
        match self {
            Self::Control(control) => control.get().get(),
            Self::Limit(limit) => {
                let limit = limit.get();
                let budget = limit.budget(&std::sync::Arc::default());
                Ok(TimeControl {
                    nodes: budget.least_nodes(),
                    depth: budget.depth,
                    move_time: limit.duration(),
                    ..TimeControl::default()
                })
            }
        }
    }
}
