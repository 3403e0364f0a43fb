//! The search of one move: principal variation search with late move reduction.

use komadai_eval::Evaluator;

use crate::pruning::REDUCTION_UNIT;
use crate::settings::Settings;
use crate::tactical::PieceMove;
use crate::techniques::Techniques;
use crate::value::{Value, Window};
use crate::worker::Worker;

/// A move to search and the terms of its search.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MoveSearch {
    pub(crate) moved: PieceMove,
    /// Remaining plies after the move.
    pub(crate) depth: i32,
    /// Reduction of the first search, in 1,024ths of a ply; `None` for no reduced search.
    pub(crate) reduction: Option<i32>,
    /// The index of the move in the order of its node.
    pub(crate) index: usize,
    /// True if the node of the move is expected to have a beta cutoff.
    pub(crate) cut_node: bool,
    /// The best value of the moves before.
    pub(crate) best_value: Value,
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
        (frame.move_index, frame.reduction) = (search.index, 0);
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
        let MoveSearch { mut depth, reduction, index, cut_node, best_value, .. } = search;
        let next = ply + 1;
        let zero = Window::zero(window.alpha).reversed();
        if let Some(reduction) = reduction {
            // At least one ply is left of a search that has any, and at most one ply is added.
            let reduced =
                (depth - reduction.div_euclid(REDUCTION_UNIT)).clamp(1.min(depth), depth + 1);
            // The child reads the reduction for its hindsight correction.
            self.frames[ply].reduction = reduction.max(0);
            let value = -self.node::<false>(zero, reduced, next, true);
            self.frames[ply].reduction = 0;
            if value <= window.alpha || self.meter.is_over() {
                return value;
            }
            let p = self.parameters();
            // The margin of the reduced search decides the depth of the full one (form of
            // Stockfish).
            let is_far_better = value > best_value + p.deeper_margin + 2 * depth;
            let is_hardly_better = value < best_value + p.shallower_margin;
            if reduced < depth {
                depth += i32::from(is_far_better) - i32::from(is_hardly_better);
            }
            if !PV {
                if reduced >= depth {
                    return value;
                }
                return -self.node::<false>(zero, depth, next, !cut_node);
            }
            if reduced < depth && self.uses(Techniques::ZERO_WINDOW) {
                let value = -self.node::<false>(zero, depth, next, !cut_node);
                if value <= window.alpha || value >= window.beta {
                    return value;
                }
            }
            return -self.node::<true>(window.reversed(), depth, next, false);
        }
        if !PV {
            return -self.node::<false>(window.reversed(), depth, next, !cut_node);
        }
        if index > 0 && self.uses(Techniques::ZERO_WINDOW) {
            let value = -self.node::<false>(zero, depth, next, true);
            if value <= window.alpha || value >= window.beta {
                return value;
            }
        }
        -self.node::<true>(window.reversed(), depth, next, false)
    }
}
