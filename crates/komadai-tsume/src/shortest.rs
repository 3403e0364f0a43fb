//! The search for the shortest mate.

use komadai_core::Position;

use crate::game::Tsume;
use crate::meter::Meter;
use crate::plies::Plies;
use crate::search::{Memory, Outcome, Search, Workspace};

/// The length of the shortest mate, as far as the budget allowed to determine it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shortest {
    /// There is a mate within this many plies.
    pub(crate) plies: Plies,
    /// True if there is no mate within fewer plies.
    pub(crate) is_proven: bool,
    /// No mate within this many plies exists.
    pub(crate) no_mate_within: Plies,
}

/// Searches for shorter mates than the proven one within `plies` until a shorter one is refuted.
pub(crate) fn shortest(
    memory: &Memory,
    work: &mut Workspace,
    meter: &mut Meter<'_>,
    position: &mut Position,
    mut plies: Plies,
) -> Shortest {
    let mut no_mate_within = Plies::ZERO;
    while plies.count() > 1 {
        // The next shorter mate has two plies fewer, since the attacker makes the last move.
        let shorter = plies.shorter().shorter();
        match Search::new(memory, work, meter, Tsume::new(position)).run(shorter) {
            Outcome::Proven(found, _) => {
                plies = found;
                meter.note_mate(found);
            }
            Outcome::Disproven(within) => {
                no_mate_within = within.min(plies.shorter());
                break;
            }
            Outcome::Spent => return Shortest { plies, is_proven: false, no_mate_within },
        }
    }
    Shortest { plies, is_proven: true, no_mate_within }
}
