//! What a finished node teaches about its moves and its evaluation.

use komadai_core::{Bound, Move};
use komadai_eval::Evaluator;
use komadai_movegen::MoveGen;

use super::Node;
use crate::Techniques;
use crate::history::Follower;
use crate::picker::is_tactical;
use crate::pruning;
use crate::value::{Value, Window, is_decided};
use crate::worker::{Known, Worker};

/// The moves of a node that were searched in vain; those beyond the first many are forgotten.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Tried {
    quiets: List<24>,
    tactical: List<16>,
}

#[derive(Debug, Clone, Copy)]
struct List<const N: usize> {
    moves: [Option<Move>; N],
    len: usize,
}

impl<const N: usize> Default for List<N> {
    fn default() -> Self {
        Self { moves: [None; N], len: 0 }
    }
}

impl<const N: usize> List<N> {
    #[inline]
    fn push(&mut self, m: Move) {
        if let Some(place) = self.moves.get_mut(self.len) {
            *place = Some(m);
            self.len += 1;
        }
    }

    fn iter(&self) -> impl Iterator<Item = Move> {
        self.moves.into_iter().take(self.len).flatten()
    }
}

impl Tried {
    #[inline]
    pub(super) fn add(&mut self, m: Move, tactical: bool) {
        if tactical { self.tactical.push(m) } else { self.quiets.push(m) }
    }
}

impl<E: Evaluator> Worker<'_, E> {
    /// Rewards the best move and blames those tried in vain.
    pub(super) fn learn(&mut self, best: Move, tried: &Tried, node: &Node) {
        let (p, ply) = (self.parameters(), node.ply);
        let bonus = pruning::bonus(p, node.outlook.depth);
        let malus = -pruning::malus(p, node.outlook.depth);
        if is_tactical(&self.position, best) {
            self.teach_capture(best, bonus);
        } else {
            if self.uses(Techniques::KILLERS) {
                self.frames[ply].add_killer(best);
            }
            if self.uses(Techniques::COUNTER_MOVES) {
                let earlier = self.earlier(ply, 1);
                self.history.counters.set(earlier, best);
            }
            self.teach_quiet(best, bonus, ply);
            for m in tried.quiets.iter().filter(|&m| m != best) {
                self.teach_quiet(m, malus, ply);
            }
        }
        for m in tried.tactical.iter().filter(|&m| m != best) {
            self.teach_capture(m, malus);
        }
        // The opponent's first choice was refuted.
        if let Some(before) = ply.checked_sub(1).map(|ply| &self.frames[ply])
            && before.place == 0
            && !before.tactical
            && let Some(last) = before.follower
        {
            self.teach_answer(last, malus / 2, ply - 1);
        }
    }

    /// No move was good enough: the move that led here was good.
    pub(super) fn reward_last_move(&mut self, node: &Node) {
        let Some(before) = node.ply.checked_sub(1).map(|ply| &self.frames[ply]) else { return };
        if before.tactical {
            return;
        }
        if let (Some(m), Some(last)) = (before.current, before.follower) {
            let bonus = pruning::bonus(self.parameters(), node.outlook.depth) / 2;
            self.teach_answer(last, bonus, node.ply - 1);
            if self.uses(Techniques::HISTORY) {
                self.history.butterfly.update(!self.position.side(), m, bonus);
            }
        }
    }

    /// The table has settled a node: its move was good, and the one before was not.
    pub(super) fn learn_from_table(
        &mut self,
        known: Option<Known>,
        window: Window,
        depth: i32,
        ply: usize,
    ) {
        let Some(Known { best: Some(m), value, .. }) = known else { return };
        if value >= window.beta && !is_tactical(&self.position, m) && self.position.is_legal(m) {
            self.teach_quiet(m, pruning::bonus(self.parameters(), depth) / 2, ply);
        }
    }

    /// A quiet move after which the evaluation rose was good.
    pub(super) fn learn_from_difference(&mut self, static_value: Option<Value>, ply: usize) {
        if !self.uses(Techniques::EVALUATION_DIFFERENCE) || !self.uses(Techniques::HISTORY) {
            return;
        }
        let Some(before) = ply.checked_sub(1).map(|ply| &self.frames[ply]) else { return };
        let (Some(now), Some(then), Some(m)) = (static_value, before.static_value, before.current)
        else {
            return;
        };
        if !before.tactical {
            let weight = self.parameters().difference_weight;
            let bonus = (-(now + then) * weight).clamp(-1_500, 1_500);
            self.history.butterfly.update(!self.position.side(), m, bonus);
        }
    }

    /// The search says something else than the evaluation.
    pub(super) fn learn_correction(&mut self, node: &Node, known: &Known) {
        let (Some(structure), Some(static_value)) = (node.structure, node.static_value) else {
            return;
        };
        let Known { value, bound, best, depth, .. } = *known;
        let says_nothing = match bound {
            Bound::Exact => false,
            Bound::Lower => value <= static_value,
            Bound::Upper => value >= static_value,
        };
        let captures = best.is_some_and(|m| is_tactical(&self.position, m));
        if !says_nothing && !captures && !is_decided(value) {
            self.history.corrections.update(&structure, value - static_value, depth);
        }
    }

    fn teach_capture(&mut self, m: Move, bonus: i32) {
        if self.uses(Techniques::CAPTURE_HISTORY) {
            let captured = self.position.piece_on(m.to()).map(|piece| piece.kind());
            let follower = Follower::of(&self.position, m);
            self.history.captures.update(follower, captured, bonus);
        }
    }

    fn teach_quiet(&mut self, m: Move, bonus: i32, ply: usize) {
        let follower = Follower::of(&self.position, m);
        if self.uses(Techniques::HISTORY) {
            self.history.butterfly.update(self.position.side(), m, bonus);
        }
        if self.uses(Techniques::LOW_PLY_HISTORY) {
            self.history.low_ply.update(ply, m, bonus);
        }
        if self.uses(Techniques::PAWN_HISTORY) {
            let pawns = crate::partial_keys::pawns(&self.position);
            self.history.pawns.update(pawns, follower, bonus);
        }
        self.teach_answer(follower, bonus, ply);
    }

    /// Teaches how good it is to answer the moves before `ply` with a move.
    fn teach_answer(&mut self, follower: Follower, bonus: i32, ply: usize) {
        if !self.uses(Techniques::CONTINUATION_HISTORY) {
            return;
        }
        for (plies, percent) in [(1, 100), (2, 80), (4, 60), (6, 40)] {
            if let Some(earlier) = self.earlier(ply, plies) {
                self.history.continuation.update(earlier, follower, bonus * percent / 100);
            }
        }
    }
}
