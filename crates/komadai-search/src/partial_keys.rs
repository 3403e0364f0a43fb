//! Keys of parts of a position (部分ハッシュ).
//!
//! Positions that differ elsewhere share such a key. They are computed from the bitboards where they
//! are wanted: a few multiplications, so nothing has to be followed move by move. The key of the
//! board without the hands is [`Position::board_key`].

use komadai_core::{Bitboard, Color, PieceKind, Position, attacks};

/// The pawns of both sides.
#[inline]
pub(crate) fn pawns(position: &Position) -> u64 {
    let pawns = position.kind(PieceKind::Pawn);
    Mixer::new(1).with(pawns & position.color(Color::Black)).with(pawns).key()
}

/// The golds and silvers of both sides.
#[inline]
pub(crate) fn generals(position: &Position) -> u64 {
    let (gold, silver) = (position.kind(PieceKind::Gold), position.kind(PieceKind::Silver));
    Mixer::new(2).with(gold).with(silver).with((gold | silver) & position.color(Color::Black)).key()
}

/// A king and what stands next to it.
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

/// Bitboards made into one number.
struct Mixer(u64);

impl Mixer {
    const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

    #[inline]
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(Self::ODD))
    }

    #[inline]
    fn with(self, set: Bitboard) -> Self {
        let [low, high] = set.lanes();
        let mixed = (self.0 ^ low ^ high.rotate_left(40)).wrapping_mul(Self::ODD);
        Self(mixed ^ mixed >> 29)
    }

    #[inline]
    fn key(self) -> u64 {
        let mixed = self.0.wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed ^ mixed >> 32
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use komadai_testdata::openings;

    use super::*;

    /// Positions of some openings and one move later.
    fn suite() -> Vec<Position> {
        use komadai_movegen::MoveGen;
        let mut positions = Vec::new();
        for sfen in openings::sfens().take(40) {
            let position = Position::from_sfen(sfen).unwrap();
            positions.extend(position.legal_moves().into_iter().map(|m| position.after(m)));
        }
        positions
    }

    fn assert_tells_apart<K: std::hash::Hash + Eq>(
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
        assert_tells_apart(pawns, |position| both(position, PieceKind::Pawn));
        assert_tells_apart(generals, |position| {
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
