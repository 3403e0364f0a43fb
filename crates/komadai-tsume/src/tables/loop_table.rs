//! Disproofs that hold on one path only.
//!
//! A node that is disproven because the line returns to one of its ancestors is not disproven on
//! other paths (see [`Reliance`]). This table stores such a disproof under the position and the
//! part of the path that starts at the earliest ancestor it relies on, here called the stretch. The
//! disproof is found again when the same stretch leads to the same position, independent of the
//! moves before the stretch. The method is that of A. Kishimoto and M. Müller, "A general solution
//! to the graph history interaction problem", 2004, with the stretch instead of the whole path.

use core::sync::atomic::{AtomicU64, Ordering};
use std::alloc::{Layout, handle_alloc_error};

use komadai_base::memory::ZeroedLines;
use komadai_core::Hand;

use crate::path::{Path, Reliance, position_hash};
use crate::plies::Plies;
use crate::tables::table::{Apart, bucket_index};

/// A table of fixed size. A new search does not clear it but starts a new generation.
///
/// A search uses only the first buckets, and twice as many as soon as half of the entries is in
/// use, like [`Table`](crate::tables::table::Table). Entries written before then are no longer
/// found, which is only slower: disproofs by repetition are many in few problems, and each of them
/// serves few paths.
///
/// Threads share it without locks, in the way of that table.
#[derive(Debug)]
pub(crate) struct LoopTable {
    buckets: ZeroedLines<Bucket>,
    /// The number of buckets in use.
    in_use: AtomicU64,
    /// The number of entries written since the last growth.
    written: Apart<AtomicU64>,
    generation: u16,
}

type Bucket = [[AtomicU64; 3]; WAYS];

/// Three words: the hash of the position, the hash of the stretch, and 16 bits each, from bit 0,
/// for the length of the stretch, the plies and the generation. The first word is combined with the
/// two others by exclusive or.
type Entry = [u64; 3];

/// Entries per bucket: the stretches by which one position is disproven are few.
const WAYS: usize = 4;

/// Largest number of buckets at the start of a search.
const MOST_FIRST_BUCKETS: u64 = 1 << 8;

impl LoopTable {
    /// Creates a table of at most `bytes`, but at least one bucket; smaller if the system refuses.
    pub(crate) fn new(bytes: usize) -> Self {
        let mut count = (bytes / size_of::<Bucket>()).max(1);
        let buckets = loop {
            match ZeroedLines::try_new(count) {
                Some(buckets) => break buckets,
                None if count > 1 => count /= 2,
                None => handle_alloc_error(Layout::new::<Bucket>()),
            }
        };
        let in_use = AtomicU64::new(1);
        let written = Apart::default();
        Self { buckets, in_use, written, generation: 0 }
    }

    /// Returns the allocated memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        size_of_val::<[Bucket]>(&self.buckets)
    }

    /// Returns the memory that the entries of this generation take at most, in bytes.
    pub(crate) fn used_bytes(&self) -> usize {
        let in_use = self.in_use.load(Ordering::Relaxed) as usize * size_of::<Bucket>();
        in_use.min(self.written.0.load(Ordering::Relaxed) as usize * size_of::<Entry>())
    }

    /// Invalidates all entries without writing to them.
    pub(crate) fn next_generation(&mut self) {
        // Generation numbers start again at 1, where old entries would count as new.
        if self.generation == u16::MAX {
            for bucket in self.buckets.iter() {
                bucket.iter().flatten().for_each(|word| word.store(0, Ordering::Relaxed));
            }
            self.generation = 0;
        }
        self.generation += 1;
        *self.in_use.get_mut() = MOST_FIRST_BUCKETS.min(self.buckets.len() as u64);
        *self.written.0.get_mut() = 0;
    }

    /// Searches for a disproof of a mate within `limit` that holds on this path, for the position
    /// that follows `path` and is not part of it. Returns the number of plies that the disproof
    /// covers and its reliance.
    pub(crate) fn look_up(
        &self,
        path: &Path,
        board_key: u64,
        hand: Hand,
        limit: Plies,
    ) -> Option<(Plies, Reliance)> {
        let position = position_hash(board_key, hand);
        self.bucket(position).iter().map(read).find_map(|entry| {
            if entry[0] != position || generation(&entry) != self.generation {
                return None;
            }
            let length = length_of(&entry);
            let plies = Plies::from_bits((entry[2] >> 16) as u16);
            let same_stretch = path.hash_of_last(length) == Some(entry[1]);
            (same_stretch && plies >= limit).then(|| (plies, Reliance::on_ply(path.len() - length)))
        })
    }

    fn bucket(&self, position: u64) -> &Bucket {
        &self.buckets[bucket_index(position, self.in_use.load(Ordering::Relaxed))]
    }

    /// Stores that there is no mate within `plies` in the position that follows `path` and is not
    /// part of it, as long as the path has the same stretch from the ply relied on. Ignores
    /// disproofs that do not rely on the path: they belong into the main table.
    pub(crate) fn store(
        &self,
        path: &Path,
        board_key: u64,
        hand: Hand,
        plies: Plies,
        reliance: Reliance,
    ) {
        let Some(length) = reliance.ply().and_then(|ply| path.len().checked_sub(ply)) else {
            return;
        };
        let Some(stretch) = path.hash_of_last(length) else { return };
        let position = position_hash(board_key, hand);
        self.grow_if_crowded();
        let bucket = self.bucket(position);
        let slot = bucket
            .iter()
            .position(|entry| {
                let entry = read(entry);
                let is_same =
                    entry[0] == position && entry[1] == stretch && length_of(&entry) == length;
                is_same || generation(&entry) != self.generation
            })
            // Any of them, the same one for the same stretch.
            .unwrap_or((stretch >> 32) as usize % WAYS);
        let rest =
            length as u64 | u64::from(plies.to_bits()) << 16 | u64::from(self.generation) << 32;
        let words = [position ^ stretch ^ rest, stretch, rest];
        for (word, value) in bucket[slot].iter().zip(words) {
            word.store(value, Ordering::Relaxed);
        }
    }

    fn grow_if_crowded(&self) {
        let written = self.written.0.load(Ordering::Relaxed) + 1;
        self.written.0.store(written, Ordering::Relaxed);
        let in_use = self.in_use.load(Ordering::Relaxed);
        if written > in_use * WAYS as u64 / 2 && in_use * 2 <= self.buckets.len() as u64 {
            self.in_use.store(in_use * 2, Ordering::Relaxed);
        }
    }
}

fn read(entry: &[AtomicU64; 3]) -> Entry {
    let [check, stretch, rest] = entry.each_ref().map(|word| word.load(Ordering::Relaxed));
    [check ^ stretch ^ rest, stretch, rest]
}

fn length_of(entry: &Entry) -> usize {
    usize::from(entry[2] as u16)
}

fn generation(entry: &Entry) -> u16 {
    (entry[2] >> 32) as u16
}
