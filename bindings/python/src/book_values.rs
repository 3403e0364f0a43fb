//! Values, moves and frontier positions of books.

use komadai::bookfile::RecordMove;
use komadai::bookgraph::frontier::{BookSides, FrontierPosition, Reason};
use komadai::bookgraph::{Basis, Value};
use komadai::core::Move;
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::analysis::PyScore;
use crate::board::PyBoard;
use crate::moves::{PyMove, list, object};

fn basis_name(basis: Basis) -> &'static str {
    match basis {
        Basis::Leaf => "leaf",
        Basis::Repetition => "repetition",
        Basis::PerpetualCheck => "perpetual_check",
    }
}

/// The value of a position of a book.
#[pyclass(name = "BookValue", module = "komadai", frozen)]
pub struct PyBookValue(pub Value);

#[pymethods]
impl PyBookValue {
    /// The value for the side to move.
    #[getter]
    fn score(&self) -> PyScore {
        PyScore(self.0.score)
    }

    /// Plies until the play leaves the book if both sides keep the value; 9999 or 9998 for endless
    /// play.
    #[getter]
    fn plies(&self) -> u16 {
        self.0.plies
    }

    /// The reason of the value: "leaf" (a move out of the book), "repetition" or "perpetual_check".
    #[getter]
    fn basis(&self) -> &'static str {
        basis_name(self.0.basis)
    }

    fn __repr__(&self) -> String {
        format!("<BookValue: {} in {} plies>", self.0.score, self.0.plies)
    }
}

/// A move of a position in a book, with its propagated value and with what the book lists.
#[pyclass(name = "GraphMove", module = "komadai", frozen)]
pub struct PyGraphMove {
    /// The move.
    pub m: Move,
    /// The propagated value.
    pub value: Option<Value>,
    /// True if the move leads to a position outside the book.
    pub leaves_book: bool,
    /// The entry of the book.
    pub listed: Option<RecordMove>,
}

#[pymethods]
impl PyGraphMove {
    /// The move.
    #[getter]
    fn r#move<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMove>> {
        object(py, self.m)
    }

    /// The propagated value for the side that makes the move; None if there is none.
    #[getter]
    fn score(&self) -> Option<PyScore> {
        self.value.map(|value| PyScore(value.score))
    }

    /// Plies from the position after the move until the play leaves the book; None without a value.
    #[getter]
    fn plies(&self) -> Option<u16> {
        self.value.map(|value| value.plies)
    }

    /// The reason of the value: "leaf", "repetition" or "perpetual_check"; None without a value.
    #[getter]
    fn basis(&self) -> Option<&'static str> {
        self.value.map(|value| basis_name(value.basis))
    }

    /// True if the move leads to a position outside the book.
    #[getter]
    fn leaves_book(&self) -> bool {
        self.leaves_book
    }

    /// The value that the last search of the move gave; None for a move without one.
    #[getter]
    fn listed_score(&self) -> Option<PyScore> {
        self.listed.as_ref()?.score.map(PyScore)
    }

    /// The depth of that search, in plies.
    #[getter]
    fn depth(&self) -> Option<u16> {
        self.listed.as_ref()?.depth
    }

    /// The number of games with the move.
    #[getter]
    fn count(&self) -> Option<u32> {
        self.listed.as_ref()?.count
    }

    fn __repr__(&self) -> String {
        let score = self.value.map(|value| format!(", {}", value.score)).unwrap_or_default();
        format!("<GraphMove: {}{score}>", self.m)
    }
}

/// A position at which good play leaves the book.
#[pyclass(name = "FrontierPosition", module = "komadai", frozen)]
pub struct PyFrontierPosition(pub FrontierPosition);

#[pymethods]
impl PyFrontierPosition {
    /// The position, with the line from the root as its moves.
    #[getter]
    fn board(&self) -> PyBoard {
        PyBoard { position: self.0.position.clone() }
    }

    /// The moves from the root.
    #[getter]
    fn line<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        list(py, &self.0.line)
    }

    /// The side whose book needs the position: "black", "white" or "both".
    #[getter]
    fn side(&self) -> &'static str {
        match self.0.sides {
            BookSides::Black => "black",
            BookSides::White => "white",
            BookSides::Both => "both",
        }
    }

    /// The kind of the last move: "root" (the book does not have the root), "best_move" (of the own
    /// side), "window_move" (of the opponent).
    #[getter]
    fn reason(&self) -> &'static str {
        match self.0.reason {
            Reason::Root => "root",
            Reason::BestMove => "best_move",
            _ => "window_move",
        }
    }

    /// The value of the last move for the side that makes it; None if the book has none.
    #[getter]
    fn score(&self) -> Option<PyScore> {
        self.0.score.map(PyScore)
    }

    /// The centipawns that the moves of the line give away, in all.
    #[getter]
    fn drops_cp(&self) -> u32 {
        self.0.drops_cp
    }

    /// The price of the line in plies, with order "price".
    #[getter]
    fn price(&self) -> Option<f64> {
        self.0.price
    }

    /// The probability that a game reaches the position, with order "probability".
    #[getter]
    fn probability(&self) -> Option<f64> {
        self.0.probability
    }

    fn __repr__(&self) -> String {
        let line: Vec<String> = self.0.line.iter().map(ToString::to_string).collect();
        format!("<FrontierPosition: {}>", line.join(" "))
    }
}
