//! Which moves are searched deeper or less deep than others because of what they are.

use komadai_core::{Bound, Move};
use komadai_eval::Evaluator;
use komadai_movegen::MoveGen;

use super::Node;
use super::move_loop::Traits;
use crate::Techniques;
use crate::pruning;
use crate::value::{Value, is_decided};
use crate::worker::Worker;

/// What is to be done with the move the table suggests.
pub(super) enum Verdict {
    /// Search it that many plies deeper.
    Extend(i32),
    /// Do not: so many moves are good enough that the node has this value.
    Cut(Value),
}

impl<E: Evaluator> Worker<'_, E> {
    /// Compares the table's move with its alternatives.
    pub(super) fn compare_alternatives<const PV: bool>(&mut self, node: &Node, m: Move) -> Verdict {
        let nothing = Verdict::Extend(0);
        let depth = node.outlook.depth;
        let Some(known) = node.known else { return nothing };
        if !self.uses(Techniques::SINGULAR_EXTENSION)
            || node.excluded.is_some()
            || depth < self.parameters().singular_depth + i32::from(node.near_pv)
            || known.bound == Bound::Upper
            || known.depth < depth - 3
            || is_decided(known.value)
            // A line twice as long as the iteration is deep has been extended enough.
            || node.ply as i32 >= 2 * self.iteration
        {
            return nothing;
        }
        let pv = PV || node.near_pv;
        let beta = pruning::singular_beta(self.parameters(), known.value, depth, pv);
        let value = self.alternatives(node, m, beta, (depth - 1) / 2);
        if self.meter.is_over() {
            return nothing;
        }
        let window = node.outlook.window;
        if value < beta {
            return Verdict::Extend(pruning::singular_extension(
                self.parameters(),
                beta,
                value,
                PV,
            ));
        }
        if !PV && value >= window.beta && !is_decided(value) && self.uses(Techniques::MULTI_CUT) {
            return Verdict::Cut(value);
        }
        if self.uses(Techniques::NEGATIVE_EXTENSION) {
            if known.value >= window.beta {
                return Verdict::Extend(-3);
            }
            if node.cut {
                return Verdict::Extend(-2);
            }
        }
        nothing
    }

    /// By how many plies a move is extended for giving check or taking back.
    pub(super) fn plain_extension<const PV: bool>(&self, node: &Node, traits: &Traits) -> i32 {
        if traits.checks
            && self.uses(Techniques::CHECK_EXTENSION)
            && pruning::check_extension(
                node.ply,
                self.iteration,
                !traits.tactical && !self.position.see_at_least(traits.m, 0),
            )
        {
            return 1;
        }
        let takes_back = || {
            let last = self.frames[node.ply - 1].current;
            self.frames[node.ply - 1].tactical && last.is_some_and(|m| m.to() == traits.m.to())
        };
        i32::from(PV && self.uses(Techniques::RECAPTURE_EXTENSION) && takes_back())
    }
}
