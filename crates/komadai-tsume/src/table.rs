//! The transposition table of the solver, in fixed memory.
//!
//! Every entry holds on all paths to the position. Disproofs that hold on one path only are in
//! [`LoopTable`](crate::loop_table::LoopTable).
//!
//! A proof is stored with the smallest hand that the attacker needs, and it holds for every larger
//! hand (dominance): more pieces for the attacker are fewer for the defender, and no rule punishes
//! a piece in hand. A disproof is stored with the largest hand that it covers (M. Seo, "The C*
//! algorithm for AND/OR tree search and its application to a tsume-shogi program", 1995; A. Nagai,
//! "Df-pn algorithm for searching AND/OR trees and its applications", 2002). All entries of one
//! board therefore share a bucket, which is found by the key without hands, and a lookup compares
//! hands.

use komadai_core::{Hand, Move};

use crate::numbers::Numbers;
use crate::plies::Plies;

/// The result of a table lookup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lookup {
    /// The attacker mates within `plies`, with this hand or a larger one.
    Proven { hand: Hand, plies: Plies, best: Option<Move> },
    /// The attacker does not mate within `plies`, with this hand or a smaller one.
    Disproven { hand: Hand, plies: Plies },
    /// Unsolved.
    Open(Open),
    /// Never visited, or overwritten.
    Absent,
}

/// The state of an unsolved position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Open {
    pub(crate) numbers: Numbers,
    /// Smallest ply at which the position was visited.
    pub(crate) min_ply: u16,
    /// True if the loop table has a disproof that holds on some path only.
    pub(crate) has_loops: bool,
}

/// A table that grows with the search, up to a fixed size. A new search does not clear it: each entry
/// has the generation number of the search that wrote it, and entries of other generations count as
/// free.
///
/// A search uses only the first buckets, and twice as many as soon as a third of the entries is in use.
/// A small problem therefore stays in the processor's caches and touches no new pages, however large the
/// table is.
#[derive(Debug)]
pub(crate) struct Table {
    entries: Vec<Entry>,
    /// The number of buckets at the start of a search; the number of all buckets is a power of two times
    /// as large.
    first_buckets: u64,
    /// The number of buckets in use.
    buckets: u64,
    /// The number of entries of this generation, overwritten ones not counted twice.
    used: u64,
    generation: u16,
}

/// Entries per bucket. Eight of them hold a board with several hands.
const WAYS: usize = 8;

/// Largest number of buckets at the start of a search: 256 KiB, which fit into a second-level cache.
const MOST_FIRST_BUCKETS: usize = 1 << 10;

/// The buckets double when more than one entry in this many is in use.
const GROW_AT: u64 = 3;

impl Table {
    /// Creates a table of at most `bytes`, but at least one bucket; smaller if the system refuses.
    pub(crate) fn new(bytes: usize) -> Self {
        let mut entries = allocate::<4>(bytes / size_of::<Entry>() / WAYS, WAYS);
        let mut first = entries.len() / WAYS;
        let mut doublings = 0;
        while first > MOST_FIRST_BUCKETS {
            (first, doublings) = (first / 2, doublings + 1);
        }
        entries.truncate((first << doublings) * WAYS);
        let first_buckets = first as u64;
        Self { entries, first_buckets, buckets: first_buckets, used: 0, generation: 0 }
    }

    /// Returns the memory that the entries of this generation take, in bytes.
    pub(crate) fn used_bytes(&self) -> usize {
        self.used as usize * size_of::<Entry>()
    }

    /// Doubles the number of buckets in use, if there are more.
    ///
    /// The index of a bucket consists of the highest bits of the key, so the entries of bucket *i* belong
    /// into the buckets 2*i* and 2*i* + 1. From the last to the first, both of them have been emptied
    /// before they are written, except bucket 0, which is its own successor and is written last.
    #[cold]
    fn grow(&mut self) {
        if self.buckets as usize * 2 * WAYS > self.entries.len() {
            return;
        }
        let old = self.buckets as usize;
        self.buckets *= 2;
        for index in (0..old).rev() {
            let mut bucket = [[0; 4]; WAYS];
            bucket.copy_from_slice(&self.entries[index * WAYS..(index + 1) * WAYS]);
            let start = index * 2 * WAYS;
            let successors = &mut self.entries[start..start + 2 * WAYS];
            successors.fill([0; 4]);
            let mut free = [0, WAYS];
            for entry in bucket.iter().filter(|entry| generation(entry) == self.generation) {
                let side = bucket_index(entry[0], self.buckets) - index * 2;
                successors[free[side]] = *entry;
                free[side] += 1;
            }
        }
    }

