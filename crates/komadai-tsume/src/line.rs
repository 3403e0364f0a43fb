//! The moves of a mate, reconstructed from the proofs in the table.
//!
//! A proof states the number of plies within which the attacker mates. If the attacker plays the
//! best move of the proof, that number decreases with each move, so every line ends. Proofs that
//! the table has overwritten are searched again.
//!
//! There are three ways to choose the defender's moves, with different guarantees: see
//! [`any_line`], [`bounding_line`] and [`optimal_line`].

use komadai_core::{Hand, Move, Position};
use komadai_movegen::{CheckClass, MoveGen, MoveList, generate_legal};

use crate::game::{Game, Tsume};
use crate::memory::{Memory, Workspace};
use crate::meter::Meter;
use crate::numbers::Node;
use crate::plies::Plies;
use crate::search::{Outcome, Search};
use crate::tables::table::Lookup;

/// Returns true if the moves are a mate by the side to move: all moves are legal, all moves of this
/// side give check, and the last move is checkmate.
///
/// # Examples
///
/// ```
/// use komadai_core::{Position, Pv};
/// use komadai_tsume::is_mating_line;
///
/// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b 2G 1")?;
/// let mate: Pv = "G*5b".parse()?;
/// assert!(is_mating_line(&position, &mate));
/// let check: Pv = "G*4b".parse()?;
/// assert!(!is_mating_line(&position, &check));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn is_mating_line(position: &Position, line: &[Move]) -> bool {
    let attacker = position.side();
    let mut position = position.without_history();
    for &m in line {
        if !position.is_legal(m) {
            return false;
        }
        position.do_move(m);
        if position.side() != attacker && !position.in_check() {
            return false;
        }
    }
    position.side() != attacker && !position.has_legal_move()
}

/// Builds the line of a mate and moves `position` along it.
#[derive(Debug)]
pub(crate) struct Guide<'a, 'b> {
    pub(crate) memory: &'a Memory,
    pub(crate) work: &'a mut Workspace,
    pub(crate) meter: &'a mut Meter<'b>,
    pub(crate) position: &'a mut Position,
    /// The checks of the search that has found the mate.
    pub(crate) checks: CheckClass,
}

/// A position with the defender to move on the line that is being built.
#[derive(Debug)]
struct Fork {
    /// The check that led to this position.
    attack: Move,
    replies: Vec<Reply>,
    /// Index of the reply with which the line continues.
    chosen: usize,
}

#[derive(Debug)]
struct Reply {
    m: Move,
    /// The attacker mates within this many plies after the reply.
    plies: Plies,
    /// The moves after the reply, last first, once the line behind it is complete.
    rest: Option<Vec<Move>>,
}

