//! Opening books in files.

use std::path::PathBuf;

use komadai::bookfile::{BookProbe, open_probe};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;

use crate::analysis::PyScore;
use crate::board::PyBoard;
use crate::errors;
use crate::moves::{PyMove, object};
use crate::paths;

/// A book of any format: YaneuraOu's .db, .ybb, Apery's .bin, … A search reads only the parts of
/// the file that it compares, so that books larger than the memory can be used.
#[pyclass(name = "Book", module = "komadai", frozen)]
pub struct PyBook {
    path: PathBuf,
    probe: Box<dyn BookProbe>,
}

#[pymethods]
impl PyBook {
    /// Opens a book.
    #[new]
    fn new(#[pyo3(from_py_with = paths::path)] path: PathBuf) -> PyResult<Self> {
        Ok(Self { probe: open_probe(&path).map_err(errors::book)?, path })
    }

    /// Opens a book.
    #[staticmethod]
    fn open(#[pyo3(from_py_with = paths::path)] path: PathBuf) -> PyResult<Self> {
        Self::new(path)
    }

    /// The moves of a position in the order of the book, also if the book has it with the colours
    /// exchanged; empty if it has not.
    fn get(&self, board: &PyBoard) -> PyResult<Vec<PyBookMove>> {
        let record = self.probe.probe(&board.position).map_err(errors::book)?;
        let moves = record.map(|record| record.moves).unwrap_or_default();
        Ok(moves.into_iter().map(PyBookMove).collect())
    }

    fn __getitem__(&self, board: &PyBoard) -> PyResult<Vec<PyBookMove>> {
        let found = self.probe.probe(&board.position).map_err(errors::book)?;
        let record = found.ok_or_else(|| PyKeyError::new_err(board.position.to_string()))?;
        Ok(record.moves.into_iter().map(PyBookMove).collect())
    }

    fn __contains__(&self, board: &PyBoard) -> PyResult<bool> {
        Ok(self.probe.probe(&board.position).map_err(errors::book)?.is_some())
    }

    fn __repr__(&self) -> String {
        format!("<Book: {}>", self.path.display())
    }
}

/// A move of a book.
#[pyclass(name = "BookMove", module = "komadai", frozen)]
pub struct PyBookMove(komadai::bookfile::RecordMove);

#[pymethods]
impl PyBookMove {
    /// The move.
    #[getter]
    fn r#move<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMove>> {
        object(py, self.0.m)
    }

    /// The expected reply.
    #[getter]
    fn ponder<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyMove>>> {
        self.0.ponder.map(|m| object(py, m)).transpose()
    }

    /// The value for the side to move.
    #[getter]
    fn score(&self) -> Option<PyScore> {
        self.0.score.map(PyScore)
    }

    /// The depth of the search of the value.
    #[getter]
    fn depth(&self) -> Option<u16> {
        self.0.depth
    }

    /// The number of games.
    #[getter]
    fn count(&self) -> Option<u32> {
        self.0.count
    }

    fn __repr__(&self) -> String {
        let score = self.0.score.map(|score| format!(", {score}")).unwrap_or_default();
        format!("<BookMove: {}{score}>", self.0.m)
    }
}
