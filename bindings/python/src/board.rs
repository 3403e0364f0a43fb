//! Positions.

use komadai::core::{Color, Hand, Handicap, Move, PieceKind, Position, UsiPosition};
use komadai::kifu::{Notation, read_japanese_move};
use komadai::movegen::{DeclarationRule, GameRules, MoveGen, Outcome, Repetition, perft, play};
use komadai::report::{Diagram, SvgArrow, SvgBoard, SvgPieces, SvgTheme};
use numpy::{PyArray1, ToPyArray};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

use crate::errors;
use crate::moves::{MoveArg, PyMove, SquareArg, color_name, list, object};

/// A position with the moves that led to it.
///
/// `Board()` is the start of the even game. A text is an SFEN, a USI position
/// ("startpos moves 7g7f 3c3d") or the name of a handicap ("二枚落ち").
#[pyclass(name = "Board", module = "komadai", skip_from_py_object)]
#[derive(Clone)]
pub struct PyBoard {
    /// The position.
    pub position: Position,
}

impl PyBoard {
    /// The move, if it is legal.
    fn legal(&self, m: Move) -> PyResult<Move> {
        self.position.check_legality(m).map_err(errors::illegal)?;
        Ok(m)
    }
}

/// The themes of pictures.
pub const THEMES: [(&str, SvgTheme); 3] =
    [("auto", SvgTheme::Auto), ("light", SvgTheme::Light), ("dark", SvgTheme::Dark)];

/// Reads a position as `Board` does.
fn read(text: &str) -> PyResult<Position> {
    if let Some(handicap) = Handicap::from_kif_name(text) {
        return Position::from_setup(&handicap.to_setup()).map_err(errors::sfen);
    }
    if text.contains("startpos") || text.contains("moves") {
        let game = UsiPosition::from_usi(text).map_err(errors::sfen)?;
        return play(&game).map_err(errors::illegal);
    }
    let text = text.strip_prefix("position ").unwrap_or(text);
    Position::from_sfen(text.strip_prefix("sfen ").unwrap_or(text)).map_err(errors::sfen)
}

#[pymethods]
impl PyBoard {
    #[new]
    #[pyo3(signature = (position=None))]
    fn new(position: Option<&str>) -> PyResult<Self> {
        Ok(Self { position: position.map_or_else(|| Ok(Position::hirate()), read)? })
    }

    /// The position as SFEN, without its history.
    fn sfen(&self) -> String {
        self.position.to_string()
    }

    /// The start and the moves from it, as in the USI command `position`.
    fn usi_position(&self) -> String {
        self.position.to_usi_position().to_string()
    }

