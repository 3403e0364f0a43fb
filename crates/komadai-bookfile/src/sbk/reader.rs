//! Reading `.sbk` books.

use std::collections::VecDeque;

use komadai_base::reading::{Skipped, Tolerance};
use komadai_core::{Move, Position, Setup};

use super::move_code::decode;
use super::state::{State, StateMove};
use super::wire::{Field, Fields};
use crate::error::BookError;
use crate::record::{BookRecord, RecordMove, RecordResults};
use crate::tolerance_state::{RecordPlace, ToleranceState};

/// Reads a ShogiGUI book (`.sbk`) position by position.
///
/// Usually only the start state has a position; the others are found along the moves. Therefore the
/// bytes of the whole file are kept, and records come in breadth-first order. A position has a move
/// number if the state from which it was reached has one. Empty states, which are only the targets
/// of moves, are skipped.
///
/// A strict reader refuses bytes that are not a protocol buffer, states with the same number,
/// illegal and repeated moves, and moves that lead to a missing state or to one with another
/// position. A lenient reader counts these faults and continues.
///
/// # Examples
///
/// ```
/// use komadai_bookfile::{BookRecord, MoveMark, RecordMove};
/// use komadai_bookfile::sbk::{SbkReader, SbkWriter};
/// use komadai_core::Position;
/// use komadai_bookfile::Tolerance;
///
/// let mut start = BookRecord::new(Position::hirate());
/// start.moves.push(RecordMove {
///     count: Some(12),
///     mark: Some(MoveMark::Good),
///     ..RecordMove::new("7g7f".parse()?)
/// });
/// let mut writer = SbkWriter::new("a person", "a book of one move");
/// writer.push(&start)?;
/// let mut file = Vec::new();
/// assert!(writer.finish(&mut file)?.is_empty());
///
/// let mut book = SbkReader::new(file, Tolerance::Strict)?;
/// assert_eq!(book.description(), "a book of one move");
/// assert_eq!(book.next().transpose()?, Some(start));
/// assert!(book.next().is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct SbkReader<B> {
    bytes: B,
    author: String,
    description: String,
    /// The states in the order of the file.
    states: Vec<StateRef>,
    /// The number of each state and its index in `states`, sorted.
    ids: Vec<(i32, usize)>,
    queue: VecDeque<Reached>,
    reached: usize,
    faults: ToleranceState,
}

/// The place of a state in the file.
#[derive(Debug)]
struct StateRef {
    start: usize,
    len: usize,
    /// The Zobrist key of its position, once that is known.
    key: Option<u64>,
}

/// A state whose position is known.
#[derive(Debug)]
struct Reached {
    /// Its index in `states`.
    state: usize,
    setup: Setup,
    ply: Option<u32>,
}

impl<B: AsRef<[u8]>> SbkReader<B> {
    /// Lists the states of a book and finds those that state their position.
    ///
    /// # Errors
    ///
    /// In strict reading, if the bytes are not a protocol buffer or are cut off, if two states have
    /// the same number, or if an SFEN is malformed. A lenient reader takes the states before the
    /// fault.
    pub fn new(bytes: B, tolerance: Tolerance) -> Result<Self, BookError> {
        let mut reader = Self {
            bytes,
            author: String::new(),
            description: String::new(),
            states: Vec::new(),
            ids: Vec::new(),
            queue: VecDeque::new(),
            reached: 0,
            faults: ToleranceState::new(tolerance),
        };
        reader.collect_states()?;
        reader.sort_ids()?;
        reader.find_roots()?;
        Ok(reader)
    }

    /// The author of the book.
    pub fn author(&self) -> &str {
        &self.author
    }

    /// The description of the book by its author.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// The number of states that could be read.
    pub fn states(&self) -> usize {
        self.states.len()
    }

    /// The number of states that no move has reached so far; after the last record, the number of
    /// those that cannot be reached, and whose positions are therefore unknown.
    pub fn unreached(&self) -> usize {
        self.states.len() - self.reached
    }

    /// The faults skipped so far; none in strict reading.
    pub fn skipped(&self) -> &Skipped<BookError> {
        self.faults.skipped()
    }

