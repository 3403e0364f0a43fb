//! The inner nodes of the search: fail-soft principal variation search.
//!
//! ```text
//! node(window, depth):
//!     game end, mate distance pruning, transposition-table cutoff, mate in one, solver:    return
//!     static evaluation, hindsight reduction
//!     razoring, futility, null move:                                               return
//!     no transposition-table move: internal iterative deepening or reduction
//!     ProbCut:                                                                     return
//!     for each move in the picker's order (move_loop.rs):
//!         prune it late in the order or below the window (move_pruning.rs)
//!         extend it if it is singular (singular.rs)
//!         reduce it late in the order (late_move_reduction.rs)
//!         search it with a zero window, again with more depth or window if it turns out better
//!             (move_search.rs)
//!     update histories and transposition table (history_update.rs)
//! ```
//!
//! | technique | file below `node/` |
//! |---|---|
//! | correction of the static evaluation | `static_evaluation.rs` |
//! | mate in one | `mate_in_one.rs` |
//! | mate by a solver, or by a tree search beside | `mate_solver.rs` |
//! | hindsight reduction and extension | `hindsight.rs` |
//! | null move pruning | `null_move.rs` |
//! | ProbCut of captures | `capture_probcut.rs` |
//! | ABDADA: deferred moves | `move_loop.rs` |
//! | late move, history, futility and exchange pruning | `move_pruning.rs` |
//! | late move reduction | `late_move_reduction.rs` |
//! | singular extension, multi-cut | `singular.rs` |
//!
//! Razoring, reverse futility pruning and internal iterative reduction are in this file. Techniques
//! that are off by default are in `museum/`.
//!
//! Source of the method: J. Pearl, "Scout: a simple game-searching algorithm with proven optimal
//! properties", AAAI 1980; T. Marsland and M. Campbell, "Parallel search of strongly ordered game
//! trees", ACM Computing Surveys 14(4), 1982. Internal iterative reduction: E.
//! Schröder, Rebel (2020).

mod hindsight;
pub(crate) mod history_update;
pub(crate) mod mate_in_one;
mod mate_solver;
mod move_loop;
mod move_pruning;
pub(crate) mod move_search;
pub(crate) mod node_state;
mod null_move;
mod capture_probcut;
mod late_move_reduction;
mod singular;
pub(crate) mod solver_use;
pub(crate) mod static_evaluation;

use komadai_core::Move;
use komadai_eval::Evaluator;

use crate::pruning::{self, PruningInputs};
use crate::settings::Settings;
use crate::tactical::is_capture;
use crate::techniques::Techniques;
use crate::transposition_table::hit::TtHit;
use crate::value::{MAX_EVALUATION, MAX_PLY, Value, Window};
use crate::worker::Worker;
use mate_in_one::MAX_KING_ESCAPES;
use node_state::Node;

