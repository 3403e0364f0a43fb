//! The loop over the moves of a node.

use core::cell::OnceCell;
use core::ops::ControlFlow;

use komadai_core::{CheckInfo, Move};
use komadai_eval::Evaluator;
use komadai_movegen::gives_check;

use super::history_update::SearchedMoves;
use super::move_search::{MoveSearch, reduced_depth};
use super::node_state::{Candidate, Node};
use super::singular::SingularResult;
use crate::history::piece_to::PieceToRow;
use crate::museum::probability_reduction::Improbabilities;
use crate::museum::tesuji::TesujiCompletions;
use crate::picker::{Picker, REFUTATIONS};
use crate::searcher::node_visitor::{NodeVisitor as _, VisitedNode};
use crate::settings::Settings;
use crate::tactical::PieceMove;
use crate::techniques::Techniques;
use crate::transposition_table::entry::NodeResult;
use crate::value::{INFINITE, MAX_EVALUATION, Value, Window, bound_of, is_decided, mated};
use crate::worker::Worker;

/// The best result among the moves searched so far.
struct BestSoFar {
    /// The remaining window of the node.
    window: Window,
    best: Option<Move>,
    value: Value,
    searched: SearchedMoves,
}

impl BestSoFar {
    fn new(window: Window) -> Self {
        Self { window, best: None, value: -INFINITE, searched: SearchedMoves::default() }
    }
}

/// The reason to end the loop before the last move.
enum LoopEnd {
    /// A beta cutoff, or the end of the budget.
    Cutoff,
    /// Multi-cut: the alternatives to the table's move decide the node with this value.
    MultiCut(Value),
}

/// Moves that another thread was searching when their turn came (ABDADA), with their reductions.
type DeferredMoves = Vec<(Candidate, i32)>;

impl<'a, E: Evaluator, S: Settings> Worker<'a, E, S> {
    /// Searches the moves of a node and returns its value. A singular move may deepen the node.
    pub(crate) fn search_moves<const PV: bool>(&mut self, node: &mut Node) -> Value {
        let ply = node.ply;
        let info = OnceCell::new();
        let context = self.ordering_context(ply, Some(&info));
        let refutations = self.refutations(ply);
        let rows = self.continuation_rows(ply);
        self.frames[ply].history = 0;
        let mut picker = Picker::new(&self.position, node.table_move, refutations, &self.buffer);
        if self.uses(Techniques::EARLY_COUNTER_MOVE) {
            picker = picker.with_early_counter_move();
        }
        let mut best = BestSoFar::new(node.inputs.window);
        let mut count = 0;
        let completions = self.tesuji_completions();
        let improbabilities = Improbabilities::default();
        let mut deferred = DeferredMoves::new();
        let mut flow = ControlFlow::Continue(());
        while flow.is_continue()
            && let Some(m) = self.next_move(&mut picker, &context)
        {
            if node.excluded == Some(m) {
                continue;
            }
            let moved = PieceMove::of(&self.position, m);
            let candidate = Candidate {
                moved,
                gives_check: self.gives_check(&moved, &info),
                history: self.history_of(&moved, &rows),
                index: count,
            };
            count += 1;
            let reduction = self.order_reduction(node, candidate.index);
            // While every move so far loses by force, none is pruned: one of them may hold.
            if best.value > -MAX_EVALUATION {
                if count >= self.late_move_count(node) {
                    picker.skip_quiets();
                }
                let is_first = best.best.is_none();
                if let Some(most) = self.prune_move::<PV>(node, &candidate, reduction, is_first) {
                    // Fail-soft: the pruned move is trusted to reach this value at most.
                    best.value = best.value.max(most);
                    continue;
                }
            }
            let reduction =
                reduction + self.probability_reduction(node, &candidate, &improbabilities);
            if candidate.index > 0
                && let Some((abdada, key)) = self.abdada_entry(m, node.inputs.depth)
                && abdada.is_searching(key)
            {
                deferred.push((candidate, reduction));
            } else {
                flow = self.search_candidate::<PV>(
                    node,
                    &candidate,
                    reduction,
                    &completions,
                    &mut best,
                );
            }
        }
        if flow.is_continue() && !deferred.is_empty() {
            flow = self.search_deferred::<PV>(node, &deferred, &completions, &mut best);
        }
        picker.finish(&mut self.buffer);
        match flow {
            _ if self.meter.is_over() => 0,
            ControlFlow::Break(LoopEnd::MultiCut(value)) => value,
            _ if count > 0 => self.finish_node(node, &best),
            // The only move is excluded: it has no alternative, which makes it singular.
            _ if node.excluded.is_some() => node.inputs.window.alpha,
            _ => mated(ply),
        }
    }

