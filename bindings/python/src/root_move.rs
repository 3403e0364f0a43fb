//! Tables of the root of tree searches.

use komadai::search::monte_carlo::{Proven, RootMove};
use pyo3::prelude::*;

use crate::moves::{PyMove, object};

/// A move of the root of a tree search and what the tree has found about it.
#[pyclass(name = "RootMove", module = "komadai", frozen)]
pub struct PyRootMove(pub RootMove);

#[pymethods]
impl PyRootMove {
    /// The move.
    #[getter]
    fn r#move<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMove>> {
        object(py, self.0.m)
    }

    /// The number of times that the move was tried.
    #[getter]
    fn visits(&self) -> u32 {
        self.0.visits
    }

    /// The expected result for the side to move: 1 for a win, 0.5 for a draw, 0 for a loss.
    #[getter]
    fn rate(&self) -> f32 {
        self.0.rate
    }

    /// The probability of the move before the search, 0 to 1.
    #[getter]
    fn prior(&self) -> f32 {
        self.0.prior
    }

    /// "win" or "loss" if the tree has proved that for the side to move; None otherwise.
    #[getter]
    fn proven(&self) -> Option<&'static str> {
        self.0.proven.map(|proven| match proven {
            Proven::Win { .. } => "win",
            Proven::Loss { .. } => "loss",
        })
    }

    /// Plies to the end of the game after a proved result, the move included; None otherwise.
    #[getter]
    fn plies(&self) -> Option<u32> {
        self.0.proven.map(|(Proven::Win { plies } | Proven::Loss { plies })| plies)
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<RootMove: {}>", self.0)
    }
}
