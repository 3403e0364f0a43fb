//! A position with the question that is asked about it, and the interpositions (合駒) that can be
//! taken back.

use komadai_core::{Bitboard, Color, Hand, Move, Position, Square, attacks};
use komadai_movegen::MoveGen;

/// A number of plies until the mate. A position in which an interposition may be taken back counts
/// one ply less than nothing, so the number can be −1.
pub(super) type Plies = i16;

/// The plies of a disproof that holds for every length.
pub(super) const UNLIMITED: Plies = Plies::MAX;

/// A position to search: who moves, with how many plies, and the interposition that led to it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) key: u64,
    pub(super) hand: Hand,
    pub(super) limit: Plies,
    /// The last move, if it is an interposition that can be taken back.
    pub(super) interposition: Option<Interposition>,
}

/// Returns the key of a position with the attacker's hand.
pub(super) fn with_hand(key: u64, hand: Hand) -> u64 {
    let mixed = (key ^ u64::from(hand.to_bits()) << 20).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ mixed >> 29
}

/// A move of the defender between its king and the piece that gives check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Interposition {
    /// The square of the interposed piece.
    pub(super) square: Square,
}

/// The check in a position with the defender to move, as far as it can be interposed.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineOfCheck {
    king: Square,
    between: Bitboard,
}

impl LineOfCheck {
    /// Returns `None` if no square lies between the king and the piece that gives check, or if two
    /// pieces give check.
    pub(super) fn new(position: &Position) -> Option<Self> {
        let checkers = position.checkers();
        if checkers.has_many() {
            return None;
        }
        let (checker, king) = checkers.first().zip(position.king_square(position.side()))?;
        let between = attacks::between(king, checker);
        (!between.is_empty()).then_some(Self { king, between })
    }

    /// Returns the interposition that the reply `m` is, if it is one.
    pub(super) fn interposition(&self, m: Move) -> Option<Interposition> {
        let is_one = m.from() != Some(self.king) && self.between.contains(m.to());
        is_one.then_some(Interposition { square: m.to() })
    }
}

impl Interposition {
    /// A number that tells the position after this interposition from the same position after
    /// another move.
    pub(super) fn mark(self) -> u64 {
        (1 + self.square as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23)
    }

    /// Returns the captures of the interposed piece after which the capturing piece gives check, as
    /// far as they are legal in `position`, which is the one after the interposition.
    pub(super) fn captures(self, position: &Position) -> impl Iterator<Item = Move> + '_ {
        let capturers = position.attackers_to(position.side(), self.square, position.occupied());
        let moves = capturers.into_iter().flat_map(move |from| {
            [Move::promotion(from, self.square), Move::new(from, self.square)]
        });
        moves.filter(move |&m| {
            position.is_legal(m) && position.after(m).checkers().contains(self.square)
        })
    }
}

/// Returns the position after the capture `m` with the captured piece back in the defender's hand.
///
/// Returns `None` if the pieces then break a rule, which a legal capture cannot cause.
pub(super) fn with_piece_given_back(position: &Position, m: Move) -> Option<Position> {
    let captured = position.piece_on(m.to())?.kind().unpromoted();
    let attacker = position.side();
    let mut setup = position.after(m).to_setup();
    let [black, white] = &mut setup.hands;
    let (giver, receiver) = if attacker == Color::Black { (black, white) } else { (white, black) };
    *giver = giver.with(captured, giver.count(captured).checked_sub(1)?);
    *receiver = receiver.with(captured, receiver.count(captured) + 1);
    Position::from_setup(&setup).ok()
}
