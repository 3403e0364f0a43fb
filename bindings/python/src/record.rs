//! Game records.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use komadai::core::{Color, Position};
use komadai::kifu::formation::{Formation, Formations};
use komadai::kifu::{
    Comment, End, EndKind, GameReader, HeaderKey, KifuFormat, Line, Notation, Outcome, Record,
    RecordMove, Tolerance, parse_records,
};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::board::{PyBoard, one_of, read_color};
use crate::errors;
use crate::moves::{PyMove, color_name, list, object};
use crate::paths;

/// The names of the formats.
const FORMATS: [(&str, KifuFormat); 6] = [
    ("kif", KifuFormat::Kif),
    ("ki2", KifuFormat::Ki2),
    ("csa", KifuFormat::Csa),
    ("jkf", KifuFormat::Jkf),
    ("usen", KifuFormat::Usen),
    ("usi", KifuFormat::Usi),
];

/// The names of the header's keys; other keys are words of the file.
const KEYS: [(&str, HeaderKey); 23] = [
    ("black", HeaderKey::Black),
    ("white", HeaderKey::White),
    ("event", HeaderKey::Event),
    ("title", HeaderKey::Title),
    ("site", HeaderKey::Site),
    ("date", HeaderKey::Date),
    ("start_time", HeaderKey::StartTime),
    ("end_time", HeaderKey::EndTime),
    ("opening", HeaderKey::Opening),
    ("time_limit", HeaderKey::TimeLimit),
    ("time_control", HeaderKey::TimeControl),
    ("black_time_control", HeaderKey::BlackTimeControl),
    ("white_time_control", HeaderKey::WhiteTimeControl),
    ("byoyomi", HeaderKey::Byoyomi),
    ("time_used", HeaderKey::TimeUsed),
    ("max_moves", HeaderKey::MaxMoves),
    ("impasse_rule", HeaderKey::ImpasseRule),
    ("published", HeaderKey::Published),
    ("note", HeaderKey::Note),
    ("problem_number", HeaderKey::ProblemNumber),
    ("problem_name", HeaderKey::ProblemName),
    ("composer", HeaderKey::Composer),
    ("source", HeaderKey::Source),
];

fn key_name(key: &HeaderKey) -> String {
    if let HeaderKey::Custom(word) = key {
        return word.clone();
    }
    let named = KEYS.iter().find(|(_, known)| known == key);
    named.map_or_else(|| format!("{key:?}"), |(name, _)| (*name).to_owned())
}

fn key_of(name: &str) -> HeaderKey {
    let known = KEYS.iter().find(|(known, _)| *known == name);
    known.map_or_else(|| HeaderKey::Custom(name.to_owned()), |(_, key)| key.clone())
}

/// The treatment of faults that `strict` asks for.
pub fn tolerance(strict: bool) -> Tolerance {
    if strict { Tolerance::Strict } else { Tolerance::Lenient }
}

/// Reads all games of a file: KIF, KI2, CSA, JKF, USEN or USI, told by name and content, UTF-8 or
/// Shift_JIS.
///
/// strict=False skips faulty games; Game counts them nowhere, so use it for browsing only. Raises
/// KifuError with line, column, the text found and the text expected.
#[pyfunction]
#[pyo3(signature = (path, *, strict=true))]
pub fn read_games(
    py: Python<'_>,
    #[pyo3(from_py_with = paths::path)] path: PathBuf,
    strict: bool,
) -> PyResult<Vec<PyGame>> {
    py.detach(|| {
        let games = GameReader::open(path, tolerance(strict)).map_err(errors::kifu)?;
        games.map(|game| game.map(PyGame::new).map_err(errors::kifu)).collect()
    })
}

/// Reads all games of a text or of bytes. Without format it is told by the content.
#[pyfunction]
#[pyo3(signature = (text, format=None, *, strict=true))]
pub fn parse_games(
    py: Python<'_>,
    text: TextArg,
    format: Option<&str>,
    strict: bool,
) -> PyResult<Vec<PyGame>> {
    let format = format.map(|format| one_of("format", format, &FORMATS)).transpose()?;
    py.detach(|| {
        let bytes = text.bytes();
        let found = format.or_else(|| KifuFormat::detect(bytes));
        let format = found.ok_or_else(|| {
            errors::kifu(
                "found a text of no known format, expected KIF, KI2, CSA, JKF, USEN or USI",
            )
        })?;
        let loaded = parse_records(bytes, format, tolerance(strict)).map_err(errors::kifu)?;
        Ok(loaded.records.into_iter().map(PyGame::new).collect())
    })
}

/// A text as a caller may give it.
#[derive(FromPyObject)]
pub enum TextArg {
    /// Characters.
    Text(String),
    /// Bytes in UTF-8 or Shift_JIS.
    Bytes(Vec<u8>),
}

