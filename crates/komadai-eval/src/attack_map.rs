//! Attack maps: the squares that a side attacks once, at least twice, and with cheap pieces.

use komadai_core::{Bitboard, Color, PieceKind, Position, attacks};

/// The squares attacked by the pieces of one side, without its king.
///
/// # Examples
///
/// ```
/// use komadai_core::{Color, Position, Square};
/// use komadai_eval::AttackMap;
///
/// let map = AttackMap::new(&Position::hirate(), Color::Black);
/// assert!(map.once().contains(Square::S76) && map.by_pawn().contains(Square::S76));
/// assert!(!map.once().contains(Square::S55));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AttackMap {
    pub(crate) once: Bitboard,
    pub(crate) twice: Bitboard,
    pub(crate) by_pawn: Bitboard,
    pub(crate) by_minor: Bitboard,
    pub(crate) by_general: Bitboard,
}

impl AttackMap {
    /// Computes the map of `color`, the cheapest pieces first.
    ///
    /// One shift moves all pieces that step in one direction. No two of them reach the same square,
    /// so each shift adds at most one attack to a square, and counting to two needs two bitboards
    /// only.
    pub fn new(position: &Position, color: Color) -> Self {
        let mut map = Counter { once: Bitboard::EMPTY, twice: Bitboard::EMPTY };
        let own = position.color(color);
        let of = |kind| position.kind(kind) & own;
        let occupied = position.occupied();
        let pawn = of(PieceKind::Pawn);
        let by_pawn = match color {
            Color::Black => pawn.up(),
            Color::White => pawn.down(),
        };
        map.add(by_pawn);
        let knight = of(PieceKind::Knight);
        match color {
            Color::Black => {
                map.add(knight.up_up_left());
                map.add(knight.up_up_right());
            }
            Color::White => {
                map.add(knight.down_down_left());
                map.add(knight.down_down_right());
            }
        }
        // Sliding attacks depend on the occupied squares, so they are looked up piece by piece.
        for square in of(PieceKind::Lance) {
            map.add(attacks::lance(color, square, occupied));
        }
        // Cheaper pieces only so far: the map of minor pieces is complete here, and the one of
        // generals after the next block.
        let by_minor = map.once;
        let gold = position.gold_movers() & own;
        let silver = of(PieceKind::Silver);
        let general = gold | silver;
        map.add(gold.left());
        map.add(gold.right());
        match color {
            Color::Black => {
                map.add(general.up());
                map.add(general.up_left());
                map.add(general.up_right());
                map.add(gold.down());
                map.add(silver.down_left());
                map.add(silver.down_right());
            }
            Color::White => {
                map.add(general.down());
                map.add(general.down_left());
                map.add(general.down_right());
                map.add(gold.up());
                map.add(silver.up_left());
                map.add(silver.up_right());
            }
        }
        let by_general = map.once;
        for square in of(PieceKind::Bishop) {
            map.add(attacks::bishop(square, occupied));
        }
        for square in of(PieceKind::Rook) {
            map.add(attacks::rook(square, occupied));
        }
        for square in of(PieceKind::Horse) {
            map.add(attacks::bishop(square, occupied) | attacks::king(square));
        }
        for square in of(PieceKind::Dragon) {
            map.add(attacks::rook(square, occupied) | attacks::king(square));
        }
        Self { once: map.once, twice: map.twice, by_pawn, by_minor, by_general }
    }

    /// Returns the squares attacked by at least one piece.
    #[inline]
    pub const fn once(&self) -> Bitboard {
        self.once
    }

    /// Returns the squares attacked by at least two pieces.
    #[inline]
    pub const fn twice(&self) -> Bitboard {
        self.twice
    }

    /// Returns the squares attacked by a pawn.
    #[inline]
    pub const fn by_pawn(&self) -> Bitboard {
        self.by_pawn
    }

    /// Returns the squares attacked by a pawn, a lance or a knight.
    #[inline]
    pub const fn by_minor(&self) -> Bitboard {
        self.by_minor
    }

    /// Returns the squares attacked by any piece but a bishop or a rook, promoted or not.
    #[inline]
    pub const fn by_general(&self) -> Bitboard {
        self.by_general
    }
}

/// Counts the attacks on each square to two.
struct Counter {
    once: Bitboard,
    twice: Bitboard,
}

impl Counter {
    #[inline(always)]
    fn add(&mut self, attacked: Bitboard) {
        self.twice |= self.once & attacked;
        self.once |= attacked;
    }
}

#[cfg(test)]
mod tests {
    use komadai_core::Square;
    use komadai_testdata::{openings, positions};

    use super::*;

    /// Computes the map from the attackers of each square.
    fn naive(position: &Position, color: Color) -> AttackMap {
        let attackers = |square| {
            position.attackers_to(color, square, position.occupied())
                - position.kind(PieceKind::King)
        };
        let among = |least: u32, counted: Bitboard| -> Bitboard {
            Square::ALL.into_iter().filter(|&s| (attackers(s) & counted).len() >= least).collect()
        };
        let kinds = |kinds: &[PieceKind]| {
            kinds.iter().fold(Bitboard::EMPTY, |all, &kind| all | position.kind(kind))
        };
        let minor = kinds(&[PieceKind::Pawn, PieceKind::Lance, PieceKind::Knight]);
        let general = minor | position.kind(PieceKind::Silver) | position.gold_movers();
        AttackMap {
            once: among(1, Bitboard::ALL),
            twice: among(2, Bitboard::ALL),
            by_pawn: among(1, position.kind(PieceKind::Pawn)),
            by_minor: among(1, minor),
            by_general: among(1, general),
        }
    }

    #[test]
    fn equals_the_count_of_attackers_of_each_square() {
        let sfens = openings::sfens().chain(positions::bench().map(|position| position.sfen));
        for sfen in sfens {
            let position = Position::from_sfen(sfen).unwrap();
            for color in Color::ALL {
                assert_eq!(AttackMap::new(&position, color), naive(&position, color), "{sfen}");
            }
        }
    }
}