    /// Searches the deferred moves: by now the other thread has mostly finished, and the table
    /// holds its result.
    #[cold]
    fn search_deferred<const PV: bool>(
        &mut self,
        node: &mut Node,
        deferred: &DeferredMoves,
        completions: &TesujiCompletions<'_>,
        best: &mut BestSoFar,
    ) -> ControlFlow<LoopEnd> {
        for (candidate, reduction) in deferred {
            self.search_candidate::<PV>(node, candidate, *reduction, completions, best)?;
        }
        ControlFlow::Continue(())
    }

    /// Returns whether a move gives check.
    #[inline]
    fn gives_check(&self, moved: &PieceMove, info: &OnceCell<CheckInfo>) -> bool {
        let PieceMove { m, kind, .. } = *moved;
        let info = info.get_or_init(|| CheckInfo::new(&self.position));
        info.check_squares(kind).contains(m.to())
            || m.from().is_some_and(|from| info.discoverers().contains(from))
                && gives_check(&self.position, info, m)
    }

    /// Returns the rows of the continuation history after the last two moves.
    #[inline]
    pub(crate) fn continuation_rows(&self, ply: usize) -> [PieceToRow<'a>; 2] {
        if !self.uses(Techniques::CONTINUATION_HISTORY) {
            return [PieceToRow::ZEROS; 2];
        }
        // No `map`: in a crate of several codegen units it stays a call for each of its parts.
        let continuation = &self.history.shared.continuation;
        [
            continuation.row(self.piece_to_before(ply, 1)),
            continuation.row(self.piece_to_before(ply, 2)),
        ]
    }

