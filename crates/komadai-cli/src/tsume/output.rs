//! Answers as text: lines with tabs, CSV, JSON, or diagrams and moves for people.

mod csv;
mod json;
mod lines;
mod people;

use std::time::Duration;

use komadai::core::{Move, Position};
use komadai::kifu::Notation;
use komadai::movegen::{MateLimit, MateReport, MateResult};

use super::extras::Extras;
use super::options::{Format, TsumeArgs};

pub(super) use csv::HEADER as CSV_HEADER;

/// A problem with the report of its search.
#[derive(Debug)]
pub(super) struct Solved<'a> {
    pub(super) id: &'a str,
    pub(super) position: &'a Position,
    pub(super) report: &'a MateReport,
    pub(super) elapsed: Duration,
    pub(super) extras: &'a Extras,
}

/// Returns the text of an answer, with line ends.
pub(super) fn text(solved: &Solved<'_>, arguments: &TsumeArgs) -> String {
    match arguments.format {
        Format::Lines => lines::line(solved, arguments),
        Format::Csv => csv::row(solved, arguments),
        Format::Json => json::object(solved, arguments),
        Format::Text => people::text(solved, arguments),
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

/// Returns an id without the characters that separate answers.
pub(super) fn one_line(id: &str) -> String {
    id.replace(['\t', '\n', '\r'], " ")
}

impl Solved<'_> {
    /// Returns the mating line; empty if there is none.
    fn line(&self) -> &[Move] {
        match &self.report.result {
            MateResult::Mate { line, .. } => line,
            _ => &[],
        }
    }

    /// Returns the first move of a mate, if it is known.
    fn first(&self) -> Option<Move> {
        match &self.report.result {
            MateResult::MateWithoutLine { first } => *first,
            _ => self.line().first().copied(),
        }
    }

    /// Returns true if the line is proven to be the shortest mate. Mates have odd numbers of plies.
    fn is_shortest(&self) -> bool {
        let is_bound = self.report.no_mate_within.saturating_add(2) >= self.line().len() as u32;
        match self.report.result {
            MateResult::Mate { shortest, .. } => shortest || is_bound,
            _ => false,
        }
    }

    /// Returns the number of plies within which there is no mate: 0 if nothing is proven, `None` if there is none
    /// at all.
    fn no_mate_within(&self) -> Option<u32> {
        Some(self.report.no_mate_within).filter(|&plies| plies < u32::MAX)
    }

    /// Returns the names of the moves of a line from the position of the problem.
    fn names(&self, line: &[Move], notation: Notation) -> Vec<String> {
        notation.names(self.position, line)
    }
}

/// Returns the word for a limit that ended a search.
fn limit_word(limit: MateLimit) -> &'static str {
    match limit {
        MateLimit::Nodes => "nodes",
        MateLimit::Time => "time",
        MateLimit::Stop => "stop",
        MateLimit::Depth => "depth",
        _ => "method",
    }
}

/// Returns the notation of moves on one line.
fn notation(arguments: &TsumeArgs) -> Notation {
    if arguments.japanese { Notation::Japanese } else { Notation::Usi }
}
