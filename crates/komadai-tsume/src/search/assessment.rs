//! The numbers with which positions begin, before they are visited.

use komadai_core::{Hand, Move};
use komadai_movegen::MoveList;
use smallvec::SmallVec;

use super::{Search, solved};
use crate::frame::Verdict;
use crate::game::Game;
use crate::numbers::{Node, Numbers};
use crate::options::Techniques;
use crate::path::Reliance;
use crate::plies::Plies;
use crate::tables::expansions::FirstNumbers;
use crate::tables::table::Lookup;

impl<G: Game> Search<'_, '_, G> {
    /// Returns the numbers of the position after a move: from the table, by repetition, or by a
    /// count of its moves. Returns its first numbers as well, if they are known.
    pub(super) fn assess(
        &mut self,
        node: Node,
        m: Move,
        (board_key, hand): (u64, Hand),
        first: FirstNumbers,
        limit: Plies,
    ) -> (Numbers, Verdict, FirstNumbers) {
        let unsolved = Verdict { hand, ..Verdict::none() };
        let table = &self.memory.table;
        let (found, least) = if self.techniques.contains(Techniques::OTHER_HANDS) && self.is_long()
        {
            table.look_up_with_least(board_key, hand, limit)
        } else {
            (table.look_up(board_key, hand, limit), Numbers::open(1, 1))
        };
        self.meter.look_up(found != Lookup::Absent);
        if let Some((numbers, verdict)) = solved(found) {
            return (numbers, verdict, first);
        }
        // After the table: a result that holds on every path is better than a disproof by
        // repetition.
        if let Some(ply) = self.work.path.repeated_ply(board_key, hand) {
            let reliance = Reliance::on_ply(ply);
            let verdict = Verdict { hand, plies: Plies::UNLIMITED, reliance };
            return (Numbers::DISPROVEN, verdict, first);
        }
        if limit.count() <= 1 {
            self.game.do_move(m);
            let (numbers, verdict) = match node {
                Node::Attack => self.assess_new_attack(unsolved, board_key, limit),
                Node::Defence => self.assess_last(unsolved),
            };
            self.game.undo_move();
            return (numbers, verdict, first);
        }
        if let Lookup::Open(open) = found {
            if open.has_loops
                && let Some((plies, reliance)) =
                    self.memory.loops.look_up(&self.work.path, board_key, hand, limit)
            {
                return (Numbers::DISPROVEN, Verdict { hand, plies, reliance }, first);
            }
            // Visited nearer the root before: a sign of a loop (point 4).
            if usize::from(open.min_ply) < self.work.path.len() {
                self.work.frames.last_mut().expect("a node is being expanded").must_progress = true;
            }
            return (open.numbers.at_least(least), unsolved, first);
        }
        if let Some((proof, disproof)) = first.get() {
            return (Numbers::open(proof, disproof).at_least(least), unsolved, first);
        }
        self.game.do_move(m);
        let (numbers, verdict) = match node {
            Node::Attack => self.assess_new_attack(unsolved, board_key, limit),
            Node::Defence => self.assess_new_defence(unsolved),
        };
        self.game.undo_move();
        let first = if numbers.is_solved() {
            FirstNumbers::UNKNOWN
        } else {
            FirstNumbers::new(numbers.proof, numbers.disproof)
        };
        let numbers = if numbers.is_solved() { numbers } else { numbers.at_least(least) };
        (numbers, verdict, first)
    }

    /// Assesses a new position after a reply: by a mate in one move, or by the number of checks,
    /// each of which has to be refuted.
    fn assess_new_attack(
        &mut self,
        unsolved: Verdict,
        board_key: u64,
        limit: Plies,
    ) -> (Numbers, Verdict) {
        if (limit.count() == 1 || self.techniques.contains(Techniques::MATE_IN_ONE))
            && let Some((best, hand)) = self.game.mate_in_one()
        {
            let plies = Plies::new(1);
            self.memory.table.store_proven(board_key, hand, plies, Some(best), 0);
            return (Numbers::PROVEN, Verdict { hand, plies, ..unsolved });
        }
        if limit.count() >= 3
            && self.techniques.contains(Techniques::MATE_IN_THREE)
            && let Some((best, hand)) = mate_in_three(&mut self.game)
        {
            let plies = Plies::new(3);
            self.memory.table.store_proven(board_key, hand, plies, Some(best), 0);
            return (Numbers::PROVEN, Verdict { hand, plies, ..unsolved });
        }
        let squares_once = self.techniques.contains(Techniques::SQUARES_ONCE);
        match self.game.count_moves(Node::Attack, squares_once) {
            0 => (Numbers::DISPROVEN, self.failed(&[])),
            // The last check that the limit allows does not mate.
            _ if limit.count() == 1 => {
                (Numbers::DISPROVEN, Verdict { plies: Plies::new(1), ..unsolved })
            }
            checks => (self.first_numbers(Node::Attack, checks), unsolved),
        }
    }

