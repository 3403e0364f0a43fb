//! Updates of the history tables by the results of a node.

use core::ops::RangeInclusive;

use komadai_core::{Bound, Move, Piece, PieceKind};
use komadai_eval::Evaluator;
use komadai_movegen::MoveGen;

use super::node_state::Node;
use crate::history::piece_to::{PLIES_BACK, PieceTo};
use crate::pruning;
use crate::settings::Settings;
use crate::tactical::is_capture;
use crate::techniques::Techniques;
use crate::transposition_table::entry::NodeResult;
use crate::transposition_table::hit::TtHit;
use crate::value::{Value, Window, is_decided};
use crate::worker::Worker;

/// The earlier plies after which a move updates the continuation history, with the part of the
/// bonus in 1,024ths: the opponent's last three moves, and the side's own.
///
/// Older moves are less related to a reply. Plies and parts are those of Stockfish.
const CONTINUATION_WEIGHTS: [(usize, i32); 6] =
    [(1, 1_157), (2, 648), (3, 288), (4, 576), (5, 140), (6, 441)];

/// Added to the update after the opponent's last move: a move that comes up again is not the worst.
const REPLY_BONUS: i32 = 88;

/// Number of moves of a node that are early in its order (Stockfish).
const EARLY_MOVES: u16 = 4;

/// Bounds of the bonus of a move by the change of the static evaluation.
///
/// They are less than a search result is worth, which is better evidence.
const EVALUATION_BONUS: RangeInclusive<i32> = -2_140..=1_710;

/// Added to that bonus: a move that changes nothing is still better than most.
const EVALUATION_BASE: i32 = 600;

