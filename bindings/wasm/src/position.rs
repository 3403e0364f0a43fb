//! Positions.

use std::collections::BTreeMap;

use komadai::core::{
    Color, Hand, Handicap, Move, Piece, PieceKind, Position, Setup, Square, UsiPosition,
};
use komadai::kifu::{KifuFormat, Notation, Tolerance, parse_records};
use komadai::movegen::{GameRules, MoveGen, Outcome, perft, play};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;

use crate::error::{Checked, Code, json, one_of};
use crate::pictures::{Fault, SvgOptions};

/// Largest length of a text that a position is read from, in bytes.
const MOST_TEXT: usize = 1 << 20;

/// A position with the moves that led to it.
#[wasm_bindgen]
pub struct NativePosition {
    /// The position.
    pub(crate) position: Position,
}

/// Reads a position: SFEN, a USI position, the name of a handicap, a board in a record (BOD).
pub fn read(text: &str) -> Checked<Position> {
    let text = text.trim();
    if text.len() > MOST_TEXT {
        let found = text.len();
        return Err(Code::Sfen.error(format!("found {found} bytes, expected at most {MOST_TEXT}")));
    }
    if let Some(handicap) = Handicap::from_kif_name(text) {
        return Position::from_setup(&handicap.to_setup()).map_err(|error| Code::Sfen.error(error));
    }
    let is_line = !text.contains('\n');
    if is_line {
        return read_usi(text);
    }
    let Some(format) = KifuFormat::detect(text.as_bytes()) else {
        return Err(Code::Sfen.error("found lines of no known format, expected a board (BOD)"));
    };
    let loaded = parse_records(text.as_bytes(), format, Tolerance::Strict)
        .map_err(|error| Code::Kifu.error(error))?;
    let Some(record) = loaded.records.first() else {
        return Err(Code::Kifu.error("found no position"));
    };
    record.position_at(record.moves.len()).map_err(|error| Code::Kifu.error(error))
}

/// Reads an SFEN or a USI position.
pub fn read_usi(text: &str) -> Checked<Position> {
    let game = UsiPosition::from_usi(text).map_err(|error| Code::Sfen.error(error))?;
    play(&game).map_err(|error| Code::IllegalMove.error(error))
}

/// Reads a move in USI notation.
pub fn read_move(usi: &str) -> Checked<Move> {
    usi.parse().map_err(|error| Code::Sfen.error(error))
}

/// Returns moves in USI notation.
pub fn usi_of<'a>(moves: impl IntoIterator<Item = &'a Move>) -> Vec<String> {
    moves.into_iter().map(ToString::to_string).collect()
}

/// Returns "black" or "white".
pub fn color_name(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

/// Returns the side of a name.
pub fn read_color(name: &str) -> Checked<Color> {
    one_of("color", name, &[("black", Color::Black), ("white", Color::White)])
}

/// Returns the notation of a name: those of the library, and "ki2" and "western".
pub fn read_notation(name: &str) -> Checked<Notation> {
    match name {
        "ki2" => Ok(Notation::Japanese),
        "western" => Ok(Notation::Hodges),
        _ => name.parse().map_err(|error| Code::Argument.error(error)),
    }
}

/// The end of a game as the package shows it.
#[derive(Serialize)]
struct EndOfGame {
    #[serde(skip_serializing_if = "Option::is_none")]
    winner: Option<&'static str>,
    reason: String,
}

impl From<Outcome> for EndOfGame {
    fn from(outcome: Outcome) -> Self {
        let reason = match outcome {
            Outcome::Win { by, .. } => by.to_string(),
            Outcome::Draw(by) => by.to_string(),
        };
        Self { winner: outcome.winner().map(color_name), reason }
    }
}

/// Pieces of an editor.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Pieces {
    #[serde(default)]
    board: BTreeMap<String, String>,
    #[serde(default)]
    hands: BTreeMap<String, BTreeMap<String, u32>>,
    #[serde(default)]
    turn: Option<String>,
    #[serde(default)]
    ply: Option<u32>,
}