impl TextArg {
    fn bytes(&self) -> &[u8] {
        match self {
            Self::Text(text) => text.as_bytes(),
            Self::Bytes(bytes) => bytes,
        }
    }
}

/// A game: header, start, moves with times and comments, variations and end.
#[pyclass(name = "Game", module = "komadai", skip_from_py_object)]
#[derive(Clone)]
pub struct PyGame {
    record: Arc<Record>,
}

impl PyGame {
    /// The game of a record.
    pub fn new(record: Record) -> Self {
        Self { record: Arc::new(record) }
    }

    /// The record.
    pub fn record(&self) -> &Arc<Record> {
        &self.record
    }

    fn start(&self) -> PyResult<Position> {
        Position::from_setup_leniently(&self.record.setup).map_err(errors::kifu)
    }

    fn line(&self, variation: Option<usize>) -> PyResult<Line> {
        match variation {
            None => Ok(Line::Main),
            Some(index) if index < self.record.variations.len() => Ok(Line::Variation(index)),
            Some(index) => Err(errors::kifu(format!(
                "found the variation {index}, expected 0 to {}",
                self.record.variations.len().saturating_sub(1)
            ))),
        }
    }
}

/// The text of some comments, a line each.
fn comment_text(comments: &[Comment]) -> String {
    let texts: Vec<String> = comments.iter().map(|comment| comment.text().to_owned()).collect();
    texts.join("\n")
}

#[pymethods]
impl PyGame {
    /// A game from a board: its start and the moves from it.
    #[new]
    #[pyo3(signature = (board=None, *, headers=None, end=None))]
    fn create(
        board: Option<&PyBoard>,
        headers: Option<std::collections::HashMap<String, String>>,
        end: Option<&str>,
    ) -> PyResult<Self> {
        let played = board.map_or_else(Position::hirate, |board| board.position.clone());
        let game = played.to_usi_position();
        let mut record = Record::new(game.setup);
        record.moves = game.moves.into_iter().map(RecordMove::new).collect();
        let mut headers: Vec<_> = headers.unwrap_or_default().into_iter().collect();
        headers.sort_by_key(|(name, _)| KEYS.iter().position(|(known, _)| known == name));
        for (name, value) in headers {
            record.header.set(key_of(&name), value);
        }
        record.end = end.map(end_of).transpose()?;
        Ok(Self::new(record))
    }

