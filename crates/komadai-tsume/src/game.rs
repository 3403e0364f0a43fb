//! The game as the search sees it: checks and replies.

use std::ops::ControlFlow;

use komadai_core::{Bitboard, Color, Hand, Move, PieceKind, Position, Square};
use komadai_movegen::mate::mate_in_one;
use komadai_movegen::sink::{Drops, Promotion, Step};
use komadai_movegen::stages::generate_class_into;
use komadai_movegen::{
    AnyMove, CheckClass, Count, IllegalMove, MoveClass, MoveGen, MoveList, MoveSink,
    generate_checks, generate_into, generate_legal,
};

use crate::near::NearChecks;
use crate::numbers::Node;
use crate::proof_hand::{self, with_one_less, with_one_more};

/// The operations of a game that the search uses.
///
/// There are two implementations: [`Tsume`], and random graphs in the tests, where the search is
/// compared with the exact result. Shogi positions repeat too rarely to reveal a mistake in the
/// handling of loops.
pub(crate) trait Game {
    /// Returns the key of board and side to move, and the attacker's hand.
    fn keys(&self) -> (u64, Hand);

    /// Returns the keys after a move of the side to move at `node`, without doing it.
    fn keys_after(&self, node: Node, m: Move) -> (u64, Hand);

    /// Appends the moves of the side to move: checks for the attacker, all legal moves for the
    /// defender.
    fn list_moves(&self, node: Node, moves: &mut MoveList);

    /// Returns the number of these moves. For the defender, all drops on one square count as one if
    /// `squares_once`.
    fn count_moves(&self, node: Node, squares_once: bool) -> u32;

    /// Returns true if the attacker, to move, has a check.
    fn has_check(&self) -> bool {
        self.count_moves(Node::Attack, true) > 0
    }

    /// Returns the square of the king that is attacked, in a game with squares.
    fn king(&self) -> Option<Square>;

    /// Returns a check that mates, and the smallest hand with which it does.
    fn mate_in_one(&mut self) -> Option<(Move, Hand)>;

    fn do_move(&mut self, m: Move);

    fn undo_move(&mut self);

    /// Returns the smallest hand with which the check on the board still mates. The check must be
    /// mate.
    fn mating_hand(&self) -> Hand;

    /// Returns the smallest hand with which every reply is mated, given the hand needed against
    /// each reply.
    fn hand_against(&self, needed: impl Iterator<Item = Hand>) -> Hand;

    /// Returns the largest hand with which every check fails, given all checks and the hand with
    /// which each of them fails.
    fn failing_hand(&self, checks: impl Iterator<Item = (Move, Hand)>) -> Hand;

    /// Returns the attacker's hand before its move `m`, given the hand `after` the move.
    fn hand_before(&self, m: Move, after: Hand) -> Hand;

    /// Returns the attacker's hand before a reply, given the hand `after` it, reduced to the pieces
    /// that exist.
    fn hand_before_reply(&self, after: Hand) -> Hand;
}

/// The checks that the attacker of a [`Tsume`] may give.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Checks {
    All,
    Near,
    /// All, and mates by a dropped pawn as well.
    WithPawnDropMates,
}

/// A shogi position in which one side gives check with every move.
///
/// The hands of proofs and disproofs are the same for all kinds of checks. Mates by a dropped pawn
/// are no exception: whether a dropped pawn mates depends on the board alone.
#[derive(Debug)]
pub(crate) struct Tsume<'a> {
    position: &'a mut Position,
    attacker: Color,
    checks: Checks,
}

impl<'a> Tsume<'a> {
    /// Creates the game in which the side to move attacks with checks of this class.
    pub(crate) fn new(position: &'a mut Position, checks: CheckClass) -> Self {
        let checks = if checks == CheckClass::Near { Checks::Near } else { Checks::All };
        Self { attacker: position.side(), position, checks }
    }

    /// Creates the game in which the side to move attacks and may mate by a dropped pawn.
    pub(crate) fn with_pawn_drop_mates(position: &'a mut Position) -> Self {
        Self { attacker: position.side(), position, checks: Checks::WithPawnDropMates }
    }
}

