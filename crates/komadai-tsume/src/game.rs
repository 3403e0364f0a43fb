//! The game that the search plays: checks and replies.

use komadai_core::{Color, Hand, Move, Position};
use komadai_movegen::{
    Count, MoveClass, MoveList, count_legal, generate_checks, generate_class_into, generate_legal,
};

use crate::numbers::Node;
use crate::proof_hand;

/// What the search needs to know of a game, and nothing else.
///
/// Two implementations: [`Tsume`], and graphs drawn at random, on which the tests hold the search
/// against the truth. Shogi positions lead back to themselves so rarely that they would hardly ever
/// show a mistake in the treatment of loops.
pub(crate) trait Game {
    /// The key of the board with the side to move, and the attacker's hand.
    fn keys(&self) -> (u64, Hand);

    /// Lists the moves of the side to move.
    fn list_moves(&self, node: Node, moves: &mut MoveList);

    /// How many moves there are.
    fn count_moves(&self, node: Node) -> u32;

    fn do_move(&mut self, m: Move);

    fn undo_move(&mut self);

    /// The smallest hand with which the check on the board still mates, given that it does.
    fn mating_hand(&self) -> Hand;

    /// The smallest hand with which every reply fails, given what each of them needs.
    fn hand_against(&self, needed: impl Iterator<Item = Hand>) -> Hand;

    /// The largest hand with which every check fails, given all of them and with what each fails.
    fn failing_hand(&self, checks: impl Iterator<Item = (Move, Hand)>) -> Hand;

    /// The attacker's hand before its move `m` that leads to `after`.
    fn hand_before(&self, m: Move, after: Hand) -> Hand;

    /// The hand of the attacker, of `after` a reply or smaller, that can stand before it.
    fn hand_before_reply(&self, after: Hand) -> Hand;
}

/// A shogi position in which one side gives check with every move.
#[derive(Debug)]
pub(crate) struct Tsume<'a> {
    position: &'a mut Position,
    attacker: Color,
}

impl<'a> Tsume<'a> {
    /// The side to move attacks.
    pub(crate) fn new(position: &'a mut Position) -> Self {
        Self { attacker: position.side(), position }
    }
}

impl Game for Tsume<'_> {
    #[inline]
    fn keys(&self) -> (u64, Hand) {
        (self.position.board_key(), self.position.hand(self.attacker))
    }

    #[inline]
    fn list_moves(&self, node: Node, moves: &mut MoveList) {
        match node {
            Node::Attack => generate_checks(self.position, moves),
            Node::Defence => generate_legal(self.position, moves),
        }
    }

    #[inline]
    fn count_moves(&self, node: Node) -> u32 {
        match node {
            Node::Attack => {
                let mut checks = Count(0);
                let _ = generate_class_into(self.position, MoveClass::CHECKS, &mut checks);
                checks.0 as u32
            }
            Node::Defence => count_legal(self.position) as u32,
        }
    }

    #[inline]
    fn do_move(&mut self, m: Move) {
        self.position.do_move(m);
    }

    #[inline]
    fn undo_move(&mut self) {
        self.position.undo_move();
    }

    fn mating_hand(&self) -> Hand {
        proof_hand::needed_against_drops(self.position, self.attacker)
    }

    fn hand_against(&self, needed: impl Iterator<Item = Hand>) -> Hand {
        proof_hand::needed_against_all(self.position, self.attacker, needed)
    }

    fn failing_hand(&self, checks: impl Iterator<Item = (Move, Hand)>) -> Hand {
        proof_hand::failing(self.position, self.attacker, checks)
    }

    fn hand_before(&self, m: Move, after: Hand) -> Hand {
        proof_hand::before_attack(self.position, m, after)
    }

    fn hand_before_reply(&self, after: Hand) -> Hand {
        proof_hand::before_reply(self.position, after)
    }
}
