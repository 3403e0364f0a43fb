//! Validation of books.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::{self, Read};
use std::{fmt, mem};

use komadai_base::reading::{Skipped, Tolerance};
use komadai_core::{Color, Position, Score};
use komadai_movegen::is_legal;
use rayon::slice::ParallelSliceMut;

use crate::db::{DbBatches, push_sfen};
use crate::error::BookError;
use crate::fault_place::FaultPlace;
use crate::line_numbers::LineNumbers;
use crate::position_key::{shared_zobrist_key, turn};
use crate::record::BookRecord;

/// The findings of a validation: the number of each kind, and its first lines.
///
/// Lines are those of the positions, except for faults in the text, which have their own lines. It
/// is printed as one line for each kind with findings.
#[derive(Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Validation {
    /// The number of positions.
    pub positions: u64,
    /// The number of their moves.
    pub moves: u64,
    /// True if the book has the start position of the even game.
    pub has_start: bool,
    /// Positions whose text sorts before that of the previous position. Programs that search such a
    /// file on disk miss positions.
    pub unsorted: LineNumbers,
    /// Positions that occur earlier in the same orientation, with any move number.
    pub duplicates: LineNumbers,
    /// Positions that occur earlier only turned by 180 degrees with the colours exchanged.
    pub flipped: LineNumbers,
    /// Positions that occur earlier, in either orientation, with another value of the same move.
    pub contradictions: LineNumbers,
    /// Illegal moves and expected answers.
    pub illegal_moves: LineNumbers,
    /// Positions without moves. Some programs treat them as lost for the side to move.
    pub empty: LineNumbers,
    /// Positions with a move without a value.
    pub unvalued: LineNumbers,
    /// Lines with a word in the place of a move, `none`, `resign` or `win`, which are left out.
    pub no_moves: LineNumbers,
    /// Numbers out of range: values beyond ±32,000; in text also depths and counts that are
    /// negative or do not fit into 16 and 32 bits.
    pub out_of_range: LineNumbers,
    /// All faults of the text that a strict reader refuses, including illegal moves.
    pub faults: Skipped<BookError>,
}

/// Checks a `.db` book on all cores.
///
/// The book is read leniently, once, and a second time only if a position occurs twice: `open`
/// starts each reading. The memory is 16 bytes a position, three times as much while the list
/// grows, and in the second reading about 32 bytes for each move of a position that occurs twice.
///
/// Positions are identified by 64-bit keys. Fewer than one in 100,000 books of ten million
/// positions has two positions with one key.
///
/// # Errors
///
/// If the source cannot be opened or fails. Faults of the content are findings, not errors.
///
/// # Examples
///
/// ```
/// use komadai_bookfile::validation::validate_db;
///
/// let text = "#YANEURAOU-DB2016 1.00\n\
///     sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
///     7g7f none 30\n\
///     sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 2\n\
///     3c3d none 25\n\
///     5g5f\n";
/// let found = validate_db(|| Ok(text.as_bytes()))?;
/// assert_eq!(found.to_string(), "\
///     2 positions, 2 moves\n\
///     there before, but turned: 1 (line 4)\n\
///     there before, with another value: 1 (line 4)\n\
///     illegal moves: 1 (line 6)\n\
///     faults in the text: 1\n");
/// # Ok::<(), komadai_bookfile::BookError>(())
/// ```
pub fn validate_db<R: Read>(
    mut open: impl FnMut() -> io::Result<R>,
) -> Result<Validation, BookError> {
    let mut open =
        || open().map_err(|error| BookError::Io { place: FaultPlace::Line { line: 1 }, error });
    let mut check = Check::new();
    let mut batches = DbBatches::new(open()?, Tolerance::Lenient);
    for batch in batches.by_ref() {
        batch?.into_iter().for_each(|(line, record)| check.add(line, &record));
    }
    let (findings, faults) = batches.into_findings();
    let mut again = check.finish();
    again.report.illegal_moves.append(&findings.illegal);
    again.report.out_of_range.append(&findings.clamped);
    again.report.no_moves.append(&findings.no_moves);
    again.report.faults = faults;
    if again.is_needed() {
        for batch in DbBatches::new(open()?, Tolerance::Lenient) {
            batch?.into_iter().for_each(|(line, record)| again.add(line, &record));
        }
    }
    Ok(again.report)
}

/// Checks the records of a book of any format.
///
/// `open` starts a reading, and is called a second time if a position occurs twice. Each record
/// comes with a number that identifies it in the findings, such as its line. Memory and certainty
/// are those of [`validate_db`].
///
/// # Errors
///
/// The first error of the source.
pub fn validate_records<I, E>(mut open: impl FnMut() -> Result<I, E>) -> Result<Validation, E>
where
    I: IntoIterator<Item = Result<(u64, BookRecord), E>>,
{
    let mut check = Check::new();
    for record in open()? {
        let (line, record) = record?;
        check.add(line, &record);
    }
    let mut again = check.finish();
    if again.is_needed() {
        for record in open()? {
            let (line, record) = record?;
            again.add(line, &record);
        }
    }
    Ok(again.report)
}

/// The first reading.
#[derive(Debug, Default)]
struct Check {
    report: Validation,
    start_key: u64,
    seen: Vec<Seen>,
    /// The texts of the current and of the previous position.
    text: String,
    previous: String,
}

