//! The inner nodes of the search: fail-soft principal variation search.
//!
//! ```text
//! node(window, depth):
//!     the game has ended, or a shorter mate is known:  return
//!     the table knows enough:                          return
//!     a mate in one:                                   return
//!     decided without looking at moves (probcut.rs):      return
//!     for each move, best first (move_loop.rs):
//!         leave it out if it cannot matter
//!         extend it if it has no alternative (singular.rs)
//!         search it with a zero window, late moves less deep;
//!         again with more depth or window if it turns out to be better
//!     remember what has been learned (history_update.rs)
//! ```
//!
//! Source of the method: J. Pearl, "Scout: a simple game-searching algorithm with proven optimal
//! properties", AAAI 1980; T. Marsland and M. Campbell, "Parallel search of strongly ordered game
//! trees", ACM Computing Surveys 14(4), 1982.

mod history_update;
mod move_loop;
mod probcut;
mod pseudo_extension;
mod singular;

use komadai_core::{Bound, Move};
use komadai_eval::Evaluator;
use komadai_movegen::mate::mate_of_confined_king;

use crate::Techniques;
use crate::history::Structure;
use crate::pruning::{self, Outlook, PLY};
use crate::value::{INFINITE, MAX_DEPTH, MAX_EVALUATION, MAX_PLY, Value, Window, mating};
use crate::worker::{Known, Worker};

pub(crate) use move_loop::Step;

/// A king with more unguarded squares to go to is mated in one so rarely that looking costs more.
pub(crate) const WAYS_OUT: u32 = 2;

/// A node whose moves are about to be searched.
#[derive(Debug, Clone, Copy)]
struct Node {
    outlook: Outlook,
    ply: usize,
    /// Whether the node is expected to be cut off.
    cut: bool,
    /// What the evaluator says; `None` in check.
    raw_value: Option<Value>,
    /// The same, corrected.
    static_value: Option<Value>,
    structure: Option<Structure>,
    known: Option<Known>,
    table_move: Option<Move>,
    /// Whether the node is or was on a principal variation.
    near_pv: bool,
    /// The move whose alternatives are being searched.
    excluded: Option<Move>,
}

