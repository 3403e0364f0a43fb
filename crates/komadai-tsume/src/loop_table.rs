//! Disproofs that hold on one path only.
//!
//! A node that is disproven because the line returns to one of its ancestors is not disproven on
//! other paths (see [`Reliance`]). This table stores such a disproof under the position and the
//! part of the path that starts at the earliest ancestor it relies on, here called the stretch. The
//! disproof is found again when the same stretch leads to the same position, independent of the
//! moves before the stretch. The method is that of A. Kishimoto and M. Müller, "A general solution
//! to the graph history interaction problem", 2004, with the stretch instead of the whole path.

use komadai_core::Hand;

use crate::path::{Path, position_hash};
use crate::plies::Plies;
use crate::reliance::Reliance;
use crate::table::{allocate, bucket_index};

/// A table of fixed size. A new search does not clear it but starts a new generation.
#[derive(Debug)]
pub(crate) struct LoopTable {
    entries: Vec<Entry>,
    buckets: u64,
    generation: u16,
}

/// Three words: the hash of the position, the hash of the stretch, and 16 bits each, from bit 0,
/// for the length of the stretch, the plies and the generation.
type Entry = [u64; 3];

/// Entries per bucket: the stretches by which one position is disproven are few.
const WAYS: usize = 4;

impl LoopTable {
    /// Creates a table of at most `bytes`, but at least one bucket; smaller if the system refuses.
    pub(crate) fn new(bytes: usize) -> Self {
        let entries = allocate::<3>(bytes / size_of::<Entry>() / WAYS, WAYS);
        Self { buckets: (entries.len() / WAYS) as u64, entries, generation: 0 }
    }

    /// Returns the allocated memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.entries.len() * size_of::<Entry>()
    }

    /// Invalidates all entries without writing to them.
    pub(crate) fn next_generation(&mut self) {
        // Generation numbers start again at 1, where old entries would count as new.
        if self.generation == u16::MAX {
            self.entries.fill([0; 3]);
            self.generation = 0;
        }
        self.generation += 1;
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
        let start = bucket_index(position, self.buckets) * WAYS;
        self.entries[start..start + WAYS].iter().find_map(|entry| {
            if entry[0] != position || generation(entry) != self.generation {
                return None;
            }
            let length = entry[2] as u16 as usize;
            let plies = Plies::from_bits((entry[2] >> 16) as u16);
            let same_stretch = path.hash_of_last(length) == Some(entry[1]);
            (same_stretch && plies >= limit).then(|| (plies, Reliance::on_ply(path.len() - length)))
        })
    }

    /// Stores that there is no mate within `plies` in the position that follows `path` and is not
    /// part of it, as long as the path has the same stretch from the ply relied on. Ignores
    /// disproofs that do not rely on the path: they belong into the main table.
    pub(crate) fn store(
        &mut self,
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
        let start = bucket_index(position, self.buckets) * WAYS;
        let bucket = &mut self.entries[start..start + WAYS];
        let same = |entry: &Entry| {
            entry[0] == position && entry[1] == stretch && entry[2] as u16 as usize == length
        };
        let slot = bucket
            .iter()
            .position(|entry| generation(entry) != self.generation || same(entry))
            .unwrap_or_else(|| {
                // New entries come last, so the rotation puts the oldest into the last slot.
                bucket.rotate_left(1);
                WAYS - 1
            });
        bucket[slot] = [
            position,
            stretch,
            length as u64 | u64::from(plies.to_bits()) << 16 | u64::from(self.generation) << 32,
        ];
    }
}

fn generation(entry: &Entry) -> u16 {
    (entry[2] >> 32) as u16
}
