//! The transposition table of the solver, in fixed memory.
//!
//! Every entry holds on all paths to the position. Disproofs that hold on one path only are in
//! [`LoopTable`](crate::tables::loop_table::LoopTable).
//!
//! A proof is stored with the smallest hand that the attacker needs, and it holds for every larger
//! hand (dominance): more pieces for the attacker are fewer for the defender, and no rule punishes
//! a piece in hand. A disproof is stored with the largest hand that it covers (M. Seo, "The C*
//! algorithm for AND/OR tree search and its application to a tsume-shogi program", 1995; A. Nagai,
//! "Df-pn algorithm for searching AND/OR trees and its applications", 2002). All entries of one
//! board therefore share a bucket, which is found by the key without hands, and a lookup compares
//! hands.

use core::sync::atomic::{AtomicU64, Ordering};
use std::alloc::{Layout, handle_alloc_error};

use komadai_base::memory::{ZeroedLines, prefer_huge_pages, prefetch};
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

/// A table that grows with the search, up to a fixed size. A new search does not clear it: each
/// entry has the generation number of the search that wrote it, and entries of other generations
/// count as free.
///
/// A search uses only the first buckets, and twice as many as soon as half of the entries is in
/// use. A small problem therefore stays in the processor's caches and touches no new pages, however
/// large the table is. The growth moves a few buckets for each visited position, so that no visit
/// takes long: all of them at once would take half a second in a table of 1 GiB whose pages are
/// new, during which no deadline is kept.
///
/// Threads share the table without locks. A word of each entry is combined with the others by
/// exclusive or, so that an entry of which another thread has overwritten a part matches no board
/// (R. Hyatt and T. Mann, "A lock-less transposition table implementation for parallel search chess
/// engines", 2002). Whatever else goes wrong between threads loses an entry, which is only slower.
/// Only [`grow`](Self::grow) must be called by a single thread.
#[derive(Debug)]
pub(crate) struct Table {
    lines: ZeroedLines<Line>,
    /// The number of buckets at the start of a search; the number of all buckets is a power of two
    /// times as large.
    first_buckets: u64,
    /// The number of buckets in use, or before the growth that is under way.
    buckets: AtomicU64,
    /// The number of buckets that the growth under way has still to move; all of them if there is
    /// no growth.
    unmoved: AtomicU64,
    /// The largest number of buckets in use since the tags were cleared.
    touched: u64,
    /// The number of entries of this generation, overwritten ones not counted twice.
    used: Apart<AtomicU64>,
    generation: u32,
}

/// A value that shares no cache line, nor the pair of lines that processors load together, with
/// others. If it did, each write by a thread would make the other threads load the values beside it
/// again.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(crate) struct Apart<T>(pub(crate) T);

/// A cache line: the tags of a bucket, or two entries.
///
/// The first line of a bucket has a tag for each of its entries, so that a look-up that finds
/// nothing, as most do, reads a single line.
type Line = [AtomicU64; 8];

/// Entries per bucket. A bucket holds boards with many different hands.
const WAYS: usize = 16;

/// Lines per bucket.
const LINES: usize = 1 + WAYS / 2;

/// Largest number of buckets at the start of a search: 288 KiB, which fit into a second-level
/// cache.
const MOST_FIRST_BUCKETS: usize = 1 << 9;

/// The buckets double when more than one entry in this many is in use.
const GROW_AT: u64 = 2;

impl Table {
    /// Creates a table of at most `bytes`, but at least one bucket; smaller if the system refuses.
    pub(crate) fn new(bytes: usize) -> Self {
        let mut first = (bytes / (LINES * size_of::<Line>())).max(1);
        let mut doublings = 0;
        while first > MOST_FIRST_BUCKETS {
            (first, doublings) = (first / 2, doublings + 1);
        }
        let lines = loop {
            match ZeroedLines::try_new((first << doublings) * LINES) {
                Some(lines) => break lines,
                None if doublings > 0 => doublings -= 1,
                None => handle_alloc_error(Layout::new::<Line>()),
            }
        };
        // A small problem does not touch what lies beyond, and a page of the system's large ones
        // would cost it more than the whole search.
        let small = lines.len().min(MOST_FIRST_BUCKETS * LINES * 16);
        prefer_huge_pages(&lines[small..]);
        let first_buckets = first as u64;
        Self {
            lines,
            first_buckets,
            buckets: AtomicU64::new(first_buckets),
            unmoved: AtomicU64::new(first_buckets),
            touched: first_buckets,
            used: Apart::default(),
            generation: 0,
        }
    }

