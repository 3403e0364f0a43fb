//! Writing Apery books.

use std::io::{self, Write};

use super::{AperyEntry, ENTRY_BYTES, apery_key};
use crate::conversion_loss::ConversionLoss;
use crate::record::{BookRecord, RecordMove};
use crate::sorting::{PartSort, SortOptions};

/// Collects an Apery book (`book.bin`) and writes it.
///
/// Records may come in any order. They are sorted in bounded memory: the rest is kept in temporary
/// files of the size of the book. A move without a count is written with the count 1, as some
/// programs never play a move with the count 0; an unknown value is written as 0 and counted as
/// lost. The format has no fields for depths, move numbers, expected answers, comments, marks,
/// results and evaluations of positions.
///
/// A second record of a position is not written but counted as lost. The same holds for a position
/// whose key another position has already: a reader could not distinguish the two.
///
/// # Examples
///
/// See [`AperyBook`](crate::apery::AperyBook).
#[derive(Debug)]
pub struct AperyWriter {
    /// The entries of each position.
    parts: PartSort,
    /// Positions without moves.
    refused: u64,
}

impl AperyWriter {
    /// Creates an empty writer; `sort` sets the memory for sorting.
    pub fn new(sort: SortOptions) -> Self {
        Self { parts: PartSort::new(sort), refused: 0 }
    }

    /// Adds a position.
    ///
    /// # Errors
    ///
    /// If a temporary file cannot be written.
    pub fn push(&mut self, record: &BookRecord) -> io::Result<()> {
        if record.moves.is_empty() {
            // A position consists of its entries: without a move it has no trace in the file.
            self.refused += 1;
            return Ok(());
        }
        let key = apery_key(&record.position);
        let mut lost = ConversionLoss {
            plies: u64::from(record.ply.is_some()),
            comments: u64::from(!record.comment.is_empty()),
            results: u64::from(record.results.is_some()),
            evals: record.evals.len() as u64,
            ..ConversionLoss::default()
        };
        let mut part = Vec::with_capacity(record.moves.len() * ENTRY_BYTES);
        for listed in &record.moves {
            part.extend(entry(key, listed, &mut lost).to_bytes());
        }
        // Parts are sorted by the bytes of their keys; big-endian bytes sort like the numbers.
        self.parts.push(&key.to_be_bytes(), &lost, &part)
    }

    /// Sorts and writes everything, and returns the data that the format cannot hold.
    ///
    /// # Errors
    ///
    /// If `out` or a temporary file fails.
    pub fn finish(self, out: &mut impl Write) -> io::Result<ConversionLoss> {
        let mut parts = self.parts.finish()?;
        while let Some((_, part)) = parts.next()? {
            out.write_all(part)?;
        }
        let mut lost = parts.into_lost();
        lost.positions += self.refused;
        Ok(lost)
    }
}

impl Default for AperyWriter {
    fn default() -> Self {
        Self::new(SortOptions::default())
    }
}

fn entry(key: u64, listed: &RecordMove, lost: &mut ConversionLoss) -> AperyEntry {
    lost.ponders += u64::from(listed.ponder.is_some());
    lost.depths += u64::from(listed.depth.is_some_and(|depth| depth != 0));
    lost.marks += u64::from(listed.mark.is_some());
    lost.comments += u64::from(!listed.comment.is_empty());
    lost.values += u64::from(listed.score.is_none());
    let count = listed.count.unwrap_or(1);
    lost.counts += u64::from(count > u16::MAX.into());
    AperyEntry {
        key,
        m: listed.m.to_apery_bits(),
        count: u16::try_from(count).unwrap_or(u16::MAX),
        value: listed.score.map_or(0, |score| score.raw()),
    }
}
