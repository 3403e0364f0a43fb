//! Mates: the df-pn solver and reports on problems.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use komadai::core::{Budget, Position};
use komadai::kifu::Notation;
use komadai::movegen::{MateLimit, MateReport, MateResult};
use komadai::problems::composition::{self, CompositionOptions};
use komadai::tsume::{DfPn, DfPnOptions, Goal};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::board::{PyBoard, one_of};
use crate::errors;
use crate::limit::PyLimit;
use crate::moves::list;
use crate::waiting;

/// Searches for a mate by continuous checks of the side to move. A mate and "no mate" are proved.
///
/// goal: "any" (fast), "short" or "shortest". hash is the table in MiB. Without a limit the search
/// has 1,000,000 nodes.
#[pyfunction]
#[pyo3(signature = (board, limit=None, *, goal="any", hash=64, threads=1))]
pub fn solve_mate(
    py: Python<'_>,
    board: &PyBoard,
    limit: Option<&PyLimit>,
    goal: &str,
    hash: usize,
    threads: usize,
) -> PyResult<PyMateResult> {
    let goals =
        [("any", Goal::AnyMate), ("short", Goal::ShortMate), ("shortest", Goal::ShortestMate)];
    let goal = one_of("goal", goal, &goals)?;
    if !(1..=65_536).contains(&hash) {
        return Err(errors::mate(format!("hash: found {hash}, expected 1 to 65536 MiB")));
    }
    if !(1..=1_024).contains(&threads) {
        return Err(errors::mate(format!("threads: found {threads}, expected 1 to 1024")));
    }
    let stop = Arc::new(AtomicBool::new(false));
    let budget = limit.map_or_else(
        || Budget { stop: Some(Arc::clone(&stop)), ..Budget::nodes(1_000_000) },
        |limit| limit.budget(&stop),
    );
    let position = board.position.clone();
    let options = DfPnOptions { hash_mib: hash, goal, threads, ..DfPnOptions::default() };
    let report = waiting::run(
        py,
        &stop,
        |_: &std::sync::mpsc::Sender<()>| DfPn::new(options).solve_mate(&position, &budget),
        |_, ()| Ok(()),
    )?;
    Ok(PyMateResult { report, position })
}

/// The answer of the mate solver.
#[pyclass(name = "MateResult", module = "komadai", frozen)]
pub struct PyMateResult {
    report: MateReport,
    position: Position,
}

#[pymethods]
impl PyMateResult {
    /// "mate", "no_mate" or "unknown".
    #[getter]
    fn status(&self) -> &'static str {
        match self.report.result {
            MateResult::Mate { .. } | MateResult::MateWithoutLine { .. } => "mate",
            MateResult::NoMate => "no_mate",
            _ => "unknown",
        }
    }

    /// The moves of both sides; empty without a mate, or if the limits ended the search before the
    /// moves were collected.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        list(py, self.line())
    }

    /// True if it is proved that no shorter mate exists.
    #[getter]
    fn shortest(&self) -> bool {
        matches!(self.report.result, MateResult::Mate { shortest: true, .. })
    }

    /// The number of positions visited.
    #[getter]
    fn nodes(&self) -> u64 {
        self.report.nodes
    }

    /// The limit that ended an unfinished search: "nodes", "time", "stop", "depth", "memory",
    /// "method", or None.
    #[getter]
    fn limit(&self) -> Option<&'static str> {
        self.report.limit.map(|limit| match limit {
            MateLimit::Nodes => "nodes",
            MateLimit::Time => "time",
            MateLimit::Stop => "stop",
            MateLimit::Depth => "depth",
            MateLimit::Memory => "memory",
            _ => "method",
        })
    }

    /// The names of the moves.
    #[pyo3(signature = (notation="japanese"))]
    fn names(&self, notation: &str) -> PyResult<Vec<String>> {
        let notation: Notation = notation.parse().map_err(errors::value)?;
        Ok(notation.names(&self.position, self.line()))
    }

    /// True for a proved mate.
    fn __bool__(&self) -> bool {
        self.report.is_mate()
    }

    fn __len__(&self) -> usize {
        self.line().len()
    }

    fn __repr__(&self) -> String {
        match self.status() {
            "mate" => format!("<MateResult: mate in {}>", self.line().len()),
            other => format!("<MateResult: {other}>"),
        }
    }
}

impl PyMateResult {
    fn line(&self) -> &[komadai::core::Move] {
        match &self.report.result {
            MateResult::Mate { line, .. } => line,
            _ => &[],
        }
    }
}

/// Examines a tsume problem: its length, second solutions and other flaws (余詰), pieces left over.
///
/// Raises MateError if there is no mate or the limit of nodes is too small to find it.
#[pyfunction]
#[pyo3(signature = (board, nodes=5_000_000))]
pub fn check_problem(py: Python<'_>, board: &PyBoard, nodes: u64) -> PyResult<PyProblemReport> {
    let stop = Arc::new(AtomicBool::new(false));
    let position = board.position.clone();
    let budget = Budget { stop: Some(Arc::clone(&stop)), ..Budget::nodes(nodes) };
    let options = CompositionOptions { budget, ..CompositionOptions::default() };
    let report = waiting::run(
        py,
        &stop,
        |_: &std::sync::mpsc::Sender<()>| composition::analyse(&position, &options),
        |_, ()| Ok(()),
    )?;
    let report = report.map_err(errors::mate)?;
    Ok(PyProblemReport { report })
}

/// A report on a tsume problem.
#[pyclass(name = "ProblemReport", module = "komadai", frozen)]
pub struct PyProblemReport {
    report: composition::CompositionReport,
}

#[pymethods]
impl PyProblemReport {
    /// The main line: the shortest mate against the longest defence.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        list(py, &self.report.line)
    }

    /// True if the examination is complete and found one solution, without pieces left in hand.
    #[getter]
    fn is_sound(&self) -> bool {
        self.report.is_sound()
    }

    /// The flaws: (ply, kind, moves), ply from 1.
    #[getter]
    fn cooks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let cooks = self
            .report
            .cooks
            .iter()
            .map(|cook| Ok((cook.ply, cook.kind.to_string(), list(py, &cook.moves)?)));
        PyList::new(py, cooks.collect::<PyResult<Vec<_>>>()?)
    }

    /// True if all moves of the main line were examined.
    #[getter]
    fn is_complete(&self) -> bool {
        self.report.is_complete()
    }

    fn __str__(&self) -> String {
        self.report.to_string()
    }

    fn __repr__(&self) -> String {
        let soundness = if self.report.is_sound() { "sound" } else { "not sound" };
        format!("<ProblemReport: {} plies, {soundness}>", self.report.line.len())
    }
}
