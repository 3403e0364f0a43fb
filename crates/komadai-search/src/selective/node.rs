//! The nodes of the selective searches.

use komadai_core::Move;
use komadai_eval::Evaluator;
use komadai_movegen::{MoveGen, MoveList, generate_useful};
use smallvec::SmallVec;

use super::budgets::Budgets;
use super::charging::Charging;
use super::cost::{LARGEST_COST, table_depth};
use super::costed_moves::{CostedMove, CostedMoves};
use super::statistics::SelectiveStatistics;
use crate::node::history_update::SearchedMoves;
use crate::node::mate_in_one::MAX_KING_ESCAPES;
use crate::pruning::{self, PruningInputs};
use crate::tactical::PieceMove;
use crate::techniques::Techniques;
use crate::transposition_table::entry::NodeResult;
use crate::transposition_table::hit::TtHit;
use crate::value::{
    INFINITE, MAX_EVALUATION, MAX_PLY, Value, WON_BY_RULE, Window, bound_of, mated,
};
use crate::worker::Worker;

/// The search of one position. Budgets are what is left for a node and the moves below it.
pub(super) struct SelectiveSearch<'a, E: Evaluator> {
    pub(super) worker: Worker<'a, E>,
    pub(super) charging: &'a Charging,
    pub(super) statistics: SelectiveStatistics,
}

/// The best result among the moves of a node searched so far.
pub(super) struct BestMove {
    pub(super) m: Option<Move>,
    pub(super) value: Value,
    /// The remaining window of the node.
    pub(super) window: Window,
    pub(super) searched: SearchedMoves,
}

impl BestMove {
    pub(super) fn new(window: Window) -> Self {
        Self { m: None, value: -INFINITE, window, searched: SearchedMoves::default() }
    }
}

