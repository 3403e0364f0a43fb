//! Writing Apery books.

use std::collections::HashMap;
use std::io::{self, Write};

use super::{AperyEntry, apery_key};
use crate::lost::Lost;
use crate::record::{BookRecord, RecordMove};

/// Collects an Apery book (`book.bin`) and writes it.
///
/// Records may come in any order. In memory a move takes what it takes in the file, 16 bytes, and a
/// position as much again. A move without a count is written as made once, as with 0 some programs
/// would never make it; a value that is not known is written as 0 and counts as lost. The format has
/// no place for depths, move numbers, expected answers, comments, marks, results and judgements.
///
/// A position that comes for the second time is not written but counted as lost, and so is one whose
/// key another position has already: it could not be told from that one.
///
/// # Examples
///
/// See [`AperyBook`](crate::AperyBook).
#[derive(Debug, Clone, Default)]
pub struct AperyWriter {
    entries: Vec<AperyEntry>,
    /// Our key of the position that has the book's key.
    positions: HashMap<u64, u64>,
    collisions: u64,
    lost: Lost,
}

impl AperyWriter {
    /// Adds a position.
    pub fn push(&mut self, record: &BookRecord) {
        let key = apery_key(&record.position);
        let own_key = record.position.key();
        if let Some(&other) = self.positions.get(&key) {
            self.collisions += u64::from(other != own_key);
            self.lost.positions += 1;
            return;
        }
        if record.moves.is_empty() {
            // Without an entry nothing tells that the book has the position.
            self.lost.positions += 1;
            return;
        }
        self.positions.insert(key, own_key);
        self.lost.plies += u64::from(record.ply.is_some());
        self.lost.comments += u64::from(!record.comment.is_empty());
        self.lost.results += u64::from(record.results.is_some());
        self.lost.evals += record.evals.len() as u64;
        for listed in &record.moves {
            self.push_move(key, listed);
        }
    }

    /// The number of positions that could not be told from another one.
    #[must_use]
    pub fn collisions(&self) -> u64 {
        self.collisions
    }

    fn push_move(&mut self, key: u64, listed: &RecordMove) {
        let lost = &mut self.lost;
        lost.ponders += u64::from(listed.ponder.is_some());
        lost.depths += u64::from(listed.depth.is_some_and(|depth| depth != 0));
        lost.marks += u64::from(listed.mark.is_some());
        lost.comments += u64::from(!listed.comment.is_empty());
        lost.values += u64::from(listed.score.is_none());
        let count = listed.count.unwrap_or(1);
        lost.counts += u64::from(count > u16::MAX.into());
        self.entries.push(AperyEntry {
            key,
            m: listed.m.to_apery_bits(),
            count: u16::try_from(count).unwrap_or(u16::MAX),
            value: listed.score.map_or(0, |score| score.raw()),
        });
    }

    /// Sorts and writes everything, and returns what the format could not hold.
    ///
    /// # Errors
    ///
    /// If `out` fails.
    pub fn finish(mut self, out: &mut impl Write) -> io::Result<Lost> {
        // Stable: the moves of a position keep their order.
        self.entries.sort_by_key(|entry| entry.key);
        for entry in &self.entries {
            out.write_all(&entry.to_bytes())?;
        }
        Ok(self.lost)
    }
}
