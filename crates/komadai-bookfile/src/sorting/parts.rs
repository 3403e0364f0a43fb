//! Sorting of the parts of a file in which each key is unique.

use std::io;

use super::entry::Entry;
use super::external::{ExternalSort, SortOptions, Sorted};
use super::run::damaged;
use crate::conversion_loss::ConversionLoss;

/// Collects the encoded records of a file in any order, in bounded memory.
#[derive(Debug)]
pub(crate) struct PartSort(ExternalSort);

/// The parts in the order of their keys; of several parts with one key, the first.
///
/// Errors come from temporary files; nothing follows an error.
#[derive(Debug)]
pub(crate) struct SortedParts {
    entries: Sorted,
    last: Option<Entry>,
    lost: ConversionLoss,
}

impl PartSort {
    pub(crate) fn new(options: SortOptions) -> Self {
        Self(ExternalSort::new(options))
    }

    /// Adds the encoded part of a record. `lost` is the data that the encoding omits; it counts
    /// only if the part is kept.
    pub(crate) fn push(
        &mut self,
        key: &[u8],
        lost: &ConversionLoss,
        part: &[u8],
    ) -> io::Result<()> {
        self.0.push(Entry::new(key, |bytes| {
            lost.encode(bytes);
            bytes.extend(part);
        }))
    }

    pub(crate) fn finish(self) -> io::Result<SortedParts> {
        Ok(SortedParts { entries: self.0.finish()?, last: None, lost: ConversionLoss::default() })
    }
}

impl SortedParts {
    /// The next part: its key and its bytes.
    pub(crate) fn next(&mut self) -> io::Result<Option<(&[u8], &[u8])>> {
        loop {
            let Some(entry) = self.entries.next().transpose()? else { return Ok(None) };
            if self.last.as_ref().is_some_and(|last| last.key() == entry.key()) {
                self.lost.positions += 1;
                continue;
            }
            let entry = self.last.insert(entry);
            let (lost, part) = ConversionLoss::decode(entry.value()).ok_or_else(damaged)?;
            self.lost += lost;
            return Ok(Some((entry.key(), part)));
        }
    }

    /// The losses of the parts returned so far, and the number of parts dropped between them.
    pub(crate) fn into_lost(self) -> ConversionLoss {
        self.lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_of_each_key_is_kept_and_what_it_lost() {
        for memory_bytes in [0, 300, 1 << 20] {
            let mut sort = PartSort::new(SortOptions { memory_bytes, temp_dir: None });
            for number in 0..100_u8 {
                let lost = ConversionLoss { comments: number.into(), ..ConversionLoss::default() };
                sort.push(&[number % 10], &lost, &[number]).unwrap();
            }
            let mut sorted = sort.finish().unwrap();
            let mut parts = Vec::new();
            while let Some((key, part)) = sorted.next().unwrap() {
                parts.push((key.to_vec(), part.to_vec()));
            }
            let expected: Vec<_> = (0..10).map(|number| (vec![number], vec![number])).collect();
            assert_eq!(parts, expected);
            let lost = ConversionLoss { comments: 45, positions: 90, ..ConversionLoss::default() };
            assert_eq!(sorted.into_lost(), lost);
        }
    }
}
