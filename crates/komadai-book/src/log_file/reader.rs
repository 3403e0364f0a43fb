//! Reading of text logs.

use std::io::BufRead;
use std::time::Duration;

use komadai_bookfile::fields::{Field, part_of, shorten};
use komadai_bookfile::position_key::PositionKey;
use komadai_bookfile::{BookError, FaultPlace};
use komadai_core::{Analysis, AnalystId, Line, Move, Position, Pv, Score};
use komadai_kifu::text::LineReader;
use komadai_kifu::{Skipped, Tolerance};
use komadai_movegen::check_legality;

use super::{BOUNDS, LOG_HEADER, MAX_LINE_BYTES, SOURCES, unescape};
use crate::logged_analysis::LoggedAnalysis;
use crate::merge::Input;
use crate::queue::Lease;
use crate::store::{Change, KnownMove};

/// The highest number that a log may give to an analyst. It bounds the memory for a malicious file.
const MAX_ANALYSTS: i64 = 60_000;

/// Reads the text log of a book line by line.
#[derive(Debug)]
pub(crate) struct LogReader<R> {
    lines: LineReader<R>,
    tolerance: Tolerance,
    skipped: Skipped<BookError>,
    /// For each number the analyst to which a line has given it.
    analysts: Vec<Option<AnalystId>>,
    lines_read: u64,
    /// The number of the book that has the jobs.
    book: Option<u64>,
    done: Vec<DoneJob>,
}

/// A job that has been done, as a log states it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DoneJob {
    pub(crate) lease: Lease,
    pub(crate) analyst: AnalystId,
}

impl<R: BufRead> LogReader<R> {
    /// Creates a reader of a log.
    pub(crate) fn new(reader: R, tolerance: Tolerance) -> Self {
        Self {
            lines: LineReader::new(reader, MAX_LINE_BYTES),
            tolerance,
            skipped: Skipped::default(),
            analysts: Vec::new(),
            lines_read: 0,
            book: None,
            done: Vec::new(),
        }
    }

    /// The change that the next line states, and its number; `None` at the end. A lenient reading
    /// skips faulty lines.
    pub(crate) fn next_change(&mut self) -> Result<Option<(Change, u64)>, BookError> {
        loop {
            let read = match self.next_line() {
                Ok(None) if self.lines_read == 0 && self.tolerance == Tolerance::Strict => {
                    return Err(wrong_header(""));
                }
                Ok(None) => return Ok(None),
                Ok(Some((text, line))) => self.read_line(&text, line).map(|read| (read, line)),
                Err(fault) => Err(fault),
            };
            self.lines_read += 1;
            match read {
                Ok((Some(change), line)) => return Ok(Some((change, line))),
                Ok((None, _)) => {}
                Err(fault) => self.skip(fault)?,
            }
        }
    }

    /// Records a fault as skipped, or returns it if it ends the reading.
    pub(crate) fn skip(&mut self, fault: BookError) -> Result<(), BookError> {
        // A fault of the first line means that the file is probably no log.
        let ends = self.tolerance == Tolerance::Strict || fault.is_final() || self.lines_read <= 1;
        if ends {
            return Err(fault);
        }
        self.skipped.add(fault);
        Ok(())
    }

    /// The number of the book that has the jobs, and the jobs that have been done, so far.
    pub(crate) fn jobs(&mut self) -> (Option<u64>, Vec<DoneJob>) {
        (self.book, std::mem::take(&mut self.done))
    }

    /// The skipped faults.
    pub(crate) fn into_skipped(self) -> Skipped<BookError> {
        self.skipped
    }

    fn next_line(&mut self) -> Result<Option<(String, u64)>, BookError> {
        let text = match self.lines.next_line()? {
            None => return Ok(None),
            Some(line) => str::from_utf8(line).map(str::to_owned),
        };
        let line = self.lines.number();
        text.map(|text| Some((text, line))).map_err(|_| BookError::NotUtf8 { line })
    }