    /// Returns the allocated memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.entries.len() * size_of::<Entry>()
    }

    /// Invalidates all entries without writing to them.
    pub(crate) fn next_generation(&mut self) {
        // Generation numbers start again at 1, where old entries would count as new.
        if self.generation == u16::MAX {
            self.entries.fill([0; 4]);
            self.generation = 0;
        }
        self.generation += 1;
        self.buckets = self.first_buckets;
        self.used = 0;
    }

    /// Returns the indices of the entries of a board.
    fn bucket(&self, board_key: u64) -> std::ops::Range<usize> {
        let start = bucket_index(board_key, self.buckets) * WAYS;
        start..start + WAYS
    }

    /// Returns the result for a mate within `limit` in the position with this board and this hand
    /// of the attacker. If several proofs apply, returns the shortest one.
    pub(crate) fn look_up(&self, board_key: u64, hand: Hand, limit: Plies) -> Lookup {
        let mut found = Lookup::Absent;
        for entry in &self.entries[self.bucket(board_key)] {
            if entry[0] != board_key || generation(entry) != self.generation {
                continue;
            }
            let (stored, plies) = (hand_of(entry), plies(entry));
            match tag(entry) {
                Tag::Proven
                    if plies <= limit
                        && hand.dominates(stored)
                        && !matches!(found, Lookup::Proven { plies: other, .. } if other <= plies) =>
                {
                    found = Lookup::Proven { hand: stored, plies, best: best(entry) };
                }
                Tag::Disproven if plies >= limit && stored.dominates(hand) => {
                    return Lookup::Disproven { hand: stored, plies };
                }
                tag @ (Tag::Open | Tag::OpenWithLoops)
                    if stored == hand && found == Lookup::Absent =>
                {
                    found = Lookup::Open(Open {
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

    /// Stores that the attacker mates within `plies` with `hand` or a larger one; `best` is its
    /// first move and `work` the number of nodes spent.
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

    /// Stores that the attacker does not mate within `plies` with `hand` or a smaller one.
    pub(crate) fn store_disproven(&mut self, board_key: u64, hand: Hand, plies: Plies, work: u64) {
        let entry = Fields { hand, plies, work, ..Fields::new(Tag::Disproven) };
        self.store(board_key, entry, |tag, stored, stored_plies| {
            hand.dominates(stored) && (tag != Tag::Disproven || stored_plies <= plies)
        });
    }

    /// Stores the numbers of an unsolved position.
    pub(crate) fn store_open(&mut self, board_key: u64, hand: Hand, open: Open, work: u64) {
        let tag = if open.has_loops { Tag::OpenWithLoops } else { Tag::Open };
        let Open { numbers, min_ply, .. } = open;
        let entry = Fields { hand, numbers, min_ply, work, ..Fields::new(tag) };
        self.store(board_key, entry, |tag, stored, _| {
            matches!(tag, Tag::Open | Tag::OpenWithLoops) && stored == hand
        });
    }

    /// Writes an entry. It removes the entries that it makes superfluous and takes the first free
    /// slot; in a full bucket it overwrites the entry that took the least work.
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
                // A new entry that is more general replaces this one, so that one fact occupies one
                // slot.
                *entry = [0; 4];
                self.used -= 1;
                slot = slot.or(Some(index));
            } else if work(entry) < cheapest.0 {
                cheapest = (work(entry), index);
            }
        }
        self.entries[slot.unwrap_or(cheapest.1)] = fields.pack(board_key, generation_now);
        if slot.is_some() {
            self.used += 1;
            if self.used * GROW_AT > self.buckets * WAYS as u64 {
                self.grow();
            }
        }
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
/// The entry consists of plain numbers, because the system provides a vector of zeros without
/// writing to it.
type Entry = [u64; 4];

const _: () = assert!(size_of::<Entry>() == 32);

/// The kind of an entry.
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

/// Maps a key evenly to one of `buckets` by a multiplication instead of a division (D. Lemire,
/// "Fast random integer generation in an interval", 2019).
pub(crate) fn bucket_index(key: u64, buckets: u64) -> usize {
    ((u128::from(key) * u128::from(buckets)) >> 64) as usize
}

/// Allocates `buckets * ways` zeroed entries, at least one bucket. If the system does not have the
/// memory, halves the number of buckets until it suffices.
pub(crate) fn allocate<const WORDS: usize>(buckets: usize, ways: usize) -> Vec<[u64; WORDS]> {
    let mut buckets = buckets.max(1);
    loop {
        let count = buckets.saturating_mul(ways);
        // A failed `vec!` would abort the program, so the size is tried out first.
        let granted = Vec::<[u64; WORDS]>::new().try_reserve_exact(count).is_ok();
        if granted || buckets == 1 {
            return vec![[0; WORDS]; count];
        }
        buckets /= 2;
    }
}

#[cfg(test)]
mod tests;