    /// Returns the continuation history of a quiet move, or the capture history.
    #[inline]
    pub(crate) fn history_of(&self, moved: &PieceMove, rows: &[PieceToRow<'_>; 2]) -> i32 {
        if moved.is_capture() {
            return self.history.own.capture.get(moved.piece_to, moved.captured);
        }
        rows[0].get(moved.piece_to) + rows[1].get(moved.piece_to)
    }

    /// Extends, reduces and searches one move of a node.
    #[inline]
    fn search_candidate<const PV: bool>(
        &mut self,
        node: &mut Node,
        candidate: &Candidate,
        reduction: i32,
        completions: &TesujiCompletions<'_>,
        best: &mut BestSoFar,
    ) -> ControlFlow<LoopEnd> {
        let m = candidate.moved.m;
        let ply = node.ply;
        let mut extension = 0;
        if node.table_move == Some(m) {
            match self.singular_extension::<PV>(node, m) {
                SingularResult::Extend(plies) => extension = plies,
                SingularResult::MultiCut(value) => {
                    return ControlFlow::Break(LoopEnd::MultiCut(value));
                }
            }
            if self.meter.is_over() {
                return ControlFlow::Break(LoopEnd::Cutoff);
            }
        }
        // The depth that counts for this move; a singular move deepens the node for the others.
        let depth = node.inputs.depth;
        let counted = depth + i32::from(extension > 0);
        node.inputs.depth = counted;
        // Extensions do not add up, or forcing lines would grow without end.
        if extension == 0 {
            extension = self.check_or_recapture_extension::<PV>(node, candidate);
        }
        if extension == 0 {
            extension = self.tesuji_extension(completions, m, ply);
        }
        let history = self.history_sum(candidate);
        self.frames[ply].history = history;
        let reduction = reduction
            + self.node_reduction::<PV>(node)
            + self.move_reduction(node, candidate, history);
        let is_trusted = self.uses(Techniques::LATE_MOVE_REDUCTION);
        // Below depth 2 the next ply is quiescence in any case.
        let is_reduced = counted >= 2 && candidate.index > 0 && is_trusted;
        let mut full = depth - 1 + extension;
        let mut first = full;
        if is_reduced {
            // A ply more on the principal variation.
            first = reduced_depth(full, reduction) + i32::from(PV);
        } else if !PV || candidate.index > 0 {
            first -= self.plies_of_doubt(reduction);
        }
        // A line known from the table does not end in quiescence.
        let is_known = node.hit.is_some_and(|hit| hit.depth() > 1);
        if PV && is_known && node.table_move == Some(m) && is_trusted {
            full = full.max(1);
        }
        let search = MoveSearch {
            moved: candidate.moved,
            depth: full,
            first,
            is_reduced,
            index: candidate.index,
            cut_node: node.cut_node,
            best_value: best.value,
        };
        let mut value = self.search_move::<PV>(search, best.window, ply);
        if value > best.window.alpha && !self.meter.is_over() {
            value -= self.pseudo_search_penalty(m, value, depth);
        }
        if self.meter.is_over() {
            return ControlFlow::Break(LoopEnd::Cutoff);
        }
        best.value = best.value.max(value);
        if value > best.window.alpha {
            best.best = Some(m);
            best.window.alpha = value;
            if PV {
                self.set_pv(m, ply);
            }
            if value >= best.window.beta {
                // An extended move is no cutoff that its siblings will see too.
                self.frames[ply].cutoffs += u32::from(extension < 2 || PV);
                self.meter.count_cutoff(candidate.index);
                return ControlFlow::Break(LoopEnd::Cutoff);
            }
            node.inputs.depth = self.depth_after_raise(counted, value);
        }
        best.searched.add(m, candidate.moved.is_capture());
        ControlFlow::Continue(())
    }

    /// Returns the depth of a node for the moves after one that has raised alpha to `value`: the
    /// window is narrower now, and hardly any node has two such moves.
    pub(crate) fn depth_after_raise(&self, depth: i32, value: Value) -> i32 {
        let is_less = (3..14).contains(&depth)
            && !is_decided(value)
            && self.uses(Techniques::LATE_MOVE_REDUCTION);
        depth - if is_less { self.earliness.between(0, self.parameters().raised_plies) } else { 0 }
    }

    /// Updates histories and transposition table after the last move, and returns the node's value.
    fn finish_node(&mut self, node: &Node, best: &BestSoFar) -> Value {
        let BestSoFar { best, value: found, ref searched, .. } = *best;
        let window = node.inputs.window;
        // The raises of alpha may have used it up.
        let depth = node.inputs.depth.max(1);
        let mut value = found;
        if found >= window.beta && !is_decided(found) && !is_decided(window.beta) {
            // Far above the window, a deep search is trusted more than a shallow one (Stockfish).
            value = (found * depth + window.beta) / (depth + 1);
        }
        match best {
            Some(m) => self.update_histories(m, searched, node.inputs.depth, node.ply),
            // No move raised alpha: the move that led to this node was good.
            None => self.reward_previous_move(node, value),
        }
        // A value without one of the moves is not the value of the position.
        if node.excluded.is_some() {
            return value;
        }
        let bound = bound_of(value, window);
        // Where nothing raised alpha, a node next to a principal variation may become part of it.
        let near_pv = node.near_pv || best.is_none() && self.frames[node.ply - 1].near_pv;
        let static_value = node.raw_value;
        let result = NodeResult { best, value, static_value, depth, bound, pv: near_pv };
        self.store_in_table(&result, node.ply);
        self.store_hand_bound(&result, node.ply);
        self.visitor.inner(&VisitedNode {
            position: &self.position,
            units: self.units(),
            ply: node.ply,
            depth,
            window,
            value,
            bound,
            best,
            static_value: node.static_value,
            line: self.pvs.get(node.ply),
        });
        self.update_correction_history(node.correction_keys, node.static_value, &result);
        value
    }

    /// Returns the killer moves and the counter move.
    fn refutations(&self, ply: usize) -> [Option<Move>; REFUTATIONS] {
        let [first, second] = self.frames[ply].killers;
        let counter_move = if self.uses_counter_moves() {
            self.history.own.counter_moves.get(self.piece_to_before(ply, 1))
        } else {
            None
        };
        [first, second, counter_move]
    }
}
