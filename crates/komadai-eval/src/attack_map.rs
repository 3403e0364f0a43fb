//! Which squares a side attacks once, and which at least twice.

use komadai_core::{Bitboard, Color, PieceKind, Position, attacks};

/// The squares attacked by the pieces of one side, its king left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct AttackMap {
    /// Attacked by at least one piece.
    pub(crate) once: Bitboard,
    /// Attacked by at least two.
    pub(crate) twice: Bitboard,
}

impl AttackMap {
    /// Looks at the pieces of `color`.
    ///
    /// All pieces that step in one direction are moved by one shift: no two of them reach the same
    /// square, so each direction adds at most one attack to each.
    pub(crate) fn new(position: &Position, color: Color) -> Self {
        let mut map = Self { once: Bitboard::EMPTY, twice: Bitboard::EMPTY };
        let own = position.color(color);
        let of = |kind| position.kind(kind) & own;
        let gold = position.gold_movers() & own;
        let silver = of(PieceKind::Silver);
        let (horse, dragon) = (of(PieceKind::Horse), of(PieceKind::Dragon));
        // A horse's diagonal and a dragon's straight steps are the start of their slides.
        let straight = gold | horse;
        let diagonal = silver | dragon;
        let ahead = straight | silver | of(PieceKind::Pawn);
        let ahead_aside = diagonal | gold;
        let knight = of(PieceKind::Knight);
        map.add(straight.left());
        map.add(straight.right());
        match color {
            Color::Black => {
                map.add(ahead.up());
                map.add(ahead_aside.up_left());
                map.add(ahead_aside.up_right());
                map.add(straight.down());
                map.add(diagonal.down_left());
                map.add(diagonal.down_right());
                map.add(knight.up_up_left());
                map.add(knight.up_up_right());
            }
            Color::White => {
                map.add(ahead.down());
                map.add(ahead_aside.down_left());
                map.add(ahead_aside.down_right());
                map.add(straight.up());
                map.add(diagonal.up_left());
                map.add(diagonal.up_right());
                map.add(knight.down_down_left());
                map.add(knight.down_down_right());
            }
        }
        let occupied = position.occupied();
        for square in of(PieceKind::Lance) {
            map.add(attacks::lance(color, square, occupied));
        }
        for square in of(PieceKind::Bishop) | horse {
            map.add(attacks::bishop(square, occupied));
        }
        for square in of(PieceKind::Rook) | dragon {
            map.add(attacks::rook(square, occupied));
        }
        map
    }

    #[inline]
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

    /// Counts the attackers of each square one by one.
    fn naive(position: &Position, color: Color) -> AttackMap {
        let attackers = |square| {
            let found = position.attackers_to(color, square, position.occupied());
            (found - position.kind(PieceKind::King)).len()
        };
        let at_least = |count| Square::ALL.into_iter().filter(|&s| attackers(s) >= count).collect();
        AttackMap { once: at_least(1), twice: at_least(2) }
    }

    #[test]
    fn equals_counting_the_attackers_of_each_square() {
        let sfens = openings::sfens().chain(positions::bench().map(|position| position.sfen));
        for sfen in sfens {
            let position = Position::from_sfen(sfen).unwrap();
            for color in Color::ALL {
                assert_eq!(AttackMap::new(&position, color), naive(&position, color), "{sfen}");
            }
        }
    }
}