    fn collect_states(&mut self) -> Result<(), BookError> {
        let mut has_unnumbered = false;
        for field in Fields::new(self.bytes.as_ref(), 0) {
            let read = field.and_then(|field: Field<'_>| {
                match field.number {
                    1 => field.text()?.clone_into(&mut self.author),
                    2 => field.text()?.clone_into(&mut self.description),
                    3 => {
                        let message = field.bytes()?;
                        let at = field.at;
                        let id = State::skim(message, at)?.id;
                        if id.is_none() && std::mem::replace(&mut has_unnumbered, true) {
                            // Such a state takes two bytes of the file but many in memory: a small
                            // file of them must not fill the memory.
                            let record = self.states.len() as u64 + 1;
                            let place = RecordPlace { record, at }.into();
                            return Err(BookError::DuplicateState { place, id: 0 });
                        }
                        self.ids.push((id.unwrap_or(0), self.states.len()));
                        let start = at as usize;
                        let len = message.len();
                        self.states.push(StateRef { start, len, key: None });
                    }
                    _ => {}
                }
                Ok(())
            });
            read.or_else(|fault| self.faults.tolerate(fault))?;
        }
        Ok(())
    }

    /// Sorts the numbers of the states. Of several states with one number, the first is kept.
    fn sort_ids(&mut self) -> Result<(), BookError> {
        self.ids.sort_unstable();
        let mut before = None;
        for &(id, index) in &self.ids {
            if before == Some(id) {
                let record = index as u64 + 1;
                let at = self.states[index].start as u64;
                let place = RecordPlace { record, at }.into();
                self.faults.tolerate(BookError::DuplicateState { place, id })?;
            }
            before = Some(id);
        }
        self.ids.dedup_by_key(|&mut (id, _)| id);
        Ok(())
    }

    /// Queues the states that state their position.
    fn find_roots(&mut self) -> Result<(), BookError> {
        let mut roots: Vec<usize> = self.ids.iter().map(|&(_, index)| index).collect();
        // In the order of the file, not of the numbers: writers put the start position first.
        roots.sort_unstable();
        for index in roots {
            let (message, place) = message(self.bytes.as_ref(), &self.states, index);
            let Ok(State { position: Some((text, at)), .. }) = State::skim(message, place.at)
            else {
                continue;
            };
            match Position::from_sfen(without_words(text)) {
                Ok(position) => {
                    let states_ply = without_words(text).split_ascii_whitespace().count() > 3;
                    let ply = states_ply.then(|| position.ply());
                    self.reach(index, &position, ply);
                }
                Err(error) => {
                    let place = RecordPlace { at, ..place }.into();
                    self.faults.tolerate(BookError::Sfen { place, error })?;
                }
            }
        }
        Ok(())
    }

    /// Queues a state whose position has been found. Returns false if another position was found
    /// for it before.
    fn reach(&mut self, index: usize, position: &Position, ply: Option<u32>) -> bool {
        let state = &mut self.states[index];
        if let Some(key) = state.key {
            return key == position.key();
        }
        state.key = Some(position.key());
        self.reached += 1;
        let setup = Setup { ply: ply.unwrap_or(1), ..position.to_setup() };
        self.queue.push_back(Reached { state: index, setup, ply });
        true
    }

    /// Reads a state; `None` if it is empty.
    fn read(&mut self, reached: &Reached) -> Result<Option<BookRecord>, BookError> {
        let position =
            Position::from_setup_leniently(&reached.setup).expect("it was a position before");
        let index = reached.state;
        let (message, place) = message(self.bytes.as_ref(), &self.states, index);
        let state = State::read(message, place, position.side())?;
        if state.is_empty() {
            return Ok(None);
        }
        let State { games, comment, moves, evals, .. } = state;
        let mut record = BookRecord {
            ply: reached.ply,
            comment: comment.to_owned(),
            results: (games != RecordResults::default()).then_some(games),
            evals,
            ..BookRecord::new(position)
        };
        for listed in &moves {
            let place = RecordPlace { at: listed.at, ..place };
            let m = decode(listed.code);
            match place.accept(&record.position, &record.moves, listed.code, m) {
                Ok(m) => {
                    record.moves.push(RecordMove {
                        count: listed.weight,
                        mark: listed.mark,
                        ..RecordMove::new(m)
                    });
                    self.follow(&record, m, listed, place)?;
                }
                Err(fault) => self.faults.tolerate(fault)?,
            }
        }
        Ok(Some(record))
    }

    /// Queues the state to which a move leads.
    fn follow(
        &mut self,
        record: &BookRecord,
        m: Move,
        listed: &StateMove,
        place: RecordPlace,
    ) -> Result<(), BookError> {
        let place = place.into();
        let Some(id) = listed.next else { return Ok(()) };
        let Ok(found) = self.ids.binary_search_by_key(&id, |&(id, _)| id) else {
            return self.faults.tolerate(BookError::MissingState { place, m, id });
        };
        let ply = record.ply.map(|ply| (ply + 1).min(Setup::MAX_PLY));
        if !self.reach(self.ids[found].1, &record.position.after(m), ply) {
            self.faults.tolerate(BookError::OtherState { place, m, id })?;
        }
        Ok(())
    }

    fn next_record(&mut self) -> Result<Option<BookRecord>, BookError> {
        while let Some(reached) = self.queue.pop_front() {
            match self.read(&reached) {
                Ok(None) => {}
                Ok(Some(record)) => return Ok(Some(record)),
                Err(fault) => self.faults.tolerate(fault)?,
            }
        }
        Ok(None)
    }
}

/// The bytes of a state and their place.
fn message<'b>(bytes: &'b [u8], states: &[StateRef], index: usize) -> (&'b [u8], RecordPlace) {
    let StateRef { start, len, .. } = states[index];
    let place = RecordPlace { record: index as u64 + 1, at: start as u64 };
    (&bytes[start..start + len], place)
}

/// The SFEN of a text that may start with the USI words `position` and `sfen`.
fn without_words(text: &str) -> &str {
    let text = text.trim_ascii();
    let text = text.strip_prefix("position ").unwrap_or(text).trim_ascii_start();
    text.strip_prefix("sfen ").unwrap_or(text).trim_ascii_start()
}

impl<B: AsRef<[u8]>> Iterator for SbkReader<B> {
    type Item = Result<BookRecord, BookError>;

    fn next(&mut self) -> Option<Self::Item> {
        let record = self.next_record();
        if record.is_err() {
            self.queue.clear();
        }
        record.transpose()
    }
}
