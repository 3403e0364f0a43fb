//! The text log of a book: its evaluations and games with their provenance.
//!
//! A `.db` book cannot hold the analyst, the time and the number of nodes of an evaluation. A log
//! can. It is a text of lines with cells that are separated by tabs:
//!
//! ```text
//! #KOMADAI-BOOK-LOG 1
//! analyst⇥0⇥komadai⇥0.1.0⇥hash 8 MiB
//! games⇥lnsgkgsnl/1r5b1/… b - 1⇥7g7f⇥12
//! eval⇥lnsgkgsnl/1r5b1/… b - 1⇥7g7f⇥35⇥exact⇥9⇥20000⇥48⇥0⇥search⇥1700000000⇥3c3d
//! input⇥9f86d081884c7d65⇥77⇥games.csa
//! book⇥9d0e5c3a11b28f47
//! done⇥lnsgkgsnl/1r5b1/… b - 1⇥3⇥0⇥0
//! ```
//!
//! | line | cells |
//! |---|---|
//! | `analyst` | a number, which denotes this analyst from this line on; name, version, options |
//! | `games` | position, move, number of games to add |
//! | `eval` | position, move, value, bound, depth, nodes, milliseconds, number of the analyst, source, seconds since 1970, expected answer or `-` |
//! | `input` | fingerprint, number of games and name of a source that has been read |
//! | `book` | the number of the book that has the jobs of the lines `done` |
//! | `done` | position, lease, revision and number of the analyst of a job that has been done by the lines before |
//!
//! Values are the numbers of [`Score::raw`](komadai_core::Score::raw), as in `.db` books. Tabs,
//! line ends and backslashes within a cell are written `\t`, `\n`, `\r` and `\\`.
//!
//! Lines are only added. So a log can be written during an analysis, and logs can be concatenated.

mod reader;
mod writer;

pub(crate) use reader::{Cells, DoneJob, LogReader};
pub(crate) use writer::LogWriter;

use komadai_core::Bound;

use crate::logged_analysis::Source;

/// The first line of every log.
pub(crate) const LOG_HEADER: &str = "#KOMADAI-BOOK-LOG 1";

/// The maximum length of a line in bytes. It bounds the memory for files that are no logs; real
/// lines are far shorter.
pub(crate) const MAX_LINE_BYTES: usize = 1 << 16;

const BOUNDS: [(&str, Bound); 3] =
    [("exact", Bound::Exact), ("lower", Bound::Lower), ("upper", Bound::Upper)];

const SOURCES: [(&str, Source); 3] =
    [("search", Source::Search), ("successor", Source::Successor), ("import", Source::Import)];

/// The word of a value in one of the tables above.
fn word_of<T: PartialEq + Copy>(table: &[(&'static str, T)], value: T) -> &'static str {
    let found = table.iter().find(|(_, other)| *other == value);
    found.map(|(word, _)| *word).expect("the table contains every value")
}

/// A cell with escapes in place of the characters that separate cells and lines.
pub(crate) fn escape(cell: &str) -> String {
    let mut escaped = String::with_capacity(cell.len());
    for c in cell.chars() {
        match c {
            '\\' => escaped.push_str(r"\\"),
            '\t' => escaped.push_str(r"\t"),
            '\n' => escaped.push_str(r"\n"),
            '\r' => escaped.push_str(r"\r"),
            c => escaped.push(c),
        }
    }
    escaped
}

/// The reverse of [`escape`]; `None` if a backslash is followed by anything else.
fn unescape(cell: &str) -> Option<String> {
    let mut text = String::with_capacity(cell.len());
    let mut chars = cell.chars();
    while let Some(c) = chars.next() {
        text.push(match c {
            '\\' => match chars.next()? {
                '\\' => '\\',
                't' => '\t',
                'n' => '\n',
                'r' => '\r',
                _ => return None,
            },
            c => c,
        });
    }
    Some(text)
}

#[cfg(test)]
mod tests;