impl<E: Evaluator, S: Settings> Worker<'_, E, S> {
    /// Returns the value of the position for the side to move, searched to `depth` plies.
    ///
    /// The search is fail-soft: outside the window the value is a bound. `PV` marks a node of the
    /// principal variation: its window is more than one wide and it needs a line. `cut_node` marks
    /// a node that is expected to have a beta cutoff. The value is meaningless once the budget is
    /// used up.
    #[inline(always)]
    pub(crate) fn node<const PV: bool>(
        &mut self,
        window: Window,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Value {
        if depth <= 0 {
            return self.leaf::<PV>(window, ply);
        }
        self.inner_node::<PV>(window, depth, ply, cut_node)
    }

    fn inner_node<const PV: bool>(
        &mut self,
        window: Window,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Value {
        self.pvs[ply].clear();
        if self.meter.is_over() {
            return 0;
        }
        if let Some(value) = self.game_end(ply) {
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
        let hit = self.probe_table(ply);
        // Nodes of the principal variation search on, because a cutoff would shorten the line.
        if !PV && let Some(value) = self.table_cutoff(hit, window, depth, cut_node) {
            if let Some(hit) = hit.filter(|_| value >= window.beta) {
                self.update_history_from_table(&hit, depth, ply);
            }
            return value;
        }
        if !PV && let Some(value) = self.hand_dominance_cutoff(window, depth, ply) {
            return value;
        }
        // An entry is left by an earlier visit, which has tested for the mate already.
        if hit.is_none()
            && let Some(value) = self.mate_in_one(MAX_KING_ESCAPES, ply)
        {
            return value;
        }
        if PV && let Some(value) = self.proved_by_tree(ply) {
            return value;
        }
        if PV && let Some(value) = self.solved_mate(depth, ply) {
            return value;
        }
        // The solver may have used up the budget.
        if PV && self.meter.is_over() {
            return 0;
        }
        self.frames[ply + 2].killers = [None; 2];
        self.frames[ply + 2].cutoffs = 0;
        let mut node = self.prepare_node::<PV>(hit, window, depth, ply, cut_node);
        let Node { static_value, inputs: PruningInputs { depth, .. }, .. } = node;
        if !PV && let Some(value) = self.solved_mate_after_swing(static_value, depth, ply) {
            return value;
        }
        if let Some(value) = self.solved_mate_after_prediction(depth, ply, PV) {
            return value;
        }
        // Here too the solver may have used up the budget.
        if self.meter.is_over() {
            return 0;
        }
        if let Some(value) = self.prune_node::<PV>(&mut node) {
            return value;
        }
        self.search_moves::<PV>(&mut node)
    }

    /// Returns the value of the table's entry, if it decides the node.
    ///
    /// Near the leaves, where a search is cheap, an entry that contradicts the expectation does not
    /// count.
    fn table_cutoff(
        &self,
        hit: Option<TtHit>,
        window: Window,
        depth: i32,
        cut_node: bool,
    ) -> Option<Value> {
        let value = hit?.cutoff(window, depth)?;
        let is_expected = (value >= window.beta) == cut_node;
        (is_expected || depth > self.parameters().table_agreement_depth).then_some(value)
    }

    /// Collects the inputs of the rules at a node: evaluation, improvement, adjusted depth.
    fn prepare_node<const PV: bool>(
        &mut self,
        hit: Option<TtHit>,
        window: Window,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Node {
        let evaluation = self.static_evaluation(hit, ply);
        // Before the search of the node, which may be pruned, and for other threads.
        if hit.is_none()
            && let Some(evaluation) = evaluation
        {
            self.store_evaluation_in_table(evaluation.raw, PV, ply);
        }
        let static_value = evaluation.map(|evaluation| evaluation.corrected);
        let near_pv = PV || hit.is_some_and(|hit| hit.pv());
        let frame = &mut self.frames[ply];
        (frame.static_value, frame.was_known, frame.near_pv) =
            (static_value, hit.is_some(), near_pv);
        self.update_history_from_evaluation(static_value, hit.is_none(), ply);
        let improving = self.is_improving(static_value, ply);
        // In check the evaluation means nothing. That of the side's last turn comes nearest.
        let value =
            static_value.or_else(|| self.previous_static_value(ply)).unwrap_or(MAX_EVALUATION);
        let estimate = if self.uses(Techniques::TABLE_VALUE) && static_value.is_some() {
            hit.filter(|_| !PV).and_then(|hit| hit.better_estimate(value)).unwrap_or(value)
        } else {
            value
        };
        let depth = self.depth_with_hindsight(depth, static_value, ply);
        let table_move = hit.and_then(|hit| hit.best());
        Node {
            inputs: PruningInputs {
                window,
                depth,
                static_value: value,
                evaluation: estimate,
                improving,
                correction: evaluation
                    .map_or(0, |evaluation| (evaluation.corrected - evaluation.raw).abs()),
                is_new: hit.is_none(),
                earliness: self.earliness,
            },
            ply,
            cut_node,
            raw_value: evaluation.map(|evaluation| evaluation.raw),
            static_value,
            correction_keys: evaluation.and_then(|evaluation| evaluation.correction_keys),
            hit: hit.filter(TtHit::has_value),
            table_move,
            table_move_captures: table_move.is_some_and(|m| is_capture(&self.position, m)),
            near_pv,
            on_last_line: PV && self.is_on_last_line(ply),
            excluded: None,
        }
    }

    /// Checks whether the moves up to here are those of the last iteration's principal variation,
    /// whose nodes are treated with care.
    fn is_on_last_line(&self, ply: usize) -> bool {
        let follows = |line: &[Move]| {
            self.frames.iter().zip(line).all(|(frame, &m)| frame.current == Some(m))
        };
        self.last_line.get(..ply).is_some_and(follows)
    }

    /// Checks whether the static evaluation is higher than at the side's last turn.
    pub(crate) fn is_improving(&self, static_value: Option<Value>, ply: usize) -> bool {
        let then = self.previous_static_value(ply);
        static_value.zip(then).is_some_and(|(now, then)| now > then)
    }

    /// Returns the static evaluation at the side's last turn, or at the one before if it was in
    /// check then.
    fn previous_static_value(&self, ply: usize) -> Option<Value> {
        let at =
            |plies| ply.checked_sub(plies).and_then(|ply: usize| self.frames[ply].static_value);
        at(2).or_else(|| at(4))
    }

    /// Returns the value of a node that is decided without searching its moves one by one.
    ///
    /// Cheap rules come first. Nodes in check are hardly ever pruned, because their evaluation means
    /// nothing; nor are nodes after which the opponent may declare a win, which no evaluation
    /// foresees.
    fn prune_node<const PV: bool>(&mut self, node: &mut Node) -> Option<Value> {
        let is_prunable = !self.may_face_declaration();
        if let Some(static_value) = node.static_value {
            if !PV
                && is_prunable
                && let Some(value) = self.prune_by_evaluation(node)
            {
                return Some(value);
            }
            node.inputs.improving |= static_value >= node.inputs.window.beta;
            self.iterate_internally::<PV>(node);
            if is_prunable
                && self.uses(Techniques::CAPTURE_PROBCUT)
                && let Some(value) = self.capture_probcut(node)
            {
                return Some(value);
            }
            if !PV
                && is_prunable
                && let Some(value) = self.regression_probcut(node)
            {
                return Some(value);
            }
        }
        if !PV && is_prunable && self.uses(Techniques::TABLE_PROBCUT) {
            return self.table_probcut(node);
        }
        None
    }

    /// Returns the value of a node that its evaluation decides, or the search after a null move.
    fn prune_by_evaluation(&mut self, node: &Node) -> Option<Value> {
        if self.uses(Techniques::RAZORING)
            && let Some(value) = self.razoring(node)
        {
            return Some(value);
        }
        if self.uses(Techniques::TWO_PLY_FUTILITY)
            && let Some(value) = self.two_ply_futility(node)
        {
            return Some(value);
        }
        if self.meter.is_over() {
            return Some(0);
        }
        if self.uses(Techniques::REVERSE_FUTILITY)
            && let Some(value) = self.reverse_futility(node)
        {
            return Some(value);
        }
        if self.uses(Techniques::NULL_MOVE) && node.excluded.is_none() {
            return self.null_move(node);
        }
        None
    }

    /// Returns the value of a node whose evaluation is far above the window.
    ///
    /// Where the principal variation has been, a static guess would end the line. A quiet table
    /// move shows that the evaluation alone has not been enough.
    fn reverse_futility(&self, node: &Node) -> Option<Value> {
        let is_plain = node.table_move.is_none() || node.table_move_captures;
        if node.near_pv || !is_plain {
            return None;
        }
        pruning::reverse_futility(self.parameters(), &node.inputs)
    }

    /// Returns the quiescence value of a node far below the window, if it stays there.
    fn razoring(&mut self, node: &Node) -> Option<Value> {
        if !pruning::razoring(self.parameters(), &node.inputs) {
            return None;
        }
        let window = node.inputs.window;
        let value = self.leaf::<false>(window, node.ply);
        (value <= window.alpha).then_some(value)
    }

    /// Searches a node without a table move less deep, to find one or to save time.
    ///
    /// Internal iterative deepening finds a first move; the reduction trusts that the next
    /// iteration comes back with a move. Nodes expected to fail low need no good first move.
    fn iterate_internally<const PV: bool>(&mut self, node: &mut Node) {
        let p = self.parameters();
        if node.table_move.is_some()
            || !(PV || node.cut_node)
            || node.on_last_line
            || node.excluded.is_some()
            || node.inputs.depth < p.iterative_depth
        {
            return;
        }
        if self.uses(Techniques::ITERATIVE_DEEPENING) {
            node.table_move = self.move_of_shallower_search::<PV>(node);
            node.table_move_captures =
                node.table_move.is_some_and(|m| is_capture(&self.position, m));
        } else if self.uses(Techniques::ITERATIVE_REDUCTION) {
            node.inputs.depth -= 1;
        }
    }
}

#[cfg(test)]
mod tests;
