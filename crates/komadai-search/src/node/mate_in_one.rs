//! Mate in one, tested before any move is searched.

use komadai_core::{Bound, Move};
use komadai_eval::Evaluator;
use komadai_movegen::mate::mate_of_confined_king;

use crate::settings::Settings;
use crate::techniques::Techniques;
use crate::transposition_table::entry::NodeResult;
use crate::value::{MAX_DEPTH, Value, mating};
use crate::worker::Worker;

/// Largest number of unguarded squares around a king for which a mate in one is tested.
///
/// A king with more of them is mated in one so rarely that the test costs more than it saves.
pub(crate) const MAX_KING_ESCAPES: u32 = 2;

impl<E: Evaluator, S: Settings> Worker<'_, E, S> {
    /// Returns the value if the side to move mates at once, and stores the mate.
    ///
    /// A king with more than `max_escapes` unguarded squares around it is not tested.
    #[inline(always)]
    pub(crate) fn mate_in_one(&mut self, max_escapes: u32, ply: usize) -> Option<Value> {
        if !self.uses(Techniques::MATE_IN_ONE) || self.position.in_check() {
            return None;
        }
        let m = mate_of_confined_king(&self.position, max_escapes)?;
        Some(self.adopt_mate_in_one(m, ply))
    }

    #[inline(never)]
    fn adopt_mate_in_one(&mut self, m: Move, ply: usize) -> Value {
        self.pvs[ply].set(m, &[]);
        let value = mating(ply + 1);
        // A mate is final: no deeper search can replace it.
        let depth = MAX_DEPTH;
        let bound = Bound::Exact;
        self.store_in_table(
            &NodeResult { best: Some(m), value, static_value: None, depth, bound, pv: false },
            ply,
        );
        value
    }
}
