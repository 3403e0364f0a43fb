//! Training data as rows of bytes. The Python side views arrays of records as such rows, without a
//! copy.

use komadai::core::{Hcp, Move, PackedSfen, Position};
use komadai::data::records::{Hcpe, PackedSfenValue, RecordCheck, TrainingRecord};
use komadai::movegen::{MoveList, generate_legal};
use numpy::{
    IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods,
    ToPyArray,
};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::board::{PyBoard, one_of};
use crate::errors;
use crate::rows::{Layout, Lists, Rows};

/// Adds the functions.
pub fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(check_rows, module)?)?;
    module.add_function(wrap_pyfunction!(board_of_row, module)?)?;
    module.add_function(wrap_pyfunction!(legal_moves_of_rows, module)?)?;
    module.add_class::<PyBoards>()?;
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
    let layout = Layout::read(layout)?;
    let rows = Rows::of(&records, layout)?;
    let faulty: Vec<i64> = py.detach(|| {
        let check = |bytes: &[u8]| match layout {
            Layout::Psv => {
                PackedSfenValue::from_slice(bytes).and_then(|r| r.validate(RecordCheck::Legality))
            }
            Layout::Hcpe => Hcpe::from_slice(bytes).and_then(|r| r.validate(RecordCheck::Legality)),
        };
        let faulty = (0_i64..).zip(rows.iter()).filter(|(_, record)| check(record).is_err());
        faulty.map(|(index, _)| index).collect()
    });
    Ok(faulty.to_pyarray(py))
}

/// The board of a record of 40 or 38 bytes, or of a packed position of 32 bytes with a layout.
#[pyfunction]
#[pyo3(signature = (record, layout="psv"))]
pub fn board_of_row(record: &[u8], layout: &str) -> PyResult<PyBoard> {
    let layout = Layout::read(layout)?;
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
    let packed = match Layout::read(layout)? {
        Layout::Psv => PackedSfen::of(position).map(|packed| *packed.as_bytes()),
        Layout::Hcpe => Hcp::of(position).map(|packed| *packed.as_bytes()),
    };
    Ok(PyBytes::new(py, &packed.map_err(errors::data)?))
}

/// An encoding of moves as 16 bits.
type Encoding = fn(Move) -> u16;

/// The names of the encodings.
const ENCODINGS: [(&str, Encoding); 2] = [("psv", Move::to_bits), ("apery", Move::to_apery_bits)];

/// The legal moves of many positions: all numbers, uint16 of shape (m,), and the offsets at which
/// those of each position begin, int64 of shape (n + 1,).
#[pyfunction]
#[pyo3(signature = (records, layout="psv", *, encoding="psv", threads=1))]
pub fn legal_moves_of_rows<'py>(
    py: Python<'py>,
    records: PyReadonlyArray2<'py, u8>,
    layout: &str,
    encoding: &str,
    threads: usize,
) -> PyResult<(Bound<'py, PyArray1<u16>>, Bound<'py, PyArray1<i64>>)> {
    let encoding = one_of("encoding", encoding, &ENCODINGS)?;
    let rows = Rows::of(&records, Layout::read(layout)?)?;
    let list = |position: &Position, lists: &mut Lists<u16>| {
        let mut moves = MoveList::new();
        generate_legal(position, &mut moves);
        lists.push(moves.iter().map(|&m| encoding(m)));
    };
    let parts = py.detach(|| rows.map(threads, list))?;
    Ok(joined(py, parts))
}

/// The lists of parts of positions as two arrays: the numbers, and the offsets with the end.
pub fn joined<'py, T: numpy::Element>(
    py: Python<'py>,
    parts: Vec<Lists<T>>,
) -> (Bound<'py, PyArray1<T>>, Bound<'py, PyArray1<i64>>) {
    let mut all = Lists::default();
    parts.into_iter().for_each(|part| all.append(part));
    (all.items.into_pyarray(py), all.offsets.into_pyarray(py))
}

/// An iterator over the boards of records.
#[pyclass(name = "Boards", module = "komadai")]
pub struct PyBoards {
    records: Py<PyArray2<u8>>,
    layout: Layout,
    next: usize,
}

#[pymethods]
impl PyBoards {
    /// Takes records as rows of bytes, uint8 of shape (n, 40) for "psv", (n, 38) for "hcpe".
    #[new]
    #[pyo3(signature = (records, layout="psv"))]
    fn new(records: PyReadonlyArray2<'_, u8>, layout: &str) -> PyResult<Self> {
        let layout = Layout::read(layout)?;
        Rows::of(&records, layout)?;
        let records = records.as_unbound().clone_ref(records.py());
        Ok(Self { records, layout, next: 0 })
    }

    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __len__(&self, py: Python<'_>) -> usize {
        self.records.bind(py).shape()[0].saturating_sub(self.next)
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<PyBoard>> {
        let records = self.records.bind(py).try_readonly().map_err(errors::data)?;
        let rows = Rows::of(&records, self.layout)?;
        if self.next >= rows.len() {
            return Ok(None);
        }
        self.next += 1;
        Ok(Some(PyBoard { position: rows.position(self.next - 1)? }))
    }
}
