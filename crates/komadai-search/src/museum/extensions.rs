//! Check, recapture and tesuji extensions.

use komadai_core::Move;
use komadai_eval::Evaluator;
use komadai_movegen::MoveGen;

use super::tesuji::TesujiCompletions;
use crate::node::node_state::{Candidate, Node};
use crate::pruning::is_within_extension_budget;
use crate::settings::Settings;
use crate::techniques::Techniques;
use crate::worker::Worker;

impl<'a, E: Evaluator, S: Settings> Worker<'a, E, S> {
    /// Returns the extension of a check or recapture in plies.
    pub(crate) fn check_or_recapture_extension<const PV: bool>(
        &self,
        node: &Node,
        candidate: &Candidate,
    ) -> i32 {
        if candidate.gives_check
            && self.uses(Techniques::CHECK_EXTENSION)
            && check_extension(
                node.ply,
                self.iteration,
                !candidate.moved.is_capture() && !self.position.see_at_least(candidate.moved.m, 0),
            )
        {
            return 1;
        }
        let is_recapture = || {
            let before = &self.frames[node.ply - 1];
            before.captured.is_some()
                && before.current.is_some_and(|m| m.to() == candidate.moved.m.to())
        };
        i32::from(PV && self.uses(Techniques::RECAPTURE_EXTENSION) && is_recapture())
    }

    /// Returns the moves of this node that complete a tesuji.
    #[inline]
    pub(crate) fn tesuji_completions(&self) -> TesujiCompletions<'a> {
        if self.uses(Techniques::TESUJI_EXTENSION) {
            self.tesuji.completions(&self.position)
        } else {
            TesujiCompletions::default()
        }
    }

    /// Returns the extension of a move that completes a tesuji in plies.
    #[inline]
    pub(crate) fn tesuji_extension(
        &self,
        completions: &TesujiCompletions<'_>,
        m: Move,
        ply: usize,
    ) -> i32 {
        let extends = self.uses(Techniques::TESUJI_EXTENSION)
            && completions.contains(&self.position, m)
            && is_within_extension_budget(ply, self.iteration);
        i32::from(extends)
    }
}

/// Checks whether a check is searched a ply deeper.
fn check_extension(ply: usize, iteration: i32, loses_material: bool) -> bool {
    !loses_material && is_within_extension_budget(ply, iteration)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checks_are_extended_unless_they_lose_or_the_line_is_long() {
        assert!(check_extension(7, 6, false));
        assert!(!check_extension(7, 6, true));
        assert!(!check_extension(12, 6, false));
    }
}
