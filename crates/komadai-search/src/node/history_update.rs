//! Updates of the history tables by the results of a node.

use komadai_core::{Bound, Move};
use komadai_eval::Evaluator;
use komadai_movegen::MoveGen;

use super::node_state::Node;
use crate::history::piece_to::{PLIES_BACK, PieceTo};
use crate::pruning;
use crate::settings::Settings;
use crate::tactical::is_tactical;
use crate::techniques::Techniques;
use crate::transposition_table::entry::NodeResult;
use crate::transposition_table::hit::TtHit;
use crate::value::{Value, Window, is_decided};
use crate::worker::Worker;

/// The earlier plies after which a move updates the continuation history, with the percentage of
/// the bonus: opponent's last move, then the side's own last three.
///
/// Older moves are less related to a reply. The plies are those of Stockfish, the percentages
/// untuned.
const CONTINUATION_WEIGHTS: [(usize, i32); 4] = [(1, 100), (2, 80), (4, 60), (6, 40)];

/// Number of moves of a node that are early in its order (Stockfish).
const EARLY_MOVES: usize = 3;

/// Largest bonus of a move by the change of the static evaluation.
///
/// A little less than the largest bonus of a search result, which is better evidence.
const MAX_EVALUATION_BONUS: i32 = 1_500;

/// The moves of a node that were searched and did not turn out best.
///
/// Only the first of each kind are kept: by far most nodes have fewer, and a malus for moves so
/// late in the order would change little.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SearchedMoves {
    quiets: MoveArray<24>,
    tactical: MoveArray<16>,
}

#[derive(Debug, Clone, Copy)]
struct MoveArray<const N: usize> {
    moves: [Option<Move>; N],
    len: usize,
}

impl<const N: usize> Default for MoveArray<N> {
    fn default() -> Self {
        Self { moves: [None; N], len: 0 }
    }
}

impl<const N: usize> MoveArray<N> {
    /// Appends a move, unless the array is full.
    #[inline]
    fn push(&mut self, m: Move) {
        if let Some(slot) = self.moves.get_mut(self.len) {
            *slot = Some(m);
            self.len += 1;
        }
    }

    fn iter(&self) -> impl Iterator<Item = Move> {
        self.moves.into_iter().take(self.len).flatten()
    }
}

impl SearchedMoves {
    #[inline]
    pub(super) fn add(&mut self, m: Move, is_tactical: bool) {
        if is_tactical { self.tactical.push(m) } else { self.quiets.push(m) }
    }
}

