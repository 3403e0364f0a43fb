//! Results of searches.

use komadai::core::{Analysis, Bound as ScoreBound, Line, Position, Score};
use komadai::kifu::Notation;
use komadai::search::monte_carlo::RootMove;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::board::PyBoard;
use crate::errors;
use crate::moves::{PyMove, list, object};
use crate::root_move::PyRootMove;

/// A value for the side to move: centipawns or a mate.
///
/// Scores can be compared: a mate is above all centipawns, a shorter one above a longer one.
#[pyclass(name = "Score", module = "komadai", frozen, eq, ord, hash)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PyScore(pub Score);

#[pymethods]
impl PyScore {
    /// Centipawns; None for a mate.
    #[getter]
    fn cp(&self) -> Option<i32> {
        self.0.to_cp()
    }

    /// Plies to mate, negative if the side to move is mated; None without a mate of known length.
    #[getter]
    fn mate(&self) -> Option<i32> {
        self.0.mate_plies()
    }

    fn __neg__(&self) -> Self {
        Self(-self.0)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Score: {}>", self.0)
    }
}

/// One line of a search.
#[pyclass(name = "Line", module = "komadai", frozen)]
pub struct PyLine {
    line: Line,
    position: Position,
}

#[pymethods]
impl PyLine {
    /// The value for the side to move.
    #[getter]
    fn score(&self) -> PyScore {
        PyScore(self.line.score)
    }

    /// "exact", or "lower" (the value is at least the score), or "upper" (at most).
    #[getter]
    fn bound(&self) -> &'static str {
        match self.line.bound {
            ScoreBound::Exact => "exact",
            ScoreBound::Lower => "lower",
            ScoreBound::Upper => "upper",
        }
    }

    /// The depth of the search of this line, in plies.
    #[getter]
    fn depth(&self) -> u32 {
        self.line.depth
    }

    /// The moves.
    #[getter]
    fn pv<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        list(py, &self.line.pv)
    }

    /// The first move; None if the line is empty.
    #[getter]
    fn best_move<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyMove>>> {
        self.line.pv.first().map(|&m| object(py, m)).transpose()
    }

    /// The names of the moves, with spaces between them.
    #[pyo3(signature = (notation="japanese"))]
    fn text(&self, notation: &str) -> PyResult<String> {
        let notation: Notation = notation.parse().map_err(errors::value)?;
        Ok(notation.line(&self.position, &self.line.pv))
    }

    fn __str__(&self) -> String {
        self.line.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Line: {}>", self.line)
    }
}

/// The result of a search: lines, the best first, and its cost.
#[pyclass(name = "Analysis", module = "komadai", frozen)]
pub struct PyAnalysis {
    /// The lines and their cost.
    pub analysis: Analysis,
    /// The position that was searched.
    pub position: Position,
    root_moves: Vec<RootMove>,
}

impl PyAnalysis {
    /// The analysis of a position.
    pub fn new(analysis: Analysis, position: Position) -> Self {
        Self { analysis, position, root_moves: Vec::new() }
    }

    /// The same analysis with the moves of the root of a tree.
    pub fn with_root_moves(self, root_moves: Vec<RootMove>) -> Self {
        Self { root_moves, ..self }
    }

    fn line(&self, line: &Line) -> PyLine {
        PyLine { line: line.clone(), position: self.position.clone() }
    }
}

#[pymethods]
impl PyAnalysis {
    /// The lines in the order of the search.
    #[getter]
    fn lines(&self) -> Vec<PyLine> {
        self.analysis.lines.iter().map(|line| self.line(line)).collect()
    }

    /// The lines by their scores, the best first.
    fn by_score(&self) -> Vec<PyLine> {
        self.analysis.by_score().into_iter().map(|line| self.line(line)).collect()
    }

    /// The score of the first line; None without a line.
    #[getter]
    fn score(&self) -> Option<PyScore> {
        self.analysis.score().map(PyScore)
    }

    /// The first move of the first line.
    #[getter]
    fn best_move<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyMove>>> {
        self.analysis.best_move().map(|m| object(py, m)).transpose()
    }

    /// The moves of the first line.
    #[getter]
    fn pv<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        list(py, self.analysis.lines.first().map_or(&[][..], |line| &line.pv))
    }

    /// The position that was searched, with the moves that led to it.
    #[getter]
    fn board(&self) -> PyBoard {
        PyBoard { position: self.position.clone() }
    }

    /// The moves of the root of a tree search, the best first, with visits, rates and priors; empty
    /// for alpha-beta alone. With mode "Both" they are those of the tree, and the lines those of the
    /// choice between both.
    #[getter]
    fn root_moves(&self) -> Vec<PyRootMove> {
        self.root_moves.iter().copied().map(PyRootMove).collect()
    }

    /// The depth of the last finished iteration, in plies.
    #[getter]
    fn depth(&self) -> u32 {
        self.analysis.depth
    }

    /// The depth of the longest line, in plies.
    #[getter]
    fn seldepth(&self) -> u32 {
        self.analysis.seldepth
    }

    /// The number of nodes.
    #[getter]
    fn nodes(&self) -> u64 {
        self.analysis.nodes
    }

    /// Seconds.
    #[getter]
    fn time(&self) -> f64 {
        self.analysis.time.as_secs_f64()
    }

    /// True if the search ended before its limits; of a UsiEngine, if it answered without being
    /// stopped.
    #[getter]
    fn completed(&self) -> bool {
        self.analysis.completed
    }

    /// The analysis as plain values: {"depth", "nodes", "time", "lines": [{"cp" or "mate", "bound",
    /// "depth", "pv"}]}.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let found = PyDict::new(py);
        found.set_item("depth", self.analysis.depth)?;
        found.set_item("nodes", self.analysis.nodes)?;
        found.set_item("time", self.time())?;
        let lines = PyList::empty(py);
        for line in self.lines() {
            let entry = PyDict::new(py);
            match line.score().cp() {
                Some(cp) => entry.set_item("cp", cp)?,
                None => entry.set_item("mate", line.score().mate())?,
            }
            entry.set_item("bound", line.bound())?;
            entry.set_item("depth", line.depth())?;
            let moves: Vec<String> = line.line.pv.iter().map(ToString::to_string).collect();
            entry.set_item("pv", moves)?;
            lines.append(entry)?;
        }
        found.set_item("lines", lines)?;
        Ok(found)
    }

    fn __str__(&self) -> String {
        let mut text = format!("depth {}, {} nodes", self.analysis.depth, self.analysis.nodes);
        for line in &self.analysis.lines {
            let names = Notation::Japanese.line(&self.position, &line.pv);
            text.push_str(&format!("\n{}{}  {names}", line.bound.sign(), line.score));
        }
        text
    }

    fn __repr__(&self) -> String {
        let best = self.analysis.lines.first().map(ToString::to_string).unwrap_or_default();
        format!("<Analysis: depth {}, {best}>", self.analysis.depth)
    }

    fn __len__(&self) -> usize {
        self.analysis.lines.len()
    }

    fn __getitem__(&self, index: isize) -> PyResult<PyLine> {
        let lines = &self.analysis.lines;
        let from_end = index.checked_add_unsigned(lines.len()).filter(|_| index < 0);
        let index = usize::try_from(from_end.unwrap_or(index)).ok();
        let line = index.and_then(|index| lines.get(index));
        line.map(|line| self.line(line))
            .ok_or_else(|| pyo3::exceptions::PyIndexError::new_err("no such line"))
    }
}
