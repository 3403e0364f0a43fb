//! Paths that meet: see [`Techniques::MET_ONCE`](crate::options::Techniques::MET_ONCE).

use super::Search;
use crate::game::Game;
use crate::memory::Workspace;
use crate::tables::origins::Place;

/// Number of links that are followed to find out where two paths have parted.
const MOST_STEPS: usize = 24;

impl<G: Game> Search<'_, '_, G> {
    /// Notes from where the position, which is about to be added to the path, was reached; and if it was reached from
    /// elsewhere before, that two subtrees of a position on the path have met.
    #[cold]
    pub(super) fn note_origin(&mut self, place: Place, is_known: bool) {
        let Workspace { frames, children, path, origins, .. } = &mut *self.work;
        let (Some(origins), Some(parent)) = (origins, frames.last()) else { return };
        let parent = Place { board_key: parent.board_key, hand: parent.hand };
        let before = if is_known { origins.find(place) } else { None };
        if before == Some(parent) {
            return;
        }
        origins.insert(place, parent);
        let (mut below, mut before) = (place, before);
        for _ in 0..MOST_STEPS {
            let Some(above) = before else { return };
            if let Some(ply) = path.ply_of(above.board_key, above.hand) {
                let frame = &frames[ply];
                let end = frames.get(ply + 1).map_or(children.len(), |next| next.first_child);
                let siblings = &mut children[frame.first_child..end];
                let other = siblings.iter().position(|child| {
                    child.board_key == below.board_key && child.hand == below.hand
                });
                if let Some(other) = other.filter(|&other| other != frame.current) {
                    for index in [other, frame.current] {
                        let child = &mut siblings[index];
                        if !child.has_met {
                            child.has_met = true;
                            let child = Place { board_key: child.board_key, hand: child.hand };
                            origins.note_meeting(above, child);
                        }
                    }
                }
                return;
            }
            below = above;
            before = origins.find(above);
        }
    }
}
