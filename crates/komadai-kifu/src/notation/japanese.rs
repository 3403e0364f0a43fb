//! The Japanese notations: the official one, and that of KIF.

use komadai_core::{Color, Move, Position, Square};

use super::mover::{may_promote, mover};
use super::official;
use crate::csa::digits;
use crate::kakinoki::words::{kind_name, square_name};

/// Writes a move in the official notation.
pub(super) fn japanese(last: Option<Square>, position: &Position, m: Move) -> String {
    let head = side_square_and_kind(last, position, m);
    let (flank, motion) = official::words(position, mover(position, m), m);
    let promotion = match m.is_promotion() {
        true => "成",
        false if may_promote(position, m) => "不成",
        false => "",
    };
    format!("{head}{flank}{motion}{promotion}")
}

/// Writes a move in the notation of KIF.
pub(super) fn kif(last: Option<Square>, position: &Position, m: Move) -> String {
    let head = side_square_and_kind(last, position, m);
    let Some(from) = m.from() else { return format!("{head}打") };
    let promotion = if m.is_promotion() { "成" } else { "" };
    format!("{head}{promotion}({})", digits(from))
}

/// Returns the common start of both notations: `▲７六歩`, or `△同銀` on the target of the move before.
fn side_square_and_kind(last: Option<Square>, position: &Position, m: Move) -> String {
    let side = if position.side() == Color::Black { '▲' } else { '△' };
    let to = if last == Some(m.to()) { "同".to_owned() } else { square_name(m.to()) };
    format!("{side}{to}{}", kind_name(mover(position, m)))
}