impl Pieces {
    fn setup(&self) -> Checked<Setup> {
        let mut setup = Setup::empty();
        for (square, piece) in &self.board {
            setup.board[read_square(square)?] = Some(read_piece(piece)?);
        }
        for (color, hand) in &self.hands {
            let color = read_color(color)?;
            for (letter, &count) in hand {
                setup.hands[color as usize] = held(setup.hands[color as usize], letter, count)?;
            }
        }
        if let Some(turn) = &self.turn {
            setup.side = read_color(turn)?;
        }
        if let Some(ply) = self.ply {
            setup.ply = ply.clamp(1, Setup::MAX_PLY);
        }
        Ok(setup)
    }
}

/// Returns a hand with this number of a kind.
fn held(hand: Hand, letter: &str, count: u32) -> Checked<Hand> {
    let Some((kind, most)) = Hand::FULL.iter().find(|(kind, _)| kind.to_sfen() == letter) else {
        let text = format!("hand: found {letter:?}, expected R, B, G, S, N, L or P");
        return Err(Code::Argument.error(text));
    };
    if count > most {
        return Err(
            Code::Argument.error(format!("hand: found {count} {letter}, expected 0 to {most}"))
        );
    }
    Ok(hand.with(kind, count))
}

fn read_square(name: &str) -> Checked<Square> {
    name.parse().map_err(|error| Code::Sfen.error(error))
}

fn read_piece(letters: &str) -> Checked<Piece> {
    let of = |color| PieceKind::ALL.map(|kind| Piece::new(color, kind));
    let mut pieces = [Color::Black, Color::White].into_iter().flat_map(of);
    pieces.find(|piece| piece.to_string() == letters).ok_or_else(|| {
        let text =
            format!("found the piece {letters:?}, expected letters of SFEN such as P, +r, K");
        Code::Sfen.error(text)
    })
}

#[wasm_bindgen]
impl NativePosition {
    /// Reads a position.
    pub fn parse(text: &str) -> Checked<NativePosition> {
        Ok(Self { position: read(text)? })
    }

    /// Makes the start position of the even game.
    pub fn hirate() -> NativePosition {
        Self { position: Position::hirate() }
    }

    /// Makes a position of an editor's pieces: JSON of `Pieces`.
    #[wasm_bindgen(js_name = fromPieces)]
    pub fn from_pieces(pieces: &str) -> Checked<NativePosition> {
        let pieces: Pieces =
            serde_json::from_str(pieces).map_err(|error| Code::Argument.error(error))?;
        let position =
            Position::from_setup(&pieces.setup()?).map_err(|error| Code::Sfen.error(error))?;
        Ok(Self { position })
    }

    /// The position as SFEN.
    pub fn sfen(&self) -> String {
        self.position.to_string()
    }

    /// The start and the moves from it, as in the USI command `position`.
    pub fn usi(&self) -> String {
        self.position.to_usi_position().to_string()
    }

    /// True if White moves.
    #[wasm_bindgen(js_name = isWhite)]
    pub fn is_white(&self) -> bool {
        self.position.side() == Color::White
    }

    /// The number of the next move.
    pub fn ply(&self) -> u32 {
        self.position.ply()
    }

    /// True if the side to move is in check.
    #[wasm_bindgen(js_name = isCheck)]
    pub fn is_check(&self) -> bool {
        self.position.in_check()
    }

    /// All legal moves.
    #[wasm_bindgen(js_name = legalMoves)]
    pub fn legal_moves(&self) -> Vec<String> {
        usi_of(self.position.legal_moves().iter())
    }

