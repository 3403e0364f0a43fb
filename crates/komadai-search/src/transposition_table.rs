//! The transposition table: search results by the key of the position.
//!
//! `entry.rs` packs an entry, and `clusters.rs` is the lock-free memory. `hit.rs` is what the
//! search sees of an entry, `value_table.rs` the small table of the two-stage quiescence search.

pub(crate) mod clusters;
pub(crate) mod entry;
pub(crate) mod hit;
pub(crate) mod value_table;

use core::sync::atomic::{AtomicU8, Ordering};
use std::sync::OnceLock;

use komadai_base::memory::prefetch;
use komadai_core::{Position, Pv};
use komadai_movegen::{MoveGen, Repetition};

use crate::museum::dominance_table::DominanceTable;
use clusters::{Cluster, Clusters, SLOTS, Slot, SlotAccess};
use entry::{Entry, GENERATIONS, PackedEntry};

/// A transposition table of fixed size, shared between threads and between searchers.
///
/// Entries are compared by all 64 bits of the key. Four slots share a cache line; a new entry
/// replaces the one that is least deep and oldest.
///
/// All methods but [`resize`](Self::resize) take `&self`. Searchers share a table in an
/// [`Arc`](std::sync::Arc): see [`AlphaBeta::with_table`](crate::AlphaBeta::with_table). The memory
/// is taken from the system where entries are first stored, and emptying the table visits only the
/// parts that were used.
///
/// # Examples
///
/// ```
/// use komadai_core::{Bound, Position, Score};
/// use komadai_search::{Entry, TranspositionTable};
///
/// let table = TranspositionTable::new(1);
/// let position = Position::hirate();
/// assert!(table.probe(position.key()).is_none());
///
/// let entry = Entry {
///     best: Some("7g7f".parse()?),
///     score: Score::cp(30),
///     static_score: None,
///     depth: 8,
///     bound: Bound::Exact,
///     pv: true,
/// };
/// table.store(position.key(), entry);
/// assert_eq!(table.probe(position.key()), Some(entry));
/// # Ok::<(), komadai_core::UsiError>(())
/// ```
#[derive(Debug)]
pub struct TranspositionTable {
    clusters: Clusters,
    /// The number of the current search, modulo [`GENERATIONS`].
    generation: AtomicU8,
    /// Results by board and hand. Allocated at the first use, because the technique is off by
    /// default.
    dominance: OnceLock<DominanceTable>,
}

/// The slot of a key: where its entry is, or else the least valuable one of its cluster.
///
/// A node looks for it once, and stores its result there.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Place {
    pub(crate) key: u64,
    /// The number of the slot in the table.
    slot: usize,
    /// The entry in the slot at that time. By the end of the node's search, another one may have
    /// replaced it.
    bits: u64,
}

impl TranspositionTable {
    /// The largest size, in MiB.
    pub(crate) const MAX_MIB: usize = 1 << 17;

    /// Largest number of moves of [`pv_from`](Self::pv_from).
    pub const MAX_PV: usize = 128;

    /// Returns an empty table of `mib` MiB, at least 1 and at most 131,072.
    ///
    /// The size is halved until the system grants the memory; [`mib`](Self::mib) returns the
    /// result.
    pub fn new(mib: usize) -> Self {
        Self {
            clusters: Clusters::of_mib(mib.clamp(1, Self::MAX_MIB)),
            generation: AtomicU8::new(0),
            dominance: OnceLock::new(),
        }
    }

    /// Resizes the table to `mib` MiB, as [`new`](Self::new) does, and empties it.
    ///
    /// A table that others share in an [`Arc`](std::sync::Arc) cannot be resized.
    pub fn resize(&mut self, mib: usize) {
        // The old memory is freed before the new memory is allocated.
        self.clusters = Clusters::of_one();
        self.dominance = OnceLock::new();
        *self = Self::new(mib);
    }

    /// Asks for huge pages, before the first use of the table.
    pub(crate) fn prefer_huge_pages(&self) {
        self.clusters.prefer_huge_pages();
    }

    /// Gets the memory from the system, with several threads.
    pub(crate) fn populate_on(&self, threads: usize) {
        self.clusters.populate_on(threads);
    }

    /// Returns whether huge pages have been asked for; `None` where the system has none.
    #[cfg(all(test, target_os = "linux"))]
    pub(crate) fn prefers_huge_pages(&self) -> Option<bool> {
        self.clusters.prefers_huge_pages()
    }

