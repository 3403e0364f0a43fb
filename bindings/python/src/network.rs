//! Networks.

use std::path::PathBuf;

use komadai::core::Position;
use komadai::eval::Evaluator;
use komadai::nnue::{Architecture, ClassicalWeights, DenseWeights, Network, Nnue};
use komadai_base::atomic_file::write_atomically;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

use crate::architecture::PyArchitecture;
use crate::board::PyBoard;
use crate::errors;
use crate::paths;
use crate::rows::{Layout, Rows};

/// A network: the bundled one, or nn.bin of other programs, told by its bytes.
#[pyclass(name = "Network", module = "komadai", frozen)]
pub struct PyNetwork {
    /// The evaluator, whose clones share the weights.
    pub nnue: Nnue,
}

#[pymethods]
impl PyNetwork {
    /// The bundled network without a path. fv_scale divides the output; None is what the file says.
    #[new]
    #[pyo3(signature = (path=None, *, fv_scale=None))]
    fn new(
        py: Python<'_>,
        #[pyo3(from_py_with = paths::optional)] path: Option<PathBuf>,
        fv_scale: Option<i32>,
    ) -> PyResult<Self> {
        let nnue = match path {
            None => Nnue::new(Network::bundled()),
            Some(path) => Nnue::new(py.detach(|| Network::open(path)).map_err(errors::network)?),
        };
        let nnue = match fv_scale {
            Some(scale) if scale < 1 => {
                return Err(errors::network(format!("fv_scale: found {scale}, expected ≥ 1")));
            }
            Some(scale) => nnue.with_fv_scale(scale),
            None => nnue,
        };
        Ok(Self { nnue })
    }

    /// Loads a network.
    #[staticmethod]
    #[pyo3(signature = (path, *, fv_scale=None))]
    fn load(
        py: Python<'_>,
        #[pyo3(from_py_with = paths::path)] path: PathBuf,
        fv_scale: Option<i32>,
    ) -> PyResult<Self> {
        Self::new(py, Some(path), fv_scale)
    }

    /// Makes a network of quantised weights, as a trainer computes them; architecture is a classical
    /// one, such as "halfkp_256x2-32-32".
    ///
    /// biases is int16 of shape (width,) and weights int16 of shape (inputs, width), 127 for 1.0.
    /// layers are three pairs of biases, int32 of shape (outputs,), and weights, int8 of shape
    /// (outputs, inputs). With the sums of both views clipped to 0 … 127, that of the side to move
    /// first, each hidden layer is (biases + weights · inputs) / 64, rounded down and clipped to
    /// 0 … 127. The output, divided by fv_scale and rounded toward zero, is the value for the side
    /// to move in units of which a pawn has 90. origin is a text in the file.
    #[staticmethod]
    #[pyo3(signature = (architecture, biases, weights, layers, *, origin=""))]
    fn from_weights(
        py: Python<'_>,
        architecture: ArchitectureArg,
        biases: PyReadonlyArray1<'_, i16>,
        weights: PyReadonlyArray2<'_, i16>,
        layers: [(PyReadonlyArray1<'_, i32>, PyReadonlyArray2<'_, i8>); 3],
        origin: &str,
    ) -> PyResult<Self> {
        let layers = layers.map(|(biases, weights)| DenseWeights {
            biases: biases.as_array().iter().copied().collect(),
            weights: weights.as_array().iter().copied().collect(),
        });
        let weights = ClassicalWeights {
            architecture: architecture.0,
            origin: origin.to_owned(),
            biases: biases.as_array().iter().copied().collect(),
            weights: weights.as_array().iter().copied().collect(),
            layers,
        };
        let network = py.detach(|| Network::try_from(weights)).map_err(errors::network)?;
        Ok(Self { nnue: Nnue::new(network) })
    }

    /// Writes the file (nn.bin) that `Engine` and other programs load: to a temporary file that then
    /// takes the name.
    fn save(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = paths::path)] path: PathBuf,
    ) -> PyResult<()> {
        let network = self.nnue.network();
        py.detach(|| write_atomically(&path, |file| network.write(file)))
            .map_err(|error| errors::network(format!("{}: {error}", path.display())))
    }

    /// The shape of the network.
    #[getter]
    fn architecture(&self) -> PyArchitecture {
        PyArchitecture(self.nnue.network().architecture())
    }

    /// The text of the file.
    #[getter]
    fn description(&self) -> String {
        self.nnue.network().description().to_owned()
    }

    /// The divisor of the output.
    #[getter]
    fn fv_scale(&self) -> i32 {
        self.nnue.fv_scale()
    }

    /// The value of a position in centipawns for the side to move.
    fn evaluate(&self, board: &PyBoard) -> i32 {
        self.nnue.evaluate_position(&board.position).raw()
    }

    /// The values of many positions in centipawns for the side to move, dtype int32: records as
    /// rows of bytes, uint8 of shape (n, 40) for "psv", (n, 38) for "hcpe".
    ///
    /// threads share the work; 0 takes all cores. komadai.training.evaluate takes the records
    /// themselves.
    #[pyo3(signature = (records, layout="psv", *, threads=1))]
    fn evaluate_rows<'py>(
        &self,
        py: Python<'py>,
        records: PyReadonlyArray2<'py, u8>,
        layout: &str,
        threads: usize,
    ) -> PyResult<Bound<'py, PyArray1<i32>>> {
        let rows = Rows::of(&records, Layout::read(layout)?)?;
        let value = |position: &Position, values: &mut Vec<i32>| {
            values.push(self.nnue.evaluate_position(position).raw());
        };
        let parts = py.detach(|| rows.map(threads, value))?;
        Ok(parts.concat().into_pyarray(py))
    }

    fn __repr__(&self) -> String {
        format!("<Network: {}>", self.nnue.network().architecture())
    }
}

/// An architecture as a caller may give it: an object or its name.
struct ArchitectureArg(Architecture);

impl<'py> FromPyObject<'_, 'py> for ArchitectureArg {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(object) = given.cast::<PyArchitecture>() {
            return Ok(Self(object.get().0));
        }
        given.extract::<String>()?.parse().map(Self).map_err(errors::network)
    }
}
