//! A reader of USEN from a source.

use std::io::{BufRead, Read as _};

use super::{MAX_BYTES, parse_usen};
use crate::error::KifuError;
use crate::record::Record;
use crate::text::fault::{TextFault, TextFaultKind};
use crate::text::resumed::Resumed;
use crate::tolerance::{Skipped, Tolerance};

/// Reads the game of a USEN file, as an iterator like those of the formats with several games.
///
/// # Examples
///
/// ```
/// use komadai_kifu::{Tolerance, UsenReader};
///
/// let text = &b"~0.6y236e7ku4be.r\n"[..];
/// let games = UsenReader::new(text, Tolerance::Strict).collect::<Result<Vec<_>, _>>()?;
/// assert_eq!(games[0].moves.len(), 4);
/// # Ok::<(), komadai_kifu::KifuError>(())
/// ```
#[derive(Debug)]
pub struct UsenReader<R> {
    source: Option<Resumed<R>>,
    tolerance: Tolerance,
    skipped: Skipped,
}

impl<R: BufRead> UsenReader<R> {
    /// Creates a reader of the game in `reader`.
    pub fn new(reader: R, tolerance: Tolerance) -> Self {
        Self::resumed(reader.into(), tolerance)
    }

    /// Creates a reader of the game in a source whose start has been read ahead.
    pub(crate) fn resumed(reader: Resumed<R>, tolerance: Tolerance) -> Self {
        Self { source: Some(reader), tolerance, skipped: Skipped::default() }
    }

    /// Returns the faults skipped so far; none if the reading is strict.
    #[must_use]
    pub fn skipped(&self) -> &Skipped {
        &self.skipped
    }

    /// Ends the reading and returns the faults skipped.
    #[must_use]
    pub fn into_skipped(self) -> Skipped {
        self.skipped
    }

    fn read(&mut self, source: Resumed<R>) -> Result<Record, KifuError> {
        let mut text = Vec::new();
        let read = source.take(MAX_BYTES as u64 + 1).read_to_end(&mut text);
        read.map_err(|error| TextFault::in_line(1, TextFaultKind::Io(error)))?;
        let mut loaded = parse_usen(text, self.tolerance)?;
        self.skipped.append(loaded.skipped);
        Ok(loaded.records.remove(0))
    }
}

impl<R: BufRead> Iterator for UsenReader<R> {
    type Item = Result<Record, KifuError>;

    fn next(&mut self) -> Option<Self::Item> {
        let source = self.source.take()?;
        Some(self.read(source))
    }
}