    /// Returns the size in MiB.
    pub fn mib(&self) -> usize {
        self.clusters.mib()
    }

    /// Removes all entries. What a search stores at the same time may stay.
    pub fn clear(&self) {
        self.clear_on(1);
    }

    /// Removes all entries, with several threads: memory bandwidth of one is not enough.
    pub(crate) fn clear_on(&self, threads: usize) {
        self.clusters.clear_on(threads);
        if let Some(dominance) = self.dominance.get() {
            dominance.clear_on(threads);
        }
        self.generation.store(0, Ordering::Relaxed);
    }

    /// Starts a new search. Entries of earlier searches are replaced first from now on.
    ///
    /// A search of [`AlphaBeta`](crate::AlphaBeta) begins with it. If two searchers start at the
    /// same moment, they may count as one search.
    pub fn age(&self) {
        // Relaxed: an entry with the number of the search before loses a little of its value.
        self.generation.store((self.generation() + 1) % GENERATIONS, Ordering::Relaxed);
    }

    /// Returns the entry of the position with this key. Its mates are counted from that position.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.find(key).0.and_then(PackedEntry::unpack)
    }

    /// Returns the entry of the position with this key, and the place to store one.
    #[inline]
    pub(crate) fn find(&self, key: u64) -> (Option<PackedEntry>, Place) {
        let first = self.clusters.index(key) * SLOTS;
        let cluster = self.clusters.at(key);
        for (index, slot) in cluster.iter().enumerate() {
            let (found, bits) = slot.read();
            // The slots of a cluster are filled in order: behind an unused one there is no entry.
            if found == key || bits == 0 {
                return (PackedEntry::from_bits(bits), Place { key, slot: first + index, bits });
            }
        }
        let (index, bits) = self.least_valuable(cluster);
        (None, Place { key, slot: first + index, bits })
    }

    /// Returns the index and the content of the least valuable slot of a cluster.
    fn least_valuable(&self, cluster: &Cluster) -> (usize, u64) {
        let generation = self.generation();
        let value = |bits| {
            PackedEntry::from_bits(bits)
                .map_or(i32::MIN, |entry| entry.replacement_value(generation))
        };
        let bits = cluster.each_ref().map(|slot| slot.read().1);
        let values = bits.map(value);
        let mut index = 0;
        for other in 1..SLOTS {
            if values[other] < values[index] {
                index = other;
            }
        }
        (index, bits[index])
    }

    /// Stores `entry` for the position with this key, unless the table holds a much deeper one of
    /// the same search.
    ///
    /// The best move of an older entry of the position stays if the new entry has none.
    pub fn store(&self, key: u64, entry: Entry) {
        self.find_and_store(key, PackedEntry::new(&entry.into(), self.generation()));
    }

    fn find_and_store(&self, key: u64, entry: PackedEntry) {
        let (_, place) = self.find(key);
        let slot = self.clusters.slot(place.slot);
        self.write(slot, slot.read(), key, entry);
    }

    /// Stores `entry` as [`store`](Self::store) does, in the place that [`find`](Self::find)
    /// returned.
    ///
    /// If another position has got the slot since, the table chooses the least valuable slot again.
    #[inline]
    pub(crate) fn store_at(&self, place: &Place, entry: PackedEntry) {
        let slot = self.clusters.slot(place.slot);
        let (found, bits) = slot.read();
        if found == place.key || bits == place.bits {
            self.write(slot, (found, bits), place.key, entry);
        } else {
            self.find_and_store(place.key, entry);
        }
    }

    /// Writes `entry` to a slot that held `old`, of the same position or to be replaced.
    #[inline]
    fn write(&self, slot: &Slot, (found, old): (u64, u64), key: u64, mut entry: PackedEntry) {
        match PackedEntry::from_bits(old) {
            None => self.clusters.touch(key),
            Some(old) if found == key => {
                if old.is_preferred_to(entry) {
                    return;
                }
                entry = entry.or_best_of(old);
            }
            Some(_) => {}
        }
        slot.write(key, entry.to_bits());
    }

    /// Returns the line of best moves that the table holds from `position` on: legal moves only.
    ///
    /// The line ends at a position without a best move in the table, at a repetition, and after
    /// [`MAX_PV`](Self::MAX_PV) moves. Its later moves come from searches of other depths and
    /// windows than the first, and may be refutations.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::{Budget, Position};
    /// use komadai_eval::Material;
    /// use komadai_search::{AlphaBeta, SearchOptions, Searcher, TranspositionTable};
    ///
    /// let mut searcher = AlphaBeta::new(Material, SearchOptions::default());
    /// let position = Position::hirate();
    /// let analysis = searcher.search(&position, &Budget::nodes(5_000), &mut |_| {});
    /// let line = searcher.table().pv_from(&position);
    /// assert!((2..=TranspositionTable::MAX_PV).contains(&line.len()), "a move and an answer");
    /// ```
    pub fn pv_from(&self, position: &Position) -> Pv {
        let mut position = position.clone();
        let mut line = Pv::new();
        while line.len() < Self::MAX_PV
            && let Some(m) = self.probe(position.key()).and_then(|entry| entry.best)
            && position.is_legal(m)
        {
            line.push(m);
            position.do_move(m);
            // Of the line with its first position, or of the game.
            if position.search_repetition(line.len() + 1) != Repetition::None {
                break;
            }
        }
        line
    }

    /// Prefetches the memory that [`probe`](Self::probe) will read.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        prefetch(self.clusters.at(key));
    }

    /// Returns the share of the table that the current search has filled, in thousandths (USI
    /// `hashfull`), from a sample.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::{Budget, Position};
    /// use komadai_eval::Material;
    /// use komadai_search::{AlphaBeta, SearchOptions, Searcher};
    ///
    /// let options = SearchOptions { hash_mib: 1, ..SearchOptions::default() };
    /// let mut searcher = AlphaBeta::new(Material, options);
    /// searcher.search(&Position::hirate(), &Budget::nodes(20_000), &mut |_| {});
    /// assert!(searcher.table().permille_used() > 0);
    /// searcher.table().age();
    /// assert_eq!(searcher.table().permille_used(), 0);
    /// ```
    pub fn permille_used(&self) -> u32 {
        let sample = self.clusters.sample();
        let generation = self.generation();
        let slots = sample.len() * SLOTS;
        let is_used =
            |bits| PackedEntry::from_bits(bits).is_some_and(|entry| entry.is_of(generation));
        let used = sample.flatten().filter(|slot| is_used(slot.read().1)).count();
        (used * 1_000 / slots) as u32
    }

    /// Returns the table of results by board and hand: a quarter as large as the table itself, in
    /// addition to it.
    #[inline]
    pub(crate) fn dominance(&self) -> &DominanceTable {
        self.dominance.get_or_init(|| DominanceTable::new(self.mib() / 4))
    }

    /// Returns the number of the current search.
    #[inline]
    pub(crate) fn generation(&self) -> u8 {
        self.generation.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use komadai_core::{Bound, Move, Score};

    use super::*;

    fn entry(cp: i32, depth: u8) -> Entry {
        Entry {
            best: Move::from_bits(0x1234),
            score: Score::cp(cp),
            static_score: Some(Score::cp(-cp)),
            depth,
            bound: Bound::Lower,
            pv: false,
        }
    }

    /// Returns keys of one cluster.
    fn keys_of_one_cluster(count: u64) -> impl Iterator<Item = u64> {
        (0..count).map(|low| 0x1234_5678_0000_0000 | low)
    }

    #[test]
    fn deep_and_recent_entries_stay() {
        let table = TranspositionTable::new(1);
        let keys: Vec<u64> = keys_of_one_cluster(6).collect();
        for (key, depth) in keys.iter().zip([9, 3, 8, 7]) {
            table.store(*key, entry(1, depth));
        }
        table.store(keys[4], entry(1, 1));
        assert_eq!(table.probe(keys[1]), None, "the least deep entry goes");
        assert_eq!(table.probe(keys[4]), Some(entry(1, 1)));
        table.age();
        for key in &keys[..3] {
            table.store(*key, entry(2, 2));
        }
        table.store(keys[5], entry(2, 2));
        let kept: Vec<_> = keys.iter().map(|key| table.probe(*key).is_some()).collect();
        assert_eq!(kept.iter().filter(|kept| **kept).count(), 4);
        assert!(kept[5] && !kept[4], "the least deep entry of the last search goes");
    }

    #[test]
    fn the_best_move_survives_a_later_bound() {
        let table = TranspositionTable::new(1);
        table.store(7, entry(1, 3));
        table.store(7, Entry { best: None, bound: Bound::Upper, ..entry(5, 9) });
        let found = table.probe(7).unwrap();
        assert_eq!((found.best, found.depth), (Move::from_bits(0x1234), 9));
    }

    #[test]
    fn a_bound_does_not_replace_a_much_deeper_entry() {
        let table = TranspositionTable::new(1);
        table.store(7, entry(1, 20));
        table.store(7, entry(2, 5));
        assert_eq!(table.probe(7), Some(entry(1, 20)));
        table.store(7, Entry { bound: Bound::Exact, ..entry(2, 5) });
        assert_eq!(table.probe(7).unwrap().depth, 5);
        table.store(7, entry(1, 20));
        table.age();
        table.store(7, entry(2, 5));
        assert_eq!(table.probe(7).unwrap().depth, 5);
    }

    #[test]
    fn a_result_goes_to_its_place_unless_another_position_has_got_it() {
        let table = TranspositionTable::new(1);
        let pack = |entry: Entry| PackedEntry::new(&entry.into(), table.generation());
        let keys: Vec<u64> = keys_of_one_cluster(6).collect();
        // The first slot is found free by two nodes, of which the later one stores first.
        let (found, place) = table.find(keys[0]);
        assert_eq!(found, None);
        table.store_at(&table.find(keys[1]).1, pack(entry(1, 9)));
        table.store_at(&place, pack(entry(2, 8)));
        assert_eq!(table.probe(keys[1]), Some(entry(1, 9)));
        assert_eq!(table.probe(keys[0]), Some(entry(2, 8)));
        // The same with the least valuable entry of a full cluster.
        table.store(keys[2], entry(1, 3));
        table.store(keys[3], entry(1, 7));
        let (_, place) = table.find(keys[4]);
        table.store(keys[5], entry(1, 10));
        table.store_at(&place, pack(entry(2, 6)));
        let kept = keys.iter().map(|key| table.probe(*key).map(|entry| entry.depth));
        assert_eq!(
            kept.collect::<Vec<_>>(),
            [8, 9, 0, 0, 6, 10].map(|depth| (depth > 0).then_some(depth))
        );
        // The rules of replacement hold for the own entry.
        let (found, place) = table.find(keys[5]);
        assert_eq!(found.map(PackedEntry::depth), Some(10));
        table.store_at(&place, pack(entry(3, 2)));
        assert_eq!(table.probe(keys[5]), Some(entry(1, 10)), "much deeper");
        table.store_at(&place, pack(Entry { best: None, ..entry(3, 7) }));
        assert_eq!(table.probe(keys[5]), Some(entry(3, 7)), "with the move of the old one");
    }

    #[test]
    fn clearing_and_resizing_remove_all_entries() {
        let mut table = TranspositionTable::new(0);
        assert_eq!(table.mib(), 1);
        table.store(7, entry(1, 3));
        table.clear();
        assert_eq!(table.probe(7), None);
        table.store(7, entry(1, 3));
        table.resize(2);
        assert_eq!((table.mib(), table.probe(7)), (2, None));
        for key in (0..64).map(|high| high << 58) {
            table.store(key, entry(1, 3));
        }
        table.clear_on(3);
        assert!((0..64).all(|high| table.probe(high << 58).is_none()));
    }

    #[test]
    fn fullness_counts_the_current_search() {
        let table = TranspositionTable::new(1);
        assert_eq!(table.permille_used(), 0);
        for key in 0..1 << 20 {
            // Spread over the whole table.
            table.store((key << 44) | key, entry(1, 1));
        }
        assert_eq!(table.permille_used(), 1_000);
        table.age();
        assert_eq!(table.permille_used(), 0);
    }

    #[test]
    fn threads_never_read_torn_entries() {
        let table = TranspositionTable::new(1);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let table = &table;
                scope.spawn(move || {
                    for round in 0..200_000_u64 {
                        // Eight keys that compete for four slots; each key has one value.
                        let low = (round * 7 + thread) % 8;
                        let key = 0x1234_5678_0000_0000 | low;
                        let own = entry(low as i32 * 100, low as u8);
                        let (found, place) = table.find(key);
                        if let Some(found) = found.and_then(PackedEntry::unpack) {
                            assert_eq!(found, own);
                        }
                        table.store_at(&place, PackedEntry::new(&own.into(), table.generation()));
                    }
                });
            }
        });
    }
}