/// A position that was read: its key and its place.
#[derive(Debug, Clone, Copy)]
struct Seen {
    /// The key that both orientations of the position share.
    key: u64,
    /// The line, shifted left by one; the lowest bit is set if White is to move.
    place: u64,
}

const _: () = assert!(size_of::<Seen>() == 16);

/// The second reading, which compares the values of positions that occur twice.
#[derive(Debug)]
struct SecondReading {
    report: Validation,
    /// Their keys, in order.
    keys: Vec<u64>,
    /// The first value of each of their moves, in the orientation with Black to move.
    values: HashMap<(u64, u16), Score>,
}

impl Check {
    fn new() -> Self {
        Self { start_key: shared_zobrist_key(&Position::hirate()), ..Self::default() }
    }

    fn add(&mut self, line: u64, record: &BookRecord) {
        let report = &mut self.report;
        report.positions += 1;
        report.moves += record.moves.len() as u64;
        self.text.clear();
        push_sfen(&mut self.text, record);
        if self.text < self.previous {
            report.unsorted.add(line);
        }
        // Two texts that take turns: no allocation for each record.
        mem::swap(&mut self.text, &mut self.previous);
        check_moves(line, record, report);
        let is_white = record.position.side() == Color::White;
        let key = shared_zobrist_key(&record.position);
        report.has_start |= key == self.start_key;
        let place = line << 1 | u64::from(is_white);
        self.seen.push(Seen { key, place });
    }

    fn finish(mut self) -> SecondReading {
        // By place within a key, so that the first occurrence comes first in spite of the unstable
        // sort, which needs no second list.
        self.seen.par_sort_unstable_by_key(|seen| (seen.key, seen.place));
        let mut keys = Vec::new();
        for group in self.seen.chunk_by(|first, second| first.key == second.key) {
            let [first, later @ ..] = group else { continue };
            if later.is_empty() {
                continue;
            }
            keys.push(first.key);
            let mut sides = [false; 2];
            sides[(first.place & 1) as usize] = true;
            for seen in later {
                let was_there = mem::replace(&mut sides[(seen.place & 1) as usize], true);
                let line = seen.place >> 1;
                if was_there {
                    self.report.duplicates.add(line);
                } else {
                    self.report.flipped.add(line);
                }
            }
        }
        SecondReading { report: self.report, keys, values: HashMap::new() }
    }
}

impl SecondReading {
    fn is_needed(&self) -> bool {
        !self.keys.is_empty()
    }

    fn add(&mut self, line: u64, record: &BookRecord) {
        let key = shared_zobrist_key(&record.position);
        if self.keys.binary_search(&key).is_err() {
            return;
        }
        let mut contradicts = false;
        for listed in &record.moves {
            let Some(score) = listed.score else { continue };
            let m = turn(listed.m, record.position.side());
            match self.values.entry((key, m.to_bits())) {
                Entry::Vacant(place) => {
                    place.insert(score);
                }
                Entry::Occupied(known) => contradicts |= *known.get() != score,
            }
        }
        if contradicts {
            self.report.contradictions.add(line);
        }
    }
}

impl Validation {
    /// The number of faults: all findings except moves without a value, which a growing book may
    /// have, and lines that state that there is no move. A missing start position is one fault.
    pub fn fault_count(&self) -> u64 {
        let places = [
            &self.unsorted,
            &self.duplicates,
            &self.flipped,
            &self.contradictions,
            &self.illegal_moves,
            &self.empty,
            &self.out_of_range,
        ];
        let found: u64 = places.iter().map(|places| places.count()).sum();
        found + self.faults.count() + u64::from(!self.has_start)
    }
}

fn check_moves(line: u64, record: &BookRecord, report: &mut Validation) {
    if record.moves.is_empty() {
        report.empty.add(line);
    }
    if record.moves.iter().any(|listed| listed.score.is_none()) {
        report.unvalued.add(line);
    }
    let mut position = record.position.clone();
    for listed in &record.moves {
        if listed.score.is_some_and(|score| score.raw().abs() > Score::MATE.raw()) {
            report.out_of_range.add(line);
        }
        let is_fine = is_legal(&position, listed.m)
            && listed.ponder.is_none_or(|ponder| {
                position.do_move(listed.m);
                let is_fine = is_legal(&position, ponder);
                position.undo_move();
                is_fine
            });
        if !is_fine {
            report.illegal_moves.add(line);
        }
    }
}

impl fmt::Display for Validation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} positions, {} moves", self.positions, self.moves)?;
        if !self.has_start {
            writeln!(f, "the start position is missing")?;
        }
        for (what, places) in [
            ("not in order", &self.unsorted),
            ("there before", &self.duplicates),
            ("there before, but turned", &self.flipped),
            ("there before, with another value", &self.contradictions),
            ("illegal moves", &self.illegal_moves),
            ("without moves", &self.empty),
            ("with a move without a value", &self.unvalued),
            ("without a move on the line, left out", &self.no_moves),
            ("numbers out of range", &self.out_of_range),
        ] {
            if !places.is_empty() {
                writeln!(f, "{what}: {places}")?;
            }
        }
        if !self.faults.is_empty() {
            writeln!(f, "faults in the text: {}", self.faults.count())?;
        }
        Ok(())
    }
}
