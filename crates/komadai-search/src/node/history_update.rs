//! Updates of the history tables by the results of a node.

use komadai_core::{Bound, Move, Piece, PieceKind};
use komadai_eval::Evaluator;
use komadai_movegen::MoveGen;

use super::node_state::Node;
use crate::history::correction::CorrectionKeys;
use crate::history::piece_to::{PLIES_BACK, PieceTo};
use crate::pruning::{self, PruningInputs};
use crate::settings::Settings;
use crate::tactical::is_capture;
use crate::techniques::Techniques;
use crate::transposition_table::entry::NodeResult;
use crate::transposition_table::hit::TtHit;
use crate::value::{Value, is_decided};
use crate::worker::Worker;

/// The earlier plies after which a move updates the continuation history, with the percentage of
/// the bonus.
///
/// Older moves are less related to a reply, those of the opponent less than those of one's own
/// plan.
const CONTINUATION_SHARES: [(usize, i32); 5] = [(1, 100), (2, 70), (3, 30), (4, 50), (6, 40)];

/// Index from which on a move is late in its node's order: its success is a surprise.
const LATE_MOVE: u16 = 3;

/// Distance of a value below the static evaluation that is a surprise, in centipawns.
const DISAPPOINTMENT: Value = 70;

/// Largest bonus or malus by the change of the static evaluation: about that of a search result.
const MAX_EVALUATION_BONUS: i32 = 2_000;

/// The moves of a node that were searched and did not turn out best.
///
/// Only the first of each kind are kept: by far most nodes have fewer, and a malus for moves so
/// late in the order would change little.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SearchedMoves {
    quiets: MoveArray<32>,
    captures: MoveArray<16>,
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
    pub(crate) fn add(&mut self, m: Move, is_capture: bool) {
        if is_capture { self.captures.push(m) } else { self.quiets.push(m) }
    }
}

