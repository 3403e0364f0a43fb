//! The counts of sequences of moves, in bounded memory.
//!
//! When there are too many, the rarest beginnings are dropped, by lossy counting: a beginning that
//! is seen again is credited with no more than it may have lost, and what is dropped has certainly
//! been rare. No count is too large, and none is too small by more than the [`floor`](Counts).
//!
//! Source: G. S. Manku and R. Motwani, "Approximate frequency counts over data streams", VLDB 2002.

use std::collections::BTreeMap;

use komadai::eval::TesujiName;
use komadai::search::Descriptor;

use crate::recorded_games::Game;

/// The one or two moves before the last of a sequence; the first one is without an offset.
pub(super) type Beginning = (Option<Descriptor>, Descriptor);

/// The number of times that a move has ended a sequence.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) count: u32,
    /// A name of the move where it was first named, and the number of times that it had it.
    pub(super) name: Option<TesujiName>,
    pub(super) named: u32,
}

/// The moves after a beginning.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Following {
    /// The largest number of times that the beginning may have been seen before this was counted.
    pub(super) missed: u32,
    pub(super) next: BTreeMap<Descriptor, Seen>,
}

impl Following {
    pub(super) fn total(&self) -> u32 {
        self.next.values().map(|seen| seen.count).sum()
    }
}

/// The counts of all sequences of two and three moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) games: u64,
    pub(super) moves: u64,
    /// Each move with its offset from the move before.
    pub(super) after_any: BTreeMap<Descriptor, u32>,
    pub(super) after: BTreeMap<Beginning, Following>,
    /// The number of counts in `after`, and the most of them.
    pub(super) entries: usize,
    pub(super) most: usize,
    /// The largest number by which any count may be too small.
    pub(super) floor: u32,
}

impl Counts {
    pub(super) fn new(most: usize) -> Self {
        let (after_any, after) = Default::default();
        Self { games: 0, moves: 0, after_any, after, entries: 0, most, floor: 0 }
    }

    /// Counts the moves of a game, up to the first one that is illegal.
    pub(super) fn add(&mut self, game: &Game) {
        self.games += 1;
        let mut position = game.start.clone();
        let mut played: Vec<Descriptor> = Vec::new();
        let mut last = None;
        for &m in &game.moves {
            let Some(next) = Descriptor::of(&position, m, last) else { break };
            self.moves += 1;
            let name = TesujiName::of(&position, m).next();
            if last.is_some() {
                *self.after_any.entry(next).or_default() += 1;
            }
            if let [.., one] = played[..] {
                self.count((None, one.without_offset()), next, name);
            }
            if let [.., first, second] = played[..] {
                self.count((Some(first.without_offset()), second), next, name);
            }
            played.push(next);
            last = Some(m.to());
            position.do_move(m);
        }
        if self.entries > self.most {
            // A quarter at once: a pass over all counts after each game would take most of the time.
            while self.entries > self.most - self.most / 4 {
                self.drop_the_rarest();
            }
        }
    }

    fn count(&mut self, before: Beginning, next: Descriptor, name: Option<TesujiName>) {
        let missed = self.floor;
        let following = self.after.entry(before);
        let following = following.or_insert_with(|| Following { missed, ..Default::default() });
        let seen = following.next.entry(next).or_default();
        self.entries += usize::from(seen.count == 0);
        seen.count += 1;
        seen.name = seen.name.or(name);
        seen.named += u32::from(name.is_some() && seen.name == name);
    }

    /// Drops the beginnings that have been seen at most once more often than what was dropped
    /// before.
    fn drop_the_rarest(&mut self) {
        self.floor += 1;
        let floor = self.floor;
        self.after.retain(|_, following| following.total() + following.missed > floor);
        self.entries = self.after.values().map(|following| following.next.len()).sum();
    }
}
