//! External merge sort of entries.

use std::cmp::Ordering;
use std::collections::BinaryHeap;
use std::env;
use std::path::PathBuf;
use std::{io, mem};

use rayon::slice::ParallelSliceMut;

use super::entry::Entry;
use super::run::{Run, RunReader};

/// The memory of sorting, and the folder of its temporary files.
///
/// [`sort_records`](crate::sorting::sort_records), [`merge_records`](crate::sorting::merge_records)
/// and the writers of `.db`, `.ybb` and Apery books have these options.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct SortOptions {
    /// The memory for records, in bytes. The minimum is one record and buffers of 256 KiB in all.
    pub memory_bytes: usize,
    /// The folder of temporary files; if absent, the system's folder for them. The files have no
    /// names and end with the process. Their size is about that of the book.
    pub temp_dir: Option<PathBuf>,
}

impl Default for SortOptions {
    /// 64 MiB of memory. With that, a million positions were sorted as fast as in memory that holds
    /// them all (2026-11, 2 cores, `book convert` to `.db`, `.ybb` and `.bin`).
    fn default() -> Self {
        Self { memory_bytes: 64 << 20, temp_dir: None }
    }
}

impl SortOptions {
    /// The folder of temporary files.
    pub(crate) fn folder(&self) -> PathBuf {
        self.temp_dir.clone().unwrap_or_else(env::temp_dir)
    }
}

/// The number of runs that are merged at a time: few enough to open all files at once, enough that
/// two rounds suffice in practice.
const FAN_IN: usize = 64;

/// The bounds of the buffer of a run, in bytes.
const BUFFER_BYTES: std::ops::RangeInclusive<usize> = 1 << 12..=1 << 20;

/// Takes entries in any order and returns them sorted, stably.
#[derive(Debug)]
pub(super) struct ExternalSort {
    options: SortOptions,
    entries: Vec<Entry>,
    /// The memory of the entries.
    bytes: usize,
    /// The runs written so far. When a level has [`FAN_IN`] runs, they are merged into one run of
    /// the next level. Earlier entries are on a higher level, or earlier on the same level: the
    /// sort is stable.
    levels: Vec<Vec<Run>>,
}

/// Sorted entries.
#[derive(Debug)]
pub(super) enum Sorted {
    Memory(std::vec::IntoIter<Entry>),
    Files(Merging),
}

/// The entries of several runs in order.
#[derive(Debug)]
pub(super) struct Merging {
    runs: Vec<RunReader>,
    heads: BinaryHeap<Head>,
    /// The run of the entry returned last, whose next entry is read before the next one is
    /// returned.
    due: Option<usize>,
}

/// The first entry of a run that has not been returned. The greatest head is the next: the heap
/// returns its maximum, so the order of heads is reversed.
#[derive(Debug, PartialEq, Eq)]
struct Head {
    entry: Entry,
    run: usize,
}

impl ExternalSort {
    pub(super) fn new(options: SortOptions) -> Self {
        Self { options, entries: Vec::new(), bytes: 0, levels: Vec::new() }
    }

    pub(super) fn push(&mut self, entry: Entry) -> io::Result<()> {
        self.bytes += entry.cost();
        self.entries.push(entry);
        if self.bytes >= self.options.memory_bytes { self.spill() } else { Ok(()) }
    }

    pub(super) fn finish(mut self) -> io::Result<Sorted> {
        if self.levels.is_empty() {
            self.sort();
            return Ok(Sorted::Memory(self.entries.into_iter()));
        }
        self.spill()?;
        while self.levels.iter().map(Vec::len).sum::<usize>() > FAN_IN {
            self.merge_lowest()?;
        }
        // Higher levels hold earlier entries: from the highest down, the order of insertion is
        // kept.
        let runs = self.levels.iter_mut().rev().flat_map(mem::take).collect();
        self.merging(runs).map(Sorted::Files)
    }

    fn sort(&mut self) {
        // A stable sort: of equal keys, the earlier entry must stay first.
        self.entries.par_sort_by(Entry::compare);
    }

    /// Writes all entries in memory to a run.
    fn spill(&mut self) -> io::Result<()> {
        if self.entries.is_empty() {
            return Ok(());
        }
        self.sort();
        self.bytes = 0;
        let entries = mem::take(&mut self.entries).into_iter().map(Ok);
        let run = Run::write(&self.options.folder(), self.buffer_bytes(), entries)?;
        self.add_run(run, 0)
    }

