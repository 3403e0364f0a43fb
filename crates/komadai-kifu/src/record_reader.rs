//! The reader that all line-based formats of games share.

use std::io::BufRead;
use std::marker::PhantomData;

use crate::error::KifuError;
use crate::kifu_format::KifuFormat;
use crate::record::Record;
use crate::text::encoding::Encodings;
use crate::text::lines::TextLines;
use crate::text::resumed::Resumed;
use crate::tolerance::{Loaded, Skipped, Tolerance};

/// A format in which games are written as lines of text.
///
/// A format defines how one game is read from the lines. Everything else, which is line numbers,
/// encodings, tolerance and the end of the reading, is the same for all formats.
pub(crate) trait TextFormat {
    /// The format itself.
    const FORMAT: KifuFormat;

    /// The encodings in which files of the format are written.
    const ENCODINGS: Encodings;

    /// Longest line that is read, in bytes.
    const MAX_LINE_BYTES: usize;

    /// Reads the next game. Returns `None` if the text ends before a game starts.
    ///
    /// # Errors
    ///
    /// The first fault that [`TextLines::tolerate`] returns.
    fn read_game<R: BufRead>(lines: &mut TextLines<R>) -> Result<Option<Record>, KifuError>;
}

/// Reads games of format `F` one by one. After an error or the last game the iterator has ended.
#[derive(Debug)]
pub(crate) struct RecordReader<R, F> {
    lines: TextLines<R>,
    is_over: bool,
    format: PhantomData<F>,
}

impl<R: BufRead, F: TextFormat> RecordReader<R, F> {
    pub(crate) fn new(reader: impl Into<Resumed<R>>, tolerance: Tolerance) -> Self {
        let reader = reader.into();
        let lines = TextLines::new(reader, tolerance, F::FORMAT, F::ENCODINGS, F::MAX_LINE_BYTES);
        Self { lines, is_over: false, format: PhantomData }
    }

    /// Returns the faults skipped so far.
    pub(crate) fn skipped(&self) -> &Skipped {
        self.lines.skipped()
    }

    /// Ends the reading and returns the faults skipped.
    pub(crate) fn into_skipped(self) -> Skipped {
        self.lines.into_skipped()
    }

    /// Returns the number of the line read last, from 1; 0 before the first.
    pub(crate) fn line(&self) -> u64 {
        self.lines.number()
    }
}

impl<R: BufRead, F: TextFormat> Iterator for RecordReader<R, F> {
    type Item = Result<Record, KifuError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let game = match F::read_game(&mut self.lines) {
            // The games before the place where the source is cut off are kept, the last one if it has a move.
            Ok(record) if record.as_ref().is_none_or(|record| record.moves.is_empty()) => {
                self.lines.take_failure().map_or(Ok(record), Err)
            }
            game => game,
        };
        self.is_over = !matches!(game, Ok(Some(_)));
        game.transpose()
    }
}

/// Reads all games of a text in memory.
pub(crate) fn parse<F: TextFormat>(text: &[u8], tolerance: Tolerance) -> Result<Loaded, KifuError> {
    let mut reader = RecordReader::<&[u8], F>::new(text, tolerance);
    let records = reader.by_ref().collect::<Result<_, _>>()?;
    Ok(Loaded { records, skipped: reader.into_skipped() })
}
