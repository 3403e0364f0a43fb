//! Moves.

use komadai::core::{Color, Move, PieceKind, Square};
use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyString};

use crate::errors;

/// A move: `Move("7g7f")`.
///
/// Moves are immutable, and equal moves are the same object most of the time, so that lists of them
/// are cheap. `int(move)` is its 16-bit number as in training data (PSV): bits 0–6 the destination,
/// bits 7–13 the origin or the dropped piece, bit 14 a drop, bit 15 a promotion.
#[pyclass(name = "Move", module = "komadai", frozen, eq, hash, ord)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PyMove(u16);

impl PyMove {
    /// The move of the library.
    pub fn get(self) -> Move {
        Move::from_bits(self.0).expect("made from a move")
    }
}

#[pymethods]
impl PyMove {
    /// Reads a move in USI notation, or takes its 16-bit number.
    #[new]
    fn new(m: MoveArg) -> Self {
        Self(m.get().to_bits())
    }

    /// The move in USI notation: "7g7f", "8h2b+", "P*5e".
    fn usi(&self) -> String {
        self.get().to_string()
    }

    /// The origin, 0 to 80 (file - 1) * 9 + (rank - 1); None for a drop.
    #[getter]
    fn from_square(&self) -> Option<usize> {
        self.get().from().map(Square::index)
    }

    /// The destination, 0 to 80.
    #[getter]
    fn to_square(&self) -> usize {
        self.get().to().index()
    }

    /// The letter of the dropped piece, "P" to "R"; None for a move on the board.
    #[getter]
    fn drop(&self) -> Option<&'static str> {
        self.get().dropped().map(PieceKind::to_sfen)
    }

    /// True if the piece promotes.
    #[getter]
    fn promotion(&self) -> bool {
        self.get().is_promotion()
    }

    /// The number of the move in HCPE and in cshogi's `move16`, where the origin of a drop is
    /// 80 + the kind of the piece.
    #[getter]
    fn apery(&self) -> u16 {
        self.get().to_apery_bits()
    }

    /// Takes a number in the encoding of `apery`.
    #[staticmethod]
    fn from_apery(py: Python<'_>, number: u16) -> PyResult<Bound<'_, Self>> {
        let m = Move::from_apery_bits(number).ok_or_else(|| {
            errors::sfen(format!(
                "found {number}, expected the number of a move in Apery's encoding"
            ))
        })?;
        object(py, m)
    }

    fn __str__(&self) -> String {
        self.usi()
    }

    fn __repr__(&self) -> String {
        format!("Move('{}')", self.get())
    }

    fn __int__(&self) -> u16 {
        self.0
    }

    fn __index__(&self) -> u16 {
        self.0
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (String,)) {
        (py.get_type::<Self>().into_any(), (self.usi(),))
    }
}

/// The object of every move by its number, made at the first use: 13,527 of 32 bytes.
static OBJECTS: PyOnceLock<Box<[Option<Py<PyMove>>]>> = PyOnceLock::new();

fn objects(py: Python<'_>) -> PyResult<&[Option<Py<PyMove>>]> {
    let object = |bits| match Move::from_bits(bits) {
        Some(_) => Py::new(py, PyMove(bits)).map(Some),
        None => Ok(None),
    };
    Ok(OBJECTS.get_or_try_init(py, || (0..=u16::MAX).map(object).collect::<PyResult<_>>())?)
}

fn of<'a, 'py>(
    py: Python<'py>,
    objects: &'a [Option<Py<PyMove>>],
    m: Move,
) -> &'a Bound<'py, PyMove> {
    let object = objects[usize::from(m.to_bits())].as_ref();
    object.expect("every move has an object").bind(py)
}

/// The object of a move.
pub fn object<'py>(py: Python<'py>, m: Move) -> PyResult<Bound<'py, PyMove>> {
    Ok(of(py, objects(py)?, m).clone())
}

/// The objects of these moves as a list.
pub fn list<'py>(py: Python<'py>, moves: &[Move]) -> PyResult<Bound<'py, PyList>> {
    let objects = objects(py)?;
    PyList::new(py, moves.iter().map(|&m| of(py, objects, m)))
}

/// A move as a caller may give it: an object, a text in USI notation or a 16-bit number. It need
/// not be legal anywhere.
pub struct MoveArg(Move);

impl<'py> FromPyObject<'_, 'py> for MoveArg {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(object) = given.cast::<PyMove>() {
            return Ok(Self(object.get().get()));
        }
        if let Ok(text) = given.cast::<PyString>() {
            return text.to_cow()?.parse().map(Self).map_err(errors::sfen);
        }
        let number = given.extract::<u16>();
        if let Some(m) = number.as_ref().ok().and_then(|&bits| Move::from_bits(bits)) {
            return Ok(Self(m));
        }
        match number {
            Err(error) if !error.is_instance_of::<PyOverflowError>(given.py()) => Err(error),
            _ => {
                Err(errors::sfen(format!("found {}, expected the number of a move", given.str()?)))
            }
        }
    }
}

impl MoveArg {
    /// The move.
    pub fn get(&self) -> Move {
        self.0
    }
}

/// A square as a caller may give it.
#[derive(FromPyObject)]
pub enum SquareArg {
    /// Its number, 0 to 80.
    Index(usize),
    /// Its name in USI notation: "7g".
    Name(String),
}

impl SquareArg {
    /// The square.
    pub fn get(&self) -> PyResult<Square> {
        match self {
            Self::Index(index) => Square::from_index(*index)
                .ok_or_else(|| errors::sfen(format!("found the square {index}, expected 0 to 80"))),
            Self::Name(name) => name.parse().map_err(errors::sfen),
        }
    }
}

/// "black" or "white".
pub fn color_name(py: Python<'_>, color: Color) -> Bound<'_, PyString> {
    match color {
        Color::Black => pyo3::intern!(py, "black").clone(),
        Color::White => pyo3::intern!(py, "white").clone(),
    }
}
