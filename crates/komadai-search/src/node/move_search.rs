//! The search of one move: principal variation search with late move reduction.

use komadai_eval::Evaluator;

use crate::pruning::REDUCTION_UNIT;
use crate::settings::Settings;
use crate::tactical::PieceMove;
use crate::techniques::Techniques;
use crate::value::{INFINITE, Value, Window};
use crate::worker::Worker;

/// A move to search and the terms of its search.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MoveSearch {
    pub(crate) moved: PieceMove,
    /// Remaining plies after the move.
    pub(crate) depth: i32,
    /// Remaining plies of the first search, which has a zero window.
    pub(crate) first: i32,
    /// True if a first search above alpha is repeated with more depth.
    pub(crate) is_reduced: bool,
    /// The index of the move in the order of its node.
    pub(crate) index: usize,
    /// True if the node of the move is expected to have a beta cutoff.
    pub(crate) cut_node: bool,
    /// The best value of the moves before.
    pub(crate) best_value: Value,
}

/// Returns the remaining plies of a reduced search: at least one, at most two more than the full
/// depth, and on the principal variation one more.
pub(crate) fn reduced_depth<const PV: bool>(depth: i32, reduction: i32) -> i32 {
    (depth - reduction / REDUCTION_UNIT).min(depth + 2).max(1) + i32::from(PV)
}

impl<E: Evaluator, S: Settings> Worker<'_, E, S> {
    /// Does a move, searches it, undoes it and returns its value for the side that makes it.
    pub(crate) fn search_move<const PV: bool>(
        &mut self,
        search: MoveSearch,
        window: Window,
        ply: usize,
    ) -> Value {
        let frame = &mut self.frames[ply];
        (frame.move_index, frame.reduction) = (search.index as u16, 0);
        // The depth of the node itself, as at the test for deferring.
        let abdada = self.abdada_entry(search.moved.m, search.depth + 1);
        if let Some((abdada, key)) = abdada {
            abdada.start_search(key);
        }
        self.do_piece_move(&search.moved, ply);
        let value = self.search_after_move::<PV>(search, window, ply);
        self.undo_move();
        if let Some((abdada, key)) = abdada {
            abdada.finish_search(key);
        }
        value
    }

    /// Returns the value of the move that has just been done, for the side that did it.
    ///
    /// A late move is searched up to three times: reduced with a zero window; to full depth with a
    /// zero window, if it was better than expected; with the whole window, if it is still better.
    #[inline(always)]
    fn search_after_move<const PV: bool>(
        &mut self,
        search: MoveSearch,
        window: Window,
        ply: usize,
    ) -> Value {
        let MoveSearch { moved, mut depth, first, is_reduced, index, cut_node, best_value } =
            search;
        let next = ply + 1;
        let zero = Window::zero(window.alpha).reversed();
        let mut value = INFINITE;
        if is_reduced {
            // The child reads the reduction for its hindsight correction.
            self.frames[ply].reduction = depth - first;
            value = -self.node::<false>(zero, first, next, true);
            self.frames[ply].reduction = 0;
            if value > window.alpha && !self.meter.is_over() {
                let p = self.parameters();
                // The margin of the reduced search decides the depth of the full one (form of
                // Stockfish).
                let is_far_better = first < depth && value > best_value + p.deeper_margin;
                let is_hardly_better = value < best_value + p.shallower_margin;
                depth += i32::from(is_far_better) - i32::from(is_hardly_better);
                if depth > first && (!PV || self.uses(Techniques::ZERO_WINDOW)) {
                    value = -self.node::<false>(zero, depth, next, !cut_node);
                }
                self.update_continuation_history(moved.piece_to, p.research_bonus, ply);
            }
        } else if !PV || index > 0 && self.uses(Techniques::ZERO_WINDOW) {
            let cut_node = if PV { true } else { !cut_node };
            value = -self.node::<false>(zero, first, next, cut_node);
        }
        if PV && value > window.alpha && !self.meter.is_over() {
            value = -self.node::<true>(window.reversed(), depth, next, false);
        }
        value
    }
}