    /// Returns the memory that the entries of this generation take, in bytes.
    pub(crate) fn used_bytes(&self) -> usize {
        self.used.0.load(Ordering::Relaxed) as usize * size_of::<Line>() * LINES / WAYS
    }

    /// Returns the allocated memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val::<[Line]>(&self.lines)
    }

    /// Invalidates all entries, in all but one of 2,047 cases without writing to them.
    pub(crate) fn next_generation(&mut self) {
        let growth = 1 + u64::from(self.is_growing());
        self.touched = self.touched.max(growth * *self.buckets.get_mut());
        // Generation numbers start again at 1, where old entries would count as new.
        if self.generation == TAG_GENERATIONS - 1 {
            for tags in self.lines.iter().step_by(LINES).take(self.touched as usize) {
                tags.iter().for_each(|word| word.store(0, Ordering::Relaxed));
            }
            (self.generation, self.touched) = (0, self.first_buckets);
        }
        self.generation += 1;
        *self.buckets.get_mut() = self.first_buckets;
        *self.unmoved.get_mut() = self.first_buckets;
        *self.used.0.get_mut() = 0;
    }

    /// Returns true if the table should [`grow`](Self::grow).
    #[inline]
    pub(crate) fn is_crowded(&self) -> bool {
        let buckets = self.buckets.load(Ordering::Relaxed);
        let is_half_full = self.used.0.load(Ordering::Relaxed) * GROW_AT > buckets * WAYS as u64;
        (is_half_full || self.is_growing()) && buckets as usize * 2 * LINES <= self.lines.len()
    }

    /// Returns true if some buckets have been moved, but not all.
    #[inline]
    fn is_growing(&self) -> bool {
        self.unmoved.load(Ordering::Relaxed) < self.buckets.load(Ordering::Relaxed)
    }

    /// Begins or continues to double the number of buckets in use, by moving `most` of them. No
    /// other thread may use the table meanwhile: nothing unsafe would happen, but entries would be
    /// lost.
    ///
    /// The index of a bucket consists of the highest bits of the key, so the entries of bucket *i*
    /// belong into the buckets 2*i* and 2*i* + 1. From the last to the first, both of them have
    /// been emptied before they are written, except bucket 0, which is its own successor and is
    /// written last. The buckets from *i* on take the place of those from 2*i* on, which are none
    /// of the unmoved ones (linear hashing: W. Litwin, "Linear hashing: a new tool for file and
    /// table addressing", 1980, which moves from the first to the last).
    #[cold]
    pub(crate) fn grow(&self, most: u64) {
        if !self.is_crowded() {
            return;
        }
        let old = self.buckets.load(Ordering::Relaxed);
        let unmoved = self.unmoved.load(Ordering::Relaxed);
        let rest = unmoved.saturating_sub(most);
        // From the last bucket on, because the two that follow from one stand behind it.
        for index in (rest..unmoved).rev() {
            self.split(index as usize, 2 * old);
        }
        match rest {
            0 => {
                self.buckets.store(2 * old, Ordering::Relaxed);
                self.unmoved.store(2 * old, Ordering::Relaxed);
            }
            _ => self.unmoved.store(rest, Ordering::Relaxed),
        }
    }

    /// Distributes the entries of a bucket over the two that follow from it among the new number of
    /// buckets.
    fn split(&self, index: usize, buckets: u64) {
        let bucket = self.bucket_at(index);
        let entries: [(u32, Entry); WAYS] =
            core::array::from_fn(|slot| (bucket.tag(slot), bucket.entry(slot)));
        let successors = [self.bucket_at(2 * index), self.bucket_at(2 * index + 1)];
        for successor in &successors {
            successor.tags.iter().for_each(|word| word.store(0, Ordering::Relaxed));
        }
        let mut free = [0, 0];
        for (tag, entry) in entries {
            if tag_generation(tag) == self.generation {
                let side = usize::from(bucket_index(key_of(&entry), buckets) != 2 * index);
                successors[side].write(free[side], tag, &entry);
                free[side] += 1;
            }
        }
    }

    fn bucket_at(&self, index: usize) -> Bucket<'_> {
        let lines = &self.lines[index * LINES..(index + 1) * LINES];
        let (tags, entries) = lines.split_first().expect("a bucket has lines");
        Bucket { tags, entries }
    }

    /// Returns the entries of a board.
    #[inline]
    fn bucket(&self, board_key: u64) -> Bucket<'_> {
        self.bucket_at(self.index(board_key))
    }

    /// Returns the index of a board's bucket.
    #[inline]
    fn index(&self, board_key: u64) -> usize {
        let moved = bucket_index(board_key, 2 * self.buckets.load(Ordering::Relaxed));
        let unmoved = moved / 2;
        if unmoved < self.unmoved.load(Ordering::Relaxed) as usize { unmoved } else { moved }
    }

    /// Starts to load what a look-up of this board reads first.
    #[inline]
    pub(crate) fn prefetch(&self, board_key: u64) {
        prefetch(&self.lines[self.index(board_key) * LINES]);
    }

    /// Returns the result for a mate within `limit` in the position with this board and this hand
    /// of the attacker. If several proofs apply, returns the shortest one.
    pub(crate) fn look_up(&self, board_key: u64, hand: Hand, limit: Plies) -> Lookup {
        self.find::<false>(board_key, hand, limit).0
    }

    /// Returns the same, and the numbers that the position has at least if it is unsolved: its
    /// proof number is not smaller than that of the same board with a larger hand, and its disproof
    /// number than that with a smaller one.
    #[inline(never)]
    pub(crate) fn look_up_with_least(
        &self,
        board_key: u64,
        hand: Hand,
        limit: Plies,
    ) -> (Lookup, Numbers) {
        self.find::<true>(board_key, hand, limit)
    }

    #[inline(always)]
    fn find<const WITH_LEAST: bool>(
        &self,
        board_key: u64,
        hand: Hand,
        limit: Plies,
    ) -> (Lookup, Numbers) {
        let bucket = self.bucket(board_key);
        let mut found = Lookup::Absent;
        let mut proof = 1;
        let mut disproof = 1;
        let mut slots = bucket.matching(pack_tag(board_key, self.generation, 0));
        while slots != 0 {
            let entry = bucket.entry(slots.trailing_zeros() as usize);
            slots &= slots - 1;
            // Another board with the same tag, or an entry of which another thread has written a
            // part.
            if key_of(&entry) != board_key {
                continue;
            }
            let Some(stored) = hand_of(&entry) else { continue };
            let plies = plies(&entry);
            match tag(&entry) {
                Tag::Proven
                    if plies <= limit
                        && hand.dominates(stored)
                        && !matches!(found, Lookup::Proven { plies: other, .. } if other <= plies) =>
                {
                    found = Lookup::Proven { hand: stored, plies, best: best(&entry) };
                }
                Tag::Disproven if plies >= limit && stored.dominates(hand) => {
                    return (Lookup::Disproven { hand: stored, plies }, Numbers::DISPROVEN);
                }
                tag @ (Tag::Open | Tag::OpenWithLoops) => {
                    let numbers = numbers(&entry);
                    if stored == hand && found == Lookup::Absent {
                        let has_loops = tag == Tag::OpenWithLoops;
                        let min_ply = min_ply(&entry);
                        found = Lookup::Open(Open { numbers, min_ply, has_loops });
                    }
                    if !WITH_LEAST {
                        continue;
                    }
                    if stored.dominates(hand) {
                        proof = proof.max(numbers.proof);
                    } else if hand.dominates(stored) {
                        disproof = disproof.max(numbers.disproof);
                    }
                }
                _ => {}
            }
        }
        (found, Numbers::open(proof, disproof))
    }

    /// Stores that the attacker mates within `plies` with `hand` or a larger one; `best` is its
    /// first move and `work` the number of nodes spent.
    pub(crate) fn store_proven(
        &self,
        board_key: u64,
        hand: Hand,
        plies: Plies,
        best: Option<Move>,
        work: u64,
    ) {
        let entry = Fields { hand, plies, best, ..Fields::new(Tag::Proven) };
        self.store(board_key, &entry, work, |tag, stored, stored_plies| {
            stored.dominates(hand) && (tag != Tag::Proven || stored_plies >= plies)
        });
    }

    /// Stores that the attacker does not mate within `plies` with `hand` or a smaller one.
    pub(crate) fn store_disproven(&self, board_key: u64, hand: Hand, plies: Plies, work: u64) {
        let entry = Fields { hand, plies, ..Fields::new(Tag::Disproven) };
        self.store(board_key, &entry, work, |tag, stored, stored_plies| {
            hand.dominates(stored) && (tag != Tag::Disproven || stored_plies <= plies)
        });
    }

    /// Stores the numbers of an unsolved position.
    pub(crate) fn store_open(&self, board_key: u64, hand: Hand, open: Open, work: u64) {
        let tag = if open.has_loops { Tag::OpenWithLoops } else { Tag::Open };
        let Open { numbers, min_ply, .. } = open;
        let entry = Fields { hand, numbers, min_ply, ..Fields::new(tag) };
        self.store(board_key, &entry, work, |tag, stored, _| {
            matches!(tag, Tag::Open | Tag::OpenWithLoops) && stored == hand
        });
    }

    /// Writes an entry. It removes the entries that it makes superfluous and takes the first free
    /// slot; in a full bucket it overwrites the entry that took the least work.
    #[inline]
    fn store(
        &self,
        board_key: u64,
        fields: &Fields,
        work: u64,
        mut is_superfluous: impl FnMut(Tag, Hand, Plies) -> bool,
    ) {
        let bucket = self.bucket(board_key);
        let new_tag = pack_tag(board_key, self.generation, work_level(work));
        let mut slot = None;
        let mut is_new = true;
        let mut slots = bucket.matching(new_tag);
        while slots != 0 {
            let candidate = slots.trailing_zeros() as usize;
            slots &= slots - 1;
            let entry = bucket.entry(candidate);
            if key_of(&entry) != board_key {
                continue;
            }
            let Some(stored) = hand_of(&entry) else { continue };
            if is_superfluous(tag(&entry), stored, plies(&entry)) {
                // A new entry that is more general replaces this one, so that one fact occupies one
                // slot.
                if slot.is_some() {
                    bucket.set_tag(candidate, 0);
                    self.count(-1);
                } else {
                    (slot, is_new) = (Some(candidate), false);
                }
            }
        }
        let slot = slot.unwrap_or_else(|| {
            let (slot, is_free) = bucket.free_or_cheapest(self.generation);
            is_new = is_free;
            slot
        });
        bucket.write(slot, new_tag, &fields.pack(board_key));
        if is_new {
            self.count(1);
        }
    }

    /// Adds to the number of entries in use. Two threads at the same time may lose one of two
    /// additions.
    #[inline]
    fn count(&self, difference: i64) {
        let used = self.used.0.load(Ordering::Relaxed).saturating_add_signed(difference);
        self.used.0.store(used, Ordering::Relaxed);
    }
}

