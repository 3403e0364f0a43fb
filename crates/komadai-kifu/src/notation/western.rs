//! The notations of Western books.

use komadai_core::{Move, Position};
use komadai_movegen::is_legal;

use super::mover::{may_promote, mover};
use crate::csa::digits;

/// Writes a move as Hodges does: `P-7f`, `G6i-5h`, `Bx2b+`, `B*5e`.
pub(super) fn hodges(position: &Position, m: Move) -> String {
    let (letter, to) = (mover(position, m).to_sfen(), m.to());
    let Some(from) = m.from() else { return format!("{letter}*{to}") };
    let origin = if has_rivals(position, m) { from.to_string() } else { String::new() };
    let how = if position.piece_on(to).is_some() { 'x' } else { '-' };
    format!("{letter}{origin}{how}{to}{}", promotion(position, m))
}

/// Writes a move as Hosking does: `P76`, `G69-58`, `Bx22+`, `B*55`. The hyphen stands only after an
/// origin.
pub(super) fn hosking(position: &Position, m: Move) -> String {
    let (letter, to) = (mover(position, m).to_sfen(), digits(m.to()));
    let Some(from) = m.from() else { return format!("{letter}*{to}") };
    let has_origin = has_rivals(position, m);
    let origin = if has_origin { digits(from) } else { String::new() };
    let how = match position.piece_on(m.to()) {
        Some(_) => "x",
        None if has_origin => "-",
        None => "",
    };
    format!("{letter}{origin}{how}{to}{}", promotion(position, m))
}

fn promotion(position: &Position, m: Move) -> &'static str {
    match m.is_promotion() {
        true => "+",
        false if may_promote(position, m) => "=",
        false => "",
    }
}

/// Returns true if another piece of the kind on the board could move to the same square.
fn has_rivals(position: &Position, m: Move) -> bool {
    let others = position.pieces(position.side(), mover(position, m)).iter();
    let mut others = others.filter(|&other| Some(other) != m.from() && other != m.to());
    // A piece that must promote on the target has only the move with promotion.
    others.any(|other| {
        is_legal(position, Move::new(other, m.to()))
            || is_legal(position, Move::promotion(other, m.to()))
    })
}
