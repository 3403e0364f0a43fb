//! What is known about positions, in fixed memory.
//!
//! Everything in this table holds wherever the position occurs; what holds on one path only is in
//! [`LoopTable`](crate::loop_table::LoopTable). A proof is stored with the smallest hand of the
//! attacker it needs and proves every larger one (more for the attacker is less for the defender,
//! and no rule ever punishes holding a piece); a disproof is stored with the largest hand it
//! withstands (M. Seo, "The C* algorithm for AND/OR tree search and its application to a tsume-shogi
//! program", 1995; A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications",
//! 2002). So all entries of one board share a bucket, found by the key without hands, and a look-up
//! compares hands.

use komadai_core::{Hand, Move};

use crate::numbers::Numbers;
use crate::plies::Plies;

/// What the table knows about a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known {
    /// The attacker mates within `plies`, with this hand or a larger one.
    Proven { hand: Hand, plies: Plies, best: Option<Move> },
    /// The attacker does not mate within `plies`, with this hand or a smaller one.
    Disproven { hand: Hand, plies: Plies },
    /// Unsolved.
    Open(Open),
    /// Never visited, or forgotten.
    Absent,
}

/// The state of an unsolved position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Open {
    pub(crate) numbers: Numbers,
    /// The smallest ply at which it was visited.
    pub(crate) min_ply: u16,
    /// Whether some path leads to a disproof that other paths do not.
    pub(crate) has_loops: bool,
}

/// A table of fixed size. A new search does not clear it: entries carry the number of the search
/// that wrote them, and those of other searches count as free.
#[derive(Debug)]
pub(crate) struct Table {
    entries: Vec<Entry>,
    buckets: u64,
    generation: u16,
}

/// Entries a bucket. Eight of them keep a board with several hands together.
const WAYS: usize = 8;

impl Table {
    /// A table of at most `bytes`, but at least one bucket; smaller if the system refuses.
    pub(crate) fn new(bytes: usize) -> Self {
        let entries = allocate::<4>(bytes / size_of::<Entry>() / WAYS, WAYS);
        Self { buckets: (entries.len() / WAYS) as u64, entries, generation: 0 }
    }

    /// The memory in use.
    pub(crate) fn bytes(&self) -> usize {
        self.entries.len() * size_of::<Entry>()
    }

    /// Forgets everything, without touching the memory.
    pub(crate) fn next_generation(&mut self) {
        if self.generation == u16::MAX {
            self.entries.fill([0; 4]);
            self.generation = 0;
        }
        self.generation += 1;
    }

    fn bucket(&self, board_key: u64) -> std::ops::Range<usize> {
        let start = bucket_index(board_key, self.buckets) * WAYS;
        start..start + WAYS
    }

    /// What is known about a mate within `limit` in the position with this board and this hand of
    /// the attacker. Of several proofs the shortest.
    pub(crate) fn look_up(&self, board_key: u64, hand: Hand, limit: Plies) -> Known {
        let mut found = Known::Absent;
        for entry in &self.entries[self.bucket(board_key)] {
            if entry[0] != board_key || generation(entry) != self.generation {
                continue;
            }
            let (stored, plies) = (hand_of(entry), plies(entry));
            match tag(entry) {
                Tag::Proven
                    if plies <= limit
                        && hand.dominates(stored)
                        && !matches!(found, Known::Proven { plies: other, .. } if other <= plies) =>
                {
                    found = Known::Proven { hand: stored, plies, best: best(entry) };
                }
                Tag::Disproven if plies >= limit && stored.dominates(hand) => {
                    return Known::Disproven { hand: stored, plies };
                }
                tag @ (Tag::Open | Tag::OpenWithLoops)
                    if stored == hand && found == Known::Absent =>
                {
                    found = Known::Open(Open {
                        numbers: numbers(entry),
                        min_ply: min_ply(entry),
                        has_loops: tag == Tag::OpenWithLoops,
                    });
                }
                _ => {}
            }
        }
        found
    }

    /// Stores that the attacker mates within `plies`, beginning with `best`, with `hand` or more.
    pub(crate) fn store_proven(
        &mut self,
        board_key: u64,
        hand: Hand,
        plies: Plies,
        best: Option<Move>,
        work: u64,
    ) {
        let entry = Fields { hand, plies, best, work, ..Fields::new(Tag::Proven) };
        self.store(board_key, entry, |tag, stored, stored_plies| {
            stored.dominates(hand) && (tag != Tag::Proven || stored_plies >= plies)
        });
    }

    /// Stores that the attacker does not mate within `plies`, with `hand` or less.
    pub(crate) fn store_disproven(&mut self, board_key: u64, hand: Hand, plies: Plies, work: u64) {
        let entry = Fields { hand, plies, work, ..Fields::new(Tag::Disproven) };
        self.store(board_key, entry, |tag, stored, stored_plies| {
            hand.dominates(stored) && (tag != Tag::Disproven || stored_plies <= plies)
        });
    }

