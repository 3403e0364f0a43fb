//! One search of the root moves.

use core::ops::ControlFlow;

use komadai_core::Move;
use komadai_eval::Evaluator;
use smallvec::SmallVec;

use crate::node::history_update::SearchedMoves;
use crate::node::move_search::{MoveSearch, reduced_depth};
use crate::node::node_state::{Candidate, Node};
use crate::pruning::PruningInputs;
use crate::root_move::RootMove;
use crate::settings::Settings;
use crate::tactical::{PieceMove, is_capture};
use crate::techniques::Techniques;
use crate::value::{INFINITE, Value, Window, bound_of};
use crate::worker::Worker;

/// The results of the moves searched so far, for the histories.
#[derive(Default)]
struct RootResults {
    best: Option<Move>,
    searched: SearchedMoves,
}

impl<E: Evaluator, S: Settings> Worker<'_, E, S> {
    /// Searches `moves` to `root_depth` and returns the best value.
    ///
    /// The first move and all moves better than `window.alpha` get a result of this iteration. When
    /// the budget runs out, the results found until then stay.
    pub(crate) fn root(&mut self, moves: &mut [RootMove], window: Window) -> Value {
        let mut open = window;
        let mut best = -INFINITE;
        self.enter_root();
        let depth = self.root_depth;
        let mut results = RootResults::default();
        let mut deferred: SmallVec<[usize; 8]> = SmallVec::new();
        let mut flow = ControlFlow::Continue(());
        for (index, root_move) in moves.iter_mut().enumerate() {
            if flow.is_break() {
                break;
            }
            if index > 0
                && let Some((abdada, key)) = self.abdada_entry(root_move.m, self.root_depth)
                && abdada.is_searching(key)
            {
                deferred.push(index);
            } else {
                flow = self.search_root_move(
                    root_move,
                    index,
                    window,
                    &mut open,
                    &mut best,
                    &mut results,
                );
            }
        }
        for index in deferred {
            if flow.is_continue() {
                flow = self.search_root_move(
                    &mut moves[index],
                    index,
                    window,
                    &mut open,
                    &mut best,
                    &mut results,
                );
            }
        }
        self.root_depth = depth;
        if let Some(m) = results.best
            && !self.meter.is_over()
        {
            self.update_histories(m, &results.searched, self.root_depth, 0);
        }
        best
    }

    /// Searches one move with what is left of the window, and stores its result.
    fn search_root_move(
        &mut self,
        root_move: &mut RootMove,
        index: usize,
        window: Window,
        open: &mut Window,
        best: &mut Value,
        results: &mut RootResults,
    ) -> ControlFlow<()> {
        let search = self.root_move_search(root_move.m, index, *open, *best);
        let mut value = self.search_move::<true>(search, *open, 0);
        if value > open.alpha && !self.meter.is_over() {
            value -= self.pseudo_search_penalty(root_move.m, value, self.root_depth);
        }
        if self.meter.is_over() {
            return ControlFlow::Break(());
        }
        *best = (*best).max(value);
        results.searched.add(root_move.m, is_capture(&self.position, root_move.m));
        if value > open.alpha {
            results.best = Some(root_move.m);
            if value < window.beta {
                self.root_depth = self.depth_after_raise(self.root_depth, value);
            }
        }
        if value > open.alpha || index == 0 {
            open.alpha = open.alpha.max(value);
            root_move.value = value;
            root_move.bound = bound_of(value, window);
            root_move.iteration = self.iteration;
            root_move.pv.set(root_move.m, &self.pvs[1]);
        } else {
            // A search of the same iteration with another window may have raised this move. Its
            // result no longer counts, or the move would rank before better ones.
            root_move.iteration = root_move.iteration.min(self.iteration - 1);
        }
        if value >= window.beta { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Initialises the frames that the first plies read.
    fn enter_root(&mut self) {
        let evaluation = self.static_evaluation(None, 0);
        self.frames[0].static_value = evaluation.map(|evaluation| evaluation.corrected);
        self.frames[1].cutoffs = 0;
        self.frames[2].cutoffs = 0;
        self.null_move_min_ply = 0;
    }

    fn root_move_search(
        &mut self,
        m: Move,
        index: usize,
        window: Window,
        best_value: Value,
    ) -> MoveSearch {
        let moved = PieceMove::of(&self.position, m);
        let depth = self.root_depth - 1;
        let mut first = depth;
        let is_reduced = index > 0 && depth > 0 && self.uses(Techniques::LATE_MOVE_REDUCTION);
        if is_reduced {
            let node = self.root_node(window);
            let rows = self.continuation_rows(0);
            let history = self.history_of(&moved, &rows);
            let candidate = Candidate { moved, gives_check: false, history, index };
            let history = self.history_sum(&candidate);
            self.frames[0].history = history;
            let reduction = self.order_reduction(&node, index)
                + self.node_reduction::<true>(&node)
                + self.move_reduction(&node, &candidate, history);
            first = reduced_depth(depth, reduction) + 1;
        }
        MoveSearch { moved, depth, first, is_reduced, index, cut_node: false, best_value }
    }

    /// Returns the root as a node of the principal variation.
    fn root_node(&self, window: Window) -> Node {
        let static_value = self.frames[0].static_value;
        let value = static_value.unwrap_or(0);
        Node {
            inputs: PruningInputs {
                window,
                depth: self.root_depth,
                static_value: value,
                evaluation: value,
                improving: false,
                correction: 0,
                is_new: false,
                earliness: self.earliness,
            },
            ply: 0,
            cut_node: false,
            raw_value: None,
            static_value,
            correction_keys: None,
            hit: None,
            table_move: None,
            table_move_captures: false,
            near_pv: true,
            on_last_line: true,
            excluded: None,
        }
    }
}
