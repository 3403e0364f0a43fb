//! Shapes of networks, and the inputs that positions have in them.

use komadai::core::Position;
use komadai::nnue::Architecture;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::board::PyBoard;
use crate::data::joined;
use crate::errors;
use crate::rows::{Layout, Lists, Rows};

/// The shape of a network, by its name: `Architecture("halfkp_256x2-32-32")`.
///
/// The first layer has `width` outputs for the view of each side, from `inputs` inputs that are 0 or
/// 1; the layers after it see the view of the side to move first. The inputs of a position are those
/// of the pieces in relation to the own king, by the numbering of the network's set of features.
#[pyclass(name = "Architecture", module = "komadai", frozen, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PyArchitecture(pub Architecture);

/// Indices with offsets, as arrays.
type Bags<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>);

#[pymethods]
impl PyArchitecture {
    /// Reads a name: FEATURES_WIDTHx2-HIDDEN-HIDDEN of a classical network, or one of another kind.
    #[new]
    fn new(name: &str) -> PyResult<Self> {
        name.parse().map(Self).map_err(errors::network)
    }

    /// The name of the set of features: "halfkp", "kp", "halfkahm2", …
    #[getter]
    fn features(&self) -> String {
        self.0.features().to_string()
    }

    /// The number of inputs of the first layer for one view: every index is less.
    #[getter]
    fn inputs(&self) -> usize {
        self.0.features().inputs()
    }

    /// The number of outputs of the first layer for one view.
    #[getter]
    fn width(&self) -> usize {
        self.0.width()
    }

    /// The numbers of outputs of both hidden layers.
    #[getter]
    fn hidden(&self) -> (usize, usize) {
        self.0.hidden().into()
    }

    /// The inputs that a position has in the view of the side to move, and in that of the other
    /// side: two arrays of indices, int64.
    ///
    /// An index occurs as often as the input counts.
    fn active<'py>(
        &self,
        py: Python<'py>,
        board: &PyBoard,
    ) -> (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>) {
        let [own, other] = self.indices(&board.position);
        (own.into_pyarray(py), other.into_pyarray(py))
    }

    /// The inputs of many positions, records as rows of bytes as `Network.evaluate_rows` takes them:
    /// ((indices, offsets), (indices, offsets)) for the view of the side to move and for that of the
    /// other side.
    ///
    /// indices is int64 of shape (m,), offsets int64 of shape (n + 1,): those of record i are
    /// indices[offsets[i]:offsets[i + 1]]. That is what torch.nn.EmbeddingBag takes with
    /// mode="sum", include_last_offset=True.
    #[pyo3(signature = (records, layout="psv", *, threads=1))]
    fn active_rows<'py>(
        &self,
        py: Python<'py>,
        records: PyReadonlyArray2<'py, u8>,
        layout: &str,
        threads: usize,
    ) -> PyResult<(Bags<'py>, Bags<'py>)> {
        let rows = Rows::of(&records, Layout::read(layout)?)?;
        let list = |position: &Position, views: &mut [Lists<i64>; 2]| {
            for (lists, indices) in views.iter_mut().zip(self.indices(position)) {
                lists.push(indices);
            }
        };
        let parts = py.detach(|| rows.map(threads, list))?;
        let (own, other) = parts.into_iter().map(|[own, other]| (own, other)).unzip();
        Ok((joined(py, own), joined(py, other)))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Architecture('{}')", self.0)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (String,)) {
        (py.get_type::<Self>().into_any(), (self.0.to_string(),))
    }
}

impl PyArchitecture {
    /// The inputs in the view of the side to move, then in that of the other side.
    fn indices(&self, position: &Position) -> [Vec<i64>; 2] {
        [position.side(), !position.side()].map(|viewer| {
            let indices = self.0.active_features(position, viewer);
            indices.into_iter().map(|index| index as i64).collect()
        })
    }
}
