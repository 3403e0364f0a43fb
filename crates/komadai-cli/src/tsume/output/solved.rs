//! A solved problem, as all formats see it.

use std::time::Duration;

use komadai::core::{Move, Position};
use komadai::kifu::Notation;
use komadai::movegen::{MateLimit, MateReport, MateResult};
use komadai_base::text::printable;

use crate::tsume::extras::{Extras, FirstMove};
use crate::tsume::options::TsumeArgs;

/// A problem with the report of its search.
#[derive(Debug)]
pub(in crate::tsume) struct Solved<'a> {
    pub(in crate::tsume) id: &'a str,
    pub(in crate::tsume) position: &'a Position,
    pub(in crate::tsume) report: &'a MateReport,
    pub(in crate::tsume) elapsed: Duration,
    pub(in crate::tsume) extras: &'a Extras,
}

/// Returns an id without the characters that separate answers, or that a terminal obeys.
pub(in crate::tsume) fn one_line(id: &str) -> String {
    printable(&id.replace(['\t', '\n', '\r'], " ")).into_owned()
}

impl Solved<'_> {
    /// Returns the mating line; empty if there is none.
    pub(super) fn line(&self) -> &[Move] {
        match &self.report.result {
            MateResult::Mate { line, .. } => line,
            _ => &[],
        }
    }

    /// Returns the first move of a mate, if it is known.
    pub(super) fn first(&self) -> Option<Move> {
        match &self.report.result {
            MateResult::MateWithoutLine { first } => *first,
            _ => self.line().first().copied(),
        }
    }

    /// Returns true if the line is proven to be the shortest mate. Mates have odd numbers of plies.
    pub(super) fn is_shortest(&self) -> bool {
        let is_bound = self.report.no_mate_within.saturating_add(2) >= self.line().len() as u32;
        match self.report.result {
            MateResult::Mate { shortest, .. } => shortest || is_bound,
            _ => false,
        }
    }

    /// Returns the number of plies within which there is no mate: 0 if nothing is proven, `None` if
    /// there is none at all.
    pub(super) fn no_mate_within(&self) -> Option<u32> {
        Some(self.report.no_mate_within).filter(|&plies| plies < u32::MAX)
    }

    /// Returns the names of the moves of a line from the position of the problem.
    pub(super) fn names(&self, line: &[Move], notation: Notation) -> Vec<String> {
        notation.names(self.position, line)
    }
}

/// Returns the plies of a first move as text: a bound has a sign before it.
pub(super) fn plies_of(first: &FirstMove) -> String {
    let sign = if first.is_exact { "" } else { "≤" };
    format!("{sign}{}", first.plies)
}

/// Returns the word for a limit that ended a search.
pub(super) fn limit_word(limit: MateLimit) -> &'static str {
    match limit {
        MateLimit::Nodes => "nodes",
        MateLimit::Time => "time",
        MateLimit::Stop => "stop",
        MateLimit::Depth => "depth",
        MateLimit::Memory => "memory",
        _ => "method",
    }
}

/// Returns the notation of moves on one line.
pub(super) fn notation(arguments: &TsumeArgs) -> Notation {
    arguments.notation(Notation::Usi)
}
