//! External merge sort of 16-byte numbers.
//!
//! The sort of book records (`komadai-bookfile`) holds each record in an allocation of its own. A
//! collection has a hundred positions a game, so that their numbers are sorted in place.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read as _, Seek as _, Write as _};
use std::mem;
use std::path::PathBuf;

use komadai_base::temporary_file::temporary_file;

/// The number of runs that are merged at a time: few enough to open all files at once.
const FAN_IN: usize = 64;

/// The size of the buffer of a run.
const BUFFER: usize = 1 << 18;

/// Takes numbers in any order and returns them sorted.
#[derive(Debug)]
pub(super) struct NumberSort {
    folder: PathBuf,
    /// The number of numbers in memory.
    capacity: usize,
    numbers: Vec<u128>,
    /// Sorted runs. When a level has [`FAN_IN`] of them, they are merged into one of the next level.
    levels: Vec<Vec<Run>>,
}

/// Sorted numbers in a file without a name.
#[derive(Debug)]
struct Run {
    file: File,
    count: u64,
}

/// The numbers of a run in order.
struct RunReader {
    file: BufReader<File>,
    left: u64,
}

/// A source of sorted numbers.
pub(super) type Sorted<'a, E> = Box<dyn Iterator<Item = Result<u128, E>> + 'a>;

/// The numbers of several sources in order.
pub(super) struct Merged<'a, E> {
    sources: Vec<Sorted<'a, E>>,
    heads: BinaryHeap<Reverse<(u128, usize)>>,
    failure: Option<E>,
}

impl NumberSort {
    /// Creates a sort with this memory in bytes, and temporary files in a folder.
    pub(super) fn new(memory_bytes: usize, folder: PathBuf) -> Self {
        let capacity = (memory_bytes / size_of::<u128>()).max(1_024);
        Self { folder, capacity, numbers: Vec::new(), levels: Vec::new() }
    }

    pub(super) fn push(&mut self, number: u128) -> io::Result<()> {
        if self.numbers.len() == self.capacity {
            self.spill()?;
        }
        if self.numbers.is_empty() {
            // Doubling would take twice the memory while the numbers are moved.
            self.numbers.reserve_exact(self.capacity);
        }
        self.numbers.push(number);
        Ok(())
    }

    /// Returns the numbers in order.
    pub(super) fn finish(mut self) -> io::Result<Merged<'static, io::Error>> {
        self.numbers.sort_unstable();
        let numbers = mem::take(&mut self.numbers);
        let mut sources: Vec<Sorted<'static, io::Error>> =
            vec![Box::new(numbers.into_iter().map(Ok))];
        while self.levels.iter().map(Vec::len).sum::<usize>() > FAN_IN {
            self.merge_lowest()?;
        }
        for run in mem::take(&mut self.levels).into_iter().flatten() {
            sources.push(Box::new(run.read()?));
        }
        Ok(Merged::new(sources))
    }

    /// Writes the numbers in memory to a run.
    fn spill(&mut self) -> io::Result<()> {
        self.numbers.sort_unstable();
        let run = Run::write(&self.folder, self.numbers.iter().copied().map(Ok))?;
        self.numbers.clear();
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
            run = self.merged(level)?;
            level += 1;
        }
    }

    /// Merges the runs of the lowest level that has any into one of the level above it.
    fn merge_lowest(&mut self) -> io::Result<()> {
        let lowest = self.levels.iter().position(|level| !level.is_empty()).unwrap_or_default();
        let run = self.merged(lowest)?;
        self.add_run(run, lowest + 1)
    }

    fn merged(&mut self, level: usize) -> io::Result<Run> {
        let mut sources: Vec<Sorted<'static, io::Error>> = Vec::new();
        for run in mem::take(&mut self.levels[level]) {
            sources.push(Box::new(run.read()?));
        }
        Run::write(&self.folder, Merged::new(sources))
    }
}

