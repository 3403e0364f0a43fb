//! The length of the shortest mate.

use komadai_core::Position;

use super::prover::Prover;
use crate::plies::Plies;
use crate::search::Outcome;

/// The bounds known of the length of the shortest mate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// There is a mate within this many plies.
    pub(crate) plies: Plies,
    /// True if there is no mate within fewer plies.
    pub(crate) is_proven: bool,
    /// No mate within this many plies exists.
    pub(crate) no_mate_within: Plies,
}

/// Up to this length the shortest mate is searched for from below.
///
/// Refuting a mate within 1, 3, 5 … plies takes less time than proving ever shorter mates: the
/// refutations are a series that grows by a factor from one to the next, so that all but the last
/// cost little, and the proof comes with the true length. In long problems the factor is small and
/// the steps are many.
const FROM_BELOW: usize = 31;

/// Up to this length a first mate is shortened if a short one is asked for.
const LONGEST_TO_SHORTEN: usize = 17;

impl Bounds {
    /// Searches for a mate within `limit` plies. Returns the outcome if there is none.
    pub(crate) fn of_any_mate(
        prover: &mut Prover<'_, '_>,
        position: &mut Position,
        limit: Plies,
    ) -> Result<Self, Outcome> {
        match prover.prove(position, limit) {
            Outcome::Proven(plies, _) => {
                prover.meter.note_mate(plies);
                // No mate is shorter than one ply.
                Ok(Self { plies, is_proven: plies.count() == 1, no_mate_within: Plies::ZERO })
            }
            outcome => Err(outcome),
        }
    }

    /// Searches for ever shorter mates with at most one and a half times as many nodes as have been
    /// spent, if the mate is short.
    ///
    /// From above: a proof with two plies fewer uses most of the last one. Of 396 short mates, 79 %
    /// became shortest with 46 % more nodes in all; with as many nodes again 76 % with 35 % more,
    /// with twice as many 81 % with 57 % more. From below, half, as many and twice as many nodes
    /// again gave 57, 64 and 72 % of 198 (2026-11-25).
    pub(crate) fn shorten_a_little(
        mut self,
        prover: &mut Prover<'_, '_>,
        position: &mut Position,
    ) -> Self {
        if self.plies.count() > LONGEST_TO_SHORTEN {
            return self;
        }
        let nodes = prover.meter.nodes();
        let most_nodes = nodes.saturating_add(nodes / 2 * 3);
        while !self.is_proven {
            let shorter = self.plies.shorter().shorter();
            match prover.prove_up_to(position, shorter, most_nodes) {
                Outcome::Proven(found, _) => {
                    self.plies = found;
                    prover.meter.note_mate(found);
                    self.is_proven = found.count() == 1;
                }
                Outcome::Disproven(_) => {
                    (self.no_mate_within, self.is_proven) = (shorter, true);
                }
                Outcome::Spent => break,
            }
        }
        self
    }

    /// Searches for the shortest mate, until it is proven or the budget is spent.
    pub(crate) fn shorten(mut self, prover: &mut Prover<'_, '_>, position: &mut Position) -> Self {
        while !self.is_proven {
            // The next shorter mate has two plies fewer, since the attacker makes the last move.
            let shorter = self.plies.shorter().shorter();
            let shortest = Plies::new((self.no_mate_within.count() as u32 + 1) | 1);
            let limit = if self.plies.count() <= FROM_BELOW { shortest } else { shorter };
            match prover.prove(position, limit) {
                Outcome::Proven(found, _) => {
                    self.plies = found;
                    prover.meter.note_mate(found);
                }
                Outcome::Disproven(within) => self.no_mate_within = within.min(shorter),
                Outcome::Spent => break,
            }
            self.is_proven = self.plies.count() <= self.no_mate_within.count() + 2;
        }
        self
    }
}
