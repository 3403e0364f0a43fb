//! Hand dominance: cutoffs by what was found about the same board with other hands.

use komadai_core::Score;
use komadai_eval::Evaluator;

use super::dominance_table::HandBound;
use crate::settings::Settings;
use crate::techniques::Techniques;
use crate::transposition_table::entry::NodeResult;
use crate::value::{Value, Window, is_decided};
use crate::worker::Worker;

impl<E: Evaluator, S: Settings> Worker<'_, E, S> {
    /// Returns the value of a node that is decided by a search of the same board with other hands.
    #[inline]
    pub(crate) fn hand_dominance_cutoff(
        &self,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Option<Value> {
        if !self.uses(Techniques::HAND_DOMINANCE) {
            return None;
        }
        let hand = self.position.hand(self.position.side());
        let board_key = self.position.board_key();
        self.table.dominance().cutoff(board_key, hand, window, depth, ply)
    }

    /// Stores a result for positions with the same board and other hands.
    #[inline]
    pub(crate) fn store_hand_bound(&self, result: &NodeResult, ply: usize) {
        let score = Score::from_raw(result.value);
        // Results by a rule other than mate depend on the history of the game, not on the hand.
        if !self.uses(Techniques::HAND_DOMINANCE)
            || is_decided(result.value) && score.mate_plies().is_none()
        {
            return;
        }
        let bound = HandBound {
            hand: self.position.hand(self.position.side()),
            score: score.to_ply(ply as u32),
            depth: result.depth.clamp(0, i32::from(u8::MAX)) as u8,
            bound: result.bound,
        };
        let generation = self.table.generation();
        self.table.dominance().store(self.position.board_key(), &bound, generation);
    }
}