impl<'b> Guide<'_, 'b> {
    /// Returns a mating line for a mate that is proven within `plies`. The defender plays the move
    /// with the longest proof, although another move may delay the mate longer in fact.
    ///
    /// Returns `None` if the budget is spent before the line is complete. A budget that is already
    /// spent does no harm as long as the table still has all proofs.
    pub(crate) fn any_line(&mut self, mut plies: Plies) -> Option<Vec<Move>> {
        let mut line = Vec::new();
        loop {
            let (attack, left) = self.attack(plies)?;
            self.advance(attack, &mut line);
            let replies = self.replies(left)?;
            let Some(longest) = longest(&replies) else { return Some(line) };
            self.advance(replies[longest].m, &mut line);
            plies = replies[longest].plies;
        }
    }

    /// Returns a mating line whose length is an upper bound: the attacker mates within that many
    /// plies against any defence. The shortest mate is therefore not longer.
    ///
    /// The proof of a reply may be longer than the continuation that the line then takes. In that
    /// case the reply was not the hardest defence. Its length is corrected and the defender chooses
    /// again.
    pub(crate) fn bounding_line(&mut self, mut plies: Plies) -> Option<Vec<Move>> {
        let mut forks: Vec<Fork> = Vec::new();
        loop {
            if self.meter.is_spent() {
                return None;
            }
            // Going back and forth between forks takes time without searching; counting each step
            // keeps the budget in force.
            self.meter.visit();
            let (attack, left) = self.attack(plies)?;
            self.position.do_move(attack);
            let replies = self.replies(left)?;
            if let Some(chosen) = longest(&replies) {
                self.position.do_move(replies[chosen].m);
                plies = replies[chosen].plies;
                forks.push(Fork { attack, replies, chosen });
                continue;
            }
            self.position.undo_move();
            match self.go_back(&mut forks, vec![attack]) {
                Resume::AtFork(next) => plies = next,
                Resume::Complete(mut line) => {
                    line.reverse();
                    return Some(line);
                }
            }
        }
    }

    /// Goes back from a position of the attacker, in which `line` (last move first) mates, to the
    /// last fork with a harder defence.
    fn go_back(&mut self, forks: &mut Vec<Fork>, mut line: Vec<Move>) -> Resume {
        loop {
            let length = Plies::new(line.len() as u32);
            let (key, hand) = self.attacker_keys();
            let table = &self.memory.table;
            // The line is a proof that may be shorter than the one in the table. The least work, 1,
            // lets it be replaced before results of a search are.
            if !matches!(table.look_up(key, hand, length), Lookup::Proven { .. }) {
                table.store_proven(key, hand, length, line.last().copied(), 1);
            }
            let Some(fork) = forks.last_mut() else { return Resume::Complete(line) };
            self.position.undo_move();
            let reply = &mut fork.replies[fork.chosen];
            (reply.plies, reply.rest) = (length, Some(line));
            fork.chosen = longest(&fork.replies).unwrap_or(fork.chosen);
            // If the hardest reply has a complete line, this fork is finished and the line grows by
            // two moves; otherwise that reply is followed next.
            let reply = &mut fork.replies[fork.chosen];
            let Some(rest) = reply.rest.take() else {
                self.position.do_move(reply.m);
                return Resume::AtFork(reply.plies);
            };
            line = rest;
            line.extend([reply.m, fork.attack]);
            forks.pop();
            self.position.undo_move();
        }
    }

    /// Returns a mating line of exactly `plies` plies with best play by both sides. `plies` must be
    /// the length of the shortest mate.
    pub(crate) fn optimal_line(&mut self, mut plies: Plies) -> Option<Vec<Move>> {
        let mut line = Vec::new();
        loop {
            let (attack, left) = self.attack(plies)?;
            self.advance(attack, &mut line);
            if left.is_zero() {
                return Some(line);
            }
            plies = left.shorter();
            let reply = self.longest_defence(plies)?;
            self.advance(reply, &mut line);
        }
    }

    /// Returns a reply after which the shortest mate takes exactly `plies` plies.
    fn longest_defence(&mut self, plies: Plies) -> Option<Move> {
        let sooner = plies.shorter().shorter();
        for m in &self.position.legal_moves() {
            if plies.count() == 1 {
                return Some(m);
            }
            self.position.do_move(m);
            let outcome = self.search().run(sooner);
            self.position.undo_move();
            match outcome {
                Outcome::Proven(..) => {}
                Outcome::Disproven(_) => return Some(m),
                Outcome::Spent => return None,
            }
        }
        None
    }

    /// Returns a check that mates within `plies`, and the number of plies left after it.
    fn attack(&mut self, plies: Plies) -> Option<(Move, Plies)> {
        let (key, hand) = self.attacker_keys();
        if let Lookup::Proven { best: Some(best), .. } = self.memory.table.look_up(key, hand, plies)
            && let Some(left) = self.plies_after(best, plies)
        {
            return Some((best, left));
        }
        // The entry is gone or has no usable move. The positions after the checks may still be in
        // the table, which is cheaper than a new search.
        let mut checks = MoveList::new();
        Tsume::new(self.position, self.checks).list_moves(Node::Attack, &mut checks);
        let proven = checks
            .into_iter()
            .filter_map(|m| self.plies_after(m, plies).map(|left| (m, left)))
            .min_by_key(|&(_, left)| left);
        proven.or_else(|| match self.search().run_without_lookup(plies) {
            Outcome::Proven(plies, Some(best)) => Some((best, plies.shorter())),
            _ => None,
        })
    }

    /// Returns the number of plies within which the check `m` mates according to the table, if it
    /// is less than `plies`.
    fn plies_after(&mut self, m: Move, plies: Plies) -> Option<Plies> {
        let attacker = self.position.side();
        self.position.do_move(m);
        let key = self.memory.key(self.position.board_key());
        let hand = self.position.hand(attacker);
        let found = self.memory.table.look_up(key, hand, plies.shorter());
        let is_mate = !self.position.has_legal_move();
        self.position.undo_move();
        match found {
            _ if is_mate => Some(Plies::ZERO),
            Lookup::Proven { plies, .. } => Some(plies),
            _ => None,
        }
    }

    /// Returns all replies to a check that mates within `plies`. The list is empty if the check is
    /// mate.
    fn replies(&mut self, plies: Plies) -> Option<Vec<Reply>> {
        let mut moves = MoveList::new();
        generate_legal(self.position, &mut moves);
        let mut replies = Vec::with_capacity(moves.len());
        for m in &moves {
            self.position.do_move(m);
            let outcome = self.search().run(plies.shorter());
            self.position.undo_move();
            let Outcome::Proven(plies, _) = outcome else { return None };
            replies.push(Reply { m, plies, rest: None });
        }
        Some(replies)
    }

    fn advance(&mut self, m: Move, line: &mut Vec<Move>) {
        self.position.do_move(m);
        line.push(m);
    }

    /// Returns the board key and the hand of the side to move, which is the attacker.
    fn attacker_keys(&self) -> (u64, Hand) {
        let key = self.memory.key(self.position.board_key());
        (key, self.position.hand(self.position.side()))
    }

    /// Creates a search from the position on the board, with the attacker to move.
    fn search(&mut self) -> Search<'_, 'b, Tsume<'_>> {
        let game = Tsume::new(self.position, self.checks);
        Search::new(self.memory, self.work, self.meter, game)
    }
}

/// The place at which the construction of a line continues.
enum Resume {
    /// At a fork, with another reply that is mated within this many plies.
    AtFork(Plies),
    /// The line is complete, last move first.
    Complete(Vec<Move>),
}

/// Returns the index of the reply with the longest mate, among equals one whose line is complete.
fn longest(replies: &[Reply]) -> Option<usize> {
    (0..replies.len()).rev().max_by_key(|&i| (replies[i].plies, replies[i].rest.is_some()))
}