    /// The side to move: "black" or "white".
    #[getter]
    fn turn<'py>(&self, py: Python<'py>) -> Bound<'py, PyString> {
        color_name(py, self.position.side())
    }

    /// The number of the next move, from 1.
    #[getter]
    fn move_number(&self) -> u32 {
        self.position.ply()
    }

    /// The moves from the start on.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        list(py, &self.position.to_usi_position().moves)
    }

    /// The hash of board, hands and side to move, 64 bits.
    #[getter]
    fn zobrist(&self) -> u64 {
        self.position.key()
    }

    /// All legal moves, useless non-promotions included. 千日手 does not end the list.
    #[getter]
    fn legal_moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        list(py, &self.position.legal_moves())
    }

    /// All legal moves as 16-bit numbers, dtype uint16.
    fn legal_moves_array<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u16>> {
        let moves = self.position.legal_moves();
        moves.iter().map(|m| m.to_bits()).collect::<Vec<_>>().to_pyarray(py)
    }

    /// Makes a legal move: a Move, a text in USI notation or a number.
    ///
    /// Raises IllegalMoveError, which names the broken rule; the board stays as it is.
    fn push(&mut self, m: MoveArg) -> PyResult<()> {
        let m = self.legal(m.get())?;
        self.position.do_move(m);
        Ok(())
    }

    /// Makes a legal move in USI notation and returns it.
    fn push_usi<'py>(&mut self, py: Python<'py>, usi: &str) -> PyResult<Bound<'py, PyMove>> {
        let m: Move = usi.parse().map_err(errors::sfen)?;
        self.position.try_move(m).map_err(errors::illegal)?;
        object(py, m)
    }

    /// Takes the last move back and returns it; None at the start.
    fn pop<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyMove>>> {
        self.position.undo_move().map(|m| object(py, m)).transpose()
    }

    /// The last move; None at the start.
    fn peek<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyMove>>> {
        self.position.current().last_move().map(|m| object(py, m)).transpose()
    }

    /// True if the move is legal.
    fn is_legal(&self, m: MoveArg) -> bool {
        self.position.is_legal(m.get())
    }

    /// The rule that a move breaks, as a sentence; None for a legal move.
    fn why_illegal(&self, m: MoveArg) -> Option<String> {
        self.position.check_legality(m.get()).err().map(|reason| reason.to_string())
    }

    /// True if the side to move is in check.
    fn is_check(&self) -> bool {
        self.position.in_check()
    }

    /// True if the side to move is mated.
    fn is_checkmate(&self) -> bool {
        self.position.is_checkmate()
    }

    /// True if a legal move gives check.
    fn gives_check(&self, m: MoveArg) -> PyResult<bool> {
        Ok(self.position.gives_check(self.legal(m.get())?))
    }

    /// The material that a legal move wins in the exchange on its destination, in centipawns.
    fn see(&self, m: MoveArg) -> PyResult<i32> {
        Ok(self.position.see(self.legal(m.get())?))
    }

    /// A move that mates at once; None if there is none.
    fn mate_in_one<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyMove>>> {
        self.position.mate_in_one().map(|m| object(py, m)).transpose()
    }

    /// The end of the game by its rules: checkmate, no legal move, fourfold repetition; None if it
    /// goes on.
    fn outcome(&self) -> Option<PyOutcome> {
        self.position.outcome(&GameRules::default()).map(PyOutcome)
    }

    /// True if the game has ended by its rules.
    fn is_game_over(&self) -> bool {
        self.position.outcome(&GameRules::default()).is_some()
    }

    /// The fourfold repetition that the last move completed: "draw", "win", "loss" (for the side to
    /// move, by perpetual check); None if there is none.
    fn repetition(&self) -> Option<&'static str> {
        match self.position.repetition() {
            Repetition::Draw => Some("draw"),
            Repetition::Win => Some("win"),
            Repetition::Lose => Some("loss"),
            _ => None,
        }
    }

    /// True if the side to move can declare a win (入玉宣言) by this rule: "27-point", "24-point",
    /// "try" or another name of `EnteringKingRule`.
    #[pyo3(signature = (rule=None))]
    fn can_declare(&self, rule: Option<&str>) -> PyResult<bool> {
        let rule = rule.map(str::parse::<DeclarationRule>).transpose().map_err(errors::value)?;
        Ok(self.position.declaration(rule.unwrap_or_default()).wins())
    }

    /// The number of lines of legal moves of this length, 0 to 32 moves. Ctrl-C ends the count.
    fn perft(&self, py: Python<'_>, depth: u32) -> PyResult<u64> {
        if depth > 32 {
            return Err(errors::value(format!("depth: found {depth}, expected 0 to 32")));
        }
        count_lines(py, &mut self.position.clone(), depth)
    }

    /// The piece on a square ("7g" or 0 to 80) as its SFEN letter, capital for Black: "P", "+r";
    /// None for an empty one.
    fn piece(&self, square: SquareArg) -> PyResult<Option<String>> {
        Ok(self.position.piece_on(square.get()?).map(|piece| piece.to_string()))
    }

    /// The pieces in hand of "black" or "white": {"R": 1, "P": 3}, the most valuable first.
    fn hand<'py>(&self, py: Python<'py>, color: &str) -> PyResult<Bound<'py, PyDict>> {
        let hand: Hand = self.position.hand(read_color(color)?);
        let found = PyDict::new(py);
        let mut pieces: Vec<(PieceKind, u32)> =
            hand.iter().filter(|&(_, count)| count > 0).collect();
        pieces.sort_by_key(|&(kind, _)| std::cmp::Reverse(kind.index()));
        for (kind, count) in pieces {
            found.set_item(kind.to_sfen(), count)?;
        }
        Ok(found)
    }

    /// The name of a legal move: notation "usi", "japanese", "kif", "hodges", "hosking" or "csa".
    #[pyo3(signature = (m, notation="japanese"))]
    fn name(&self, m: MoveArg, notation: &str) -> PyResult<String> {
        let notation: Notation = notation.parse().map_err(errors::value)?;
        Ok(notation.name(&self.position, self.legal(m.get())?))
    }

    /// Reads a move as people write it: "７六歩", "▲５八金右", "同銀" or USI.
    fn parse_move<'py>(&self, py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyMove>> {
        if let Ok(m) = text.trim().parse::<Move>() {
            return object(py, self.legal(m)?);
        }
        let last = self.position.current().last_move().map(Move::to);
        let (m, _) = read_japanese_move(text.trim(), &self.position, last).map_err(errors::sfen)?;
        object(py, self.legal(m)?)
    }

    /// A copy.
    fn copy(&self) -> Self {
        self.clone()
    }

    /// The position with the board turned by 180 degrees and the colours exchanged; no history.
    fn flipped(&self) -> Self {
        Self { position: self.position.flipped() }
    }

    /// The position with left and right exchanged; no history.
    fn mirrored(&self) -> Self {
        Self { position: self.position.mirrored() }
    }

    /// The board with both hands as a picture (SVG).
    ///
    /// arrows: moves, or pairs of a move and "plain", "good", "bad" or "minor". pieces: "kanji" or
    /// "letters". theme: "auto", "light" or "dark". flip: White below.
    #[pyo3(signature = (arrows=Vec::new(), *, pieces="kanji", theme="auto", flip=false, title=None))]
    fn svg(
        &self,
        arrows: Vec<ArrowArg>,
        pieces: &str,
        theme: &str,
        flip: bool,
        title: Option<String>,
    ) -> PyResult<String> {
        let mut picture = SvgBoard::new(&self.position);
        picture.last_move = self.position.current().last_move();
        picture.arrows = arrows.iter().map(|ArrowArg(m, kind)| (*m, *kind)).collect();
        picture.bottom = if flip { Color::White } else { Color::Black };
        picture.pieces = one_of(
            "pieces",
            pieces,
            &[("kanji", SvgPieces::Kanji), ("letters", SvgPieces::Letters)],
        )?;
        picture.theme = one_of("theme", theme, &THEMES)?;
        picture.title = title;
        Ok(picture.to_string())
    }

    fn _repr_svg_(&self) -> String {
        let mut picture = SvgBoard::new(&self.position);
        picture.last_move = self.position.current().last_move();
        picture.to_string()
    }

    fn _repr_html_(&self) -> String {
        format!("<div style=\"max-width:26em\">{}</div>", self._repr_svg_())
    }

    fn __str__(&self) -> String {
        Diagram::kanji(&self.position).to_string()
    }

    fn __repr__(&self) -> String {
        format!("Board('{}')", self.position.to_usi_position())
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.clone()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<Self>();
        other.is_ok_and(|other| self.position.same_placement(&other.borrow().position))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (String,)) {
        (py.get_type::<Self>().into_any(), (self.usi_position(),))
    }
}

