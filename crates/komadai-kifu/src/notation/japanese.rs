//! The Japanese notations: the official one, and that of KIF.

use komadai_core::{Color, Move, PieceKind, Position, Square};

use super::mover::{may_promote, mover};
use super::official;

/// Writes a move in the official notation.
pub(super) fn japanese(last: Option<Square>, position: &Position, m: Move) -> String {
    let head = side_square_and_kind(last, position, m);
    let words = official::words(position, mover(position, m), m);
    let promotion = match m.is_promotion() {
        true => "成",
        false if may_promote(position, m) => "不成",
        false => "",
    };
    format!("{head}{words}{promotion}")
}

/// Writes a move in the notation of KIF.
pub(super) fn kif(last: Option<Square>, position: &Position, m: Move) -> String {
    let head = side_square_and_kind(last, position, m);
    let Some(from) = m.from() else { return format!("{head}打") };
    let promotion = if m.is_promotion() { "成" } else { "" };
    let (file, rank) = (from.file().index() + 1, from.rank().index() + 1);
    format!("{head}{promotion}({file}{rank})")
}

/// Returns the common start of both notations: `▲７六歩`, or `△同銀` on the target of the move before.
fn side_square_and_kind(last: Option<Square>, position: &Position, m: Move) -> String {
    const FILES: [char; 9] = ['１', '２', '３', '４', '５', '６', '７', '８', '９'];
    const RANKS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];
    let side = if position.side() == Color::Black { '▲' } else { '△' };
    let (file, rank) = (m.to().file().index(), m.to().rank().index());
    let to = match last == Some(m.to()) {
        true => "同".to_owned(),
        false => [FILES[file], RANKS[rank]].iter().collect(),
    };
    let kind = mover(position, m);
    match kind {
        PieceKind::ProLance | PieceKind::ProKnight | PieceKind::ProSilver => {
            format!("{side}{to}成{}", kind.unpromoted().to_kanji())
        }
        kind => format!("{side}{to}{}", kind.to_kanji()),
    }
}
