//! Partial keys (部分ハッシュ): hash keys of parts of a position.
//!
//! Positions that differ elsewhere share such a key. The keys are computed from the bitboards at
//! each use, with a few multiplications, so that no move has to update them. The key of the board
//! without the hands is [`Position::board_key`].

use komadai_core::{Bitboard, Color, PieceKind, Position, attacks};

/// Returns the key of the pawns of both sides.
#[inline]
pub(crate) fn pawns(position: &Position) -> u64 {
    let pawns = position.kind(PieceKind::Pawn);
    key(0, [pawns & position.color(Color::Black), pawns])
}

/// Returns the key of the golds and silvers of both sides.
#[inline]
pub(crate) fn generals(position: &Position) -> u64 {
    let gold = position.kind(PieceKind::Gold);
    let silver = position.kind(PieceKind::Silver);
    key(0, [gold, silver, (gold | silver) & position.color(Color::Black)])
}

/// Returns the key of a king and the pieces next to it; 0 without a king.
#[inline]
pub(crate) fn king_neighbourhood(position: &Position, color: Color) -> u64 {
    let Some(king) = position.king_square(color) else { return 0 };
    let near = attacks::king(king);
    let of = |kind| position.kind(kind) & near;
    let pawns = of(PieceKind::Pawn);
    let (golds, silvers) = (of(PieceKind::Gold) | pawns, of(PieceKind::Silver) | pawns);
    key(king as u64, [near & position.color(color), near & position.color(!color), golds, silvers])
}

/// Returns a hash key of a small number and some bitboards.
///
/// The two lanes of each are multiplied by odd constants of their own, and the products are added
/// (multilinear hashing: J. Carter and M. Wegman, "Universal classes of hash functions", Journal of
/// Computer and System Sciences 18(2), 1979), so that no product waits for another one. A bit of a
/// product depends on the lower bits of its factors only. Therefore the sum is folded, multiplied
/// once more and reversed by bytes: the low bits, which select an entry of a table, depend on all
/// squares.
#[inline]
fn key<const N: usize>(number: u64, sets: [Bitboard; N]) -> u64 {
    const { assert!(N <= FACTORS.len()) };
    let mut sum = number << 57;
    for (set, [low, high]) in sets.into_iter().zip(FACTORS) {
        let lanes = set.lanes();
        sum =
            sum.wrapping_add(lanes[0].wrapping_mul(low)).wrapping_add(lanes[1].wrapping_mul(high));
    }
    (sum ^ sum >> 32).wrapping_mul(FINAL).swap_bytes()
}

/// 2^64 divided by the golden ratio (Fibonacci hashing: D. Knuth, "The Art of Computer
/// Programming", volume 3, section 6.4).
const FINAL: u64 = 0x9e37_79b9_7f4a_7c15;

/// Odd numbers from the fractional parts of the square roots of the first primes.
const FACTORS: [[u64; 2]; 4] = [
    [0x6a09_e667_f3bc_c909, 0xbb67_ae85_84ca_a73b],
    [0x3c6e_f372_fe94_f82b, 0xa54f_f53a_5f1d_36f1],
    [0x510e_527f_ade6_82d1, 0x9b05_688c_2b3e_6c1f],
    [0x1f83_d9ab_fb41_bd6b, 0x5be0_cd19_137e_2179],
];

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, HashSet};

    use komadai_core::Square;
    use komadai_testdata::openings;

    use super::*;

    /// Returns positions of some openings and one move later.
    fn suite() -> Vec<Position> {
        use komadai_movegen::MoveGen;
        let mut positions = Vec::new();
        for sfen in openings::sfens().take(40) {
            let position = Position::from_sfen(sfen).unwrap();
            positions.extend(position.legal_moves().into_iter().map(|m| position.after(m)));
        }
        positions
    }

    fn assert_distinguishes<K: std::hash::Hash + Eq>(
        key: impl Fn(&Position) -> u64,
        part: impl Fn(&Position) -> K,
    ) {
        let mut by_part = HashMap::new();
        let mut by_key = HashMap::new();
        for position in suite() {
            let key = key(&position);
            assert_eq!(*by_part.entry(part(&position)).or_insert(key), key, "one key for a part");
            by_key.entry(key).or_insert(());
        }
        assert_eq!(by_key.len(), by_part.len(), "different parts have different keys");
    }

    #[test]
    fn keys_depend_on_their_part_alone() {
        let set = |position: &Position, kind, color| {
            (position.kind(kind) & position.color(color)).lanes()
        };
        let both = |position: &Position, kind| Color::ALL.map(|color| set(position, kind, color));
        assert_distinguishes(pawns, |position| both(position, PieceKind::Pawn));
        assert_distinguishes(generals, |position| {
            [PieceKind::Gold, PieceKind::Silver].map(|kind| both(position, kind))
        });
    }

    #[test]
    fn the_low_bits_depend_on_every_square() {
        let base = Position::hirate().occupied();
        for bits in [9, 14] {
            let low = |set: Bitboard| key(0, [Bitboard::EMPTY, set]) & ((1 << bits) - 1);
            let changes = Square::ALL.map(|square| low(base ^ square.into()) ^ low(base));
            let distinct: HashSet<u64> = changes.into_iter().collect();
            // 81 random numbers of nine bits have 75 values on average.
            assert!(distinct.len() > 65 && !distinct.contains(&0), "{bits}: {distinct:?}");
        }
    }

    #[test]
    fn a_missing_king_has_no_neighbourhood() {
        let position = Position::from_sfen("9/9/9/4S4/9/9/9/9/4K4 b - 1").unwrap();
        assert_eq!(king_neighbourhood(&position, Color::White), 0);
        assert_ne!(king_neighbourhood(&position, Color::Black), 0);
    }
}