impl<E: Evaluator> Worker<'_, E> {
    /// The value of the position for the side to move, searched to `depth` plies.
    ///
    /// Fail-soft: outside the window the value is a bound. `PV` is whether the window is more than
    /// one wide, so that a line is wanted; `cut`, whether the node is expected to be cut off.
    /// Meaningless once the budget is used up.
    pub(crate) fn node<const PV: bool>(
        &mut self,
        window: Window,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Value {
        if depth <= 0 {
            return self.leaf::<PV>(window, ply);
        }
        self.frames[ply].pv.clear();
        if self.meter.is_over() {
            return 0;
        }
        if let Some(value) = self.ended(ply) {
            return value;
        }
        if ply >= MAX_PLY {
            return self.evaluate();
        }
        let window = if self.uses(Techniques::MATE_DISTANCE) {
            match pruning::mate_distance(window, ply) {
                Ok(narrowed) => narrowed,
                Err(value) => return value,
            }
        } else {
            window
        };
        let known = self.known(ply);
        if !PV && let Some(value) = known.and_then(|known| known.settles(window, depth)) {
            self.learn_from_table(known, window, depth, ply);
            return value;
        }
        if !PV && let Some(value) = self.dominated(window, depth, ply) {
            return value;
        }
        if known.is_none()
            && let Some(value) = self.mate_in_one(WAYS_OUT, ply)
        {
            return value;
        }
        self.frames[ply + 2].killers = [None; 2];
        self.frames[ply + 2].cutoffs = 0;
        let mut node = self.look::<PV>(known, window, depth, ply, cut);
        if !PV && let Some(value) = self.cut_without_moves(&node) {
            return value;
        }
        self.find_something_to_try::<PV>(&mut node);
        self.best_of_moves::<PV>(&node)
    }

    /// The best value that the moves other than `excluded` reach.
    fn alternatives(&mut self, node: &Node, excluded: Move, beta: Value, depth: i32) -> Value {
        let window = Window::zero(beta - 1);
        let outlook = Outlook { window, depth, ..node.outlook };
        let without = Node { outlook, table_move: None, excluded: Some(excluded), ..*node };
        self.best_of_moves::<false>(&without)
    }

    /// The value if the side to move mates at once.
    ///
    /// A king with more than `ways_out` squares to go to is left in peace.
    pub(crate) fn mate_in_one(&mut self, ways_out: u32, ply: usize) -> Option<Value> {
        if !self.uses(Techniques::MATE_IN_ONE) || self.position.in_check() {
            return None;
        }
        let m = mate_of_confined_king(&self.position, ways_out)?;
        self.frames[ply].pv.set(m, &[]);
        let value = mating(ply + 1);
        let (depth, bound) = (MAX_DEPTH, Bound::Exact);
        self.remember(
            Known { best: Some(m), value, static_value: None, depth, bound, pv: false },
            ply,
        );
        Some(value)
    }

    /// Gathers what the rules need to know.
    fn look<const PV: bool>(
        &mut self,
        known: Option<Known>,
        window: Window,
        depth: i32,
        ply: usize,
        cut: bool,
    ) -> Node {
        let judged = self.judge(known, ply);
        let static_value = judged.map(|judged| judged.corrected);
        self.frames[ply].static_value = static_value;
        self.learn_from_difference(static_value, ply);
        let improving = match (static_value, self.own_earlier_value(ply)) {
            (Some(now), Some(then)) => now > then,
            _ => static_value.is_some(),
        };
        let value = static_value.unwrap_or(-INFINITE);
        let better = if self.uses(Techniques::TABLE_VALUE) {
            known.filter(|_| !PV).and_then(|known| known.improves(value))
        } else {
            None
        };
        let estimate = if static_value.is_some() { better.unwrap_or(value) } else { value };
        let depth = self.depth_in_hindsight(depth, static_value, ply);
        Node {
            outlook: Outlook { window, depth, static_value: estimate, improving },
            ply,
            cut,
            raw_value: judged.map(|judged| judged.raw),
            static_value,
            structure: judged.and_then(|judged| judged.structure),
            known,
            table_move: known.and_then(|known| known.best),
            near_pv: PV || known.is_some_and(|known| known.pv),
            excluded: None,
        }
    }

    /// The static value of a position that is not in check.
    pub(crate) fn judge(&mut self, known: Option<Known>, ply: usize) -> Option<Judged> {
        if self.position.in_check() {
            return None;
        }
        let stored = known.and_then(|known| known.static_value);
        let raw = stored.unwrap_or_else(|| self.evaluate());
        if !self.uses(Techniques::CORRECTION) {
            return Some(Judged { raw, corrected: raw, structure: None });
        }
        let (last, before) = (self.earlier(ply, 1), self.earlier(ply, 2));
        let structure = Structure::of(&self.position, last, before);
        let corrected = raw + self.history.corrections.get(&structure);
        let corrected = corrected.clamp(-MAX_EVALUATION, MAX_EVALUATION);
        Some(Judged { raw, corrected, structure: Some(structure) })
    }

    /// The static value at the side's last turn, or the one before if it was in check then.
    fn own_earlier_value(&self, ply: usize) -> Option<Value> {
        let at =
            |plies| ply.checked_sub(plies).and_then(|ply: usize| self.frames[ply].static_value);
        at(2).or_else(|| at(4))
    }

    /// The depth, given what the reduction of the move that led here expected and what came of it.
    fn depth_in_hindsight(&self, depth: i32, static_value: Option<Value>, ply: usize) -> i32 {
        let before = &self.frames[ply - 1];
        let (Some(now), Some(then)) = (static_value, before.static_value) else { return depth };
        if !self.uses(Techniques::HINDSIGHT) || before.current.is_none() {
            return depth;
        }
        if before.reduction >= 3 * PLY && now <= -then {
            depth + 1
        } else if before.reduction >= 2 * PLY
            && depth >= 2
            && now + then > self.parameters().hindsight_margin
        {
            depth - 1
        } else {
            depth
        }
    }

    /// Where nothing is known about the best move: looks for one, or trusts the node less.
    fn find_something_to_try<const PV: bool>(&mut self, node: &mut Node) {
        if node.table_move.is_some() || !(PV || node.cut) {
            return;
        }
        let Outlook { depth, window, .. } = node.outlook;
        let is_deep = depth >= self.parameters().iterative_depth;
        if self.uses(Techniques::ITERATIVE_DEEPENING) && is_deep {
            self.best_of_moves::<PV>(&Node {
                outlook: Outlook { depth: depth - 3, window, ..node.outlook },
                ..*node
            });
            node.table_move = self.known(node.ply).and_then(|known| known.best);
        } else if self.uses(Techniques::ITERATIVE_REDUCTION) && is_deep {
            node.outlook.depth -= 1;
        }
    }
}

/// A static value.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Judged {
    /// What the evaluator says.
    pub(crate) raw: Value,
    /// What it is taken for.
    pub(crate) corrected: Value,
    /// The structures by which it was corrected.
    structure: Option<Structure>,
}

#[cfg(test)]
mod tests;
