//! The values of pieces in exchanges.

use komadai_core::PieceKind;

/// The values in centipawns, by kind.
///
/// Round numbers in the proportions on which published evaluations of shogi pieces agree. A search
/// needs the order and the approximate ratios only.
const VALUES: [i32; PieceKind::COUNT] =
    [100, 300, 350, 500, 800, 950, 550, KING, 550, 500, 500, 550, 1_100, 1_300];

/// The value of a king: more than all other pieces together, so that the king captures last.
const KING: i32 = 30_000;

/// The value of a piece of `kind`, on the board or in hand, in centipawns; a pawn has 100.
///
/// A king, which is never exchanged, has a value above that of all other pieces together.
///
/// # Examples
///
/// ```
/// use komadai_core::PieceKind;
/// use komadai_movegen::exchange::exchange_value;
///
/// assert_eq!(exchange_value(PieceKind::Pawn), 100);
/// assert!(exchange_value(PieceKind::Rook) > exchange_value(PieceKind::Bishop));
/// ```
#[inline]
pub const fn exchange_value(kind: PieceKind) -> i32 {
    VALUES[kind as usize]
}

/// The change of the material balance by capturing a piece of `kind`, in centipawns.
///
/// The owner loses the piece, and the captor holds its unpromoted kind.
///
/// # Examples
///
/// Capturing a tokin takes a strong piece from the opponent, but the captor receives a pawn.
///
/// ```
/// use komadai_core::PieceKind;
/// use komadai_movegen::exchange::{capture_value, exchange_value};
///
/// assert_eq!(
///     capture_value(PieceKind::ProPawn),
///     exchange_value(PieceKind::ProPawn) + exchange_value(PieceKind::Pawn),
/// );
/// ```
#[inline]
pub const fn capture_value(kind: PieceKind) -> i32 {
    exchange_value(kind) + exchange_value(kind.unpromoted())
}

/// The change of the material balance by promoting a piece of `kind`, in centipawns; 0 for kinds
/// that do not promote.
#[inline]
pub(crate) const fn promotion_value(kind: PieceKind) -> i32 {
    match kind.promoted() {
        Some(promoted) => exchange_value(promoted) - exchange_value(kind),
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn promotion_always_gains_and_the_king_outweighs_the_army() {
        for kind in PieceKind::ALL {
            assert_eq!(promotion_value(kind) > 0, kind.can_promote(), "{kind:?}");
        }
        let army: i32 = PieceKind::HAND
            .into_iter()
            .map(|kind| {
                let best = kind.promoted().map_or(0, exchange_value).max(exchange_value(kind));
                best * PieceKind::TOTALS[kind as usize] as i32
            })
            .sum();
        assert!(exchange_value(PieceKind::King) > army);
    }
}