    /// Assesses a new position after a check by the number of replies, each of which has to be
    /// mated.
    fn assess_new_defence(&mut self, unsolved: Verdict) -> (Numbers, Verdict) {
        if self.techniques.contains(Techniques::REFUTED_AT_ONCE)
            && let Some(hand) = refutation(&mut self.game)
        {
            return (Numbers::DISPROVEN, Verdict { hand, plies: Plies::UNLIMITED, ..unsolved });
        }
        let squares_once = self.techniques.contains(Techniques::SQUARES_ONCE);
        match self.game.count_moves(Node::Defence, squares_once) {
            0 => self.mated(unsolved),
            replies => (self.first_numbers(Node::Defence, replies), unsolved),
        }
    }

    /// Returns the numbers with which an unsolved position starts, given the number of its moves.
    fn first_numbers(&self, node: Node, moves: u32) -> Numbers {
        if !self.techniques.contains(Techniques::FIRST_COUNTS) {
            return Numbers::open(1, 1);
        }
        let Numbers { proof, disproof } = Numbers::of_mover(node, 1, moves.min(255));
        Numbers::open(proof, disproof)
    }

    /// Assesses the position after the last check that the limit allows: it is mate or the line
    /// fails.
    fn assess_last(&self, unsolved: Verdict) -> (Numbers, Verdict) {
        match self.game.count_moves(Node::Defence, true) {
            0 => self.mated(unsolved),
            _ => (Numbers::DISPROVEN, unsolved),
        }
    }

    /// The numbers and the verdict of a checkmate on the board.
    fn mated(&self, unsolved: Verdict) -> (Numbers, Verdict) {
        (Numbers::PROVEN, Verdict { hand: self.game.mating_hand(), ..unsolved })
    }
}

/// Returns a check with which the attacker mates within three plies, and the smallest hand with
/// which this holds.
#[cold]
fn mate_in_three(game: &mut impl Game) -> Option<(Move, Hand)> {
    let mut checks = MoveList::new();
    game.list_moves(Node::Attack, &mut checks);
    checks.into_iter().find_map(|check| {
        game.do_move(check);
        let hand = mated_in_two(game);
        game.undo_move();
        Some((check, game.hand_before(check, hand?)))
    })
}

/// Returns the smallest hand of the attacker with which every reply is mated at once, if it is.
fn mated_in_two(game: &mut impl Game) -> Option<Hand> {
    let mut replies = MoveList::new();
    game.list_moves(Node::Defence, &mut replies);
    if replies.is_empty() {
        return Some(game.mating_hand());
    }
    let mut hands = SmallVec::<[Hand; 64]>::new();
    for reply in &replies {
        game.do_move(reply);
        let mate = game.mate_in_one();
        game.undo_move();
        hands.push(mate?.1);
    }
    Some(game.hand_against(hands.into_iter()))
}

/// Returns the largest hand of the attacker with which some reply to the check on the board leaves
/// no further check, if there is such a reply.
#[cold]
fn refutation(game: &mut impl Game) -> Option<Hand> {
    let mut replies = MoveList::new();
    game.list_moves(Node::Defence, &mut replies);
    replies.into_iter().filter(|reply| !reply.is_drop()).find_map(|reply| {
        game.do_move(reply);
        let is_over = !game.has_check();
        let hand = is_over.then(|| game.failing_hand(std::iter::empty()));
        game.undo_move();
        Some(game.hand_before_reply(hand?))
    })
}
