//! Moves.

use komadai::core::{Color, Move, PieceKind, Square};
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
    fn new(m: MoveArg) -> PyResult<Self> {
        Ok(Self(m.plain()?.to_bits()))
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

/// The objects of moves that have been asked for, by their number.
static OBJECTS: PyOnceLock<Box<[PyOnceLock<Py<PyMove>>]>> = PyOnceLock::new();

/// The object of a move.
pub fn object<'py>(py: Python<'py>, m: Move) -> PyResult<Bound<'py, PyMove>> {
    let objects = OBJECTS.get_or_init(py, || (0..=u16::MAX).map(|_| PyOnceLock::new()).collect());
    let slot = &objects[usize::from(m.to_bits())];
    let object = slot.get_or_try_init(py, || Py::new(py, PyMove(m.to_bits())))?;
    Ok(object.bind(py).clone())
}

/// The objects of these moves as a list.
pub fn list<'py>(py: Python<'py>, moves: &[Move]) -> PyResult<Bound<'py, PyList>> {
    let objects: Vec<_> = moves.iter().map(|&m| object(py, m)).collect::<PyResult<_>>()?;
    PyList::new(py, objects)
}

/// A move as a caller may give it: an object, a text in USI notation or a 16-bit number.
#[derive(FromPyObject)]
pub enum MoveArg {
    /// An object.
    Object(Py<PyMove>),
    /// A text.
    Text(String),
    /// A number.
    Number(u16),
}

impl MoveArg {
    /// The move, which need not be legal anywhere.
    pub fn plain(&self) -> PyResult<Move> {
        match self {
            Self::Object(object) => Ok(object.get().get()),
            Self::Text(text) => text.parse().map_err(errors::sfen),
            Self::Number(bits) => Move::from_bits(*bits).ok_or_else(|| {
                errors::sfen(format!("found {bits}, expected the number of a move"))
            }),
        }
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
