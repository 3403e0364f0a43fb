//! The moves of a mate, from the proofs in the table.
//!
//! A proof says of a position within how many plies the attacker mates; where the attacker plays the
//! move it names, that number falls, so a line ends. What the table has lost is searched again.
//!
//! There are three ways to choose the defender's moves, each with a promise of its own: see
//! [`any_line`], [`bounding_line`] and [`optimal_line`].

use komadai_core::{Hand, Move, Position};
use komadai_movegen::{MoveGen, MoveList, generate_checks, generate_legal};

use crate::game::Tsume;
use crate::meter::Meter;
use crate::plies::Plies;
use crate::search::{Memory, Outcome, Search};
use crate::table::Known;

/// Whether the moves are a mate by the side to move: all legal, its own all checks, the last one
/// checkmate.
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
#[must_use]
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

/// Builds the line of a mate; the position on the board goes along.
#[derive(Debug)]
pub(crate) struct Guide<'a, 'b> {
    pub(crate) memory: &'a mut Memory,
    pub(crate) meter: &'a mut Meter<'b>,
    pub(crate) position: &'a mut Position,
}

/// A position with the defender to move on the line that is being built.
#[derive(Debug)]
struct Fork {
    /// The check that led to it.
    attack: Move,
    replies: Vec<Reply>,
    /// The reply the line goes on with.
    chosen: usize,
}

#[derive(Debug)]
struct Reply {
    m: Move,
    /// The attacker mates within this many plies after it.
    plies: Plies,
    /// The moves after it, last first, once that number has been followed to the end.
    rest: Option<Vec<Move>>,
}

impl<'b> Guide<'_, 'b> {
    /// A mate that is proven to exist within `plies`. The defender plays the move whose proof is
    /// longest, and nobody has looked whether another move delays the mate longer.
    ///
    /// `None` if the budget ends first; it does not matter if it has ended but the table still has
    /// all proofs.
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

    /// A mate with the promise that the attacker mates within its length against any defence. So no
    /// shortest mate is longer than it.
    ///
    /// A proof may be longer than the best continuation known by now: then the defence chosen for it
    /// was not the hardest. Its length is corrected, and the hardest is chosen again.
    pub(crate) fn bounding_line(&mut self, mut plies: Plies) -> Option<Vec<Move>> {
        let mut forks: Vec<Fork> = Vec::new();
        loop {
            if self.meter.is_spent() {
                return None;
            }
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
                GoneBack::ToFork(next) => plies = next,
                GoneBack::ToStart(mut line) => {
                    line.reverse();
                    return Some(line);
                }
            }
        }
    }

    /// Goes back from an attacker's position, which is mated by `line` (last move first), to the
    /// last fork that has a harder defence.
    fn go_back(&mut self, forks: &mut Vec<Fork>, mut line: Vec<Move>) -> GoneBack {
        loop {
            let length = Plies::new(line.len() as u32);
            let (key, hand) = self.attacker_keys();
            let table = &mut self.memory.table;
            if !matches!(table.look_up(key, hand, length), Known::Proven { .. }) {
                table.store_proven(key, hand, length, line.last().copied(), 1);
            }
            let Some(fork) = forks.last_mut() else { return GoneBack::ToStart(line) };
            self.position.undo_move();
            let reply = &mut fork.replies[fork.chosen];
            (reply.plies, reply.rest) = (length, Some(line));
            fork.chosen = longest(&fork.replies).unwrap_or(fork.chosen);
            let reply = &mut fork.replies[fork.chosen];
            let Some(rest) = reply.rest.take() else {
                self.position.do_move(reply.m);
                return GoneBack::ToFork(reply.plies);
            };
            line = rest;
            line.extend([reply.m, fork.attack]);
            forks.pop();
            self.position.undo_move();
        }
    }

    /// A mate in exactly `plies`, which must be the length of the shortest one, with best play by
    /// both sides.
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

    /// A reply after which there is a mate within `plies` but not sooner.
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

    /// A check that mates within `plies`, and the plies left after it.
    fn attack(&mut self, plies: Plies) -> Option<(Move, Plies)> {
        let (key, hand) = self.attacker_keys();
        if let Known::Proven { best: Some(best), .. } = self.memory.table.look_up(key, hand, plies)
            && let Some(left) = self.plies_after(best, plies)
        {
            return Some((best, left));
        }
        let mut checks = MoveList::new();
        generate_checks(self.position, &mut checks);
        let known = checks
            .into_iter()
            .filter_map(|m| self.plies_after(m, plies).map(|left| (m, left)))
            .min_by_key(|&(_, left)| left);
        known.or_else(|| match self.search().run_anew(plies) {
            Outcome::Proven(plies, Some(best)) => Some((best, plies.shorter())),
            _ => None,
        })
    }

    /// Within how many plies the check `m` is known to mate, if fewer than `plies`.
    fn plies_after(&mut self, m: Move, plies: Plies) -> Option<Plies> {
        let attacker = self.position.side();
        self.position.do_move(m);
        let (key, hand) = (self.position.board_key(), self.position.hand(attacker));
        let known = self.memory.table.look_up(key, hand, plies.shorter());
        let is_mate = !self.position.has_legal_move();
        self.position.undo_move();
        match known {
            _ if is_mate => Some(Plies::ZERO),
            Known::Proven { plies, .. } => Some(plies),
            _ => None,
        }
    }

    /// All replies to a check that mates within `plies`; none if it mates at once.
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

    /// The key of the board and the hand of the side to move, which attacks.
    fn attacker_keys(&self) -> (u64, Hand) {
        (self.position.board_key(), self.position.hand(self.position.side()))
    }

    /// A search from the position on the board, the attacker to move.
    fn search(&mut self) -> Search<'_, 'b, Tsume<'_>> {
        Search::new(self.memory, self.meter, Tsume::new(self.position))
    }
}

/// Where a line being built continues.
enum GoneBack {
    /// At a fork, with another reply that is mated within this many plies.
    ToFork(Plies),
    /// Nowhere: it is complete, last move first.
    ToStart(Vec<Move>),
}

/// The reply that is mated last; of equals one that has been followed already.
fn longest(replies: &[Reply]) -> Option<usize> {
    (0..replies.len()).rev().max_by_key(|&i| (replies[i].plies, replies[i].rest.is_some()))
}