impl<E: Evaluator> SelectiveSearch<'_, E> {
    /// Returns the value of the position for the side to move; fail-soft.
    ///
    /// `PV` marks a node of the principal variation. The value is meaningless once the limits of
    /// the search are reached.
    pub(super) fn node<const PV: bool>(
        &mut self,
        window: Window,
        budgets: Budgets,
        ply: usize,
    ) -> Value {
        if budgets.are_spent() && !(PV && self.is_known_mate(ply)) {
            self.statistics.count_leaf(ply);
            return self.worker.leaf::<PV>(window, ply);
        }
        let worker = &mut self.worker;
        worker.pvs[ply].clear();
        if worker.meter.is_over() {
            return 0;
        }
        if let Some(value) = worker.game_end(ply) {
            return value;
        }
        if ply >= MAX_PLY {
            return worker.evaluate();
        }
        let window = if worker.uses(Techniques::MATE_DISTANCE) {
            match pruning::mate_distance(window, ply) {
                Ok(narrowed) => narrowed,
                Err(value) => return value,
            }
        } else {
            window
        };
        let hit = self.probe(budgets, ply);
        if !PV && let Some(value) = hit.and_then(|hit| table_cutoff(hit, window, budgets)) {
            return value;
        }
        let worker = &mut self.worker;
        if hit.is_none() {
            // A mate is one with any budgets.
            worker.probe_table(ply);
            if let Some(value) = worker.mate_in_one(MAX_KING_ESCAPES, ply) {
                return value;
            }
        }
        let plies = self.charging.plies(budgets);
        if PV && let Some(value) = worker.solved_mate(plies, ply) {
            return value;
        }
        let evaluation = worker.static_evaluation(hit, ply);
        let static_value = evaluation.map(|evaluation| evaluation.corrected);
        let frame = &mut worker.frames[ply];
        (frame.static_value, frame.was_known) = (static_value, hit.is_some());
        if !PV && let Some(value) = worker.solved_mate_after_swing(static_value, plies, ply) {
            return value;
        }
        if let Some(value) = worker.solved_mate_after_prediction(plies, ply, PV) {
            return value;
        }
        // The solver may have used up the limits.
        if worker.meter.is_over() {
            return 0;
        }
        let value = static_value.unwrap_or(MAX_EVALUATION);
        let inputs = PruningInputs {
            window,
            depth: plies,
            static_value: value,
            evaluation: hit.and_then(|hit| hit.better_estimate(value)).unwrap_or(value),
            improving: worker.is_improving(static_value, ply),
            correction: evaluation.map_or(0, |found| (found.corrected - found.raw).abs()),
            is_new: hit.is_none(),
            earliness: worker.earliness,
        };
        if !PV
            && static_value.is_some()
            && let Some(value) = self.prune_node(&inputs, budgets, ply)
        {
            return value;
        }
        let mut best = BestMove::new(window);
        // With its own budget spent, a side has had alternatives enough on the way here: it need
        // not find still another one to get what the position is worth.
        if budgets.own <= 0
            && budgets.other > 0
            && let Some(value) = static_value
        {
            if value >= window.beta {
                return value;
            }
            best.value = value;
            best.window.alpha = best.window.alpha.max(value);
        }
        let table_move = self.table_move(hit, budgets, ply);
        if !self.search_moves::<PV>(&mut best, &inputs, table_move, budgets, ply) {
            return mated(ply);
        }
        let worker = &mut self.worker;
        if worker.meter.is_over() {
            return 0;
        }
        if let Some(m) = best.m {
            worker.update_histories(m, &best.searched, plies, ply);
        }
        let BestMove { m, value, .. } = best;
        let (depth, bound) = (table_depth(budgets.largest()), bound_of(value, window));
        let static_value = evaluation.map(|evaluation| evaluation.raw);
        let result = NodeResult { best: m, value, static_value, depth, bound, pv: PV };
        self.store(&result, budgets, ply);
        let worker = &mut self.worker;
        let result = NodeResult { depth: plies, ..result };
        let keys = evaluation.and_then(|evaluation| evaluation.correction_keys);
        worker.update_correction_history(keys, worker.frames[ply].static_value, &result);
        value
    }

    /// Returns whether the table holds a mate, whose line quiescence would not follow.
    fn is_known_mate(&mut self, ply: usize) -> bool {
        self.worker.probe_table(ply).is_some_and(|hit| hit.value.abs() > WON_BY_RULE)
    }

    /// Searches the moves of a node, the most probable first; returns `false` if there is none.
    fn search_moves<const PV: bool>(
        &mut self,
        best: &mut BestMove,
        inputs: &PruningInputs,
        table_move: Option<Move>,
        budgets: Budgets,
        ply: usize,
    ) -> bool {
        // The table's move cuts most nodes off that are cut off at all. The model is asked only
        // after it, unless there is perhaps no other move, which would cost nothing.
        let cost = self.charging.table_move_cost();
        let is_cheap = !PV && cost < LARGEST_COST && !self.worker.position.in_check();
        let searched_first = table_move.filter(|&m| is_cheap && self.worker.position.is_legal(m));
        if let Some(m) = searched_first
            && self.search_next::<PV>(best, &CostedMove { m, cost }, 0, inputs, budgets, ply)
        {
            return true;
        }
        let moves = self.moves_of(table_move);
        let rest = moves.iter().filter(|costed| Some(costed.m) != searched_first);
        let mut deferred: SmallVec<[(usize, CostedMove); 8]> = SmallVec::new();
        for (index, costed) in (usize::from(searched_first.is_some())..).zip(rest) {
            if index > 0 && self.is_searched_elsewhere(costed.m, inputs.depth) {
                deferred.push((index, *costed));
            } else if self.search_next::<PV>(best, costed, index, inputs, budgets, ply) {
                return true;
            }
        }
        for (index, costed) in deferred {
            if self.search_next::<PV>(best, &costed, index, inputs, budgets, ply) {
                return true;
            }
        }
        !moves.is_empty()
    }

    /// Returns whether another thread is searching a move of a node with so many plies left, so
    /// that it is deferred (ABDADA).
    pub(super) fn is_searched_elsewhere(&self, m: Move, plies: i32) -> bool {
        let entry = self.worker.abdada_entry(m, plies);
        entry.is_some_and(|(abdada, key)| abdada.is_searching(key))
    }

    /// Returns the moves of the position with their costs, the table's move first.
    fn moves_of(&self, table_move: Option<Move>) -> CostedMoves {
        let mut moves = MoveList::new();
        generate_useful(&self.worker.position, &mut moves);
        self.charging.costed_moves(&self.worker.position, &moves, table_move)
    }

    /// Searches one move of a node, unless it is pruned; returns whether the node is decided.
    fn search_next<const PV: bool>(
        &mut self,
        best: &mut BestMove,
        costed: &CostedMove,
        index: usize,
        inputs: &PruningInputs,
        budgets: Budgets,
        ply: usize,
    ) -> bool {
        if best.value > -MAX_EVALUATION
            && let Some(most) = self.prune_move(costed, best, inputs, budgets, ply)
        {
            best.value = best.value.max(most);
            return false;
        }
        let value = self.search_move::<PV>(costed, index, best.window, budgets, ply);
        if self.worker.meter.is_over() {
            return true;
        }
        best.value = best.value.max(value);
        if value > best.window.alpha {
            best.m = Some(costed.m);
            best.window.alpha = value;
            if PV {
                self.worker.set_pv(costed.m, ply);
            }
            if value >= best.window.beta {
                self.worker.meter.count_cutoff(index);
                return true;
            }
        }
        let captures = self.worker.position.piece_on(costed.m.to()).is_some();
        best.searched.add(costed.m, captures);
        false
    }

    /// Does a move, searches it, undoes it and returns its value for the side that makes it.
    ///
    /// A move after the first is tested with a zero window. One that is better than expected is
    /// searched again as if it were more probable, and then, on a principal variation, with the
    /// whole window.
    pub(super) fn search_move<const PV: bool>(
        &mut self,
        costed: &CostedMove,
        index: usize,
        window: Window,
        budgets: Budgets,
        ply: usize,
    ) -> Value {
        let moved = PieceMove::of(&self.worker.position, costed.m);
        let frame = &mut self.worker.frames[ply];
        (frame.move_index, frame.reduction, frame.history) = (index as u16, 0, 0);
        let abdada = self.worker.abdada_entry(costed.m, self.charging.plies(budgets));
        if let Some((abdada, key)) = abdada {
            abdada.start_search(key);
        }
        self.worker.do_piece_move(&moved, ply);
        let is_first = PV && index == 0;
        let mut rest = self.charging.after(budgets, costed.cost);
        let mut value = if is_first {
            -self.node::<PV>(window.reversed(), rest, ply + 1)
        } else {
            -self.node::<false>(Window::zero(window.alpha).reversed(), rest, ply + 1)
        };
        let surprise = self.charging.surprise_cost();
        if value > window.alpha && costed.cost > surprise && budgets.own > surprise {
            rest = self.charging.after(budgets, surprise);
            self.statistics.surprises += 1;
            value = if is_first {
                -self.node::<PV>(window.reversed(), rest, ply + 1)
            } else {
                -self.node::<false>(Window::zero(window.alpha).reversed(), rest, ply + 1)
            };
        }
        if PV && !is_first && value > window.alpha && !self.worker.meter.is_over() {
            value = -self.node::<PV>(window.reversed(), rest, ply + 1);
        }
        self.worker.undo_move();
        if let Some((abdada, key)) = abdada {
            abdada.finish_search(key);
        }
        value
    }
}

/// Returns the value of the table's entry, if it decides the node. A mate is one whatever the
/// budget that found it.
fn table_cutoff(hit: TtHit, window: Window, budgets: Budgets) -> Option<Value> {
    let is_mate = hit.value.abs() > WON_BY_RULE;
    hit.cutoff(window, if is_mate { 0 } else { table_depth(budgets.largest()) })
}
