//! Helpmates (協力詰, ばか詰): both sides cooperate so that the attacker mates.
//!
//! The search deepens one move at a time and visits all lines. A table holds the number of
//! solutions of each position for each number of plies left, so that a position is searched once
//! per length, by whatever order of moves it is reached.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};

use komadai_core::{Budget, Move, Position, Pv};
use komadai_movegen::{MateLimit, MoveGen, MoveList, generate_checks, mate::mates_in_one};

use crate::key_hasher::BuildKeyHasher;

/// Searches for the shortest helpmates by the side to move of up to `options.plies` plies.
///
/// The attacker, who is the side to move, gives check with every move, and the defender plays any
/// legal move that helps. All rules of the game hold, the pawn-drop-mate rule included. A solution
/// has the least number of plies; lines that differ in any move, promotions and the order of moves
/// included, are different solutions.
///
/// One node is one position whose moves are generated. The table grows to about 24 bytes a node.
/// The depth of `budget` restricts the length further.
///
/// Time: exponential in the length; a few pieces and 9 plies take seconds at most.
///
/// # Examples
///
/// ```
/// use komadai_core::{Budget, Position};
/// use komadai_problems::helpmate::{self, HelpmateOptions, HelpmateReport, HelpmateResult};
///
/// // The king steps below the dropped gold.
/// let position = Position::from_sfen("9/4k4/9/9/4P4/9/9/9/9 b 2G 1")?;
/// let options = HelpmateOptions::default();
/// let report: HelpmateReport = helpmate::search(&position, options, &Budget::nodes(100_000));
/// let HelpmateResult::Mate { plies, solutions, lines } = report.result else { panic!() };
/// assert_eq!(plies, 3);
/// assert!(solutions > 1 && lines.iter().all(|line| line.len() == 3));
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
#[doc(alias("協力詰", "ばか詰", "協力詰め"))]
pub fn search(position: &Position, options: HelpmateOptions, budget: &Budget) -> HelpmateReport {
    let deepest = options.plies.min(budget.depth.unwrap_or(u32::MAX)).min(MAX_PLIES);
    let mut counter = Counter {
        position: position.without_history(),
        budget,
        nodes: 0,
        spent: budget.is_exhausted(0),
        table: HashMap::default(),
    };
    let mut refuted = 0;
    // Odd numbers only, because the attacker makes the last move.
    for plies in (1..=deepest).step_by(2) {
        let solutions = if counter.spent { 0 } else { counter.attack(plies) };
        if counter.spent {
            break;
        }
        if solutions > 0 {
            let lines = counter.lines(plies, options.max_lines);
            let result = HelpmateResult::Mate { plies, solutions, lines };
            let limit = counter.spent.then(|| MateLimit::of(budget, counter.nodes));
            return HelpmateReport { result, nodes: counter.nodes, limit };
        }
        refuted = plies;
    }
    let limit = if counter.spent { MateLimit::of(budget, counter.nodes) } else { MateLimit::Depth };
    let result = HelpmateResult::NoneWithin { plies: refuted };
    HelpmateReport { result, nodes: counter.nodes, limit: Some(limit) }
}

/// Longest helpmate that is searched for, in plies; no search of all lines reaches it.
const MAX_PLIES: u32 = 255;

/// The number of nodes between two checks of the clock and the stop flag.
const POLL_INTERVAL: u64 = 256;

/// Options of [`search`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HelpmateOptions {
    /// The largest number of plies, at most 255; an even number is rounded down.
    pub plies: u32,
    /// The largest number of solutions that are listed; all are counted.
    pub max_lines: usize,
}

impl Default for HelpmateOptions {
    /// 9 plies, 16 lines.
    fn default() -> Self {
        Self { plies: 9, max_lines: 16 }
    }
}

/// The result of [`search`] and its cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HelpmateReport {
    /// The result.
    pub result: HelpmateResult,
    /// The number of positions visited.
    pub nodes: u64,
    /// The limit that ended an unfinished search; [`MateLimit::Depth`] if no helpmate was found up
    /// to the largest number of plies.
    pub limit: Option<MateLimit>,
}

