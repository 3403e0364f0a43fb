//! The starts of games between two castles, found in records of self-play.

use komadai::data::records::{PackedSfenValue, RecordResult};
use komadai::prelude::*;

/// Number of squares by which an army may differ from its template: two moves.
const MOST_DIFFERENCES: usize = 4;

/// Score, in centipawns, at which a side wins *e* / (*e* + 1) of the games.
pub(crate) const SCALE_CP: f64 = 600.0;

/// The start of a game between two castles.
pub(crate) struct Start {
    /// The castles of Black and White, as indices of their templates.
    pub(crate) castles: [usize; 2],
    pub(crate) black_to_move: bool,
    /// Black's result, from 0 to 1.
    pub(crate) result: f64,
    /// Black's result as the score predicts it.
    pub(crate) expected: f64,
}

impl Start {
    /// Returns the start that a record is, or `None` if an army is no castle.
    pub(crate) fn of(
        record: &PackedSfenValue,
        armies: &[Vec<char>],
    ) -> anyhow::Result<Option<Self>> {
        let position = record.unpack()?;
        let board = squares(position.to_string().split(' ').next().unwrap_or_default());
        let rotated = board.iter().rev().map(|&c| swapped(c)).collect::<Vec<_>>();
        let (Some(black), Some(white)) = (nearest(&board, armies), nearest(&rotated, armies))
        else {
            return Ok(None);
        };
        let black_to_move = position.side() == Color::Black;
        let own = match record.result {
            RecordResult::Win => 1.0,
            RecordResult::Loss => 0.0,
            _ => 0.5,
        };
        let expected = 1.0 / (1.0 + (-f64::from(record.score) / SCALE_CP).exp());
        let of_black = |value: f64| if black_to_move { value } else { 1.0 - value };
        Ok(Some(Self {
            castles: [black, white],
            black_to_move,
            result: of_black(own),
            expected: of_black(expected),
        }))
    }
}

/// Returns the template to which Black's army on the ranks 6 to 9 comes nearest.
fn nearest(board: &[char], armies: &[Vec<char>]) -> Option<usize> {
    let ranks = board.get(45..)?;
    let distance =
        |army: &Vec<char>| ranks.iter().zip(army).filter(|&(&c, &a)| own(c) != a).count();
    let (distance, index) =
        armies.iter().enumerate().map(|(index, army)| (distance(army), index)).min()?;
    (distance <= MOST_DIFFERENCES).then_some(index)
}

/// Returns the piece if it is Black's, else an empty square.
fn own(piece: char) -> char {
    if piece.is_ascii_uppercase() { piece } else { '.' }
}

/// Returns the squares of ranks of an SFEN: a letter for a piece, `+` for a promoted one, `.` for
/// none.
pub(crate) fn squares(ranks: &str) -> Vec<char> {
    let (mut squares, mut promoted) = (Vec::new(), false);
    for c in ranks.chars() {
        match (c, c.to_digit(10)) {
            ('/', _) => {}
            ('+', _) => promoted = true,
            (_, Some(empty)) => squares.extend((0..empty).map(|_| '.')),
            _ => squares.push(if core::mem::take(&mut promoted) { '+' } else { c }),
        }
    }
    squares
}

fn swapped(c: char) -> char {
    if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() }
}
