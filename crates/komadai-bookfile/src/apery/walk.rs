//! From position to position through an Apery book.

use std::collections::{HashSet, VecDeque};

use komadai_core::{Position, Setup};
use komadai_kifu::Skipped;
use komadai_movegen::MoveGen;

use super::{AperyBook, apery_key};
use crate::error::BookError;
use crate::record::BookRecord;
use crate::tolerance_state::ToleranceState;

/// Which moves a walk through a book takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Follow {
    /// Those that the book lists. It takes time proportional to the size of the book.
    #[default]
    Listed,
    /// All legal ones that lead into the book; and where a listed move leads out of it, all answers
    /// that lead into it again, as in a book made for one side. It takes about a hundred look-ups a
    /// position.
    Legal,
}

/// The positions of an Apery book that are reached from some roots, nearest first.
///
/// Its memory is a small multiple of the book's size. Of two positions with one key, which differ in
/// the opponent's hand only, the one reached first is given. Positions have no move number.
#[derive(Debug)]
pub struct AperyWalk<B> {
    book: AperyBook<B>,
    follow: Follow,
    /// Not looked at yet; the book need not have them.
    roots: VecDeque<Setup>,
    /// To be visited; the book has them.
    queue: VecDeque<Setup>,
    /// The keys of all positions that were visited or are to be.
    seen: HashSet<u64>,
    reached: u64,
    faults: ToleranceState,
    /// What forbids to begin.
    fault: Option<BookError>,
}

impl<B: AsRef<[u8]>> AperyBook<B> {
    /// Goes through the positions that are reached from `roots`, which is the only way to learn
    /// which positions the book has.
    ///
    /// The roots may be the start position and those of handicaps; the walk knows how many entries
    /// it has not come by.
    pub fn into_walk(
        self,
        roots: impl IntoIterator<Item = Position>,
        follow: Follow,
    ) -> AperyWalk<B> {
        let roots: VecDeque<Setup> = roots.into_iter().map(|root| root.to_setup()).collect();
        let mut faults = ToleranceState::new(self.tolerance);
        // Here the tolerance is lenient, or there is no such fault.
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

impl<B: AsRef<[u8]>> AperyWalk<B> {
    /// The number of entries of the book that the walk has not come by; after its end, those that
    /// cannot be reached.
    #[must_use]
    pub fn unreached(&self) -> u64 {
        self.book.entries() - self.reached
    }

    /// What has been skipped so far; nothing if the reading is strict.
    #[must_use]
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
            if !self.discover(&root) && self.follow == Follow::Legal {
                self.discover_successors(&root);
            }
        }
        let Some(setup) = self.queue.pop_front() else { return Ok(None) };
        let position = as_first(setup);
        let range = self.book.range(apery_key(&position));
        self.reached += range.len() as u64;
        let record = self.book.record(position, range, &mut self.faults)?;
        for listed in &record.moves {
            let after = record.position.after(listed.m);
            if !self.discover(&after) && self.follow == Follow::Legal {
                self.discover_successors(&after);
            }
        }
        if self.follow == Follow::Legal {
            self.discover_successors(&record.position);
        }
        Ok(Some(record))
    }

    /// Puts a position into the queue when it is met for the first time; whether the book has it.
    fn discover(&mut self, position: &Position) -> bool {
        let key = apery_key(position);
        if self.seen.contains(&key) {
            return true;
        }
        let is_found = !self.book.range(key).is_empty();
        if is_found {
            self.seen.insert(key);
            self.queue.push_back(position.to_setup());
        }
        is_found
    }

    fn discover_successors(&mut self, position: &Position) {
        let mut position = position.without_history();
        for m in &position.legal_moves() {
            position.do_move(m);
            self.discover(&position);
            position.undo_move();
        }
    }
}

/// The position, without a move number of its own.
fn as_first(setup: Setup) -> Position {
    Position::from_setup(&Setup { ply: 1, ..setup }).expect("it was a position before")
}

impl<B: AsRef<[u8]>> Iterator for AperyWalk<B> {
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
