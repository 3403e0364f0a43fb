//! The game in which a side in check escapes, for the search of [`search`](crate::search).
//!
//! It explains why a position is no mate: see [`no_mate`](crate::no_mate).

use komadai_core::{Color, Hand, Move, Position, Square};
use komadai_movegen::{MoveList, generate_legal};

use crate::game::{Game, PawnDropMate, generate_checks_under, keys_after, last_move};
use crate::numbers::Node;

/// The search for an escape: the checked side proves that its opponent runs out of checks.
///
/// The roles are exchanged. The side that proves, called attacker by the search, is the one in
/// check; it chooses among all legal moves. The side that gives check is the search's defender: all
/// of its checks have to be answered, and without a check it has lost, as a mated defender has. A
/// mated king is an attacker without a move, and a repetition is a failure of the side that wants
/// to escape. The disproofs of this game are therefore the positions in which check can be given
/// for ever, or mate.
///
/// The more pieces the escaping side holds, and the fewer its opponent, the better it escapes, so
/// the search may compare hands. The hands of proofs and disproofs are not generalized: each holds
/// for the hand at hand and those that it implies.
#[derive(Debug)]
pub(crate) struct Escape<'a> {
    position: &'a mut Position,
    escaping: Color,
    rule: PawnDropMate,
}

impl<'a> Escape<'a> {
    /// Creates the game in which the side to move, in check, tries to escape.
    pub(crate) fn new(position: &'a mut Position, rule: PawnDropMate) -> Self {
        Self { escaping: position.side(), position, rule }
    }

    fn hand(&self) -> Hand {
        self.position.hand(self.escaping)
    }
}

impl Game for Escape<'_> {
    fn keys(&self) -> (u64, Hand) {
        (self.position.board_key(), self.hand())
    }

    fn keys_after(&self, node: Node, m: Move) -> (u64, Hand) {
        keys_after(self.position, self.hand(), node, m)
    }

    fn list_moves(&self, node: Node, moves: &mut MoveList) {
        match node {
            Node::Attack => generate_legal(self.position, moves),
            Node::Defence => generate_checks_under(self.rule, self.position, moves),
        }
    }

    fn count_moves(&self, node: Node, _: bool) -> u32 {
        let mut moves = MoveList::new();
        self.list_moves(node, &mut moves);
        moves.len() as u32
    }

    fn king(&self) -> Option<Square> {
        // The order of drops, for which the search asks, is meant for a side in check that is being
        // mated.
        None
    }

    fn mate_in_one(&mut self) -> Option<(Move, Hand)> {
        last_move(self).map(|m| (m, self.hand()))
    }

    fn do_move(&mut self, m: Move) {
        self.position.do_move(m);
    }

    fn undo_move(&mut self) {
        self.position.undo_move();
    }

    fn mating_hand(&self) -> Hand {
        self.hand()
    }

    fn hand_against(&self, _: impl Iterator<Item = Hand>) -> Hand {
        self.hand()
    }

    fn failing_hand(&self, _: impl Iterator<Item = (Move, Hand)>) -> Hand {
        self.hand()
    }

    fn hand_before(&self, _: Move, _: Hand) -> Hand {
        self.hand()
    }

    fn hand_before_reply(&self, _: Hand) -> Hand {
        self.hand()
    }
}