    /// Stores the state of an unsolved position.
    pub(crate) fn store_open(&mut self, board_key: u64, hand: Hand, open: Open, work: u64) {
        let tag = if open.has_loops { Tag::OpenWithLoops } else { Tag::Open };
        let Open { numbers, min_ply, .. } = open;
        let entry = Fields { hand, numbers, min_ply, work, ..Fields::new(tag) };
        self.store(board_key, entry, |tag, stored, _| {
            matches!(tag, Tag::Open | Tag::OpenWithLoops) && stored == hand
        });
    }

    /// Puts an entry where it replaces what it makes superfluous, else into a free slot, else over
    /// the entry that took the least work.
    fn store(
        &mut self,
        board_key: u64,
        fields: Fields,
        mut is_superfluous: impl FnMut(Tag, Hand, Plies) -> bool,
    ) {
        let bucket = self.bucket(board_key);
        let generation_now = self.generation;
        let mut slot = None;
        let mut cheapest = (u16::MAX, bucket.start);
        for index in bucket {
            let entry = &mut self.entries[index];
            if generation(entry) != generation_now {
                slot = slot.or(Some(index));
            } else if entry[0] == board_key
                && is_superfluous(tag(entry), hand_of(entry), plies(entry))
            {
                // Freed; taken at once if it is the first free slot.
                *entry = [0; 4];
                slot = slot.or(Some(index));
            } else if work(entry) < cheapest.0 {
                cheapest = (work(entry), index);
            }
        }
        self.entries[slot.unwrap_or(cheapest.1)] = fields.pack(board_key, generation_now);
    }
}

/// Four words, each field a few bits of one:
///
/// | word | bits 0–15 | 16–31 | 32–47 | 48–63 |
/// |---|---|---|---|---|
/// | 0 | board key | | | |
/// | 1 | hand | | proof number | |
/// | 2 | disproof number | | plies | smallest ply |
/// | 3 | best move | work | generation | tag |
///
/// Plain numbers, because a vector of zeros costs nothing until it is used.
type Entry = [u64; 4];

const _: () = assert!(size_of::<Entry>() == 32);

/// What an entry says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tag {
    Free = 0,
    Proven = 1,
    Disproven = 2,
    Open = 3,
    OpenWithLoops = 4,
}

/// The fields of an entry to be written.
struct Fields {
    tag: Tag,
    hand: Hand,
    numbers: Numbers,
    plies: Plies,
    min_ply: u16,
    best: Option<Move>,
    work: u64,
}

impl Fields {
    const fn new(tag: Tag) -> Self {
        Self {
            tag,
            hand: Hand::EMPTY,
            numbers: Numbers { proof: 0, disproof: 0 },
            plies: Plies::ZERO,
            min_ply: 0,
            best: None,
            work: 0,
        }
    }

    fn pack(&self, board_key: u64, generation: u16) -> Entry {
        let best = self.best.map_or(0, Move::to_bits);
        let work = self.work.min(u64::from(u16::MAX));
        [
            board_key,
            u64::from(self.hand.to_bits()) | u64::from(self.numbers.proof) << 32,
            u64::from(self.numbers.disproof)
                | u64::from(self.plies.to_bits()) << 32
                | u64::from(self.min_ply) << 48,
            u64::from(best) | work << 16 | u64::from(generation) << 32 | (self.tag as u64) << 48,
        ]
    }
}

fn hand_of(entry: &Entry) -> Hand {
    Hand::from_bits(entry[1] as u32).expect("an entry is written from a hand")
}

fn numbers(entry: &Entry) -> Numbers {
    Numbers { proof: (entry[1] >> 32) as u32, disproof: entry[2] as u32 }
}

fn plies(entry: &Entry) -> Plies {
    Plies::from_bits((entry[2] >> 32) as u16)
}

fn min_ply(entry: &Entry) -> u16 {
    (entry[2] >> 48) as u16
}

fn best(entry: &Entry) -> Option<Move> {
    Move::from_bits(entry[3] as u16)
}

fn work(entry: &Entry) -> u16 {
    (entry[3] >> 16) as u16
}

fn generation(entry: &Entry) -> u16 {
    (entry[3] >> 32) as u16
}

fn tag(entry: &Entry) -> Tag {
    match entry[3] >> 48 {
        1 => Tag::Proven,
        2 => Tag::Disproven,
        3 => Tag::Open,
        4 => Tag::OpenWithLoops,
        _ => Tag::Free,
    }
}

/// Maps a key evenly to one of `buckets` (D. Lemire, "Fast random integer generation in an
/// interval", 2019).
pub(crate) fn bucket_index(key: u64, buckets: u64) -> usize {
    ((u128::from(key) * u128::from(buckets)) >> 64) as usize
}

/// `buckets * ways` zeroed entries, at least one bucket; half as many, as often as it takes, if the
/// system does not have the memory.
pub(crate) fn allocate<const WORDS: usize>(buckets: usize, ways: usize) -> Vec<[u64; WORDS]> {
    let mut buckets = buckets.max(1);
    loop {
        let count = buckets.saturating_mul(ways);
        let granted = Vec::<[u64; WORDS]>::new().try_reserve_exact(count).is_ok();
        if granted || buckets == 1 {
            return vec![[0; WORDS]; count];
        }
        buckets /= 2;
    }
}

#[cfg(test)]
mod tests;
