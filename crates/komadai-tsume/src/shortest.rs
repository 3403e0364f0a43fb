//! The shortest mate.

use komadai_core::Position;

use crate::game::Tsume;
use crate::meter::Meter;
use crate::plies::Plies;
use crate::search::{Memory, Outcome, Search};

/// How long the shortest mate is, as far as the budget allowed to find out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shortest {
    /// There is a mate within this many plies.
    pub(crate) plies: Plies,
    /// And none within fewer.
    pub(crate) is_proven: bool,
}

/// Shortens a mate within `plies`, which has been proven, until a shorter one is refuted.
pub(crate) fn shortest(
    memory: &mut Memory,
    meter: &mut Meter<'_>,
    position: &mut Position,
    mut plies: Plies,
) -> Shortest {
    while plies.count() > 1 {
        let shorter = plies.shorter().shorter();
        match Search::new(memory, meter, Tsume::new(position)).run(shorter) {
            Outcome::Proven(found, _) => plies = found,
            Outcome::Disproven(_) => break,
            Outcome::Spent => return Shortest { plies, is_proven: false },
        }
    }
    Shortest { plies, is_proven: true }
}
