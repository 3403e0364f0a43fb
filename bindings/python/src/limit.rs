//! Limits of a search.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use komadai::core::Budget;
use pyo3::prelude::*;

use crate::errors;

/// The limits of a search, whichever is reached first: `Limit(nodes=100_000)`, `Limit(time=0.5)`.
///
/// nodes ends the search at once, soft_nodes between two iterations; time is in seconds.
#[pyclass(name = "Limit", module = "komadai", frozen, eq, get_all)]
#[derive(Debug, Clone, PartialEq)]
pub struct PyLimit {
    /// The largest number of nodes.
    nodes: Option<u64>,
    /// The number of nodes after which no iteration begins.
    soft_nodes: Option<u64>,
    /// The largest depth of an iteration, in plies.
    depth: Option<u32>,
    /// Seconds.
    time: Option<f64>,
}

#[pymethods]
impl PyLimit {
    #[new]
    #[pyo3(signature = (nodes=None, *, soft_nodes=None, depth=None, time=None))]
    fn new(
        nodes: Option<u64>,
        soft_nodes: Option<u64>,
        depth: Option<u32>,
        time: Option<f64>,
    ) -> PyResult<Self> {
        if nodes.is_none() && soft_nodes.is_none() && depth.is_none() && time.is_none() {
            return Err(errors::value("found no limit, expected nodes, soft_nodes, depth or time"));
        }
        time.map(|time| seconds("time", time)).transpose()?;
        Ok(Self { nodes, soft_nodes, depth, time })
    }

    fn __repr__(&self) -> String {
        let mut parts = Vec::new();
        if let Some(nodes) = self.nodes {
            parts.push(format!("nodes={nodes}"));
        }
        if let Some(nodes) = self.soft_nodes {
            parts.push(format!("soft_nodes={nodes}"));
        }
        if let Some(depth) = self.depth {
            parts.push(format!("depth={depth}"));
        }
        if let Some(time) = self.time {
            parts.push(format!("time={time}"));
        }
        format!("Limit({})", parts.join(", "))
    }
}

/// A time from a number of seconds of this name.
pub fn seconds(name: &str, number: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(number)
        .map_err(|_| errors::value(format!("{name}: found {number}, expected seconds ≥ 0")))
}

impl PyLimit {
    /// The time.
    pub fn duration(&self) -> Option<Duration> {
        self.time.map(|time| seconds("time", time).expect("the constructor has checked it"))
    }

    /// The budget from now on.
    pub fn budget(&self, stop: &Arc<AtomicBool>) -> Budget {
        let mut budget = self.duration().map_or_else(Budget::unlimited, Budget::time);
        budget.nodes = self.nodes;
        budget.soft_nodes = self.soft_nodes;
        budget.depth = self.depth;
        budget.stop = Some(Arc::clone(stop));
        budget
    }
}
