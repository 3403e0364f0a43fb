//! Games in USI, one a line: `startpos moves 7g7f 3c3d …`.

use std::io::BufRead;

use komadai_core::{UsiError, UsiPosition};

use crate::board::Board;
use crate::error::shorten;
use crate::record::RecordMove;
use crate::tolerance::Loaded;
use crate::{End, EndKind, KifuError, LineReader, Record, Skipped, Tolerance};

/// The longest line read, in bytes: a game of some hundred thousand moves.
const MAX_LINE_BYTES: usize = 1 << 20;

/// What the word after the last move means.
const END_WORDS: [(&str, EndKind); 5] = [
    ("resign", EndKind::Resign),
    ("win", EndKind::EnteringKingWin),
    ("rep_draw", EndKind::Repetition),
    ("rep_win", EndKind::IllegalWin),
    ("rep_lose", EndKind::IllegalLoss),
];

/// Reads lists of games in USI, one game a line.
///
/// A line is what follows the word `position` in the protocol, with or without that word. A word
/// such as `resign` after the last move says how the game ended. What comes after a comma is kept
/// in the header: `, book_extend_ply=20, eval_limit=400`. Empty lines, and whatever follows a word that
/// begins with `#`, are passed over.
///
/// # Examples
///
/// ```
/// use komadai_kifu::{Tolerance, UsiGamesReader};
///
/// let text = "# two games\nstartpos moves 7g7f 3c3d resign\nposition startpos moves 2g2f\n";
/// let games = UsiGamesReader::new(text.as_bytes(), Tolerance::Strict);
/// let records = games.collect::<Result<Vec<_>, _>>()?;
/// assert_eq!(records.iter().map(|game| game.moves.len()).collect::<Vec<_>>(), [2, 1]);
/// # Ok::<(), komadai_kifu::KifuError>(())
/// ```
#[derive(Debug)]
pub struct UsiGamesReader<R> {
    lines: LineReader<R>,
    tolerance: Tolerance,
    skipped: Skipped,
    is_over: bool,
}

/// Reads all games of a list that is in memory.
///
/// # Errors
///
/// If `tolerance` is strict, the first fault. A lenient reading of a text in memory cannot fail.
pub fn parse_usi_games(text: impl AsRef<[u8]>, tolerance: Tolerance) -> Result<Loaded, KifuError> {
    let mut reader = UsiGamesReader::new(text.as_ref(), tolerance);
    let records = reader.by_ref().collect::<Result<_, _>>()?;
    Ok(Loaded { records, skipped: reader.skipped })
}

impl<R: BufRead> UsiGamesReader<R> {
    /// Reads from `reader`.
    pub fn new(reader: R, tolerance: Tolerance) -> Self {
        Self {
            lines: LineReader::new(reader, MAX_LINE_BYTES),
            tolerance,
            skipped: Skipped::default(),
            is_over: false,
        }
    }

    /// What has been skipped so far; nothing if the reading is strict.
    #[must_use]
    pub fn skipped(&self) -> &Skipped {
        &self.skipped
    }

    /// The line of the game read last, from 1; 0 before the first.
    #[must_use]
    pub fn line(&self) -> u64 {
        self.lines.number()
    }

    fn next_game(&mut self) -> Result<Option<Record>, KifuError> {
        loop {
            let read = match self.lines.next_line() {
                Ok(None) => return Ok(None),
                Ok(Some(line)) => str::from_utf8(line).map(str::to_owned).map_err(|_| ()),
                Err(error) => {
                    self.tolerate(error.into())?;
                    continue;
                }
            };
            let line = self.lines.number();
            let Ok(text) = read else {
                self.tolerate(KifuError::Encoding { line })?;
                continue;
            };
            if text.trim_ascii().is_empty() || text.starts_with('#') {
                continue;
            }
            match read_line(&text, line) {
                Ok((record, verdict)) => {
                    verdict.or_else(|fault| self.tolerate(fault))?;
                    return Ok(Some(record));
                }
                Err(fault) => self.tolerate(fault)?,
            }
        }
    }

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

impl<R: BufRead> Iterator for UsiGamesReader<R> {
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

/// A game, and what is wrong with it if it makes sense all the same.
type Judged = (Record, Result<(), KifuError>);

fn read_line(text: &str, line: u64) -> Result<Judged, KifuError> {
    let text = text.split_once(" #").map_or(text, |(before, _comment)| before);
    let (game, extras) = text.split_once(',').unwrap_or((text, ""));
    let said = UsiPosition::from_usi(game).map_err(|error| usi_error(text, line, error))?;
    let (mut board, validity) = Board::new(said.setup.clone());
    let mut verdict = validity.map_err(|error| KifuError::StartPosition { line, error });
    let mut record = Record::new(said.setup);
    for extra in extras.split(',').filter(|extra| !extra.trim().is_empty()) {
        let (key, value) = extra.split_once('=').unwrap_or((extra, ""));
        record.header.push(key.trim(), value.trim());
    }
    let count = said.moves.len();
    for (index, m) in said.moves.into_iter().enumerate() {
        let played = board.play(m);
        let was_made = played.as_ref().err().is_none_or(|foul| foul.was_made);
        let ply = index + 1;
        verdict = verdict.and(played.map_err(|foul| KifuError::IllegalMove {
            line,
            column: column_of_move(game, ply, count),
            ply,
            text: m.to_string(),
            reason: foul.reason,
        }));
        if !was_made {
            return Ok((record, verdict));
        }
        record.moves.push(RecordMove::new(m));
    }
    let last = game.split_ascii_whitespace().next_back();
    let end = END_WORDS.iter().find(|(word, _)| Some(*word) == last);
    record.end = end.map(|(_, kind)| End::new(kind.clone()));
    Ok((record, verdict))
}

/// Where the move number `ply` of `count` stands: the moves are the last words but for an end word.
fn column_of_move(game: &str, ply: usize, count: usize) -> usize {
    let mut words = game.split_ascii_whitespace().rev().peekable();
    while words.peek().is_some_and(|word| word.parse::<komadai_core::Move>().is_err()) {
        words.next();
    }
    let word = words.nth(count - ply).unwrap_or(game);
    let offset = word.as_ptr() as usize - game.as_ptr() as usize;
    game[..offset].chars().count() + 1
}

/// Turns the byte offset of a USI error into a column where it is known.
fn usi_error(text: &str, line: u64, error: UsiError) -> KifuError {
    let (token, at, expected) = match &error {
        UsiError::BadMove { token, at } => (token, *at, "a move such as 7g7f, 8h2b+ or P*5e"),
        UsiError::Unexpected { token, at, expected } => (token, *at, *expected),
        _ => return KifuError::Usi { line, error },
    };
    let column = text.get(..at).map_or(0, |before| before.chars().count()) + 1;
    KifuError::Syntax { line, column, found: shorten(token), expected }
}
