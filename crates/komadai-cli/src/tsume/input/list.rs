//! Lists and tables with a position on each line.

use std::io::BufRead;

use komadai::kifu::text::LineReader;
use komadai::kifu::{Tolerance, parse_usi_games};
use komadai::{Move, Position};

/// Longest line that is read, in bytes. A line of a table may have long columns after the position.
const MAX_LINE_BYTES: usize = 1 << 20;

/// The layout of the lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// A position.
    Lines,
    /// Columns between tabs: the id, the position, and others.
    Table {
        /// The first line names the columns.
        has_header: bool,
    },
}

/// Reads a list line by line. A faulty line does not end it.
#[derive(Debug)]
pub(super) struct List<R> {
    lines: LineReader<R>,
    layout: Layout,
    place: String,
    has_header: bool,
    is_over: bool,
}

impl<R: BufRead> List<R> {
    pub(super) fn new(reader: R, layout: Layout, place: &str) -> Self {
        let has_header = layout == Layout::Table { has_header: true };
        let lines = LineReader::new(reader, MAX_LINE_BYTES);
        Self { lines, layout, place: place.to_owned(), has_header, is_over: false }
    }
}

impl<R: BufRead> Iterator for List<R> {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        while !self.is_over {
            let line = match self.lines.next_line() {
                Ok(None) => break,
                Ok(Some(line)) => line.trim_ascii_end().to_owned(),
                Err(fault) => {
                    // A line that is too long is skipped; a source that fails ends the list.
                    self.is_over =
                        !matches!(fault.kind, komadai::kifu::TextFaultKind::LineTooLong { .. });
                    let error = format!("{}: {fault}", self.place);
                    return Some((self.place.clone(), Err(error)));
                }
            };
            let is_blank = line.trim_ascii().is_empty();
            if is_blank || (self.layout == Layout::Lines && line.starts_with(b"#")) {
                continue;
            }
            if std::mem::take(&mut self.has_header) {
                continue;
            }
            let place = format!("{}, line {}", self.place, self.lines.number());
            return Some(found(line, self.layout, place));
        }
        None
    }
}

fn found(line: Vec<u8>, layout: Layout, place: String) -> Found {
    let line = match String::from_utf8(line) {
        Ok(line) => line,
        Err(error) => return (place.clone(), Err(format!("{place}: not UTF-8: {error}"))),
    };
    if layout == Layout::Lines {
        return (place.clone(), Ok(Content::Text { text: line, place }));
    }
    let mut columns = line.split('\t');
    let id = columns.next().unwrap_or_default().to_owned();
    match columns.next() {
        Some(text) => (id, Ok(Content::Text { text: text.to_owned(), place })),
        None => {
            let expected = "found one column, expected an id and an SFEN separated by a tab";
            (id, Err(format!("{place}: {expected}")))
        }
    }
}

/// Returns the position that a line states: an SFEN, or the start of a game in USI.
pub(super) fn position(line: &str) -> Result<Position, String> {
    let text = line.trim();
    match Position::from_sfen(text) {
        Ok(position) => Ok(position),
        Err(error)
            if !["sfen ", "position ", "startpos"].iter().any(|word| text.starts_with(word))
                && !text.contains([',', '#'])
                && !text.contains(" moves") =>
        {
            Err(error.to_string())
        }
        Err(_) => {
            let games = parse_usi_games(text, Tolerance::Strict).map_err(|error| {
                // The place of the line in its file is named by the caller.
                let error = error.to_string();
                error
                    .strip_prefix("line 1, ")
                    .or(error.strip_prefix("line 1: "))
                    .unwrap_or(&error)
                    .to_owned()
            })?;
            let record = games.records.first().ok_or("found no position")?;
            Position::from_setup(&record.setup).map_err(|error| error.to_string())
        }
    }
}

/// The position of a problem.
#[derive(Debug)]
pub(in crate::tsume) enum Content {
    /// A position with the moves of its record, which may be the solution that the author intends.
    Position(Box<Position>, Vec<Move>),
    /// A line that states a position, and its place. It is parsed by the thread that solves it.
    Text { text: String, place: String },
}

/// A problem without its number: the id, and the position or the reason why there is none.
pub(super) type Found = (String, Result<Content, String>);
