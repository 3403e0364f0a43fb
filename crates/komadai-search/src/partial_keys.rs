//! Partial keys (部分ハッシュ): hash keys of parts of a position.
//!
//! Positions that differ elsewhere share such a key. The keys are computed from the bitboards at each
//! use, with a few multiplications, so that no move has to update them. The key of the board without the
//! hands is [`Position::board_key`].

use komadai_core::{Bitboard, Color, PieceKind, Position, attacks};

/// Returns the key of the pawns of both sides.
#[inline]
pub(crate) fn pawns(position: &Position) -> u64 {
    let pawns = position.kind(PieceKind::Pawn);
    Mixer::new(1).with(pawns & position.color(Color::Black)).with(pawns).key()
}

/// Returns the key of the golds and silvers of both sides.
#[inline]
pub(crate) fn generals(position: &Position) -> u64 {
    let (gold, silver) = (position.kind(PieceKind::Gold), position.kind(PieceKind::Silver));
    Mixer::new(2).with(gold).with(silver).with((gold | silver) & position.color(Color::Black)).key()
}

/// Returns the key of a king and the pieces next to it; 0 without a king.
#[inline]
pub(crate) fn king_neighbourhood(position: &Position, color: Color) -> u64 {
    let Some(king) = position.king_square(color) else { return 0 };
    let near = attacks::king(king);
    let of = |kind| position.kind(kind) & near;
    Mixer::new(3 + king as u64)
        .with(near & position.color(color))
        .with(near & position.color(!color))
        .with(of(PieceKind::Gold) | of(PieceKind::Pawn))
        .with(of(PieceKind::Silver) | of(PieceKind::Pawn))
        .key()
}

/// A hash function of bitboards.
struct Mixer(u64);

impl Mixer {
    /// 2^64 divided by the golden ratio (Fibonacci hashing: D. Knuth, "The Art of Computer
    /// Programming", volume 3, section 6.4).
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

    /// The first multiplier of the finaliser of SplitMix64 (G. Steele, D. Lea and C. Flood, "Fast
    /// splittable pseudorandom number generators", OOPSLA 2014, in the variant of S. Vigna).
    const FINAL: u64 = 0xbf58_476d_1ce4_e5b9;

    /// Starts with a seed, so that the same bitboards as different parts have different keys.
    #[inline]
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(Self::GOLDEN))
    }

    #[inline]
    fn with(self, set: Bitboard) -> Self {
        let [low, high] = set.lanes();
        // A rotation, because both lanes are sparse and use the same low bits.
        let mixed = (self.0 ^ low ^ high.rotate_left(40)).wrapping_mul(Self::GOLDEN);
        Self(mixed ^ mixed >> 29)
    }

    #[inline]
    fn key(self) -> u64 {
        let mixed = self.0.wrapping_mul(Self::FINAL);
        mixed ^ mixed >> 32
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

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
    fn a_missing_king_has_no_neighbourhood() {
        let position = Position::from_sfen("9/9/9/4S4/9/9/9/9/4K4 b - 1").unwrap();
        assert_eq!(king_neighbourhood(&position, Color::White), 0);
        assert_ne!(king_neighbourhood(&position, Color::Black), 0);
    }
}
