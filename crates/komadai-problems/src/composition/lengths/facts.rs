//! The results of the literature search, position by position.

use std::collections::HashMap;

use komadai_core::Hand;
use smallvec::SmallVec;

use super::node::{Node, Plies, UNLIMITED, with_hand};
use super::trail::Trail;
use crate::key_hasher::BuildKeyHasher;

/// The earliest ply of the trail that a disproof relies on, or [`NOTHING`].
pub(super) type Reliance = u16;

/// The reliance of a disproof that holds on every path.
pub(super) const NOTHING: Reliance = Reliance::MAX;

/// The result of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fact {
    /// The attacker mates within the plies, with this hand or a larger one.
    Proven { hand: Hand, plies: Plies },
    /// The attacker does not mate within the plies, with this hand or a smaller one.
    Disproven { hand: Hand, plies: Plies, reliance: Reliance },
    /// Proof and disproof number for the limit that was asked for.
    Open { proof: u32, disproof: u32 },
}

/// All results of a search. Nothing is overwritten, so that the results depend on the position and
/// the budget only.
#[derive(Debug, Default)]
pub(super) struct Facts {
    entries: HashMap<u64, SmallVec<[Entry; 1]>, BuildKeyHasher>,
    loops: HashMap<u64, SmallVec<[Loop; 1]>, BuildKeyHasher>,
}

/// The proven bounds of a position with one hand of the attacker.
#[derive(Debug, Clone, Copy)]
struct Entry {
    hand: Hand,
    /// The attacker mates within this many plies; [`UNLIMITED`] if that is not proven for any
    /// number.
    proven: Plies,
    /// The attacker does not mate within this many plies.
    disproven: Plies,
    /// The limit for which the two numbers hold.
    limit: Plies,
    proof: u32,
    disproof: u32,
}

/// A disproof that holds after one stretch of moves only.
#[derive(Debug, Clone, Copy)]
struct Loop {
    length: u16,
    plies: Plies,
    stretch: u64,
}

/// Less than every number of plies that a position can have.
const NEVER: Plies = -9;

impl Facts {
    /// Returns what is proven about a mate within `limit`, or `None` if nothing is.
    pub(super) fn look_up(&self, key: u64, hand: Hand, limit: Plies) -> Option<Fact> {
        let mut open = None;
        for entry in self.entries.get(&key)? {
            if entry.proven <= limit && hand.dominates(entry.hand) {
                return Some(Fact::Proven { hand: entry.hand, plies: entry.proven });
            }
            if entry.disproven >= limit && entry.hand.dominates(hand) {
                let Entry { hand, disproven: plies, .. } = *entry;
                return Some(Fact::Disproven { hand, plies, reliance: NOTHING });
            }
            if entry.hand == hand && entry.limit == limit {
                // Not returned yet: an entry behind it may be solved.
                open = Some(Fact::Open { proof: entry.proof, disproof: entry.disproof });
            }
        }
        open
    }

    /// Stores the result of a position. A disproof that relies on the trail holds after the same
    /// stretch of it only.
    pub(super) fn store(&mut self, node: &Node, fact: Fact, trail: &Trail) {
        let &Node { key, hand: own_hand, limit, .. } = node;
        match fact {
            Fact::Proven { hand, plies } => {
                let entry = self.entry(key, hand, limit);
                entry.proven = entry.proven.min(plies);
            }
            Fact::Disproven { hand, plies, reliance: NOTHING } => {
                let entry = self.entry(key, hand, limit);
                entry.disproven = entry.disproven.max(plies);
            }
            Fact::Disproven { plies, reliance, .. } => {
                let Some(length) = trail.len().checked_sub(usize::from(reliance)) else { return };
                let Some(stretch) = trail.hash_of_last(length) else { return };
                let length = length as u16;
                let loops = self.loops.entry(with_hand(key, own_hand)).or_default();
                let same = |entry: &&mut Loop| entry.length == length && entry.stretch == stretch;
                match loops.iter_mut().find(same) {
                    Some(entry) => entry.plies = entry.plies.max(plies),
                    None => loops.push(Loop { length, plies, stretch }),
                }
            }
            Fact::Open { proof, disproof } => {
                let entry = self.open_entry(key, own_hand, limit);
                (entry.limit, entry.proof, entry.disproof) = (limit, proof, disproof);
            }
        }
    }

    /// Searches for a disproof that holds after the trail, for the position that follows it.
    pub(super) fn look_up_loop(
        &self,
        trail: &Trail,
        key: u64,
        hand: Hand,
        limit: Plies,
    ) -> Option<Fact> {
        self.loops.get(&with_hand(key, hand))?.iter().find_map(|entry| {
            let length = usize::from(entry.length);
            let holds = entry.plies >= limit && trail.hash_of_last(length) == Some(entry.stretch);
            let reliance = (trail.len() - length.min(trail.len())) as Reliance;
            holds.then_some(Fact::Disproven { hand, plies: entry.plies, reliance })
        })
    }

    fn entry(&mut self, key: u64, hand: Hand, limit: Plies) -> &mut Entry {
        self.find_or_push(key, hand, limit, |entry| entry.hand == hand)
    }

    fn open_entry(&mut self, key: u64, hand: Hand, limit: Plies) -> &mut Entry {
        self.find_or_push(key, hand, limit, |entry| entry.hand == hand && entry.limit == limit)
    }

    fn find_or_push(
        &mut self,
        key: u64,
        hand: Hand,
        limit: Plies,
        is_wanted: impl Fn(&Entry) -> bool,
    ) -> &mut Entry {
        let entries = self.entries.entry(key).or_default();
        let index = entries.iter().position(is_wanted).unwrap_or_else(|| {
            entries.push(Entry {
                hand,
                proven: UNLIMITED,
                disproven: NEVER,
                limit,
                proof: 1,
                disproof: 1,
            });
            entries.len() - 1
        });
        &mut entries[index]
    }
}
