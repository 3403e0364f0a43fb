//! The walk through the positions of an Apery book.

use std::collections::{HashSet, VecDeque};

use komadai_base::reading::Skipped;
use komadai_core::{Position, Setup};
use komadai_movegen::MoveGen;

use super::{AperyBook, apery_key};
use crate::book_bytes::BookBytes;
use crate::error::BookError;
use crate::record::BookRecord;
use crate::tolerance_state::ToleranceState;

/// The moves that a walk through a book follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Follow {
    /// The listed moves. The walk takes time proportional to the size of the book.
    #[default]
    Listed,
    /// All legal moves that lead to a position of the book; and after a listed move that leads out
    /// of the book, all answers that lead back, as in a book made for one side. The walk takes
    /// about a hundred searches a position.
    Legal,
}

/// The positions of an Apery book that can be reached from some roots, in breadth-first order.
///
/// The memory is a small multiple of the book's size. If two positions have the same key, which
/// means that they differ only in the opponent's hand, the walk returns the one that it reaches
/// first. Positions have no move number.
#[derive(Debug)]
pub struct AperyWalk<B> {
    book: AperyBook<B>,
    follow: Follow,
    /// The roots not visited yet, which need not be in the book.
    roots: VecDeque<Setup>,
    /// The positions to visit, which are in the book.
    queue: VecDeque<Setup>,
    /// The keys of all positions visited or queued.
    seen: HashSet<u64>,
    reached: u64,
    faults: ToleranceState,
    /// The fault of the whole book, which is returned instead of the first record.
    fault: Option<BookError>,
}

impl<B: BookBytes> AperyBook<B> {
    /// Walks through the positions that can be reached from `roots`. As the file contains only
    /// keys, there is no other way to list its positions.
    ///
    /// The roots may be the start position and those of handicaps; the walk counts the entries that
    /// it did not reach.
    pub fn into_walk(
        self,
        roots: impl IntoIterator<Item = Position>,
        follow: Follow,
    ) -> AperyWalk<B> {
        let roots: VecDeque<Setup> = roots.into_iter().map(|root| root.to_setup()).collect();
        let mut faults = ToleranceState::new(self.tolerance);
        // A strict book with this fault was refused by `new`.
        let first_fault = self.cut_off().and_then(|fault| faults.tolerate(fault).err());
        let fault = self.check_order().err().or(first_fault);
        AperyWalk {
            book: self,
            follow,
            roots,
            queue: VecDeque::new(),
            seen: HashSet::new(),
            reached: 0,
            faults,
            fault,
        }
    }
}

impl<B: BookBytes> AperyWalk<B> {
    /// The number of entries of the book that the walk has not reached; after its end, the number
    /// of those that cannot be reached.
    pub fn unreached(&self) -> u64 {
        self.book.entries() - self.reached
    }

    /// The faults skipped so far; none in strict reading.
    pub fn skipped(&self) -> &Skipped<BookError> {
        self.faults.skipped()
    }

    fn next_record(&mut self) -> Result<Option<BookRecord>, BookError> {
        if let Some(fault) = self.fault.take() {
            self.roots.clear();
            return Err(fault);
        }
        while self.queue.is_empty() {
            let Some(root) = self.roots.pop_front() else { return Ok(None) };
            let root = as_first(root);
            if !self.discover(&root)? && self.follow == Follow::Legal {
                self.discover_successors(&root)?;
            }
        }
        let Some(setup) = self.queue.pop_front() else { return Ok(None) };
        let position = as_first(setup);
        // Each key is queued once, so no entry is counted twice.
        let range = self.book.range(apery_key(&position))?;
        self.reached += range.end - range.start;
        let record = self.book.record(position, range, &mut self.faults)?;
        for listed in &record.moves {
            let after = record.position.after(listed.m);
            if !self.discover(&after)? && self.follow == Follow::Legal {
                self.discover_successors(&after)?;
            }
        }
        if self.follow == Follow::Legal {
            // After the listed moves, so that the order of the walk is that of the book where
            // possible.
            self.discover_successors(&record.position)?;
        }
        Ok(Some(record))
    }

    /// Queues a position that is reached for the first time. Returns true if the book has the
    /// position.
    fn discover(&mut self, position: &Position) -> Result<bool, BookError> {
        let key = apery_key(position);
        if self.seen.contains(&key) {
            return Ok(true);
        }
        let is_found = !self.book.range(key)?.is_empty();
        if is_found {
            self.seen.insert(key);
            self.queue.push_back(position.to_setup());
        }
        Ok(is_found)
    }

    fn discover_successors(&mut self, position: &Position) -> Result<(), BookError> {
        let mut position = position.without_history();
        for m in &position.legal_moves() {
            position.do_move(m);
            self.discover(&position)?;
            position.undo_move();
        }
        Ok(())
    }
}

/// The position with the move number 1: the book states none.
fn as_first(setup: Setup) -> Position {
    Position::from_setup_leniently(&Setup { ply: 1, ..setup }).expect("it was a position before")
}

impl<B: BookBytes> Iterator for AperyWalk<B> {
    type Item = Result<BookRecord, BookError>;

    fn next(&mut self) -> Option<Self::Item> {
        let record = self.next_record();
        if record.is_err() {
            self.roots.clear();
            self.queue.clear();
        }
        record.transpose()
    }
}
