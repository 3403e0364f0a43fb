//! Games in KI2, read one after the other.

use std::io::BufRead;

use crate::error::KifuError;
use crate::kakinoki::ends::{end_of, is_end};
use crate::kakinoki::game::{KakinokiGame, MoveFault};
use crate::kakinoki::reading::{begins_next_game, read_shared};
use crate::kakinoki::words::is_blank;
use crate::kifu_format::KifuFormat;
use crate::notation::{JapaneseMoveError, read_japanese_move};
use crate::record::Record;
use crate::record_reader::{RecordReader, TextFormat, parse};
use crate::text::encoding::Encodings;
use crate::text::fault::{TextFault, shorten};
use crate::text::lines::{TextLine, TextLines};
use crate::tolerance::{Loaded, Skipped, Tolerance};

/// Reads the games of a KI2 text of any length one by one.
///
/// A file usually has one game; files that were joined are read as well. The text may be Shift_JIS
/// (code page 932), UTF-8 or EUC-JP, with any line ends. Moves may be separated by blanks, line ends or nothing.
///
/// # Examples
///
/// ```
/// use komadai_kifu::{Ki2Reader, Tolerance};
///
/// let text = "手合割：平手\n先手：A\n▲７六歩△３四歩 ▲２二角成 △同　銀\nまで4手で中断\n";
/// let mut games = Ki2Reader::new(text.as_bytes(), Tolerance::Strict);
/// let game = games.next().transpose()?.expect("one game");
/// assert_eq!(game.to_usi().to_string(), "startpos moves 7g7f 3c3d 8h2b+ 3a2b");
/// # Ok::<(), komadai_kifu::KifuError>(())
/// ```
#[derive(Debug)]
pub struct Ki2Reader<R> {
    games: RecordReader<R, Ki2>,
}

/// Reads all games of a KI2 text in memory.
///
/// # Errors
///
/// If `tolerance` is strict, the first fault. A lenient reading of a text in memory does not fail.
///
/// # Examples
///
/// ```
/// use komadai_kifu::{Tolerance, parse_ki2};
///
/// let error = parse_ki2("▲５八金\n", Tolerance::Strict).unwrap_err();
/// assert!(error.to_string().contains("any of the moves from 4i, 6i"));
/// ```
pub fn parse_ki2(text: impl AsRef<[u8]>, tolerance: Tolerance) -> Result<Loaded, KifuError> {
    parse::<Ki2>(text.as_ref(), tolerance)
}

impl<R: BufRead> Ki2Reader<R> {
    /// Creates a reader of the games in `reader`.
    pub fn new(reader: R, tolerance: Tolerance) -> Self {
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

impl<R: BufRead> Iterator for Ki2Reader<R> {
    type Item = Result<Record, KifuError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.games.next()
    }
}

/// The format KI2.
#[derive(Debug)]
enum Ki2 {}

impl TextFormat for Ki2 {
    const FORMAT: KifuFormat = KifuFormat::Ki2;

    const ENCODINGS: Encodings = Encodings::Japanese;

    /// Whole games may stand on one line.
    const MAX_LINE_BYTES: usize = 1 << 20;

