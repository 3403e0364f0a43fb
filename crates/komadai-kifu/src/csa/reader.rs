//! Games in CSA, read one after the other.

use std::io::BufRead;

use super::game::Game;
use super::statement::{Statement, statements};
use crate::error::KifuError;
use crate::kifu_format::KifuFormat;
use crate::record::Record;
use crate::record_reader::{RecordReader, TextFormat, parse};
use crate::text::encoding::Encodings;
use crate::text::lines::TextLines;
use crate::text::resumed::Resumed;
use crate::tolerance::{Loaded, Skipped, Tolerance};

/// Reads the games of a CSA text of any length one by one.
///
/// Games are separated by lines of `/`. A `V` line after moves starts a new game as well, so that
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
/// // A fault: the move from 9九 to 9九. The end mark after it is kept.
/// assert_eq!(games.skipped().count(), 1);
/// # Ok::<(), komadai_kifu::KifuError>(())
/// ```
#[derive(Debug)]
pub struct CsaReader<R> {
    games: RecordReader<R, Csa>,
}

/// Reads all games of a CSA text in memory.
///
/// # Errors
///
/// If `tolerance` is strict, the first fault. A lenient reading of a text in memory does not fail.
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
    parse::<Csa>(text.as_ref(), tolerance)
}

impl<R: BufRead> CsaReader<R> {
    /// Creates a reader of the games in `reader`.
    pub fn new(reader: R, tolerance: Tolerance) -> Self {
        Self::resumed(reader.into(), tolerance)
    }

    /// Creates a reader of the games in a source whose start has been read ahead.
    pub(crate) fn resumed(reader: Resumed<R>, tolerance: Tolerance) -> Self {
        Self { games: RecordReader::new(reader, tolerance) }
    }

    /// Returns the faults skipped so far; none if the reading is strict.
    #[must_use]
    pub fn skipped(&self) -> &Skipped {
        self.games.skipped()
    }

    /// Ends the reading and returns the faults skipped.
    #[must_use]
    pub fn into_skipped(self) -> Skipped {
        self.games.into_skipped()
    }
}

impl<R: BufRead> Iterator for CsaReader<R> {
    type Item = Result<Record, KifuError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.games.next()
    }
}

/// The format CSA.
#[derive(Debug)]
enum Csa {}

impl TextFormat for Csa {
    const FORMAT: KifuFormat = KifuFormat::Csa;

    const ENCODINGS: Encodings = Encodings::Japanese;

    /// Programs write principal variations of some hundred moves on one line.
    const MAX_LINE_BYTES: usize = 1 << 20;

    fn read_game<R: BufRead>(lines: &mut TextLines<R>) -> Result<Option<Record>, KifuError> {
        let mut game = Game::new();
        while let Some(line) = lines.next_line()? {
            if line.text.trim_ascii() == "/" {
                if game.has_begun() {
                    break;
                }
                continue;
            }
            // A version line after moves starts the next game, as in files that were joined.
            if game.is_in_play() && line.text.starts_with('V') {
                lines.give_back(line);
                break;
            }
            let mut read = |statement: &Statement<'_>| {
                if let Some(name) = encoding_name(statement) {
                    lines.decoder().hint(name);
                    return Ok(());
                }
                if game.skips(statement) {
                    game.leave_out(statement);
                    return Ok(());
                }
                // A move after a foul: no end can explain it.
                if statement.text.starts_with(['+', '-'])
                    && let Some(fault) = game.take_foul()
                {
                    lines.tolerate(fault)?;
                }
                if let Err(fault) = game.read(statement) {
                    if !game.is_cut() {
                        return lines.tolerate(fault);
                    }
                    game.cut(statement, lines.cut(fault)?);
                }
                Ok(())
            };
            match Statement::alone(&line.text, line.number) {
                Some(statement) => read(&statement)?,
                None => statements(&line.text, line.number)
                    .try_for_each(|statement| read(&statement))?,
            }
            lines.recycle(line);
        }
        if !game.has_begun() {
            return Ok(None);
        }
        if let Some(cut) = game.take_cut() {
            lines.finish_cut(cut);
        }
        let foul = game.take_foul();
        let (record, validity) = game.finish(lines.number());
        if let Some(fault) = foul.filter(|_| !record.punishes_last_move()) {
            lines.tolerate(fault)?;
        }
        validity.or_else(|fault| lines.tolerate(fault))?;
        // Joined files may have different encodings.
        lines.decoder().reset();
        Ok(Some(record))
    }
}

/// Returns the encoding that a comment names: `'CSA encoding=UTF-8`, `'encoding=Shift_JIS`.
fn encoding_name<'a>(statement: &Statement<'a>) -> Option<&'a str> {
    let comment = statement.text.strip_prefix('\'')?;
    comment.strip_prefix("CSA ").unwrap_or(comment).strip_prefix("encoding=")
}