    /// The legal moves of a square ("7g") or the drops of a piece ("P*").
    #[wasm_bindgen(js_name = movesFrom)]
    pub fn moves_from(&self, from: &str) -> Checked<Vec<String>> {
        let moves = self.position.legal_moves();
        if let Some(letter) = from.strip_suffix('*') {
            held(Hand::EMPTY, letter, 0)?;
            let is_drop = |m: &&Move| m.dropped().is_some_and(|kind| kind.to_sfen() == letter);
            return Ok(usi_of(moves.iter().filter(is_drop)));
        }
        let square = read_square(from)?;
        Ok(usi_of(moves.iter().filter(|m| m.from() == Some(square))))
    }

    /// The letters of the piece on a square.
    #[wasm_bindgen(js_name = pieceAt)]
    pub fn piece_at(&self, square: &str) -> Checked<Option<String>> {
        Ok(self.position.piece_on(read_square(square)?).map(|piece| piece.to_string()))
    }

    /// The pieces in hand as JSON, the most valuable first.
    pub fn hand(&self, color: &str) -> Checked<String> {
        let hand: Hand = self.position.hand(read_color(color)?);
        let mut pieces: Vec<_> = hand.iter().filter(|&(_, count)| count > 0).collect();
        pieces.sort_by_key(|&(kind, _)| std::cmp::Reverse(kind.index()));
        let entries: serde_json::Map<_, _> = pieces
            .into_iter()
            .map(|(kind, count)| (kind.to_sfen().to_owned(), count.into()))
            .collect();
        Ok(json(&entries))
    }

    /// Makes a legal move.
    pub fn push(&mut self, usi: &str) -> Checked<()> {
        let m = read_move(usi)?;
        self.position.try_move(m).map_err(|error| Code::IllegalMove.error(error))
    }

    /// Takes the last move back.
    pub fn pop(&mut self) -> Option<String> {
        self.position.undo_move().map(|m| m.to_string())
    }

    /// The moves from the start on.
    pub fn moves(&self) -> Vec<String> {
        usi_of(&self.position.to_usi_position().moves)
    }

    /// The rule that a move breaks.
    #[wasm_bindgen(js_name = whyIllegal)]
    pub fn why_illegal(&self, usi: &str) -> Checked<Option<String>> {
        let m = read_move(usi)?;
        Ok(self.position.check_legality(m).err().map(|reason| reason.to_string()))
    }

    /// The rule that a move breaks with its name, as JSON.
    #[wasm_bindgen(js_name = brokenRule)]
    pub fn broken_rule(&self, usi: &str) -> Checked<Option<String>> {
        let m = read_move(usi)?;
        Ok(self.position.check_legality(m).err().map(|rule| Fault::of(&rule).to_json()))
    }

    /// The end of the game by its rules, as JSON.
    pub fn outcome(&self) -> Option<String> {
        let outcome = self.position.outcome(&GameRules::default())?;
        Some(json(&EndOfGame::from(outcome)))
    }

    /// The name of a legal move.
    pub fn name(&self, usi: &str, notation: &str) -> Checked<String> {
        let m = read_move(usi)?;
        self.position.check_legality(m).map_err(|error| Code::IllegalMove.error(error))?;
        Ok(read_notation(notation)?.name(&self.position, m))
    }

    /// The names of the moves of a line; those from the first illegal one on are absent.
    pub fn line(&self, moves: Vec<String>, notation: &str) -> Checked<Vec<String>> {
        let moves: Vec<Move> = moves.iter().map(|usi| read_move(usi)).collect::<Checked<_>>()?;
        Ok(read_notation(notation)?.names(&self.position, &moves))
    }

    /// The picture.
    pub fn svg(&self, options: &str) -> Checked<String> {
        SvgOptions::read(options)?.picture(&self.position, self.position.current().last_move())
    }

    /// The number of lines of legal moves of this length, at most 2⁵³.
    pub fn perft(&self, depth: u32) -> f64 {
        perft(&self.position, depth) as f64
    }

    /// A copy.
    pub fn copy(&self) -> NativePosition {
        Self { position: self.position.clone() }
    }
}