/// The solutions of a helpmate problem.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum HelpmateResult {
    /// The shortest helpmates.
    Mate {
        /// Their number of plies.
        plies: u32,
        /// The number of solutions; [`u64::MAX`] stands for that or more. The solution is unique if
        /// the number is 1.
        solutions: u64,
        /// Solutions in the order of generation, at most as many as the options allow. The list is
        /// shorter than that if the budget was spent.
        lines: Vec<Pv>,
    },
    /// No helpmate of at most this many plies exists; longer ones are not excluded.
    NoneWithin {
        /// The number of plies; 0 if not even the mates in one were searched.
        plies: u32,
    },
}

/// The search of all lines.
struct Counter<'a> {
    position: Position,
    budget: &'a Budget,
    nodes: u64,
    spent: bool,
    /// The number of solutions of exactly so many plies in positions of both sides.
    table: HashMap<Node, u64, BuildKeyHasher>,
}

/// A position with the number of plies left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Node {
    key: u64,
    plies: u8,
}

impl Hash for Node {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.key ^ u64::from(self.plies).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    }
}

impl Counter<'_> {
    /// Returns the number of helpmates of exactly `plies` plies, an odd number, with the attacker
    /// to move. Undefined if the budget is spent.
    fn attack(&mut self, plies: u32) -> u64 {
        if plies == 1 {
            self.visit();
            return mates_in_one(&self.position).len() as u64;
        }
        self.of_moves(plies, generate_checks, Self::defence)
    }

    /// Returns the number of helpmates of exactly `plies` plies, an even number, with the defender
    /// to move. Undefined if the budget is spent.
    fn defence(&mut self, plies: u32) -> u64 {
        self.of_moves(plies, komadai_movegen::generate_legal, Self::attack)
    }

    /// Returns the sum of `next` after each of the moves.
    fn of_moves(
        &mut self,
        plies: u32,
        generate: fn(&Position, &mut MoveList),
        next: fn(&mut Self, u32) -> u64,
    ) -> u64 {
        let node = Node { key: self.position.key(), plies: plies as u8 };
        if let Some(&solutions) = self.table.get(&node) {
            return solutions;
        }
        self.visit();
        let mut moves = MoveList::new();
        generate(&self.position, &mut moves);
        let mut sum = 0_u64;
        for m in moves {
            if self.spent {
                return 0;
            }
            self.position.do_move(m);
            sum = sum.saturating_add(next(self, plies - 1));
            self.position.undo_move();
        }
        // Otherwise the sum may lack moves.
        if !self.spent {
            self.table.insert(node, sum);
        }
        sum
    }

    /// Counts a node and checks the budget.
    fn visit(&mut self) {
        self.nodes += 1;
        self.spent |= self.budget.is_out_of_nodes(self.nodes)
            || self.nodes.is_multiple_of(POLL_INTERVAL) && self.budget.is_exhausted(self.nodes);
    }

    /// Lists up to `most` solutions of exactly `plies` plies.
    fn lines(&mut self, plies: u32, most: usize) -> Vec<Pv> {
        let mut lines = Vec::new();
        self.extend(&mut Vec::new(), plies, most, &mut lines);
        lines
    }

    fn extend(&mut self, line: &mut Vec<Move>, plies: u32, most: usize, lines: &mut Vec<Pv>) {
        let attacks = plies % 2 == 1;
        let mut moves = MoveList::new();
        match plies {
            1 => mates_in_one(&self.position).for_each(|m| moves.push(m)),
            _ if attacks => generate_checks(&self.position, &mut moves),
            _ => moves = self.position.legal_moves(),
        }
        for m in moves {
            if lines.len() >= most || self.spent {
                return;
            }
            line.push(m);
            if plies == 1 {
                lines.push(line.iter().copied().collect());
            } else {
                self.position.do_move(m);
                // The table knows which moves lead to a solution, so that no line is followed in
                // vain.
                let solutions =
                    if attacks { self.defence(plies - 1) } else { self.attack(plies - 1) };
                if solutions > 0 {
                    self.extend(line, plies - 1, most, lines);
                }
                self.position.undo_move();
            }
            line.pop();
        }
    }
}

#[cfg(test)]
mod tests;
