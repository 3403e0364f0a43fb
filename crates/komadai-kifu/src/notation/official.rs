//! The words by which the official notation tells pieces of one kind apart: 右左直上寄引.
//!
//! Source: Japan Shogi Association, "棋譜の表記方法", <https://www.shogi.or.jp/faq/kihuhyouki.html>.

use komadai_core::{Bitboard, Color, Move, PieceKind, Position, Square};

/// The direction of a move as its player sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Motion {
    /// 上: to a rank in front, also diagonally.
    Forward,
    /// 寄: along the rank.
    Sideways,
    /// 引: to a rank behind, also diagonally.
    Backward,
}

/// The side from which a piece comes, as its player sees it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flank {
    Left,
    /// The same file.
    Middle,
    Right,
}

/// Returns the squares of the pieces of a kind that reach a square by their movement. Pins do not
/// count.
pub(super) fn candidates(position: &Position, kind: PieceKind, to: Square) -> Bitboard {
    let side = position.side();
    position.attackers_to(side, to, position.occupied()) & position.pieces(side, kind)
}

/// Returns the words that tell a move from those of the other candidates.
pub(super) fn words(position: &Position, kind: PieceKind, m: Move) -> (&'static str, &'static str) {
    let to = m.to();
    let all = candidates(position, kind, to);
    let Some(from) = m.from() else { return ("", if all.is_empty() { "" } else { "打" }) };
    let others: Vec<Square> = all.iter().filter(|&other| other != from).collect();
    if others.is_empty() {
        return ("", "");
    }
    let side = position.side();
    let own = motion(side, from, to);
    if others.iter().all(|&other| motion(side, other, to) != own) {
        return ("", motion_word(own));
    }
    if is_straight(side, kind, from, to) {
        return ("", "直");
    }
    let own_flank = flank(side, kind, from, to, &others);
    let has_flank = |other: &Square| {
        let rivals: Vec<Square> = all.iter().filter(|square| square != other).collect();
        flank(side, kind, *other, to, &rivals) == own_flank
    };
    let motion = if others.iter().any(has_flank) { motion_word(own) } else { "" };
    match own_flank {
        Flank::Left => ("左", motion),
        Flank::Right => ("右", motion),
        Flank::Middle => ("", motion_word(own)),
    }
}

fn motion_word(motion: Motion) -> &'static str {
    match motion {
        Motion::Forward => "上",
        Motion::Sideways => "寄",
        Motion::Backward => "引",
    }
}

/// Returns the direction of a move.
pub(super) fn motion(side: Color, from: Square, to: Square) -> Motion {
    let step = to.rank().index() as i32 - from.rank().index() as i32;
    match if side == Color::Black { step } else { -step } {
        0 => Motion::Sideways,
        step if step < 0 => Motion::Forward,
        _ => Motion::Backward,
    }
}

/// Checks for a step straight ahead, 直, which is a word for pieces that also step diagonally ahead.
pub(super) fn is_straight(side: Color, kind: PieceKind, from: Square, to: Square) -> bool {
    !is_ranging(kind)
        && from.file() == to.file()
        && motion(side, from, to) == Motion::Forward
        && from.rank().index().abs_diff(to.rank().index()) == 1
}

/// Returns the side from which a piece comes: for the ranging pieces beside the other one, for the
/// others beside the target.
pub(super) fn flank(
    side: Color,
    kind: PieceKind,
    from: Square,
    to: Square,
    others: &[Square],
) -> Flank {
    let beside = match others.first() {
        Some(other) if is_ranging(kind) => other.file(),
        _ => to.file(),
    };
    let leftward = from.file().index() as i32 - beside.index() as i32;
    match if side == Color::Black { leftward } else { -leftward } {
        0 => Flank::Middle,
        step if step > 0 => Flank::Left,
        _ => Flank::Right,
    }
}

fn is_ranging(kind: PieceKind) -> bool {
    matches!(kind, PieceKind::Bishop | PieceKind::Rook | PieceKind::Horse | PieceKind::Dragon)
}
