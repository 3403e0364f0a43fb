//! Writing of text logs.

use std::io::{self, Write};

use komadai_core::{AnalystId, Line, Move, Position};

use super::{BOUNDS, LOG_HEADER, MAX_LINE_BYTES, SOURCES, escape, word_of};
use crate::logged_analysis::LoggedAnalysis;
use crate::merge::Input;
use crate::queue::{FinishedJob, Lease};

/// Writes lines of a log, each with one call of `write_all`, so that a process that is killed
/// leaves at most one incomplete line.
#[derive(Debug)]
pub(crate) struct LogWriter<W> {
    out: W,
    /// The analysts named so far, in the order of their numbers.
    named: Vec<AnalystId>,
}

impl<W: Write> LogWriter<W> {
    /// Creates a writer that appends lines to `out`.
    pub(crate) fn new(out: W) -> Self {
        Self { out, named: Vec::new() }
    }

    pub(crate) fn out(&mut self) -> &mut W {
        &mut self.out
    }

    pub(crate) fn header(&mut self) -> io::Result<()> {
        self.line(LOG_HEADER)
    }

    pub(crate) fn input(&mut self, input: &Input) -> io::Result<()> {
        let Input { fingerprint, games, name } = input;
        self.line(&format!("input\t{fingerprint:016x}\t{games}\t{}", escape(name)))
    }

    pub(crate) fn games(&mut self, position: &Position, m: Move, games: u32) -> io::Result<()> {
        self.line(&format!("games\t{position}\t{m}\t{games}"))
    }

    /// Writes one line of an analysis, which begins with `m`.
    pub(crate) fn evaluation(
        &mut self,
        logged: &LoggedAnalysis,
        line: &Line,
        m: Move,
        ponder: Option<Move>,
    ) -> io::Result<()> {
        let LoggedAnalysis { position, analysis, analyst, source, when, .. } = logged;
        let number = self.number_of(analyst)?;
        let score = line.score.raw();
        let bound = word_of(&BOUNDS, line.bound);
        let source = word_of(&SOURCES, *source);
        // The limits of the reader.
        let depth = analysis.depth.min(u16::MAX.into());
        let nodes = analysis.nodes.min(i64::MAX as u64);
        let time_ms = analysis.time.as_millis().min(u32::MAX.into());
        let when = (*when).min(i64::MAX as u64);
        let ponder = ponder.map_or("-".to_owned(), |ponder| ponder.to_string());
        self.line(&format!(
            "eval\t{position}\t{m}\t{score}\t{bound}\t{depth}\t{nodes}\t{time_ms}\t{number}\
             \t{source}\t{when}\t{ponder}",
        ))
    }

    /// Writes the number of the book that has the jobs.
    pub(crate) fn book(&mut self, id: u64) -> io::Result<()> {
        self.line(&format!("book\t{id:016x}"))
    }

    /// Writes that a job has been done by the evaluations before.
    pub(crate) fn done(&mut self, job: &FinishedJob) -> io::Result<()> {
        let FinishedJob { lease, result } = job;
        let number = self.number_of(&result.analyst)?;
        let Lease { number: lease, revision, .. } = lease;
        self.line(&format!("done\t{}\t{lease}\t{revision}\t{number}", result.position))
    }

    /// The number of an analyst. A new analyst gets a number by a line of its own.
    fn number_of(&mut self, analyst: &AnalystId) -> io::Result<usize> {
        if let Some(number) = self.named.iter().position(|named| named == analyst) {
            return Ok(number);
        }
        let AnalystId { name, version, options } = analyst;
        let [name, version, options] = [name, version, options].map(|text| escape(text));
        let number = self.named.len();
        self.line(&format!("analyst\t{number}\t{name}\t{version}\t{options}"))?;
        self.named.push(analyst.clone());
        Ok(number)
    }

    fn line(&mut self, text: &str) -> io::Result<()> {
        if text.len() > MAX_LINE_BYTES {
            let what = "a name or options too long for a line of the log";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, what));
        }
        self.out.write_all(format!("{text}\n").as_bytes())
    }
}
