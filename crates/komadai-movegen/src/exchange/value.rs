//! What pieces are worth in exchanges.

use komadai_core::PieceKind;

/// In centipawns, by kind. Round numbers in the proportions that published evaluations of shogi
/// pieces agree on; a search needs the order and rough distances, not the last digit.
const VALUES: [i32; PieceKind::COUNT] =
    [100, 300, 350, 500, 800, 950, 550, KING, 550, 500, 500, 550, 1_100, 1_300];

/// More than all other pieces together, so that a king is the last to take.
const KING: i32 = 30_000;

/// What a piece of `kind` is worth to its owner, in centipawns (a pawn is 100), on the board or in
/// hand.
///
/// A king, which is never exchanged, is worth more than all other pieces together.
///
/// # Examples
///
/// ```
/// use komadai_core::PieceKind;
/// use komadai_movegen::exchange_value;
///
/// assert_eq!(exchange_value(PieceKind::Pawn), 100);
/// assert!(exchange_value(PieceKind::Rook) > exchange_value(PieceKind::Bishop));
/// ```
#[must_use]
#[inline]
pub const fn exchange_value(kind: PieceKind) -> i32 {
    VALUES[kind as usize]
}

/// By how much taking a piece of `kind` changes the balance of material, in centipawns: the owner
/// loses it, and the captor holds its unpromoted form.
///
/// # Examples
///
/// Taking a tokin wins a good piece but yields a pawn.
///
/// ```
/// use komadai_core::PieceKind;
/// use komadai_movegen::{capture_value, exchange_value};
///
/// assert_eq!(
///     capture_value(PieceKind::ProPawn),
///     exchange_value(PieceKind::ProPawn) + exchange_value(PieceKind::Pawn),
/// );
/// ```
#[must_use]
#[inline]
pub const fn capture_value(kind: PieceKind) -> i32 {
    exchange_value(kind) + exchange_value(kind.unpromoted())
}

/// By how much the promotion of a piece of `kind` changes the balance, in centipawns; 0 for kinds
/// that do not promote.
#[must_use]
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
