//! Games with one rule relaxed, for the search of [`search`](crate::search).
//!
//! They explain why a position is no mate: see [`no_mate`](crate::no_mate).

use komadai_core::{Color, Hand, Move, PieceKind, Position, Square};
use komadai_movegen::{IllegalMove, MoveGen, MoveList, generate_checks, generate_legal};

use crate::game::Game;
use crate::numbers::Node;
use crate::proof_hand;
use crate::proof_hand::{with_one_less, with_one_more};

/// The rule on mates by a dropped pawn (打ち歩詰め), for the attacker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PawnDropMate {
    Forbidden,
    Allowed,
}

/// Appends the attacker's checks under the rule.
pub(crate) fn generate_checks_under(rule: PawnDropMate, position: &Position, moves: &mut MoveList) {
    generate_checks(position, moves);
    if rule == PawnDropMate::Allowed
        && let Some(m) = pawn_drop_mate(position)
    {
        moves.push(m);
    }
}

/// Returns the pawn drop by the side to move that mates and is otherwise legal.
pub(crate) fn pawn_drop_mate(position: &Position) -> Option<Move> {
    let us = position.side();
    let ahead = if us == Color::Black { 1 } else { -1 };
    let square = position.king_square(!us)?.offset(0, ahead)?;
    let m = Move::drop(PieceKind::Pawn, square);
    // The rule is the last one checked, so the drop breaks no other.
    matches!(position.check_legality(m), Err(IllegalMove::PawnDropMate { .. })).then_some(m)
}

/// Returns the keys after the move `m` of either side. `hand` is the hand of the proving side before it.
fn keys_after(position: &Position, mut hand: Hand, node: Node, m: Move) -> (u64, Hand) {
    if node == Node::Attack {
        if let Some(kind) = m.dropped() {
            hand = with_one_less(hand, kind);
        } else if let Some(captured) = position.piece_on(m.to()) {
            hand = with_one_more(hand, captured.kind());
        }
    }
    (position.board_key_after(m), hand)
}

/// Returns a move of the proving side after which the other side has none, by trying all.
fn last_move(game: &mut impl Game) -> Option<Move> {
    let mut moves = MoveList::new();
    game.list_moves(Node::Attack, &mut moves);
    moves.into_iter().find(|&m| {
        game.do_move(m);
        let is_last = game.count_moves(Node::Defence, true) == 0;
        game.undo_move();
        is_last
    })
}

/// A mate search in which the attacker may mate by a dropped pawn.
///
/// The hands of proofs and disproofs are those of [`Tsume`](crate::game::Tsume): whether a dropped pawn
/// mates depends on the board alone.
#[derive(Debug)]
pub(crate) struct WithPawnDropMates<'a> {
    position: &'a mut Position,
    attacker: Color,
}

impl<'a> WithPawnDropMates<'a> {
    /// Creates the game in which the side to move attacks.
    pub(crate) fn new(position: &'a mut Position) -> Self {
        Self { attacker: position.side(), position }
    }
}

impl Game for WithPawnDropMates<'_> {
    fn keys(&self) -> (u64, Hand) {
        (self.position.board_key(), self.position.hand(self.attacker))
    }

    fn keys_after(&self, node: Node, m: Move) -> (u64, Hand) {
        keys_after(self.position, self.position.hand(self.attacker), node, m)
    }

    fn list_moves(&self, node: Node, moves: &mut MoveList) {
        match node {
            Node::Attack => generate_checks_under(PawnDropMate::Allowed, self.position, moves),
            Node::Defence => generate_legal(self.position, moves),
        }
    }

    fn count_moves(&self, node: Node, _: bool) -> u32 {
        let mut moves = MoveList::new();
        self.list_moves(node, &mut moves);
        moves.len() as u32
    }

    fn king(&self) -> Option<Square> {
        self.position.king_square(!self.attacker)
    }

    fn mate_in_one(&mut self) -> Option<(Move, Hand)> {
        let m = last_move(self)?;
        self.position.do_move(m);
        let after = self.mating_hand();
        self.position.undo_move();
        Some((m, self.hand_before(m, after)))
    }

    fn do_move(&mut self, m: Move) {
        self.position.do_move(m);
    }

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

/// The search for an escape: the checked side proves that its opponent runs out of checks.
///
/// The roles are exchanged. The side that proves, called attacker by the search, is the one in check;
/// it chooses among all legal moves. The side that gives check is the search's defender: all of its
/// checks have to be answered, and without a check it has lost, as a mated defender has. A mated king
/// is an attacker without a move, and a repetition is a failure of the side that wants to escape. The
/// disproofs of this game are therefore the positions in which check can be given for ever, or mate.
///
/// The more pieces the escaping side holds, and the fewer its opponent, the better it escapes, so the
/// search may compare hands. The hands of proofs and disproofs are not generalized: each holds for the
/// hand at hand and those that it implies.
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
        // The order of drops, for which the search asks, is meant for a side in check that is being mated.
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