impl<E: Evaluator, S: Settings> Worker<'_, E, S> {
    /// Gives the best move a bonus and the other searched moves a malus.
    pub(super) fn update_histories(&mut self, best: Move, searched: &SearchedMoves, node: &Node) {
        let p = self.parameters();
        let ply = node.ply;
        let bonus = pruning::history_bonus(p, node.inputs.depth);
        let malus = -pruning::history_malus(p, node.inputs.depth);
        if is_tactical(&self.position, best) {
            self.update_capture_history(best, bonus);
        } else {
            if self.uses(Techniques::KILLERS) {
                self.frames[ply].add_killer(best);
            }
            if self.uses(Techniques::COUNTER_MOVES) {
                let refuted = self.piece_to_before(ply, 1);
                self.history.own.counter_moves.set(refuted, best);
            }
            self.update_quiet_histories(best, bonus, ply);
            for m in searched.quiets.iter().filter(|&m| m != best) {
                self.update_quiet_histories(m, malus, ply);
            }
        }
        // A capture that was searched in vain was ordered too early, also before a quiet best move.
        for m in searched.tactical.iter().filter(|&m| m != best) {
            self.update_capture_history(m, malus);
        }
        // The opponent's first choice was refuted.
        self.punish_previous_move(1, malus / 2, ply);
    }

    /// Gives the previous move a malus, a negative number, if it was a quiet one among the first
    /// `early` moves of its node.
    fn punish_previous_move(&mut self, early: usize, malus: i32, ply: usize) {
        if let Some(before) = ply.checked_sub(1).map(|ply| &self.frames[ply])
            && before.move_index < early
            && !before.is_tactical
            && let Some(last) = self.piece_to_before(ply, 1)
        {
            self.update_continuation_history(last, malus, ply - 1);
        }
    }

    /// Gives the previous move a bonus, because no move of this node refutes it.
    pub(super) fn reward_previous_move(&mut self, node: &Node) {
        let Some(before) = node.ply.checked_sub(1).map(|ply| &self.frames[ply]) else { return };
        if before.is_tactical {
            return;
        }
        if let (Some(m), Some(last)) = (before.current, self.piece_to_before(node.ply, 1)) {
            let bonus = pruning::history_bonus(self.parameters(), node.inputs.depth) / 2;
            self.update_continuation_history(last, bonus, node.ply - 1);
            if self.uses(Techniques::HISTORY) {
                self.history.own.butterfly.update(!self.position.side(), m, bonus);
            }
        }
    }

    /// Gives the table's quiet move a bonus after a transposition-table cutoff at beta, and the
    /// move that it refutes a malus.
    pub(super) fn update_history_from_table(
        &mut self,
        hit: Option<TtHit>,
        window: Window,
        depth: i32,
        ply: usize,
    ) {
        let Some(hit) = hit.filter(|hit| hit.value >= window.beta) else { return };
        let Some(m) = hit.best() else { return };
        let p = self.parameters();
        if !is_tactical(&self.position, m) && self.position.is_legal(m) {
            // Half of the bonus: nothing has been searched again.
            self.update_quiet_histories(m, pruning::history_bonus(p, depth) / 2, ply);
        }
        if p.table_malus > 0 {
            let malus = -pruning::history_malus(p, depth) * p.table_malus / 100;
            self.punish_previous_move(EARLY_MOVES, malus, ply);
        }
    }

    /// Gives the previous quiet move a bonus in proportion to the rise of the static evaluation.
    pub(super) fn update_history_from_evaluation(
        &mut self,
        static_value: Option<Value>,
        ply: usize,
    ) {
        if !self.uses(Techniques::EVALUATION_DIFFERENCE) || !self.uses(Techniques::HISTORY) {
            return;
        }
        let Some(before) = ply.checked_sub(1).map(|ply| &self.frames[ply]) else { return };
        let (Some(now), Some(then), Some(m)) = (static_value, before.static_value, before.current)
        else {
            return;
        };
        if !before.is_tactical {
            let weight = self.parameters().difference_weight;
            // The two values are seen from opposite sides, so the negative sum is the opponent's
            // gain.
            let bonus = (-(now + then) * weight).clamp(-MAX_EVALUATION_BONUS, MAX_EVALUATION_BONUS);
            self.history.own.butterfly.update(!self.position.side(), m, bonus);
        }
    }

    /// Updates the correction history by the difference between search value and static evaluation.
    pub(super) fn update_correction_history(&mut self, node: &Node, result: &NodeResult) {
        let (Some(keys), Some(static_value)) = (node.correction_keys, node.static_value) else {
            return;
        };
        let NodeResult { value, bound, best, depth, .. } = *result;
        let contradicts = match bound {
            Bound::Exact => true,
            Bound::Lower => value > static_value,
            Bound::Upper => value < static_value,
        };
        // The gain of a capture is no error of the evaluation, which does not see captures.
        let captures = best.is_some_and(|m| is_tactical(&self.position, m));
        if contradicts && !captures && !is_decided(value) {
            self.history.shared.correction.update(&keys, value - static_value, depth);
        }
    }

    fn update_capture_history(&mut self, m: Move, bonus: i32) {
        if self.uses(Techniques::CAPTURE_HISTORY) {
            let captured = self.position.piece_on(m.to()).map(|piece| piece.kind());
            let piece_to = PieceTo::of(&self.position, m);
            self.history.own.capture.update(piece_to, captured, bonus);
        }
    }

    fn update_quiet_histories(&mut self, m: Move, bonus: i32, ply: usize) {
        let piece_to = PieceTo::of(&self.position, m);
        if self.uses(Techniques::HISTORY) {
            self.history.own.butterfly.update(self.position.side(), m, bonus);
        }
        if self.uses(Techniques::LOW_PLY_HISTORY) {
            self.history.own.low_ply.update(ply, m, bonus);
        }
        if self.uses(Techniques::PAWN_HISTORY) {
            self.history.shared.pawn.update(self.position.part_keys().pawns(), piece_to, bonus);
        }
        self.update_continuation_history(piece_to, bonus, ply);
    }

    /// Updates the continuation history of a move at `ply` after the moves before it.
    fn update_continuation_history(&mut self, piece_to: PieceTo, bonus: i32, ply: usize) {
        if !self.uses(Techniques::CONTINUATION_HISTORY) {
            return;
        }
        let earlier = self.earlier_moves(ply);
        for (plies, percent) in CONTINUATION_WEIGHTS {
            if let Some(earlier) = earlier[PLIES_BACK - plies] {
                self.history.shared.continuation.update(earlier, piece_to, bonus * percent / 100);
            }
        }
    }
}
