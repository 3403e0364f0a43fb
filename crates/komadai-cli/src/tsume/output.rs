//! Answers as text: lines with tabs, CSV, JSON, or diagrams and moves for people.

mod csv;
mod json;
mod lines;
mod people;
mod solved;

use super::options::{Format, TsumeArgs};

pub(super) use csv::HEADER as CSV_HEADER;
pub(super) use solved::Solved;
use solved::one_line;

/// Returns the text of an answer, with line ends.
pub(super) fn text(solved: &Solved<'_>, arguments: &TsumeArgs) -> String {
    match arguments.format() {
        Format::Lines => lines::line(solved, arguments),
        Format::Csv => csv::row(solved, arguments),
        Format::Json => json::object(solved, arguments),
        Format::Text => people::text(solved, arguments),
    }
}

/// Returns an id as the answers of a format have it.
pub(super) fn id_in(format: Format, id: &str) -> String {
    match format {
        Format::Lines | Format::Text => one_line(id),
        Format::Csv => csv::id(id),
        Format::Json => id.to_owned(),
    }
}

/// Returns the id that a line of an answer begins with; `None` if it is no answer in this format.
pub(super) fn id_of(line: &str, format: Format) -> Option<String> {
    match format {
        Format::Lines | Format::Text => line.split_once('\t').map(|(id, _)| id.to_owned()),
        Format::Csv => csv::first_field(line),
        Format::Json => json::id_of(line),
    }
}