/// The entries of a few boards, with their tags.
struct Bucket<'a> {
    tags: &'a Line,
    entries: &'a [Line],
}

impl Bucket<'_> {
    /// Returns a bit for each entry whose tag has the key and the generation of `tag`.
    #[inline]
    fn matching(&self, tag: u32) -> u32 {
        let mut slots = 0;
        for (index, word) in self.tags.iter().enumerate() {
            let word = word.load(Ordering::Acquire);
            let lower = u32::from((word as u32 ^ tag) & TAG_MASK == 0);
            let upper = u32::from(((word >> 32) as u32 ^ tag) & TAG_MASK == 0);
            slots |= (lower | upper << 1) << (2 * index);
        }
        slots
    }

    /// Returns a slot of another generation and true, or the one that took the least work and
    /// false.
    fn free_or_cheapest(&self, generation: u32) -> (usize, bool) {
        let mut cheapest = (u32::MAX, 0);
        for slot in 0..WAYS {
            let tag = self.tag(slot);
            if tag_generation(tag) != generation {
                return (slot, true);
            }
            cheapest = cheapest.min((tag >> TAG_WORK_SHIFT, slot));
        }
        (cheapest.1, false)
    }

    #[inline]
    fn tag(&self, slot: usize) -> u32 {
        (self.tags[slot / 2].load(Ordering::Acquire) >> (slot % 2 * 32)) as u32
    }

    /// Another thread that sets the other tag of the word at the same time may undo this or be
    /// undone: either way an entry is lost, or one that was superfluous stays.
    #[inline]
    fn set_tag(&self, slot: usize, tag: u32) {
        let word = &self.tags[slot / 2];
        let shift = slot % 2 * 32;
        let rest = word.load(Ordering::Relaxed) & !(u64::from(u32::MAX) << shift);
        // After the entry: a reader that sees the tag sees the entry.
        word.store(rest | u64::from(tag) << shift, Ordering::Release);
    }

    #[inline]
    fn entry(&self, slot: usize) -> Entry {
        let line = &self.entries[slot / 2];
        let start = slot % 2 * 4;
        core::array::from_fn(|word| line[start + word].load(Ordering::Relaxed))
    }

    #[inline]
    fn write(&self, slot: usize, tag: u32, entry: &Entry) {
        let line = &self.entries[slot / 2];
        let start = slot % 2 * 4;
        for (word, value) in line[start..start + 4].iter().zip(entry) {
            word.store(*value, Ordering::Relaxed);
        }
        self.set_tag(slot, tag);
    }
}

