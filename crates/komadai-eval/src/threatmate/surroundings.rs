//! The surroundings of a king: its neighbours, and the attacks of both sides near it.

use komadai_core::{Bitboard, Color, PieceKind, Position, Square, attacks};

/// Largest number of pieces that are kept as attackers of the neighbours of a king. More have not
/// been seen in a game; they still count as attacks.
const MOST_ATTACKERS: usize = 12;

/// A piece that attacks a neighbour of the king.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Attacker {
    pub(crate) square: Square,
    pub(crate) kind: PieceKind,
    /// The squares that it attacks, as if the king did not stand in its way.
    pub(crate) reach: Bitboard,
}

/// The king of a side and what is near it. Attacks are exact within two squares of the
/// king and arbitrary elsewhere; those of kings count for the attacker alone.
#[derive(Debug)]
pub(crate) struct Surroundings {
    pub(crate) attacker: Color,
    pub(crate) king: Square,
    /// The neighbours of the king on the board.
    pub(crate) zone: Bitboard,
    pub(crate) occupied: Bitboard,
    /// The pieces of the king's side.
    pub(crate) own: Bitboard,
    /// The pieces of the attacker.
    pub(crate) enemies: Bitboard,
    /// Attacked by the attacker at least once, twice and three times, also behind the king.
    pub(crate) attacked: [Bitboard; 3],
    /// Attacked twice, if pieces of the attacker are no obstacle to its sliders.
    pub(crate) backed: Bitboard,
    /// Attacked by the pieces of the king's side, the king left out, at least once and twice.
    pub(crate) guarded: [Bitboard; 2],
    attackers: [Option<Attacker>; MOST_ATTACKERS],
    attacker_count: usize,
}

impl Surroundings {
    /// Returns the surroundings of the king of a side, whichever side is to move.
    pub(crate) fn of(position: &Position, us: Color, king: Square) -> Self {
        let occupied = position.occupied();
        let mut found = Self {
            attacker: !us,
            king,
            zone: attacks::king(king),
            occupied,
            own: position.color(us),
            enemies: position.color(!us),
            attacked: [Bitboard::EMPTY; 3],
            backed: Bitboard::EMPTY,
            guarded: [Bitboard::EMPTY; 2],
            attackers: [None; MOST_ATTACKERS],
            attacker_count: 0,
        };
        found.add_attackers(position);
        found.add_guards(position);
        found
    }

    /// The squares that the opponent can occupy without being captured, but for the king.
    pub(crate) fn unguarded(&self) -> Bitboard {
        Bitboard::ALL - self.guarded[0]
    }

    /// The neighbours of the king that are neither attacked nor occupied by its own side.
    pub(crate) fn free(&self) -> Bitboard {
        self.zone - self.own - self.attacked[0]
    }

    /// The pieces of the attacker, without its king, that attack a neighbour of the king.
    pub(crate) fn attackers(&self) -> impl Iterator<Item = &Attacker> {
        self.attackers[..self.attacker_count].iter().flatten()
    }

    pub(crate) const fn attacker_count(&self) -> u32 {
        self.attacker_count as u32
    }

    fn add_attackers(&mut self, position: &Position) {
        let king: Bitboard = self.king.into();
        // A king cannot hide behind itself, nor a piece of the attacker behind another one.
        let (without_king, without_enemies) =
            (self.occupied - king, self.occupied - king - self.enemies);
        let mut through = [Bitboard::EMPTY; 2];
        let sliders = position.sliders();
        // No square is attacked by two pawns, so that all pawns are one set of attacks.
        let pawns = self.enemies & position.kind(PieceKind::Pawn);
        let reach = advanced(pawns, self.attacker);
        add(&mut self.attacked, reach);
        add(&mut through, reach);
        for square in advanced(reach & self.zone, !self.attacker) {
            let reach = attacks::pawn(self.attacker, square);
            self.push(Attacker { square, kind: PieceKind::Pawn, reach });
        }
        for square in (self.enemies & (NEAR[self.king] | sliders)) - pawns {
            let Some(piece) = position.piece_on(square) else { continue };
            let kind = piece.kind();
            let reach = attacks::of(self.attacker, kind, square, without_king);
            add(&mut self.attacked, reach);
            let behind = match sliders.contains(square) {
                true => attacks::of(self.attacker, kind, square, without_enemies),
                false => reach,
            };
            add(&mut through, behind);
            let attacks_zone = kind != PieceKind::King && !reach.is_disjoint(self.zone);
            if attacks_zone {
                self.push(Attacker { square, kind, reach });
            }
        }
        self.backed = through[1];
    }

    fn push(&mut self, attacker: Attacker) {
        if let Some(next) = self.attackers.get_mut(self.attacker_count) {
            *next = Some(attacker);
            self.attacker_count += 1;
        }
    }

    fn add_guards(&mut self, position: &Position) {
        let pawns = self.own & position.kind(PieceKind::Pawn);
        add(&mut self.guarded, advanced(pawns, !self.attacker));
        let near = NEAR[self.king] | position.sliders();
        for square in (self.own & near) - pawns - self.king.into() {
            let Some(piece) = position.piece_on(square) else { continue };
            let reach = attacks::of(!self.attacker, piece.kind(), square, self.occupied);
            add(&mut self.guarded, reach);
        }
    }
}

/// Returns the squares in front of those of a set, as `side` moves.
fn advanced(set: Bitboard, side: Color) -> Bitboard {
    match side {
        Color::Black => set.up(),
        Color::White => set.down(),
    }
}

/// Returns the number of squares of a set that lies within two squares of a king.
///
/// Five neighbouring files have no bits in common in the two lanes of a set, so that one word holds
/// them all and its bits are counted once.
#[inline]
pub(crate) fn near_len(set: Bitboard) -> u32 {
    let [first, second] = set.lanes();
    debug_assert!(first & second == 0, "the squares are near each other");
    (first | second).count_ones()
}

/// Adds attacks to the sets of squares that are attacked at least once, twice, and so on.
fn add<const N: usize>(counts: &mut [Bitboard; N], mut attacked: Bitboard) {
    for count in counts {
        let more = *count & attacked;
        *count |= attacked;
        attacked = more;
    }
}

/// `[king]`: the squares up to two files and ranks away.
pub(crate) static RING: [Bitboard; Square::COUNT] = boxes(2, 2);

/// `[king]`: the squares from which a step or a knight's jump reaches the ring.
static NEAR: [Bitboard; Square::COUNT] = boxes(3, 4);

const fn boxes(files: usize, ranks: usize) -> [Bitboard; Square::COUNT] {
    let mut boxes = [Bitboard::EMPTY; Square::COUNT];
    let mut king = 0;
    while king < Square::COUNT {
        let mut square = 0;
        while square < Square::COUNT {
            let is_near = (king / 9).abs_diff(square / 9) <= files
                && (king % 9).abs_diff(square % 9) <= ranks;
            if is_near {
                boxes[king] = boxes[king].union(Bitboard::from_square(Square::ALL[square]));
            }
            square += 1;
        }
        king += 1;
    }
    boxes
}