    /// The header: {"black": …, "white": …, "event": …, "date": …}; keys that only one format has
    /// keep their word.
    #[getter]
    fn headers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let headers = PyDict::new(py);
        for (key, value) in self.record.header.iter() {
            headers.set_item(key_name(key), value)?;
        }
        Ok(headers)
    }

    /// The moves of the game, or of a variation from the start of the game on.
    #[pyo3(signature = (variation=None))]
    fn mainline_moves<'py>(
        &self,
        py: Python<'py>,
        variation: Option<usize>,
    ) -> PyResult<Bound<'py, PyList>> {
        let moves: Vec<_> =
            self.record.path(self.line(variation)?).iter().map(|played| played.m).collect();
        list(py, &moves)
    }

    /// The moves of the game.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.mainline_moves(py, None)
    }

    /// The moves of the game with times and comments.
    #[getter]
    fn nodes(&self) -> Vec<PyGameMove> {
        self.record.moves.iter().cloned().map(PyGameMove).collect()
    }

    /// The comments before the first move.
    #[getter]
    fn comment(&self) -> String {
        comment_text(&self.record.comments)
    }

    /// The variations: (parent, ply, moves); parent is None for the game or the index of a
    /// variation, ply the number of the first move, from 1.
    #[getter]
    fn variations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let entries = self.record.variations.iter().map(|variation| {
            let parent = match variation.parent {
                Line::Main => None,
                Line::Variation(index) => Some(index),
            };
            let moves: Vec<_> = variation.moves.iter().map(|played| played.m).collect();
            Ok((parent, variation.ply, list(py, &moves)?))
        });
        PyList::new(py, entries.collect::<PyResult<Vec<_>>>()?)
    }

    /// "black", "white", "draw" or None if the record does not say.
    #[getter]
    fn result<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyString>> {
        match self.record.outcome() {
            Outcome::Win(winner) => Some(color_name(py, winner)),
            Outcome::Draw => Some(pyo3::intern!(py, "draw").clone()),
            Outcome::Unknown => None,
        }
    }

    /// The end mark: "resign", "checkmate", "repetition", "time_up", …, or None.
    #[getter]
    fn end(&self) -> Option<String> {
        self.record.end.as_ref().map(|end| end_name(end))
    }

    /// The board after the first moves: 0 for the start, None for the end of the game.
    #[pyo3(signature = (ply=None))]
    fn board(&self, ply: Option<usize>) -> PyResult<PyBoard> {
        let ply = ply.unwrap_or(self.record.moves.len());
        let position = self.record.position_at(ply).map_err(errors::kifu)?;
        Ok(PyBoard { position })
    }

    /// The names of the moves: notation "usi", "japanese", "kif", "hodges", "hosking" or "csa".
    #[pyo3(signature = (notation="japanese", variation=None))]
    fn names(&self, notation: &str, variation: Option<usize>) -> PyResult<Vec<String>> {
        let notation: Notation = notation.parse().map_err(errors::value)?;
        self.record.line_names(self.line(variation)?, notation).map_err(errors::kifu)
    }

    /// The castle in which the king of a side ("black" or "white") stood longest, and the
    /// strategies of the side, by their Japanese names: ("美濃囲い", ["四間飛車"]); None for no castle.
    fn formations(&self, color: &str) -> PyResult<(Option<&'static str>, Vec<&'static str>)> {
        let color = read_color(color)?;
        let found = Formations::of(&self.record);
        let strategies = found.strategies(color).into_iter().map(Formation::japanese).collect();
        Ok((found.castle(color).map(Formation::japanese), strategies))
    }

    /// The text of the game as "kif", "ki2", "csa", "jkf", "usen" or "usi".
    fn text(&self, format: &str) -> PyResult<String> {
        let format = one_of("format", format, &FORMATS)?;
        self.record.to_text(format).map_err(errors::kifu)
    }

    /// Writes the game to a file, completely or not at all; the ending decides format and encoding.
    /// Returns what the format cannot hold, as sentences.
    fn save(&self, #[pyo3(from_py_with = paths::path)] path: PathBuf) -> PyResult<Vec<String>> {
        let lost = self.record.save(path).map_err(errors::kifu)?;
        Ok(lost.iter().map(ToString::to_string).collect())
    }

    fn __len__(&self) -> usize {
        self.record.moves.len()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| *self.record == *other.borrow().record)
    }

    fn __repr__(&self) -> String {
        let player = |color| self.record.header.player(color).unwrap_or("?").to_owned();
        let (black, white) = (player(Color::Black), player(Color::White));
        format!("<Game: {black} – {white}, {} moves>", self.record.moves.len())
    }

    fn __str__(&self) -> PyResult<String> {
        self.text("kif")
    }

    /// The start position.
    #[getter]
    fn start_sfen(&self) -> PyResult<String> {
        Ok(self.start()?.to_string())
    }
}

/// A move of a game.
#[pyclass(name = "GameMove", module = "komadai", frozen)]
pub struct PyGameMove(RecordMove);

#[pymethods]
impl PyGameMove {
    /// The move.
    #[getter]
    fn r#move<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyMove>> {
        object(py, self.0.m)
    }

    /// Seconds that the player took; None if the record does not say.
    #[getter]
    fn time(&self) -> Option<f64> {
        self.0.time.as_ref().map(Duration::as_secs_f64)
    }

    /// The comments after the move.
    #[getter]
    fn comment(&self) -> String {
        comment_text(&self.0.comments)
    }

    fn __repr__(&self) -> String {
        format!("<GameMove: {}>", self.0.m)
    }
}

/// The names of the ends; other ends are words of the file.
const ENDS: [(&str, EndKind); 14] = [
    ("resign", EndKind::Resign),
    ("checkmate", EndKind::Checkmate),
    ("no_mate", EndKind::NoMate),
    ("time_up", EndKind::TimeUp),
    ("illegal_loss", EndKind::IllegalLoss),
    ("illegal_win", EndKind::IllegalWin),
    ("perpetual_check_loss", EndKind::PerpetualCheckLoss),
    ("perpetual_check_win", EndKind::PerpetualCheckWin),
    ("entering_king_win", EndKind::EnteringKingWin),
    ("repetition", EndKind::Repetition),
    ("impasse", EndKind::Impasse),
    ("draw", EndKind::Draw),
    ("max_moves", EndKind::MaxMoves),
    ("interrupt", EndKind::Interrupt),
];

fn end_name(end: &End) -> String {
    match &end.kind {
        EndKind::Win { reason, .. } => reason.clone(),
        EndKind::Other(word) => word.clone(),
        kind => {
            let named = ENDS.iter().find(|(_, known)| known == kind);
            named.map_or_else(|| "error".to_owned(), |(name, _)| (*name).to_owned())
        }
    }
}

fn end_of(name: &str) -> PyResult<End> {
    let named = ENDS.iter().find(|(known, _)| *known == name);
    let (_, kind) = named.ok_or_else(|| {
        let names: Vec<&str> = ENDS.iter().map(|&(name, _)| name).collect();
        errors::value(format!("end: found {name:?}, expected {}", names.join(", ")))
    })?;
    Ok(End::new(kind.clone()))
}
