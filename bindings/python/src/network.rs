//! Networks.

use std::path::PathBuf;

use komadai::core::Position;
use komadai::data::records::{Hcpe, PackedSfenValue, TrainingRecord};
use komadai::eval::Evaluator;
use komadai::nnue::{Network, Nnue};
use numpy::{PyArray1, PyReadonlyArray2, ToPyArray};
use pyo3::prelude::*;

use crate::board::{PyBoard, one_of};
use crate::data::{Layout, rows};
use crate::errors;

/// A network: the bundled one, or nn.bin of other programs, told by its bytes.
#[pyclass(name = "Network", module = "komadai", frozen)]
pub struct PyNetwork {
    nnue: Nnue,
}

#[pymethods]
impl PyNetwork {
    /// The bundled network without a path. fv_scale divides the output; None is what the file says.
    #[new]
    #[pyo3(signature = (path=None, *, fv_scale=None))]
    fn new(py: Python<'_>, path: Option<PathBuf>, fv_scale: Option<i32>) -> PyResult<Self> {
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
    fn load(py: Python<'_>, path: PathBuf, fv_scale: Option<i32>) -> PyResult<Self> {
        Self::new(py, Some(path), fv_scale)
    }

    /// The architecture, as in the file's text.
    #[getter]
    fn architecture(&self) -> String {
        self.nnue.network().architecture().to_string()
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
        let layout = one_of("layout", layout, &Layout::NAMES)?;
        let bytes = rows(&records, layout.bytes())?;
        let values = py.detach(|| self.values(bytes, layout, threads))?;
        Ok(values.to_pyarray(py))
    }

    fn __repr__(&self) -> String {
        format!("<Network: {}>", self.architecture())
    }
}

impl PyNetwork {
    fn values(&self, bytes: &[u8], layout: Layout, threads: usize) -> PyResult<Vec<i32>> {
        let length = layout.bytes();
        let count = bytes.len() / length;
        let threads = match threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            threads => threads.min(256),
        };
        let share = count.div_ceil(threads).max(1);
        let parts: Vec<&[u8]> = bytes.chunks(share * length).collect();
        let part = |(index, part): (usize, &[u8])| {
            let first = index * share;
            let value = |(row, bytes): (usize, &[u8])| {
                let position = layout
                    .position(bytes)
                    .map_err(|fault| errors::data(format!("record {}: {fault}", first + row)))?;
                Ok(self.nnue.evaluate_position(&position).raw())
            };
            part.chunks_exact(length).enumerate().map(value).collect::<PyResult<Vec<i32>>>()
        };
        if parts.len() <= 1 {
            return parts.first().map_or_else(|| Ok(Vec::new()), |&bytes| part((0, bytes)));
        }
        let done: Vec<PyResult<Vec<i32>>> = std::thread::scope(|scope| {
            let part = &part;
            let running: Vec<_> = parts
                .iter()
                .enumerate()
                .map(|(index, &bytes)| scope.spawn(move || part((index, bytes))))
                .collect();
            running
                .into_iter()
                .map(|worker| {
                    worker.join().unwrap_or_else(|_| Err(errors::network("a thread failed")))
                })
                .collect()
        });
        Ok(done.into_iter().collect::<PyResult<Vec<_>>>()?.concat())
    }
}

impl Layout {
    /// The position of a record.
    pub fn position(self, bytes: &[u8]) -> Result<Position, String> {
        match self {
            Self::Psv => PackedSfenValue::from_slice(bytes)
                .and_then(|record| record.unpack())
                .map_err(|fault| fault.to_string()),
            Self::Hcpe => Hcpe::from_slice(bytes)
                .and_then(|record| record.unpack())
                .map_err(|fault| fault.to_string()),
        }
    }
}
