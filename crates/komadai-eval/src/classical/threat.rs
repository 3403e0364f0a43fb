//! Contacts of pieces with those of the opponent: threatened (脅威), guarded, loose.
//!
//! A single threat can be parried. If there are two threats, one remains (the "double threat" of
//! the program KFEnd), so the second largest threat has a weight of its own.

use komadai_core::{Bitboard, Color, PieceKind, Position, Square, attacks};

use crate::attack_map::AttackMap;

/// The contact of a piece other than the king with the opponent's pieces. A piece that is guarded
/// and not attacked has no contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Contact {
    /// Attacked and not guarded.
    Hanging,
    /// Attacked by a cheaper piece, and guarded.
    CheaplyAttacked,
    /// Attacked, but not by a cheaper piece, and guarded.
    Guarded,
    /// Neither attacked nor guarded.
    Loose,
}

impl Contact {
    pub(crate) const COUNT: usize = 4;
}

/// `[kind]`, centipawns: the gain of the side that captures the piece, which is about twice its
/// value: the owner loses the piece, promoted or not, and the opponent gets it in hand. Round
/// numbers.
const TAKEN: [i32; PieceKind::COUNT] =
    [200, 600, 700, 1_000, 1_600, 2_000, 1_100, 0, 700, 950, 1_000, 1_100, 2_000, 2_400];

/// Loss of the attacker if it is recaptured, in centipawns: at most the value of a pawn, a lance or
/// knight, or a general.
const BY_PAWN: i32 = 200;
const BY_MINOR: i32 = 600;
const BY_GENERAL: i32 = 1_000;

/// Calls `visit` for every piece of `color` that has a contact, with its square, its kind, the
/// contact and the rough gain that the opponent threatens, in centipawns.
#[inline]
pub(crate) fn visit(
    position: &Position,
    color: Color,
    own: &AttackMap,
    enemy: &AttackMap,
    mut visit: impl FnMut(Square, PieceKind, Contact, i32),
) {
    let of = |kind| position.kind(kind);
    let pieces = position.color(color) - of(PieceKind::King);
    let guarded = own.once | position.king_square(color).map_or(Bitboard::EMPTY, attacks::king);
    let attacked = pieces & enemy.once;
    let hanging = attacked - guarded;
    let rooks = of(PieceKind::Rook) | of(PieceKind::Dragon);
    let big = rooks | of(PieceKind::Bishop) | of(PieceKind::Horse);
    let pawns = of(PieceKind::Pawn);
    let minor = of(PieceKind::Lance) | of(PieceKind::Knight);
    let cheaply =
        (enemy.by_pawn - pawns) | (enemy.by_minor - pawns - minor) | enemy.by_general & big;
    // An unguarded piece hangs, however cheap its attacker is.
    let cheaply = attacked & cheaply & guarded;
    let kind = |square| position.piece_on(square).map_or(PieceKind::King, |piece| piece.kind());
    for square in hanging {
        let kind = kind(square);
        visit(square, kind, Contact::Hanging, TAKEN[kind]);
    }
    for square in cheaply {
        let cost = if enemy.by_pawn.contains(square) {
            BY_PAWN
        } else if enemy.by_minor.contains(square) {
            BY_MINOR
        } else {
            BY_GENERAL
        };
        let kind = kind(square);
        visit(square, kind, Contact::CheaplyAttacked, (TAKEN[kind] - cost).max(0));
    }
    for square in attacked - hanging - cheaply {
        visit(square, kind(square), Contact::Guarded, 0);
    }
    for square in pieces - enemy.once - guarded {
        visit(square, kind(square), Contact::Loose, 0);
    }
}

/// The two largest gains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Largest {
    first: i32,
    pub(crate) second: i32,
}

impl Largest {
    #[inline]
    pub(crate) fn add(&mut self, gain: i32) {
        self.second = self.second.max(gain.min(self.first));
        self.first = self.first.max(gain);
    }
}

#[cfg(test)]
mod tests {
    use komadai_core::PieceKind::{Bishop, Gold, Pawn, Silver};

    use super::*;

    fn contacts(sfen: &str) -> Vec<(PieceKind, Contact, i32)> {
        let position = Position::from_sfen(sfen).unwrap();
        let maps = Color::ALL.map(|color| AttackMap::new(&position, color));
        let mut found = Vec::new();
        visit(&position, Color::Black, &maps[0], &maps[1], |_, kind, contact, gain| {
            found.push((kind, contact, gain));
        });
        found
    }

    #[test]
    fn every_contact_is_found() {
        // A gold that hangs, a silver that a pawn attacks, a pawn against a pawn, a loose bishop.
        let found = contacts("4k4/9/r3G4/9/2p3p2/2S3P2/2G3K2/9/8B b - 1");
        assert!(found.contains(&(Gold, Contact::Hanging, 1_100)), "{found:?}");
        assert!(found.contains(&(Silver, Contact::CheaplyAttacked, 800)), "{found:?}");
        assert!(found.contains(&(Pawn, Contact::Guarded, 0)), "{found:?}");
        assert!(found.contains(&(Bishop, Contact::Loose, 0)), "{found:?}");
    }

    #[test]
    fn the_second_largest_is_kept() {
        let mut largest = Largest::default();
        for (gain, second) in [(200, 0), (1_000, 200), (600, 600), (2_000, 1_000), (0, 1_000)] {
            largest.add(gain);
            assert_eq!(largest.second, second);
        }
    }
}