impl Run {
    fn write(
        folder: &std::path::Path,
        numbers: impl Iterator<Item = io::Result<u128>>,
    ) -> io::Result<Self> {
        let mut out = BufWriter::with_capacity(BUFFER, temporary_file(folder)?);
        let mut count = 0;
        for number in numbers {
            out.write_all(&number?.to_le_bytes())?;
            count += 1;
        }
        let file = out.into_inner().map_err(io::IntoInnerError::into_error)?;
        Ok(Self { file, count })
    }

    fn read(mut self) -> io::Result<RunReader> {
        self.file.rewind()?;
        Ok(RunReader { file: BufReader::with_capacity(BUFFER, self.file), left: self.count })
    }
}

impl Iterator for RunReader {
    type Item = io::Result<u128>;

    fn next(&mut self) -> Option<io::Result<u128>> {
        self.left = self.left.checked_sub(1)?;
        let mut bytes = [0; size_of::<u128>()];
        let read = self.file.read_exact(&mut bytes);
        if read.is_err() {
            self.left = 0;
        }
        Some(read.map(|()| u128::from_le_bytes(bytes)))
    }
}

impl<'a, E> Merged<'a, E> {
    pub(super) fn new(sources: Vec<Sorted<'a, E>>) -> Self {
        let mut merged = Self { sources, heads: BinaryHeap::new(), failure: None };
        (0..merged.sources.len()).for_each(|source| merged.advance(source));
        merged
    }

    fn advance(&mut self, source: usize) {
        match self.sources[source].next() {
            Some(Ok(number)) => self.heads.push(Reverse((number, source))),
            Some(Err(error)) => self.failure = Some(error),
            None => {}
        }
    }
}

impl<E> Iterator for Merged<'_, E> {
    type Item = Result<u128, E>;

    fn next(&mut self) -> Option<Result<u128, E>> {
        if let Some(error) = self.failure.take() {
            // Without that source its numbers would be silently missing.
            self.heads.clear();
            return Some(Err(error));
        }
        let Reverse((number, source)) = self.heads.pop()?;
        self.advance(source);
        Some(Ok(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that look random, with some that are equal.
    fn numbers(count: u32) -> Vec<u128> {
        let mut state = 1_u64;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            u128::from(state >> 40) << 64 | u128::from(state >> 60)
        };
        (0..count).map(|_| next()).collect()
    }

    #[test]
    fn runs_are_merged_through_several_levels() {
        for count in [0, 1, 1_024, 1_025, 200_000] {
            let mut all = numbers(count);
            let mut sort = NumberSort::new(0, std::env::temp_dir());
            for &number in &all {
                sort.push(number).unwrap();
                assert!(sort.levels.iter().all(|level| level.len() < FAN_IN));
            }
            assert_eq!(
                sort.levels.len(),
                match count {
                    0..=1_024 => 0,
                    1_025 => 1,
                    _ => 2,
                }
            );
            let sorted: Vec<u128> = sort.finish().unwrap().map(Result::unwrap).collect();
            all.sort_unstable();
            assert_eq!(sorted, all, "{count}");
        }
    }

    #[test]
    fn a_failing_source_ends_the_numbers_with_its_error() {
        let broken = [Ok(1), Err(io::Error::other("broken")), Ok(9)];
        let sources: Vec<Sorted<'_, io::Error>> =
            vec![Box::new(broken.into_iter()), Box::new([2, 3].map(Ok).into_iter())];
        let merged: Vec<_> = Merged::new(sources).map(|number| number.ok()).collect();
        assert_eq!(merged, [Some(1), None]);
    }

    #[test]
    fn a_run_that_was_cut_is_an_error() {
        let run = Run::write(&std::env::temp_dir(), (0..9).map(Ok)).unwrap();
        run.file.set_len(40).unwrap();
        let read: Vec<_> = run.read().unwrap().map(|number| number.is_ok()).collect();
        assert_eq!(read, [true, true, false]);
    }
}