/// Bonus of a capture that no move refutes.
const CAPTURE_REWARD: i32 = 1_018;

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
    /// Gives the best move a bonus and the other searched moves a malus.
    pub(crate) fn update_histories(&mut self, best: Move, searched: &SearchedMoves, node: &Node) {
        let p = self.parameters();
        let ply = node.ply;
        let depth = node.inputs.depth.max(1);
        let before = ply.checked_sub(1).map_or(0, |ply| self.frames[ply].history);
        let is_table_move = node.table_move == Some(best);
        // A refutation of a move that was thought good is worth more.
        let bonus = pruning::history_bonus(p, node.inputs.earliness, depth)
            + if is_table_move { p.bonus_table_move } else { 0 }
            + before / 32;
        let malus = pruning::history_malus(p, depth);
        if is_capture(&self.position, best) {
            self.update_capture_history(best, bonus * 5 / 4);
        } else {
            if self.uses(Techniques::KILLERS) {
                self.frames[ply].add_killer(best);
            }
            if self.uses(Techniques::COUNTER_MOVES) {
                let refuted = self.piece_to_before(ply, 1);
                self.history.own.counter_moves.set(refuted, best);
            }
            self.update_quiet_histories(best, bonus * 4 / 5, ply);
            // The later in the order, the less was expected.
            let mut malus = malus * 1_113 / 1_024;
            for m in searched.quiets.iter().filter(|&m| m != best) {
                malus = malus * 977 / 1_024;
                self.update_quiet_histories(m, -malus, ply);
            }
        }
        // A capture that was searched in vain was ordered too early, also before a quiet best move.
        for m in searched.captures.iter().filter(|&m| m != best) {
            self.update_capture_history(m, -malus * 3 / 2);
        }
        // The opponent's first choice was refuted: its table move, or the move after it.
        let first = ply.checked_sub(1).map_or(0, |ply| u16::from(self.frames[ply].was_known));
        if ply.checked_sub(1).is_some_and(|ply| self.frames[ply].move_index == first) {
            self.punish_previous_move(first + 1, -malus * 3 / 5, ply);
        }
        if !node.near_pv {
            self.update_table_move_history(if is_table_move { 805 } else { -787 });
        }
    }

    /// Gives the previous move a malus, a negative number, if it was a quiet one among the first
    /// `early` moves of its node.
    fn punish_previous_move(&mut self, early: u16, malus: i32, ply: usize) {
        if let Some(before) = ply.checked_sub(1).map(|ply| &self.frames[ply])
            && before.move_index < early
            && before.captured.is_none()
            && let Some(last) = self.piece_to_before(ply, 1)
        {
            self.update_continuation_history(last, malus, ply - 1);
        }
    }

    /// Gives the previous move a bonus, because no move of this node refutes it; `value` is the
    /// node's.
    ///
    /// The bonus is larger, the less the move was expected to hold (form of Stockfish).
    pub(super) fn reward_previous_move(&mut self, node: &Node, value: Value) {
        let Some(before) = node.ply.checked_sub(1).map(|ply| self.frames[ply]) else { return };
        let (Some(m), Some(last)) = (before.current, self.piece_to_before(node.ply, 1)) else {
            return;
        };
        if before.captured.is_some() {
            self.history.own.capture.update(last, before.captured, CAPTURE_REWARD);
            return;
        }
        let depth = node.inputs.depth.max(1);
        let is_worse_than = |margin: Value, evaluation: Option<Value>| {
            evaluation.is_some_and(|evaluation| value <= evaluation - margin)
        };
        let mut weight = (59 * depth).min(454) - 222 - before.history / 108;
        weight += if before.move_index >= 8 { 169 } else { 0 };
        weight += if is_worse_than(77, node.static_value) { 145 } else { 0 };
        weight += if is_worse_than(51, before.static_value.map(|then| -then)) { 154 } else { 0 };
        let bonus = (135 * depth - 80).min(1_400) * weight.max(0);
        self.update_continuation_history(last, bonus / 74, node.ply - 1);
        if self.uses(Techniques::HISTORY) {
            self.history.own.butterfly.update(!self.position.side(), m, bonus / 139);
        }
        if self.uses(Techniques::PAWN_HISTORY) && self.is_piece_move(m) {
            let pawns = self.position.part_keys().pawns();
            self.history.shared.pawn.update(pawns, last, bonus / 28);
        }
    }

    /// Checks whether the last move, `m`, neither promoted nor moved a pawn, so that the pawn
    /// structure is the one before it.
    fn is_piece_move(&self, m: Move) -> bool {
        let kind = self.position.piece_on(m.to()).map(Piece::kind);
        !m.is_promotion() && kind != Some(PieceKind::Pawn)
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
        if !is_capture(&self.position, m) && self.position.is_legal(m) {
            // Less than after a search: nothing has been searched again.
            self.update_quiet_histories(m, (130 * depth - 71).min(1_043), ply);
        }
        let malus = self.parameters().table_malus;
        if malus > 0 {
            self.punish_previous_move(EARLY_MOVES, -malus, ply);
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
        let weight = self.parameters().difference_weight;
        // The two values are seen from opposite sides, so the negative sum is the opponent's gain.
        let gain = -(now + then) * weight / 10;
        let bonus = gain.clamp(*EVALUATION_BONUS.start(), *EVALUATION_BONUS.end());
        let bonus = bonus + EVALUATION_BASE;
        self.history.own.butterfly.update(!self.position.side(), m, bonus);
        if is_new
            && self.uses(Techniques::PAWN_HISTORY)
            && self.is_piece_move(m)
            && let Some(last) = self.piece_to_before(ply, 1)
        {
            let pawns = self.position.part_keys().pawns();
            self.history.shared.pawn.update(pawns, last, bonus * 6 / 5);
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
            self.history.own.low_ply.update(ply, m, bonus * 3 / 4);
        }
        if self.uses(Techniques::PAWN_HISTORY) {
            // A malus counts less: the moves before the best one are the good ones of a structure.
            let part = if bonus > 0 { 850 } else { 550 };
            let pawns = self.position.part_keys().pawns();
            self.history.shared.pawn.update(pawns, piece_to, bonus * part / 1_024);
        }
        self.update_continuation_history(piece_to, bonus * 955 / 1_024, ply);
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
        let used = if in_check { 2 } else { CONTINUATION_WEIGHTS.len() };
        for &(plies, part) in &CONTINUATION_WEIGHTS[..used] {
            if let Some(earlier) = earlier[PLIES_BACK - plies] {
                let bonus = bonus * part / 1_024 + if plies == 1 { REPLY_BONUS } else { 0 };
                self.history.shared.continuation.update(earlier, piece_to, bonus);
            }
        }
    }
}