impl Game for Tsume<'_> {
    #[inline]
    fn keys(&self) -> (u64, Hand) {
        (self.position.board_key(), self.position.hand(self.attacker))
    }

    #[inline]
    fn keys_after(&self, node: Node, m: Move) -> (u64, Hand) {
        keys_after(self.position, self.position.hand(self.attacker), node, m)
    }

    #[inline]
    fn list_moves(&self, node: Node, moves: &mut MoveList) {
        match (node, self.checks) {
            (Node::Defence, _) => generate_legal(self.position, moves),
            (Node::Attack, Checks::All) => generate_checks(self.position, moves),
            (Node::Attack, Checks::Near) => NearChecks::of(self.position).list(moves),
            (Node::Attack, Checks::WithPawnDropMates) => {
                generate_checks_under(PawnDropMate::Allowed, self.position, moves);
            }
        }
    }

    #[inline]
    fn count_moves(&self, node: Node, squares_once: bool) -> u32 {
        match (node, self.checks) {
            (Node::Attack, Checks::All) => {
                let mut checks = Count(0);
                // A counter never breaks off the generation.
                let _ = generate_class_into(self.position, MoveClass::CHECKS, &mut checks);
                checks.0 as u32
            }
            (Node::Attack, Checks::Near) => NearChecks::of(self.position).count(),
            (Node::Attack, Checks::WithPawnDropMates) => {
                count_checks_with_pawn_drops(self.position)
            }
            (Node::Defence, Checks::WithPawnDropMates) => count_replies(self.position),
            (Node::Defence, _) if squares_once => Replies::of(self.position).0,
            (Node::Defence, _) => count_replies(self.position),
        }
    }

    fn has_check(&self) -> bool {
        match self.checks {
            Checks::All => {
                generate_class_into(self.position, MoveClass::CHECKS, &mut AnyMove).is_break()
            }
            _ => self.count_moves(Node::Attack, true) > 0,
        }
    }

    fn king(&self) -> Option<Square> {
        self.position.king_square(!self.attacker)
    }

    #[inline]
    fn mate_in_one(&mut self) -> Option<(Move, Hand)> {
        let m = match self.checks {
            Checks::All => mate_in_one(self.position)?,
            Checks::Near => NearChecks::of(self.position).mate_in_one()?,
            Checks::WithPawnDropMates => last_move(self)?,
        };
        self.position.do_move(m);
        let after = self.mating_hand();
        self.position.undo_move();
        Some((m, self.hand_before(m, after)))
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

/// Returns the keys after the move `m` of either side. `hand` is the hand of the proving side
/// before it.
// Inlined always, because a call for each child costs half a per cent of the search on short mates.
#[inline(always)]
pub(crate) fn keys_after(position: &Position, mut hand: Hand, node: Node, m: Move) -> (u64, Hand) {
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
pub(crate) fn last_move(game: &mut impl Game) -> Option<Move> {
    let mut moves = MoveList::new();
    game.list_moves(Node::Attack, &mut moves);
    moves.into_iter().find(|&m| {
        game.do_move(m);
        let is_last = game.count_moves(Node::Defence, true) == 0;
        game.undo_move();
        is_last
    })
}

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

/// Returns the number of checks, mates by a dropped pawn included.
#[cold]
fn count_checks_with_pawn_drops(position: &Position) -> u32 {
    let mut checks = MoveList::new();
    generate_checks_under(PawnDropMate::Allowed, position, &mut checks);
    checks.len() as u32
}

/// Returns the number of replies, each drop counted by itself.
#[cold]
fn count_replies(position: &Position) -> u32 {
    let mut replies = Count(0);
    // A counter never breaks off the generation.
    let _ = generate_into(position, &mut replies);
    replies.0 as u32
}

/// A count of replies in which the drops on one square count as one, since most of them are refuted
/// in the same way.
#[derive(Debug, Default)]
struct Replies(u32);

impl Replies {
    fn of(position: &Position) -> Self {
        let mut replies = Self::default();
        // A counter never breaks off the generation.
        let _ = generate_into(position, &mut replies);
        replies
    }
}

impl MoveSink for Replies {
    #[inline(always)]
    fn steps(&mut self, to: Bitboard, _: Step, _: Promotion) -> ControlFlow<()> {
        self.0 += to.len();
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn moves(&mut self, _: Square, to: Bitboard, _: Promotion) -> ControlFlow<()> {
        self.0 += to.len();
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn drops(&mut self, drops: Drops) -> ControlFlow<()> {
        use PieceKind::{Bishop, Gold, Knight, Lance, Rook, Silver};
        let squares = if [Silver, Bishop, Rook, Gold].iter().any(|&kind| drops.hand.has(kind)) {
            drops.squares
        } else {
            drops.pawn_squares | drops.targets(Lance) | drops.targets(Knight)
        };
        self.0 += squares.len();
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn drops_of(&mut self, _: PieceKind, to: Bitboard) -> ControlFlow<()> {
        self.0 += to.len();
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use komadai_movegen::MoveGen;
    use komadai_testdata::tsume::{self, Set};

    use super::*;

    #[test]
    fn drops_on_one_square_count_as_one_reply() {
        let mut with_drops = 0;
        for problem in tsume::set(Set::Classic) {
            let Ok(position) = Position::from_sfen(problem.sfen) else { continue };
            let mut checks = MoveList::new();
            generate_checks(&position, &mut checks);
            for check in &checks {
                let position = position.after(check);
                let replies = position.legal_moves();
                let drops = replies.iter().filter(|m| m.is_drop());
                let squares: Bitboard = drops.clone().map(|m| m.to()).collect();
                let expected = replies.len() - drops.clone().count() + squares.len() as usize;
                assert_eq!(Replies::of(&position).0 as usize, expected, "{position}");
                with_drops += u32::from(drops.count() > squares.len() as usize);
            }
        }
        assert!(with_drops > 100, "{with_drops}");
    }
}
