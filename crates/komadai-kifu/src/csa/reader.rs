//! Games one after the other, from text of any length.

use std::io::BufRead;

use super::game::Game;
use super::statement::{Statement, statements};
use crate::text_encoding::Decoder;
use crate::tolerance::Loaded;
use crate::{KifuError, LineReader, Record, Skipped, Tolerance};

/// The longest line read, in bytes. Programs write thoughts of some hundred moves on one.
const MAX_LINE_BYTES: usize = 1 << 20;

/// Reads the games of a CSA text one by one, however many there are.
///
/// Games are separated by lines of `/`; a `V` line after moves begins a new game as well, so that
/// files may simply be joined. Memory is bounded by the longest game allowed, not by the text.
///
/// # Examples
///
/// ```
/// use komadai_kifu::{CsaReader, Tolerance};
///
/// let text = "PI\n+\n+7776FU\n%TORYO\n/\nPI\n+\n+2726FU\n-9999FU\n%TORYO\n";
/// let mut games = CsaReader::new(text.as_bytes(), Tolerance::Lenient);
/// let records = games.by_ref().collect::<Result<Vec<_>, _>>()?;
/// assert_eq!(records.iter().map(|game| game.moves.len()).collect::<Vec<_>>(), [1, 1]);
/// // The move from 9九 to 9九. The end mark counts, and no one knows what was meant.
/// assert_eq!(games.skipped().count(), 2);
/// # Ok::<(), komadai_kifu::KifuError>(())
/// ```
#[derive(Debug)]
pub struct CsaReader<R> {
    lines: LineReader<R>,
    decoder: Decoder,
    tolerance: Tolerance,
    skipped: Skipped,
    /// The first line of the next game, read to see where this one ends.
    next_first: Option<(String, u64)>,
    is_over: bool,
}

/// Reads all games of a CSA text that is in memory.
///
/// # Errors
///
/// If `tolerance` is strict, the first fault. A lenient reading of a text in memory cannot fail.
///
/// # Examples
///
/// ```
/// use komadai_kifu::{Tolerance, parse_csa};
///
/// let text = "V2.2\nN+A\nPI\n+\n+7776FU,T12,-3334FU,T6\n%CHUDAN\n";
/// let games = parse_csa(text, Tolerance::Strict)?;
/// assert_eq!(games.records[0].to_usi().to_string(), "startpos moves 7g7f 3c3d");
/// # Ok::<(), komadai_kifu::KifuError>(())
/// ```
pub fn parse_csa(text: impl AsRef<[u8]>, tolerance: Tolerance) -> Result<Loaded, KifuError> {
    let mut reader = CsaReader::new(text.as_ref(), tolerance);
    let records = reader.by_ref().collect::<Result<_, _>>()?;
    Ok(Loaded { records, skipped: reader.skipped })
}

impl<R: BufRead> CsaReader<R> {
    /// Reads from `reader`.
    pub fn new(reader: R, tolerance: Tolerance) -> Self {
        Self {
            lines: LineReader::new(reader, MAX_LINE_BYTES),
            decoder: Decoder::default(),
            tolerance,
            skipped: Skipped::default(),
            next_first: None,
            is_over: false,
        }
    }

    /// What has been skipped so far; nothing if the reading is strict.
    #[must_use]
    pub fn skipped(&self) -> &Skipped {
        &self.skipped
    }

    /// The next game, or `None` after the last.
    fn next_game(&mut self) -> Result<Option<Record>, KifuError> {
        let mut game = Game::new();
        while let Some((line, number)) = self.next_line()? {
            if line.trim_ascii() == "/" {
                if game.has_begun() {
                    break;
                }
                continue;
            }
            if game.is_in_play() && line.starts_with('V') {
                self.next_first = Some((line, number));
                break;
            }
            for statement in statements(&line, number) {
                if let Some(name) = encoding_name(&statement) {
                    self.decoder.hint(name);
                } else if game.skips(&statement) {
                    self.skipped.add_consequence();
                } else {
                    game.read(&statement).or_else(|fault| self.tolerate(fault))?;
                }
            }
        }
        if !game.has_begun() {
            return Ok(None);
        }
        let (record, validity) = game.finish(self.lines.number());
        validity.or_else(|fault| self.tolerate(fault))?;
        self.decoder = Decoder::default();
        Ok(Some(record))
    }

    /// The next line as text.
    fn next_line(&mut self) -> Result<Option<(String, u64)>, KifuError> {
        if let Some(first) = self.next_first.take() {
            return Ok(Some(first));
        }
        loop {
            let fault = match self.lines.next_line() {
                Ok(None) => return Ok(None),
                Ok(Some(line)) => match self.decoder.decode(line) {
                    Some(text) => {
                        let text = text.into_owned();
                        return Ok(Some((text, self.lines.number())));
                    }
                    None => KifuError::Encoding { line: self.lines.number() },
                },
                Err(error) => KifuError::from(error),
            };
            self.tolerate(fault)?;
        }
    }

    /// Notes a fault and goes on, if that is allowed and possible.
    fn tolerate(&mut self, fault: KifuError) -> Result<(), KifuError> {
        match self.tolerance {
            Tolerance::Lenient if !fault.is_final() => {
                self.skipped.add(fault);
                Ok(())
            }
            _ => Err(fault),
        }
    }
}

impl<R: BufRead> Iterator for CsaReader<R> {
    type Item = Result<Record, KifuError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let game = self.next_game();
        self.is_over = !matches!(game, Ok(Some(_)));
        game.transpose()
    }
}

/// What a comment says about the encoding: `'CSA encoding=UTF-8`, `'encoding=Shift_JIS`.
fn encoding_name<'a>(statement: &Statement<'a>) -> Option<&'a str> {
    let comment = statement.text.strip_prefix('\'')?;
    comment.strip_prefix("CSA ").unwrap_or(comment).strip_prefix("encoding=")
}

/// Whether a line looks like CSA rather than another format.
pub(crate) fn is_csa_line(line: &str) -> bool {
    match line.as_bytes() {
        [b'\'' | b'$' | b'%', ..] | [b'V', b'1'..=b'9', ..] => true,
        [b'N', b'+' | b'-', ..] | [b'P', b'I' | b'+' | b'-' | b'1'..=b'9', ..] => true,
        [b'+' | b'-'] => true,
        [b'+' | b'-', rest @ ..] => rest.first().is_some_and(u8::is_ascii_digit),
        _ => false,
    }
}