    fn read_game<R: BufRead>(lines: &mut TextLines<R>) -> Result<Option<Record>, KifuError> {
        let mut game = KakinokiGame::new();
        while let Some(line) = lines.next_line()? {
            if begins_next_game(&game, &line.text) {
                lines.give_back(line);
                break;
            }
            if !read_shared(&mut game, lines, &line)? {
                read_moves(&mut game, lines, &line)?;
            }
        }
        if !game.has_begun() {
            return Ok(None);
        }
        let (record, validity) = game.finish(lines.number());
        validity.or_else(|fault| lines.tolerate(fault))?;
        // Joined files may have different encodings.
        lines.decoder().reset();
        Ok(Some(record))
    }
}

/// Reads the moves of a line, up to the first that cannot be read.
fn read_moves<R: BufRead>(
    game: &mut KakinokiGame,
    lines: &mut TextLines<R>,
    line: &TextLine,
) -> Result<(), KifuError> {
    let mut rest = line.text.trim_start_matches(is_blank);
    // Text that is no move at all, before the moves, is a fault but cuts nothing.
    if !game.is_in_play() && !begins_as_move(rest) {
        return lines.tolerate(syntax(
            line,
            rest,
            "a line of the header, or a move such as ▲７六歩",
        ));
    }
    game.begin();
    game.begin_play(line.number).or_else(|fault| lines.tolerate(fault))?;
    while !rest.is_empty() {
        if game.is_cut() {
            lines.skip_consequence();
            return Ok(());
        }
        match read_move(game, line, rest) {
            Ok(after) => rest = after.trim_start_matches(is_blank),
            Err(MoveOutcome::Made(after, fault)) => {
                lines.tolerate(fault)?;
                rest = after.trim_start_matches(is_blank);
            }
            Err(MoveOutcome::Cut(fault)) => {
                game.cut();
                lines.tolerate(fault)?;
                return Ok(());
            }
            Err(MoveOutcome::Limit(error)) => return Err(error),
        }
    }
    Ok(())
}

/// The outcome of a move with a fault.
enum MoveOutcome<'t> {
    /// The move was made; the rest of the line.
    Made(&'t str, KifuError),
    /// The moves from here on refer to an unknown board.
    Cut(KifuError),
    Limit(KifuError),
}

/// Reads and makes a move, or ends the game, and returns the rest of the line.
fn read_move<'t>(
    game: &mut KakinokiGame,
    line: &TextLine,
    text: &'t str,
) -> Result<&'t str, MoveOutcome<'t>> {
    if game.has_ended() {
        return Err(MoveOutcome::Cut(syntax(line, text, "no move after the end of the game")));
    }
    let word = text.trim_start_matches(SIGNS);
    let word = word.split(is_blank).next().unwrap_or_default();
    if let Some(kind) = end_of(word, game.side()) {
        game.end(kind, None);
        return Ok(&text[text.find(word).unwrap_or(0) + word.len()..]);
    }
    let last = game.last_target();
    let Some(position) = game.board().position() else {
        let expected = "no move after a foul, because its piece cannot be known";
        return Err(MoveOutcome::Cut(syntax(line, text, expected)));
    };
    let read = read_japanese_move(text, position, last);
    let (m, after) = read.map_err(|error| MoveOutcome::Cut(move_error(line, text, error)))?;
    let ply = game.next_ply();
    let foul = match game.make_move(line.number, m, None) {
        Ok(()) => return Ok(after),
        Err(MoveFault::Limit(error)) => return Err(MoveOutcome::Limit(error)),
        Err(MoveFault::Foul(foul)) => foul,
    };
    let fault = KifuError::IllegalMove {
        line: line.number,
        column: column_of(line, text),
        ply,
        text: shorten(&text[..text.len() - after.len()]),
        reason: foul.reason,
    };
    Err(match foul.was_made {
        true => MoveOutcome::Made(after, fault),
        false => MoveOutcome::Cut(fault),
    })
}

/// The signs of the sides.
const SIGNS: [char; 6] = ['▲', '△', '▼', '▽', '☗', '☖'];

/// Checks for the start of a move or of an end.
fn begins_as_move(text: &str) -> bool {
    let word = text.split(is_blank).next().unwrap_or_default();
    text.starts_with(SIGNS)
        || text.starts_with(|c: char| matches!(c, '1'..='9' | '１'..='９'))
        || is_end(word)
}

fn move_error(line: &TextLine, text: &str, error: JapaneseMoveError) -> KifuError {
    KifuError::JapaneseMove { line: line.number, column: column_of(line, text), error }
}

/// Returns the column of a part of the line.
fn column_of(line: &TextLine, part: &str) -> usize {
    // The difference of the addresses is the offset of the part.
    let offset = (part.as_ptr() as usize).saturating_sub(line.text.as_ptr() as usize);
    line.text.get(..offset).map_or(0, |before| before.chars().count()) + 1
}

fn syntax(line: &TextLine, found: &str, expected: &'static str) -> KifuError {
    TextFault::syntax(line.number, column_of(line, found), found, expected).into()
}