/// Counts lines of legal moves, and looks for Ctrl-C every few milliseconds.
fn count_lines(py: Python<'_>, position: &mut Position, depth: u32) -> PyResult<u64> {
    if depth <= 3 {
        py.check_signals()?;
        return Ok(py.detach(|| perft(position, depth)));
    }
    let mut lines = 0_u64;
    for &m in position.legal_moves().iter() {
        position.do_move(m);
        lines = lines.wrapping_add(count_lines(py, position, depth - 1)?);
        position.undo_move();
    }
    Ok(lines)
}

/// A move to draw.
struct ArrowArg(Move, SvgArrow);

impl<'py> FromPyObject<'_, 'py> for ArrowArg {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let Ok(pair) = given.cast::<PyTuple>() else {
            return Ok(Self(given.extract::<MoveArg>()?.get(), SvgArrow::Plain));
        };
        let (m, kind): (MoveArg, String) = pair.extract()?;
        let kinds = [
            ("plain", SvgArrow::Plain),
            ("good", SvgArrow::Good),
            ("bad", SvgArrow::Bad),
            ("minor", SvgArrow::Minor),
        ];
        Ok(Self(m.get(), one_of("arrow", &kind, &kinds)?))
    }
}

/// The value of a word.
pub fn one_of<T: Copy>(what: &str, found: &str, values: &[(&str, T)]) -> PyResult<T> {
    values.iter().find(|(name, _)| *name == found).map(|&(_, value)| value).ok_or_else(|| {
        let names: Vec<&str> = values.iter().map(|&(name, _)| name).collect();
        errors::value(format!("{what}: found {found:?}, expected {}", names.join(", ")))
    })
}

/// Reads "black" or "white".
pub fn read_color(text: &str) -> PyResult<Color> {
    one_of("color", text, &[("black", Color::Black), ("white", Color::White)])
}

/// The end of a game.
#[pyclass(name = "Outcome", module = "komadai", frozen, eq)]
#[derive(Clone, Copy, PartialEq)]
pub struct PyOutcome(pub Outcome);

#[pymethods]
impl PyOutcome {
    /// "black", "white" or None for a draw.
    #[getter]
    fn winner<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyString>> {
        self.0.winner().map(|winner| color_name(py, winner))
    }

    /// The reason in words: "checkmate", "repetition", …
    #[getter]
    fn reason(&self) -> String {
        match self.0 {
            Outcome::Win { by, .. } => by.to_string(),
            Outcome::Draw(by) => by.to_string(),
        }
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("<Outcome: {}>", self.0)
    }
}
