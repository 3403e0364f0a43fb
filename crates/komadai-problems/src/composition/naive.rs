//! A direct implementation of the definitions for the unit tests, without memory.

use komadai_core::{Color, Hand, Move, Position, Square, attacks};
use komadai_movegen::MoveGen;

use super::options::Convention;

/// The rules by which a mate is decided.
#[derive(Debug)]
pub(super) struct Definition {
    convention: Convention,
    /// Board key and attacker's hand of positions in which the attacker fails, with this hand or a
    /// smaller one.
    failures: Vec<(u64, Hand)>,
}

impl Definition {
    pub(super) fn of(convention: Convention) -> Self {
        Self { convention, failures: Vec::new() }
    }

    /// Makes each of these positions of the attacker a failure.
    pub(super) fn avoiding(convention: Convention, positions: &[Position]) -> Self {
        let failures = positions.iter().map(|p| (p.board_key(), p.hand(p.side())));
        Self { convention, failures: failures.collect() }
    }

    /// True if the attacker, who moves, mates within `plies`.
    pub(super) fn mates(&self, position: &Position, plies: u32) -> bool {
        let hand = position.hand(position.side());
        let fails =
            |&(key, failing): &(u64, Hand)| key == position.board_key() && failing.dominates(hand);
        plies >= 1
            && !self.failures.iter().any(fails)
            && position.legal_moves().into_iter().any(|m| {
                let after = position.after(m);
                after.in_check() && self.is_mated(&after, plies - 1)
            })
    }

    /// True if the defender, who moves, is mated within `plies`.
    pub(super) fn is_mated(&self, position: &Position, plies: u32) -> bool {
        position.legal_moves().into_iter().all(|m| {
            plies >= 1 && self.mates(&position.after(m), plies - 1)
                || self.convention == Convention::Literature
                    && taken_back(position, m).iter().any(|taken| self.is_mated(taken, plies))
        })
    }

    /// The plies within which a position of either side leads to mate, up to `most`.
    pub(super) fn distance(&self, position: &Position, attacker: Color, most: u32) -> Option<u32> {
        (0..=most).find(|&plies| {
            if position.side() == attacker {
                self.mates(position, plies)
            } else {
                self.is_mated(position, plies)
            }
        })
    }
}

/// The positions after the interposition `m` has been taken back.
fn taken_back(position: &Position, m: Move) -> Vec<Position> {
    let checkers: Vec<Square> = position.checkers().into_iter().collect();
    let king = position.king_square(position.side()).expect("the defender has a king");
    let [checker] = checkers[..] else { return Vec::new() };
    if m.from() == Some(king) || !attacks::between(king, checker).contains(m.to()) {
        return Vec::new();
    }
    let after = position.after(m);
    let captures = after.legal_moves().into_iter();
    let captures = captures.filter(|c| c.to() == m.to());
    let captures = captures.filter(|&c| after.after(c).checkers().contains(c.to()));
    captures.map(|c| give_back(&after, c)).collect()
}

/// The position after the capture `c`, with the piece in the hand of the side that lost it.
fn give_back(position: &Position, c: Move) -> Position {
    let kind = position.piece_on(c.to()).expect("a capture").kind().unpromoted();
    let mut setup = position.after(c).to_setup();
    for (color, change) in [(position.side(), -1), (!position.side(), 1)] {
        let hand = &mut setup.hands[usize::from(color == Color::White)];
        *hand = hand.with(kind, hand.count(kind).wrapping_add_signed(change));
    }
    Position::from_setup(&setup).expect("the same pieces")
}
