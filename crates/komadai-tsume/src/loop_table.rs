//! Disproofs that hold on one path only.
//!
//! A node that is disproven because the line returns to one of its ancestors is not disproven for
//! good (see [`Reliance`]). The disproof is kept here under the position and the stretch of the path
//! from the earliest ancestor it relies on, and found again when the same stretch leads to the same
//! position, whatever came before. This is the idea of A. Kishimoto and M. Müller, "A general
//! solution to the graph history interaction problem", 2004, with the stretch instead of the whole
//! path.

use komadai_core::Hand;

use crate::path::{Path, position_hash};
use crate::plies::Plies;
use crate::reliance::Reliance;
use crate::table::{allocate, bucket_index};

/// A table of fixed size; a new search does not clear it.
#[derive(Debug)]
pub(crate) struct LoopTable {
    entries: Vec<Entry>,
    buckets: u64,
    generation: u16,
}

/// The position, the hash of the stretch, and its length, the plies and the generation (16 bits
/// each, from bit 0).
type Entry = [u64; 3];

const WAYS: usize = 4;

impl LoopTable {
    /// A table of at most `bytes`, but at least one bucket; smaller if the system refuses.
    pub(crate) fn new(bytes: usize) -> Self {
        let entries = allocate::<3>(bytes / size_of::<Entry>() / WAYS, WAYS);
        Self { buckets: (entries.len() / WAYS) as u64, entries, generation: 0 }
    }

    /// The memory in use.
    pub(crate) fn bytes(&self) -> usize {
        self.entries.len() * size_of::<Entry>()
    }

    /// Forgets everything, without touching the memory.
    pub(crate) fn next_generation(&mut self) {
        if self.generation == u16::MAX {
            self.entries.fill([0; 3]);
            self.generation = 0;
        }
        self.generation += 1;
    }

    /// Whether the position reached at the end of `path`, which does not hold it, is known not to be
    /// a mate within `limit` on this path; if so, up to how many plies, and relying on what.
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

    /// Stores that the position is no mate within `plies` after a path like this, which does not
    /// hold it, from the ply relied on. Disproofs that rely on nothing have no place here.
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
                // The oldest goes.
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
