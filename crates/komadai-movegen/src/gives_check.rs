//! The test whether a move gives check.

use komadai_core::{CheckInfo, Move, PieceKind, Position, Square, attacks};

/// Returns whether `m` gives check, from the check squares and discoverers in `info`.
///
/// Suited to many moves of one position; for a single move
/// [`MoveGen::gives_check`](crate::MoveGen::gives_check) is cheaper. For an illegal `m` the result
/// is meaningless, but the function does not panic.
///
/// # Examples
///
/// ```
/// use komadai_core::{CheckInfo, Position};
/// use komadai_movegen::gives_check;
///
/// let position = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b RB 1")?;
/// let info = CheckInfo::new(&position);
/// assert!(gives_check(&position, &info, "R*5e".parse()?));
/// assert!(!gives_check(&position, &info, "B*5e".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[inline]
pub fn gives_check(position: &Position, info: &CheckInfo, m: Move) -> bool {
    let Some(kind) = kind_after(position, m) else { return false };
    if info.check_squares(kind).contains(m.to()) {
        return true;
    }
    match (m.from(), position.king_square(!position.side())) {
        (Some(from), Some(king)) if info.discoverers().contains(from) => {
            leaves_line(king, from, m.to())
        }
        _ => false,
    }
}

/// Returns whether `m` gives check, like [`gives_check`] but without a [`CheckInfo`].
pub(crate) fn gives_check_alone(position: &Position, m: Move) -> bool {
    let us = position.side();
    let (Some(kind), Some(king)) = (kind_after(position, m), position.king_square(!us)) else {
        return false;
    };
    // The occupancy with the piece on its origin is correct: if the origin blocked the line of the
    // check, the piece would already give check, which a valid position excludes.
    if attacks::of(us, kind, m.to(), position.occupied()).contains(king) {
        return true;
    }
    m.from().is_some_and(|from| {
        leaves_line(king, from, m.to())
            && !attacks::ray(king, from).is_disjoint(position.sliders() & position.color(us))
            && position.blockers(us, king).contains(from)
    })
}

/// Returns whether a move from `from` to `to` leaves the line through `king` and `from`; `true`
/// also if the two squares share no line.
#[inline]
fn leaves_line(king: Square, from: Square, to: Square) -> bool {
    !attacks::line_through(king, from).contains(to)
}

/// The kind on the destination after `m`; `None` for a move from an empty square.
#[inline]
pub(crate) fn kind_after(position: &Position, m: Move) -> Option<PieceKind> {
    let Some(from) = m.from() else { return m.dropped() };
    let kind = position.piece_on(from)?.kind();
    if m.is_promotion() { kind.promoted() } else { Some(kind) }
}
