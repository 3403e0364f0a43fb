//! Reading `.db` books.

use std::io::BufRead;

use komadai_core::{Bound, Move, Position, Score};
use komadai_kifu::{LineReader, Skipped, Tolerance};
use komadai_movegen::check_legality;

use super::{COUNT_PREFIX, HEADER, NONE, UNKNOWN_VALUE};
use crate::AnalystId;
use crate::book::{AddedMove, Book, EntryError};
use crate::error::BookError;
use crate::evaluation::{Evaluation, Source};
use crate::fields::{Field, words};
use crate::merge::Merged;

/// The longest line read, in bytes. Comments may be long; positions and moves never are.
const MAX_LINE_BYTES: usize = 1 << 16;

/// Reads a `.db` book position by position, in bounded memory.
///
/// A byte order mark and any line ends are accepted, comments (`#`, `//`) and empty lines passed
/// over. A strict reader refuses a missing or another header, illegal and repeated moves, numbers
/// that are none, and a number of positions other than announced; a lenient one skips and counts
/// them. What a position has of no use (moves `none`, text after the fifth word) is no fault.
///
/// # Examples
///
/// ```
/// use komadai_book::DbReader;
/// use komadai_kifu::Tolerance;
///
/// let text = "\
/// ##YANEURAOU-DB2016 1.00
/// sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1
/// 7g7f 3c3d 35 18 120
/// 2g2f none none
/// ".replacen("##", "#", 1);
/// let mut book = DbReader::new(text.as_bytes(), Tolerance::Strict);
/// let start = book.next().expect("a position")?;
/// assert_eq!(start.moves[0].score.map(|score| score.raw()), Some(35));
/// assert_eq!(start.moves[1].score, None);
/// # Ok::<(), komadai_book::BookError>(())
/// ```
#[derive(Debug)]
pub struct DbReader<R> {
    lines: LineReader<R>,
    tolerance: Tolerance,
    skipped: Skipped<BookError>,
    /// The position whose moves are being read.
    current: Current,
    stated: Option<u64>,
    found: u64,
    is_over: bool,
}

/// A position of a `.db` book.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DbRecord {
    /// The position.
    pub position: Position,
    /// Its moves in the order of the file, all legal.
    pub moves: Vec<DbMove>,
    /// The line on which it begins, from 1.
    pub line: u64,
}

/// A move of a `.db` book. What the file does not say is absent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct DbMove {
    /// The move.
    pub m: Move,
    /// The answer expected.
    pub ponder: Option<Move>,
    /// The value for the side to move. −32768 is a way of writing that there is none.
    pub score: Option<Score>,
    /// The number of plies looked ahead.
    pub depth: Option<u16>,
    /// The number of games in which the move was made.
    pub count: Option<u32>,
}

/// What reading a book into another has brought.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct DbImport {
    /// The number of positions read, those without moves not counted.
    pub read: usize,
    /// What of it was new.
    pub merged: Merged,
    /// What was skipped; nothing if the reading was strict.
    pub skipped: Skipped<BookError>,
}

#[derive(Debug)]
enum Current {
    /// No position has come yet.
    None,
    /// This one.
    Record(Box<DbRecord>),
    /// One that could not be read: its moves are skipped.
    Faulty,
}

impl<R: BufRead> DbReader<R> {
    /// Reads from `reader`.
    pub fn new(reader: R, tolerance: Tolerance) -> Self {
        Self {
            lines: LineReader::new(reader, MAX_LINE_BYTES),
            tolerance,
            skipped: Skipped::default(),
            current: Current::None,
            stated: None,
            found: 0,
            is_over: false,
        }
    }

    /// What has been skipped so far; nothing if the reading is strict.
    #[must_use]
    pub fn skipped(&self) -> &Skipped<BookError> {
        &self.skipped
    }

