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

/// Returns the remaining plies of a reduced search: at least one, and at most two more than the
/// full depth.
pub(crate) fn reduced_depth(depth: i32, reduction: i32) -> i32 {
    (depth - reduction / REDUCTION_UNIT).clamp(1, depth + 2)
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
    /// Every move but the first of a principal variation is searched with a zero window, a reduced
    /// one again to full depth if it was better than expected. What is still above alpha on a
    /// principal variation is searched with the whole window.
    #[inline(always)]
    fn search_after_move<const PV: bool>(
        &mut self,
        search: MoveSearch,
        window: Window,
        ply: usize,
    ) -> Value {
        let uses_zero_window = !PV || self.uses(Techniques::ZERO_WINDOW);
        let zero = Window::zero(window.alpha).reversed();
        // A move that is not the first of a principal variation is expected to be refuted.
        let cut_node = PV || !search.cut_node;
        let mut depth = search.depth;
        let mut value = INFINITE;
        if search.is_reduced {
            // The child reads the reduction for its hindsight correction.
            self.frames[ply].reduction = depth - search.first;
            value = -self.node::<false>(zero, search.first, ply + 1, true);
            self.frames[ply].reduction = 0;
            if value > window.alpha && !self.meter.is_over() {
                // A move far better than those before is worth a closer look.
                let lead = value - search.best_value;
                let is_deeper = search.first < depth && lead > self.parameters().deeper_margin;
                depth += i32::from(is_deeper);
                if depth > search.first && uses_zero_window {
                    value = -self.node::<false>(zero, depth, ply + 1, !search.cut_node);
                }
                let bonus = self.parameters().research_bonus;
                self.update_continuation_history(search.moved.piece_to, bonus, ply);
            }
        } else if uses_zero_window && (!PV || search.index > 0) {
            value = -self.node::<false>(zero, search.first, ply + 1, cut_node);
        }
        if PV && value > window.alpha && !self.meter.is_over() {
            value = -self.node::<true>(window.reversed(), depth, ply + 1, false);
        }
        value
    }
}