    fn add_run(&mut self, run: Run, mut level: usize) -> io::Result<()> {
        let mut run = run;
        loop {
            if self.levels.len() <= level {
                self.levels.push(Vec::new());
            }
            self.levels[level].push(run);
            if self.levels[level].len() < FAN_IN {
                return Ok(());
            }
            let full = mem::take(&mut self.levels[level]);
            run = self.merge(full)?;
            level += 1;
        }
    }

    /// Merges the runs of the lowest level that has any into one of the level above it.
    fn merge_lowest(&mut self) -> io::Result<()> {
        let lowest = self.levels.iter().position(|level| !level.is_empty());
        let lowest = lowest.expect("there are more runs than are merged at a time");
        let runs = mem::take(&mut self.levels[lowest]);
        let run = self.merge(runs)?;
        self.add_run(run, lowest + 1)
    }

    fn merge(&self, runs: Vec<Run>) -> io::Result<Run> {
        Run::write(&self.options.folder(), self.buffer_bytes(), self.merging(runs)?)
    }

    fn merging(&self, runs: Vec<Run>) -> io::Result<Merging> {
        let runs = runs.into_iter().map(|run| run.read(self.buffer_bytes()));
        let mut merging =
            Merging { runs: runs.collect::<io::Result<_>>()?, heads: BinaryHeap::new(), due: None };
        (0..merging.runs.len()).try_for_each(|run| merging.advance(run))?;
        Ok(merging)
    }

    /// The size of a buffer: all buffers together take at most the memory for sorting, unless that
    /// is very small.
    fn buffer_bytes(&self) -> usize {
        let share = self.options.memory_bytes / (FAN_IN + 1);
        share.clamp(*BUFFER_BYTES.start(), *BUFFER_BYTES.end())
    }
}

impl Merging {
    fn advance(&mut self, run: usize) -> io::Result<()> {
        if let Some(entry) = self.runs[run].next_entry()? {
            self.heads.push(Head { entry, run });
        }
        Ok(())
    }
}

impl Iterator for Merging {
    type Item = io::Result<Entry>;

    fn next(&mut self) -> Option<io::Result<Entry>> {
        if let Some(run) = self.due.take()
            && let Err(error) = self.advance(run)
        {
            // Without that run the other entries would come, and its own be silently missing.
            self.heads.clear();
            return Some(Err(error));
        }
        let Head { entry, run } = self.heads.pop()?;
        self.due = Some(run);
        Some(Ok(entry))
    }
}

impl Iterator for Sorted {
    type Item = io::Result<Entry>;

    fn next(&mut self) -> Option<io::Result<Entry>> {
        match self {
            Self::Memory(entries) => entries.next().map(Ok),
            Self::Files(merging) => merging.next(),
        }
    }
}

impl Ord for Head {
    fn cmp(&self, other: &Self) -> Ordering {
        // Of equal keys, the entry of the earlier run comes first, which keeps the sort stable.
        other.entry.compare(&self.entry).then(other.run.cmp(&self.run))
    }
}

impl PartialOrd for Head {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Enough runs for several levels.
    #[test]
    fn levels_of_runs_keep_order_and_memory() {
        let options = SortOptions { memory_bytes: 200, temp_dir: None };
        let mut sort = ExternalSort::new(options);
        let count = 20_000_u32;
        for number in 0..count {
            // Few keys, so that equal ones meet; the value shows the order of insertion.
            let key = [(number % 7) as u8];
            let entry = Entry::new(&key, |bytes| bytes.extend(number.to_be_bytes()));
            sort.push(entry).unwrap();
            assert!(sort.bytes < 200 && sort.entries.len() < 5);
            assert!(sort.levels.iter().all(|level| level.len() < FAN_IN));
        }
        assert!(sort.levels.len() > 2, "{}", sort.levels.len());
        let sorted: Vec<Entry> = sort.finish().unwrap().map(Result::unwrap).collect();
        assert_eq!(sorted.len() as u32, count);
        let order = |entry: &Entry| (entry.key().to_vec(), entry.value().to_vec());
        assert!(sorted.windows(2).all(|pair| order(&pair[0]) < order(&pair[1])));
    }
}