/// The number of bits of a tag for the work, for the generation and for a part of the key.
const TAG_WORK_SHIFT: u32 = 27;
const TAG_GENERATION_SHIFT: u32 = 16;
const TAG_GENERATIONS: u32 = 1 << (TAG_WORK_SHIFT - TAG_GENERATION_SHIFT);

/// The part of a tag that a look-up compares: generation and key.
const TAG_MASK: u32 = (1 << TAG_WORK_SHIFT) - 1;

/// The tag of an entry: the lowest 16 bits of the key, 11 bits of generation, 5 bits of work. The
/// bucket is found by the highest bits of the key.
const fn pack_tag(board_key: u64, generation: u32, work_level: u32) -> u32 {
    board_key as u16 as u32 | generation << TAG_GENERATION_SHIFT | work_level << TAG_WORK_SHIFT
}

const fn tag_generation(tag: u32) -> u32 {
    (tag & TAG_MASK) >> TAG_GENERATION_SHIFT
}

/// Half-octaves of a number of nodes, at most 31.
fn work_level(work: u64) -> u32 {
    let work = work.saturating_add(1);
    let octave = work.ilog2();
    let is_upper_half = octave > 0 && work >> (octave - 1) & 1 == 1;
    (2 * octave + u32::from(is_upper_half)).min(31)
}

