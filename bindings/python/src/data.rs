//! Training data as rows of bytes. The Python side views arrays of records as such rows, without a
//! copy.

use komadai::core::{Hcp, PackedSfen, Position};
use komadai::data::records::{Hcpe, PackedSfenValue, RecordCheck, TrainingRecord};
use numpy::{PyArray1, PyReadonlyArray2, PyUntypedArrayMethods, ToPyArray};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::board::{PyBoard, one_of};
use crate::errors;

/// A layout of records of fixed length.
#[derive(Clone, Copy, PartialEq)]
pub enum Layout {
    /// YaneuraOu's 40 bytes.
    Psv,
    /// Apery's 38 bytes.
    Hcpe,
}

impl Layout {
    /// The names.
    pub const NAMES: [(&'static str, Self); 2] = [("psv", Self::Psv), ("hcpe", Self::Hcpe)];

    /// The length of a record.
    pub const fn bytes(self) -> usize {
        match self {
            Self::Psv => PackedSfenValue::BYTES,
            Self::Hcpe => Hcpe::BYTES,
        }
    }
}

/// The bytes of an array of shape (n, length).
pub fn rows<'a>(array: &'a PyReadonlyArray2<'_, u8>, length: usize) -> PyResult<&'a [u8]> {
    let shape = array.shape();
    if shape[1] != length {
        return Err(errors::data(format!(
            "found an array of shape ({}, {}), expected (n, {length})",
            shape[0], shape[1]
        )));
    }
    array
        .as_slice()
        .map_err(|_| errors::data("found an array with gaps, expected a contiguous one"))
}

/// Adds the functions.
pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(check_rows, module)?)?;
    module.add_function(wrap_pyfunction!(board_of_row, module)?)?;
    module.add_function(wrap_pyfunction!(pack, module)?)
}

/// Checks records: the position, its legality and that of the move. Returns the indices of the
/// faulty ones, dtype int64.
#[pyfunction]
pub fn check_rows<'py>(
    py: Python<'py>,
    records: PyReadonlyArray2<'py, u8>,
    layout: &str,
) -> PyResult<Bound<'py, PyArray1<i64>>> {
    let layout = one_of("layout", layout, &Layout::NAMES)?;
    let bytes = rows(&records, layout.bytes())?;
    let faulty: Vec<i64> = py.detach(|| {
        let check = |bytes: &[u8]| match layout {
            Layout::Psv => {
                PackedSfenValue::from_slice(bytes).and_then(|r| r.validate(RecordCheck::Legality))
            }
            Layout::Hcpe => Hcpe::from_slice(bytes).and_then(|r| r.validate(RecordCheck::Legality)),
        };
        let records = bytes.chunks_exact(layout.bytes());
        let faulty = (0_i64..).zip(records).filter(|(_, record)| check(record).is_err());
        faulty.map(|(index, _)| index).collect()
    });
    Ok(faulty.to_pyarray(py))
}

/// The board of a record of 40 or 38 bytes, or of a packed position of 32 bytes with a layout.
#[pyfunction]
#[pyo3(signature = (record, layout="psv"))]
pub fn board_of_row(record: &[u8], layout: &str) -> PyResult<PyBoard> {
    let layout = one_of("layout", layout, &Layout::NAMES)?;
    let position = if let Ok(packed) = <[u8; 32]>::try_from(record) {
        let position = match layout {
            Layout::Psv => PackedSfen::from_bytes(packed).position(),
            Layout::Hcpe => Hcp::from_bytes(packed).position(),
        };
        position.map_err(errors::data)?
    } else if record.len() == layout.bytes() {
        layout.position(record).map_err(errors::data)?
    } else {
        return Err(errors::data(format!(
            "found {} bytes, expected 32 or {}",
            record.len(),
            layout.bytes()
        )));
    };
    Ok(PyBoard { position })
}

/// The packed position, 32 bytes: "psv" for YaneuraOu's PackedSfen, "hcpe" for Apery's
/// HuffmanCodedPos.
#[pyfunction]
#[pyo3(signature = (board, layout="psv"))]
pub fn pack<'py>(py: Python<'py>, board: &PyBoard, layout: &str) -> PyResult<Bound<'py, PyBytes>> {
    let position: &Position = &board.position;
    let packed = match one_of("layout", layout, &Layout::NAMES)? {
        Layout::Psv => PackedSfen::of(position).map(|packed| *packed.as_bytes()),
        Layout::Hcpe => Hcp::of(position).map(|packed| *packed.as_bytes()),
    };
    Ok(PyBytes::new(py, &packed.map_err(errors::data)?))
}
