//! Whether a move gives check.

use komadai_core::{CheckInfo, Move, PieceKind, Position, Square, attacks};

/// Whether `m` gives check, by what a node already knows about check squares and discoverers.
///
/// For many moves of one position; for a single one [`MoveGen::gives_check`](crate::MoveGen) is
/// cheaper. The answer is meaningless, but does not panic, if `m` is not legal.
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
#[must_use]
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

/// As [`gives_check`], without a [`CheckInfo`].
#[must_use]
pub(crate) fn gives_check_alone(position: &Position, m: Move) -> bool {
    let us = position.side();
    let (Some(kind), Some(king)) = (kind_after(position, m), position.king_square(!us)) else {
        return false;
    };
    // The moving piece itself blocks no line it could check along: it would be giving check
    // already, which the position's validity excludes.
    if attacks::of(us, kind, m.to(), position.occupied()).contains(king) {
        return true;
    }
    m.from().is_some_and(|from| {
        leaves_line(king, from, m.to())
            && !attacks::ray(king, from).is_disjoint(position.sliders() & position.color(us))
            && position.blockers(us, king).contains(from)
    })
}

/// Whether a piece that goes from `from` to `to` opens the line through `king`; `true` also where
/// there is no such line.
#[inline]
fn leaves_line(king: Square, from: Square, to: Square) -> bool {
    !attacks::line_through(king, from).contains(to)
}

/// What stands on the destination after `m`; `None` for a move from an empty square.
#[inline]
pub(crate) fn kind_after(position: &Position, m: Move) -> Option<PieceKind> {
    let Some(from) = m.from() else { return m.dropped() };
    let kind = position.piece_on(from)?.kind();
    if m.is_promotion() { kind.promoted() } else { Some(kind) }
}