impl<E: Evaluator, S: Settings> Worker<'_, E, S> {
    /// Gives the best move of a node searched to `depth` a bonus and the other searched moves a
    /// malus.
    pub(crate) fn update_histories(
        &mut self,
        best: Move,
        searched: &SearchedMoves,
        depth: i32,
        ply: usize,
    ) {
        let p = self.parameters();
        let bonus = pruning::history_bonus(p, self.earliness, depth);
        let malus = pruning::history_malus(p, depth);
        if is_capture(&self.position, best) {
            self.update_capture_history(best, bonus);
        } else {
            self.add_refutation(best, ply);
            self.update_quiet_histories(best, bonus, ply);
            for m in searched.quiets.iter().filter(|&m| m != best) {
                self.update_quiet_histories(m, -malus, ply);
            }
        }
        // A capture that was searched in vain was ordered too early, also before a quiet best move.
        for m in searched.captures.iter().filter(|&m| m != best) {
            self.update_capture_history(m, -malus);
        }
        self.punish_previous_move(malus / 2, ply);
    }

    /// Returns whether counter moves are stored and tried, wherever they stand in the order.
    #[inline(always)]
    pub(super) fn uses_counter_moves(&self) -> bool {
        self.uses(Techniques::COUNTER_MOVES) || self.uses(Techniques::EARLY_COUNTER_MOVE)
    }

    /// Makes a quiet move a killer move and the counter move of the last move.
    fn add_refutation(&mut self, m: Move, ply: usize) {
        if self.uses(Techniques::KILLERS) {
            self.frames[ply].add_killer(m);
        }
        if self.uses_counter_moves() {
            let refuted = self.piece_to_before(ply, 1);
            self.history.own.counter_moves.set(refuted, m);
        }
    }

    /// Gives the previous move a malus, if it was a quiet one and the opponent's first choice: its
    /// table move, or the move after it.
    fn punish_previous_move(&mut self, malus: i32, ply: usize) {
        if let Some(before) = ply.checked_sub(1).map(|ply| &self.frames[ply])
            && before.move_index <= u16::from(before.was_known)
            && before.captured.is_none()
            && let Some(last) = self.piece_to_before(ply, 1)
        {
            self.update_continuation_history(last, -malus, ply - 1);
        }
    }

    /// Gives the previous move a bonus, because no move of this node refutes it; `value` is the
    /// node's.
    ///
    /// The bonus is larger where the move was not expected to hold: late in the order, or if this
    /// side's evaluation promised more than was found.
    pub(super) fn reward_previous_move(&mut self, node: &Node, value: Value) {
        let Some(before) = node.ply.checked_sub(1).map(|ply| self.frames[ply]) else { return };
        let (Some(m), Some(last)) = (before.current, self.piece_to_before(node.ply, 1)) else {
            return;
        };
        let PruningInputs { depth, earliness, .. } = node.inputs;
        let p = self.parameters();
        let bonus = pruning::history_bonus(p, earliness, depth);
        if before.captured.is_some() {
            self.history.own.capture.update(last, before.captured, bonus);
            return;
        }
        let is_late = before.move_index >= LATE_MOVE;
        let is_disappointing =
            node.static_value.is_some_and(|promised| value < promised - DISAPPOINTMENT);
        let surprises = i32::from(is_late) + i32::from(is_disappointing);
        let bonus = bonus * (100 + p.surprise * surprises) / 100;
        self.update_continuation_history(last, bonus, node.ply - 1);
        if self.uses(Techniques::HISTORY) {
            self.history.own.butterfly.update(!self.position.side(), m, bonus);
        }
        if self.uses(Techniques::PAWN_HISTORY) && self.is_piece_move(m) {
            let pawns = self.position.part_keys().pawns();
            self.history.shared.pawn.update(pawns, last, bonus);
        }
    }

    /// Checks whether the last move, `m`, neither promoted nor moved a pawn, so that the pawn
    /// structure is the one before it.
    fn is_piece_move(&self, m: Move) -> bool {
        let kind = self.position.piece_on(m.to()).map(Piece::kind);
        !m.is_promotion() && kind != Some(PieceKind::Pawn)
    }

    /// Gives the table's quiet move a bonus after a transposition-table cutoff at beta.
    pub(super) fn update_history_from_table(&mut self, hit: &TtHit, depth: i32, ply: usize) {
        let Some(m) = hit.best() else { return };
        if !is_capture(&self.position, m) && self.position.is_legal(m) {
            // Less than after a search: nothing has been searched again.
            let p = self.parameters();
            let bonus = pruning::history_bonus(p, self.earliness, depth) * p.table_share / 100;
            self.update_quiet_histories(m, bonus, ply);
        }
    }

    /// Gives the previous quiet move a bonus in proportion to the rise of the static evaluation;
    /// `is_new` means that the table has no entry of the position.
    pub(super) fn update_history_from_evaluation(
        &mut self,
        static_value: Option<Value>,
        is_new: bool,
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
        if before.captured.is_some() {
            return;
        }
        let p = self.parameters();
        // The two values are seen from opposite sides, so the negative sum is the opponent's gain.
        // Most moves that are tried lose something, and one that loses less is a good one.
        let gain = p.difference_usual - (now + then);
        let bonus = gain * p.difference_weight / 10;
        let bonus = bonus.clamp(-MAX_EVALUATION_BONUS, MAX_EVALUATION_BONUS);
        self.history.own.butterfly.update(!self.position.side(), m, bonus);
        if is_new
            && self.uses(Techniques::PAWN_HISTORY)
            && self.is_piece_move(m)
            && let Some(last) = self.piece_to_before(ply, 1)
        {
            let pawns = self.position.part_keys().pawns();
            self.history.shared.pawn.update(pawns, last, bonus);
        }
    }

    /// Updates the correction history by the difference between search value and static evaluation.
    pub(crate) fn update_correction_history(
        &mut self,
        keys: Option<CorrectionKeys>,
        static_value: Option<Value>,
        result: &NodeResult,
    ) {
        let (Some(keys), Some(static_value)) = (keys, static_value) else { return };
        let NodeResult { value, bound, best, depth, .. } = *result;
        let contradicts = match bound {
            Bound::Exact => true,
            Bound::Lower => value > static_value,
            Bound::Upper => value < static_value,
        };
        // The gain of a capture is no error of the evaluation, which does not see captures.
        let captures = best.is_some_and(|m| is_capture(&self.position, m));
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
            let pawns = self.position.part_keys().pawns();
            self.history.shared.pawn.update(pawns, piece_to, bonus * 7 / 10);
        }
        self.update_continuation_history(piece_to, bonus, ply);
    }

    /// Updates the continuation history of a move at `ply` after the moves before it; in check only
    /// after the last two, because evasions depend on little else.
    pub(super) fn update_continuation_history(
        &mut self,
        piece_to: PieceTo,
        bonus: i32,
        ply: usize,
    ) {
        if !self.uses(Techniques::CONTINUATION_HISTORY) {
            return;
        }
        let earlier = self.earlier_moves(ply);
        let in_check = self.frames[ply].static_value.is_none();
        let used = if in_check { 2 } else { CONTINUATION_SHARES.len() };
        for &(plies, percent) in &CONTINUATION_SHARES[..used] {
            if let Some(earlier) = earlier[PLIES_BACK - plies] {
                self.history.shared.continuation.update(earlier, piece_to, bonus * percent / 100);
            }
        }
    }
}