/// Four words, each field a few bits of one:
///
/// | word | bits 0–15 | 16–31 | 32–47 | 48–63 |
/// |---|---|---|---|---|
/// | 0 | board key, combined with the other words by exclusive or | | | |
/// | 1 | hand | | proof number | |
/// | 2 | disproof number | | plies | smallest ply |
/// | 3 | best move | unused | unused | tag |
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
        }
    }

    fn pack(&self, board_key: u64) -> Entry {
        let best = self.best.map_or(0, Move::to_bits);
        let words = [
            u64::from(self.hand.to_bits()) | u64::from(self.numbers.proof) << 32,
            u64::from(self.numbers.disproof)
                | u64::from(self.plies.to_bits()) << 32
                | u64::from(self.min_ply) << 48,
            u64::from(best) | (self.tag as u64) << 48,
        ];
        let [a, b, c] = words;
        [board_key ^ a ^ b ^ c, a, b, c]
    }
}

/// Returns the board key of an entry. A torn entry gives any number.
fn key_of(entry: &Entry) -> u64 {
    entry[0] ^ entry[1] ^ entry[2] ^ entry[3]
}

fn hand_of(entry: &Entry) -> Option<Hand> {
    Hand::from_bits(entry[1] as u32)
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

#[cfg(test)]
mod tests;
