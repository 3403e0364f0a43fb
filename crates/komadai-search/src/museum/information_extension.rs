//! Singular extension by information: the plies depend on how improbable a model found the move.
//!
//! The usual extension of a singular move grows with its lead over the alternatives. A move that
//! takes back leads by a whole piece and is no news: every search and every player looks at it.
//! That an odd move is the only good one is news, and the line after it has been searched least. So
//! the extension here is −ln p, the information of the message "this move, and no other", with the
//! probability p of `SoftmaxMoves`; the margin below which the alternatives must stay is the usual
//! one. The model takes microseconds, but singular moves are rare.
//!
//! Source of the idea: "情報量に基づく探索制御手法. チェスにおける Singular Extension への応用"
//! (search control by the amount of information, applied to singular extensions in chess), Game
//! Programming Workshop 2007, which the glossary of computer shogi (2009) names. We know its title;
//! the rule is our own.

use komadai_core::Move;
use komadai_eval::Evaluator;

use super::probability_reduction::Improbabilities;
use crate::pruning;
use crate::settings::Settings;
use crate::techniques::Techniques;
use crate::worker::Worker;

impl<E: Evaluator, S: Settings> Worker<'_, E, S> {
    /// Returns the extension of a singular move of the position in plies, if it is by information.
    #[inline]
    pub(crate) fn information_extension(&self, m: Move, pv: bool) -> Option<i32> {
        if !self.uses(Techniques::INFORMATION_EXTENSION) {
            return None;
        }
        let nats = Improbabilities::default().of(&self.position, m)?;
        Some(pruning::information_extension(self.parameters(), nats, pv))
    }
}
