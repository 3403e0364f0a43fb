//! Writing logs.

use std::io::{self, Write};

use komadai_core::{Move, Position};

use super::{BOUNDS, LOG_HEADER, MAX_LINE_BYTES, SOURCES, escape, word_of};
use crate::AnalystId;
use crate::book::{Book, Input};
use crate::evaluation::Evaluation;

/// Writes lines of a log. Each line goes to `out` in one piece.
#[derive(Debug)]
pub(crate) struct LogWriter<W> {
    out: W,
    /// The analysts named so far, in the order of their numbers.
    named: Vec<AnalystId>,
}

impl<W: Write> LogWriter<W> {
    /// Goes on with a log.
    pub(crate) fn new(out: W) -> Self {
        Self { out, named: Vec::new() }
    }

    #[cfg(feature = "store")]
    pub(crate) fn out(&mut self) -> &mut W {
        &mut self.out
    }

    pub(crate) fn header(&mut self) -> io::Result<()> {
        self.line(LOG_HEADER)
    }

    /// Writes everything that a book has.
    pub(crate) fn book(&mut self, book: &Book) -> io::Result<()> {
        for input in book.inputs() {
            self.input(input)?;
        }
        for entry in book.entries() {
            let position = entry.position();
            for listed in entry.moves() {
                // A move of no game and without evaluation is there all the same.
                if listed.games > 0 || listed.log.is_empty() {
                    self.games(&position, listed.m, listed.games)?;
                }
                for evaluation in listed.log {
                    let analyst = book.analyst_id(evaluation.analyst);
                    self.evaluation(&position, listed.m, evaluation, analyst, listed.ponder)?;
                }
            }
        }
        Ok(())
    }

    pub(crate) fn input(&mut self, input: &Input) -> io::Result<()> {
        let Input { fingerprint, games, name } = input;
        self.line(&format!("input\t{fingerprint:016x}\t{games}\t{}", escape(name)))
    }

    pub(crate) fn games(&mut self, position: &Position, m: Move, games: u32) -> io::Result<()> {
        self.line(&format!("games\t{position}\t{m}\t{games}"))
    }

    pub(crate) fn evaluation(
        &mut self,
        position: &Position,
        m: Move,
        evaluation: &Evaluation,
        analyst: &AnalystId,
        ponder: Option<Move>,
    ) -> io::Result<()> {
        let number = self.number_of(analyst)?;
        let Evaluation { score, bound, depth, nodes, time_ms, source, when, .. } = *evaluation;
        let (score, bound) = (score.raw(), word_of(&BOUNDS, bound));
        let source = word_of(&SOURCES, source);
        let ponder = ponder.map_or("-".to_owned(), |ponder| ponder.to_string());
        self.line(&format!(
            "eval\t{position}\t{m}\t{score}\t{bound}\t{depth}\t{nodes}\t{time_ms}\t{number}\
             \t{source}\t{when}\t{ponder}",
        ))
    }

    /// The number of an analyst, which is named first if it has none.
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

impl Book {
    /// Writes everything that is known, and where it comes from, as a log.
    ///
    /// # Errors
    ///
    /// If `out` fails.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_book::{Book, LogReader};
    /// use komadai_core::Position;
    /// use komadai_kifu::Tolerance;
    ///
    /// let mut book = Book::new();
    /// book.add_games(&Position::hirate(), "7g7f".parse()?, 12)?;
    /// let mut text = Vec::new();
    /// book.write_log(&mut text)?;
    ///
    /// let mut again = Book::new();
    /// LogReader::new(&text[..], Tolerance::Strict).read_into(&mut again)?;
    /// assert_eq!(again.len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write_log(&self, out: &mut impl Write) -> io::Result<()> {
        let mut writer = LogWriter::new(out);
        writer.header()?;
        writer.book(self)
    }
}