    /// Reads everything into a book. The file does not say who made its values: they are logged as
    /// imported from an analyst without a name.
    ///
    /// # Errors
    ///
    /// If the reading is strict, the first fault; else only if the source fails or the book is full.
    /// What was read before is in the book then.
    pub fn read_into(self, book: &mut Book) -> Result<DbImport, BookError> {
        self.read_into_as(book, &AnalystId::default())
    }

    /// As [`read_into`](Self::read_into), logging the values as made by `analyst`.
    ///
    /// # Errors
    ///
    /// As [`read_into`](Self::read_into).
    pub fn read_into_as(
        mut self,
        book: &mut Book,
        analyst: &AnalystId,
    ) -> Result<DbImport, BookError> {
        let analyst = book.analyst(analyst);
        let mut import = DbImport::default();
        while let Some(record) = self.next() {
            let DbRecord { position, moves, line } = record?;
            if moves.is_empty() {
                continue;
            }
            let moves = moves.iter().map(|listed| AddedMove {
                m: listed.m,
                ponder: listed.ponder,
                games: listed.count.unwrap_or(0),
                evaluation: listed.score.map(|score| Evaluation {
                    score,
                    bound: Bound::Exact,
                    depth: listed.depth.unwrap_or(0),
                    nodes: 0,
                    time_ms: 0,
                    analyst,
                    source: Source::Import,
                    when: 0,
                }),
            });
            match book.add_record(&position, moves) {
                Ok(merged) => {
                    import.merged += merged;
                    import.read += 1;
                }
                Err(EntryError::Position { reason: error, .. }) => {
                    self.tolerate(BookError::Position { line, error })?;
                }
                Err(error) => return Err(BookError::Full { line, error }),
            }
        }
        import.skipped = self.skipped;
        Ok(import)
    }

    /// The next position, or `None` after the last.
    fn next_record(&mut self) -> Result<Option<DbRecord>, BookError> {
        loop {
            match self.next_line() {
                Ok(Some((text, line))) => {
                    let finished = self.read_line(&text, line);
                    if let Some(record) = finished.or_else(|fault| self.tolerate(fault))? {
                        return Ok(Some(record));
                    }
                }
                Ok(None) => break,
                Err(fault) => {
                    self.tolerate(fault)?;
                }
            }
        }
        let last = match std::mem::replace(&mut self.current, Current::None) {
            Current::Record(record) => Some(*record),
            Current::None | Current::Faulty => None,
        };
        if last.is_none()
            && let Some(stated) = self.stated.take()
            && stated != self.found
        {
            self.tolerate(BookError::Truncated { stated, found: self.found })?;
        }
        Ok(last)
    }

    fn next_line(&mut self) -> Result<Option<(String, u64)>, BookError> {
        let text = match self.lines.next_line()? {
            None => return Ok(None),
            Some(line) => str::from_utf8(line).map(str::to_owned),
        };
        let line = self.lines.number();
        text.map(|text| Some((text, line))).map_err(|_| BookError::NotUtf8 { line })
    }

    /// Reads one line; the answer is the position before it, if it begins another.
    fn read_line(&mut self, text: &str, line: u64) -> Result<Option<DbRecord>, BookError> {
        let text = text.trim_ascii();
        let header = if line == 1 && text != HEADER {
            let first = words(text, line).next().unwrap_or(Field { text, line, column: 1 });
            Err(first.error("the header `#YANEURAOU-DB2016 1.00`"))
        } else {
            Ok(None)
        };
        if let Some(count) = text.strip_prefix(COUNT_PREFIX) {
            self.stated = count.split(',').next().and_then(|count| count.trim().parse().ok());
        }
        if text.is_empty() || text.starts_with('#') || text.starts_with("//") {
            return header;
        }
        // A position on the first line is not lost for want of a header.
        let begins_position = text == "sfen" || text.starts_with("sfen ");
        let read = match begins_position {
            true => self.read_position(text, line),
            false => self.read_move(text, line).map(|()| None),
        };
        header.and(read)
    }