    /// The change that a line states; none if it is blank, a comment or names an analyst.
    fn read_line(&mut self, text: &str, line: u64) -> Result<Option<Change>, BookError> {
        let mut cells = Cells::new(text, line);
        if line == 1 && text != LOG_HEADER {
            return Err(wrong_header(text));
        }
        let kind = cells.next("the kind of the line")?;
        match kind.text {
            "" => Ok(None),
            comment if comment.starts_with('#') => Ok(None),
            "analyst" => self.read_analyst(cells).map(|()| None),
            "games" => read_games(cells).map(Some),
            "eval" => self.read_evaluation(cells).map(Some),
            "input" => read_input(cells).map(Some),
            "book" => {
                self.book = Some(cells.hexadecimal("the number of a book")?);
                Ok(None)
            }
            "done" => self.read_done(cells).map(|()| None),
            _ => Err(kind.error("`analyst`, `games`, `eval`, `input`, `book` or `done`")),
        }
    }

    fn read_analyst(&mut self, mut cells: Cells<'_>) -> Result<(), BookError> {
        let number = cells.number("the number of an analyst", 0..=MAX_ANALYSTS)? as usize;
        let id = AnalystId {
            name: cells.text("a name")?,
            version: cells.text("a version")?,
            options: cells.text("options")?,
        };
        if self.analysts.len() <= number {
            self.analysts.resize(number + 1, None);
        }
        self.analysts[number] = Some(id);
        Ok(())
    }

    fn read_done(&mut self, mut cells: Cells<'_>) -> Result<(), BookError> {
        let position = cells.position()?;
        let line = cells.line;
        let key =
            PositionKey::try_of(&position).map_err(|error| BookError::Position { line, error })?;
        let number = cells.number("the number of a lease", 0..=i64::MAX)? as u64;
        let revision = cells.number("a revision", 0..=u32::MAX.into())? as u32;
        let lease = Lease { job: key.packed(), number, revision };
        let analyst = self.analyst(&mut cells)?;
        self.done.push(DoneJob { lease, analyst });
        Ok(())
    }

    /// The analyst whose number is the next cell.
    fn analyst(&self, cells: &mut Cells<'_>) -> Result<AnalystId, BookError> {
        let field = cells.next("the number of an analyst")?;
        let number = field.number("the number of an analyst").ok();
        let number = number.and_then(|number| usize::try_from(number).ok());
        let analyst = number.and_then(|number| self.analysts.get(number)?.clone());
        analyst.ok_or_else(|| field.error("the number of a line `analyst` above"))
    }

    fn read_evaluation(&self, mut cells: Cells<'_>) -> Result<Change, BookError> {
        let (position, m) = cells.position_and_move()?;
        let limit = i64::from(Score::INFINITE.raw());
        let score = cells.number("a value", -limit..=limit)? as i32;
        let bound = cells.one_of(&BOUNDS, "`exact`, `lower` or `upper`")?;
        let depth = cells.number("a depth", 0..=u16::MAX.into())? as u32;
        let nodes = cells.number("a number of nodes", 0..=i64::MAX)? as u64;
        let time_ms = cells.number("a time in milliseconds", 0..=u32::MAX.into())? as u64;
        let analyst = self.analyst(&mut cells)?;
        let source = cells.one_of(&SOURCES, "`search`, `successor` or `import`")?;
        let when = cells.number("a time in seconds since 1970", 0..=i64::MAX)? as u64;
        let ponder = match cells.next("the expected answer, or `-`")? {
            Field { text: "-", .. } => None,
            field => Some(legal_move(&position, Some(m), field)?),
        };
        let pv = Pv::from_parts(m, ponder.as_slice());
        let analysis = Analysis {
            depth,
            nodes,
            time: Duration::from_millis(time_ms),
            lines: vec![Line { bound, ..Line::exact(Score::from_raw(score), pv) }],
            completed: true,
            ..Analysis::default()
        };
        let logged = LoggedAnalysis::new(position, analysis, analyst);
        Ok(Change::Analysis(LoggedAnalysis { source, when, ..logged }))
    }
}

