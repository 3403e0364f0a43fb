//! Mates found by a solver that the user has handed to the search, at nodes of the principal variation.
//!
//! A search that only counts plies finds a mate of fifteen late; a solver that only gives check finds
//! it at once. At the root all checks are tried, at other nodes those near the king.
//!
//! Source of the method: the appeal document of ym-shogi: df-pn at the nodes of the principal variation,
//! with all checks at the root and some at the others.

use komadai_core::{Bound, Move, Pv};
use komadai_eval::Evaluator;
use komadai_movegen::{CheckClass, MateReport, MateResult, MoveGen};

use crate::searcher::node_visitor::NodeVisitor;

use crate::transposition_table::hit::TtHit;
use crate::value::{MAX_DEPTH, MAX_PLY, Value, mating};
use crate::worker::Worker;

/// The smallest depth of a node at which the solver is called. Untuned.
const MIN_DEPTH: i32 = 3;

/// The most nodes of a call below the root.
const MAX_NODES: u64 = 1_000;

impl<E: Evaluator, V: NodeVisitor> Worker<'_, E, V> {
    /// Returns the value of a node of the principal variation, if the solver finds a mate.
    pub(super) fn solved_mate(&mut self, depth: i32, ply: usize) -> Option<Value> {
        if depth < MIN_DEPTH {
            return None;
        }
        let line = self.solve(CheckClass::Near, MAX_NODES)?;
        let end = ply + line.len();
        if end > MAX_PLY {
            return None;
        }
        self.longest = self.longest.max(end);
        let (best, value) = (line.first().copied(), mating(end));
        self.frames[ply].pv = line;
        // A mate is final: no deeper search can replace it.
        let (depth, bound) = (MAX_DEPTH, Bound::Exact);
        self.store_in_table(TtHit { best, value, static_value: None, depth, bound, pv: true }, ply);
        Some(value)
    }

    /// Returns the mate that the solver finds for the side to move at the root.
    pub(crate) fn solve_root(&mut self) -> Option<Pv> {
        self.solve(CheckClass::All, u64::MAX).filter(|line| line.len() <= MAX_PLY)
    }

    fn solve(&mut self, checks: CheckClass, most: u64) -> Option<Pv> {
        let key = self.position.key();
        let usage = self.solver.as_mut()?;
        let nodes = usage.nodes_to_spend(key, self.meter.nodes(), most)?;
        let budget = self.meter.part(nodes);
        let MateReport { result, nodes, .. } = usage.solve(&self.position, &budget, checks);
        self.meter.add_nodes(nodes);
        match result {
            MateResult::Mate { line, .. } if self.is_mate(&line) => Some(line),
            _ => None,
        }
    }

    /// Checks that a line mates before the game ends by another rule.
    fn is_mate(&self, line: &[Move]) -> bool {
        let mut position = self.position.clone();
        for &m in line {
            let is_over = self.options.max_moves.is_some_and(|limit| limit.is_reached(&position));
            if is_over || !position.is_legal(m) {
                return false;
            }
            position.do_move(m);
        }
        line.len() % 2 == 1 && position.in_check() && !position.has_legal_move()
    }
}