    fn read_position(&mut self, text: &str, line: u64) -> Result<Option<DbRecord>, BookError> {
        let previous = match std::mem::replace(&mut self.current, Current::Faulty) {
            Current::Record(record) => Some(*record),
            Current::None | Current::Faulty => None,
        };
        self.found += 1;
        match Position::from_sfen(text) {
            Ok(position) => {
                let record = DbRecord { position, moves: Vec::new(), line };
                self.current = Current::Record(Box::new(record));
                Ok(previous)
            }
            Err(error) => {
                let fault = BookError::Sfen { line, column: 1, error };
                self.tolerate(fault).map(|_| previous)
            }
        }
    }

    fn read_move(&mut self, text: &str, line: u64) -> Result<(), BookError> {
        let mut fields = words(text, line);
        let first = fields.next().expect("the line is not empty");
        let record = match &mut self.current {
            Current::Record(record) => record,
            Current::None => return Err(first.error("a position, `sfen …`, before its moves")),
            Current::Faulty => {
                self.skipped.add_consequence();
                return Ok(());
            }
        };
        if is_no_move(first.text) {
            return Ok(());
        }
        let listed = parse_move_line(&record.position, first, fields)?;
        if record.moves.iter().any(|known| known.m == listed.m) {
            return Err(BookError::DuplicateMove { line, column: first.column, m: listed.m });
        }
        record.moves.push(listed);
        Ok(())
    }

    /// Notes a fault and goes on, if that is allowed and possible.
    fn tolerate(&mut self, fault: BookError) -> Result<Option<DbRecord>, BookError> {
        match self.tolerance {
            Tolerance::Lenient if !fault.is_final() => {
                self.skipped.add(fault);
                Ok(None)
            }
            _ => Err(fault),
        }
    }
}

impl<R: BufRead> Iterator for DbReader<R> {
    type Item = Result<DbRecord, BookError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let record = self.next_record();
        self.is_over = !matches!(record, Ok(Some(_)));
        record.transpose()
    }
}

fn parse_move_line<'a>(
    position: &Position,
    first: Field<'a>,
    mut rest: impl Iterator<Item = Field<'a>>,
) -> Result<DbMove, BookError> {
    let m = parse_legal_move(position, first)?;
    let ponder = match rest.next() {
        Some(field) if !is_no_move(field.text) => {
            Some(parse_legal_move(&position.after(m), field)?)
        }
        _ => None,
    };
    let mut number = |expected| match rest.next() {
        Some(field) if !field.text.eq_ignore_ascii_case(NONE) => field.number(expected).map(Some),
        _ => Ok(None),
    };
    let value = number("a value in centipawns, or `none`")?;
    let depth = number("a depth, or `none`")?;
    let count = number("a number of games, or `none`")?;
    let limit = i64::from(Score::MATE.raw());
    Ok(DbMove {
        m,
        ponder,
        score: value
            .filter(|&value| value > UNKNOWN_VALUE)
            .map(|value| Score::from_raw(value.clamp(-limit, limit) as i32)),
        depth: depth.map(|depth| depth.clamp(0, u16::MAX.into()) as u16),
        count: count.map(|count| count.clamp(0, u32::MAX.into()) as u32),
    })
}

fn parse_legal_move(position: &Position, field: Field<'_>) -> Result<Move, BookError> {
    let m = field.text.parse().map_err(|_| field.error("a move such as 7g7f, 8h2b+ or P*5e"))?;
    match check_legality(position, m) {
        Ok(()) => Ok(m),
        Err(reason) => {
            Err(BookError::IllegalMove { line: field.line, column: field.column, m, reason })
        }
    }
}

/// Words that stand where a move could, and are none.
fn is_no_move(word: &str) -> bool {
    ["none", "resign", "win"].iter().any(|other| word.eq_ignore_ascii_case(other))
}