/// The error for a first line that is not that of a log. It ends the reading, because the format of
/// the other lines is unknown.
fn wrong_header(found: &str) -> BookError {
    let place = FaultPlace::Line { line: 1 };
    BookError::Header { place, found: shorten(found), expected: "`#KOMADAI-BOOK-LOG 1`" }
}

fn read_games(mut cells: Cells<'_>) -> Result<Change, BookError> {
    let (position, m) = cells.position_and_move()?;
    let games = cells.number("a number of games", 0..=u32::MAX.into())? as u32;
    Ok(Change::Move(KnownMove { position, m, ponder: None, games }))
}

fn read_input(mut cells: Cells<'_>) -> Result<Change, BookError> {
    Ok(Change::Input(Input {
        fingerprint: cells.hexadecimal("a fingerprint of sixteen hexadecimal digits")?,
        games: cells.number("a number of games", 0..=i64::MAX)? as u64,
        name: cells.text("a name")?,
    }))
}

/// A move that is legal in the position, or in the position after `before`.
fn legal_move(
    position: &Position,
    before: Option<Move>,
    field: Field<'_>,
) -> Result<Move, BookError> {
    let m = field.text.parse().map_err(|_| field.error("a move such as 7g7f, 8h2b+ or P*5e"))?;
    let legality = match before {
        Some(before) => check_legality(&position.after(before), m),
        None => check_legality(position, m),
    };
    let place = field.place();
    legality.map(|()| m).map_err(|reason| BookError::IllegalMove { place, m, reason })
}

/// The cells of a line, read one after the other.
#[derive(Debug)]
pub(crate) struct Cells<'a> {
    text: &'a str,
    /// The cells that are left.
    cells: std::str::Split<'a, char>,
    line: u64,
}

impl<'a> Cells<'a> {
    pub(crate) fn new(text: &'a str, line: u64) -> Self {
        Self { text, cells: text.split('\t'), line }
    }

    pub(crate) fn next(&mut self, expected: &'static str) -> Result<Field<'a>, BookError> {
        let cell = self.cells.next().map(|cell| part_of(self.text, cell, self.line));
        cell.ok_or_else(|| {
            let column = self.text.chars().count() + 1;
            Field { text: "", line: self.line, column }.error(expected)
        })
    }

    pub(crate) fn text(&mut self, expected: &'static str) -> Result<String, BookError> {
        let field = self.next(expected)?;
        unescape(field.text).ok_or_else(|| field.error("one of `\\\\`, `\\t`, `\\n`, `\\r`"))
    }

    /// A number of sixteen hexadecimal digits.
    pub(crate) fn hexadecimal(&mut self, expected: &'static str) -> Result<u64, BookError> {
        let field = self.next(expected)?;
        let digits = Some(field.text).filter(|digits| digits.len() == 16);
        let number = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
        number.ok_or_else(|| field.error(expected))
    }

    pub(crate) fn number(
        &mut self,
        expected: &'static str,
        range: std::ops::RangeInclusive<i64>,
    ) -> Result<i64, BookError> {
        let field = self.next(expected)?;
        let number = field.number(expected)?;
        if range.contains(&number) { Ok(number) } else { Err(field.error(expected)) }
    }

    fn one_of<T: Copy>(
        &mut self,
        table: &[(&'static str, T)],
        expected: &'static str,
    ) -> Result<T, BookError> {
        let field = self.next(expected)?;
        let found = table.iter().find(|(word, _)| *word == field.text);
        found.map(|&(_, value)| value).ok_or_else(|| field.error(expected))
    }

    pub(crate) fn position(&mut self) -> Result<Position, BookError> {
        let field = self.next("a position as SFEN")?;
        let place = field.place();
        Position::from_sfen(field.text).map_err(|error| BookError::Sfen { place, error })
    }

    fn position_and_move(&mut self) -> Result<(Position, Move), BookError> {
        let position = self.position()?;
        let m = legal_move(&position, None, self.next("a move")?)?;
        Ok((position, m))
    }
}
