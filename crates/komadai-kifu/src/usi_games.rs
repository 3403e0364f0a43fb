//! Games in USI, one a line: `startpos moves 7g7f 3c3d …`.

use std::io::BufRead;

use komadai_core::{UsiError, UsiPosition};

use crate::board::Board;
use crate::end::{End, EndKind};
use crate::error::KifuError;
use crate::header::HeaderKey;
use crate::record::Record;
use crate::record_move::RecordMove;
use crate::text::lines::{TextLine, TextLines};
use komadai_base::reading::TextFault;

/// The meaning of the word after the last move.
const END_WORDS: [(&str, EndKind); 5] = [
    ("resign", EndKind::Resign),
    ("win", EndKind::EnteringKingWin),
    ("rep_draw", EndKind::Repetition),
    ("rep_win", EndKind::PerpetualCheckWin),
    ("rep_lose", EndKind::PerpetualCheckLoss),
];

impl Record {
    /// Returns the moves of the game as a line of a list of games: start and moves in USI, and a
    /// word for the end if USI has one. The line has no line end.
    ///
    /// Header, times, comments and variations are left out, and so are ends without a word, such as
    /// an interruption or a foul other than perpetual check.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_kifu::{Tolerance, parse_csa};
    ///
    /// let games = parse_csa("V2.2\nN+A\nPI\n+\n+7776FU\nT12\n%TORYO\n", Tolerance::Strict)?;
    /// assert_eq!(games.records[0].to_usi_line(), "startpos moves 7g7f resign");
    /// # Ok::<(), komadai_kifu::KifuError>(())
    /// ```
    pub fn to_usi_line(&self) -> String {
        let mut line = self.to_usi().to_string();
        let end = self.end.as_ref().map(|end| &end.kind);
        if let Some((word, _)) = END_WORDS.iter().find(|(_, kind)| Some(kind) == end) {
            // The end word follows the word `moves` even if there are no moves.
            if self.moves.is_empty() {
                line.push_str(" moves");
            }
            line.push(' ');
            line.push_str(word);
        }
        line
    }
}

/// Reads the game of the next line that has one. Returns `None` after the last.
pub(crate) fn read_game<R: BufRead>(lines: &mut TextLines<R>) -> Result<Option<Record>, KifuError> {
    while let Some(TextLine { text, number }) = lines.next_line()? {
        if text.trim_ascii().is_empty() || text.starts_with('#') {
            continue;
        }
        match read_line(&text, number) {
            Ok(CheckedGame { record, fault, rest }) => {
                match (fault, rest) {
                    (Err(fault), Some(rest)) => {
                        let mut cut = lines.cut(fault)?;
                        (cut.moves, cut.end) = (rest.moves, rest.end);
                        lines.finish_cut(cut);
                    }
                    (fault, _) => fault.or_else(|fault| lines.tolerate(fault))?,
                }
                return Ok(Some(record));
            }
            Err(fault) => lines.tolerate(fault)?,
        }
    }
    Ok(None)
}

/// A game with the first fault in it: a faulty game is still usable.
struct CheckedGame {
    record: Record,
    fault: Result<(), KifuError>,
    /// The part that is left out after a move that cannot be made.
    rest: Option<Rest>,
}

/// A part of a line that is left out.
struct Rest {
    /// The number of moves, from the one that cannot be made on.
    moves: u64,
    /// The word for the end, which the record has.
    end: Option<String>,
}

fn read_line(text: &str, line: u64) -> Result<CheckedGame, KifuError> {
    let text = text.split_once(" #").map_or(text, |(before, _comment)| before);
    let (position, text) = game_column(text);
    let (game, extras) = text.split_once(',').unwrap_or((text, ""));
    let before = missing_start(game);
    let game = &*format!("{before}{game}");
    let shift = position.chars().count() as isize - before.len() as isize;
    let (usi, unknown) = read_known(game).map_err(|error| usi_error(game, shift, line, error))?;
    let (known, after) = game.split_at(unknown.as_ref().map_or(game.len(), |(at, _)| *at));
    let (mut board, validity) = Board::new(usi.setup.clone());
    let mut fault = validity.map_err(|error| KifuError::StartPosition { line, error });
    let mut record = Record::new(usi.setup);
    for extra in extras.split(',').filter(|extra| !extra.trim().is_empty()) {
        let (key, value) = extra.split_once('=').unwrap_or((extra, ""));
        record.header.push(HeaderKey::Custom(key.trim().to_owned()), value.trim());
    }
    let count = usi.moves.len();
    let mut rest = None;
    for (index, m) in usi.moves.into_iter().enumerate() {
        let played = board.play(m);
        let was_made = played.as_ref().err().is_none_or(|foul| foul.was_made);
        let ply = index + 1;
        let played = played.map_err(|foul| KifuError::IllegalMove {
            line,
            column: column_of_move(known, ply, count).saturating_add_signed(shift).max(1),
            ply,
            text: m.to_string(),
            reason: foul.reason,
        });
        // The moves after one that cannot be made refer to an unknown board: the game is cut here.
        if !was_made {
            // This fault counts more than that of a move that was made.
            fault = played;
            let moves = (count - index + words_of_moves(after)) as u64;
            rest = Some(Rest { moves, end: None });
            break;
        }
        fault = fault.and(played);
        record.moves.push(RecordMove::new(board.last_move().unwrap_or(m)));
    }
    if let (Some((_, error)), None) = (unknown, &rest) {
        fault = Err(usi_error(game, shift, line, error));
        rest = Some(Rest { moves: words_of_moves(after) as u64, end: None });
    }
    let last = game.split_ascii_whitespace().next_back();
    if let Some((word, kind)) = END_WORDS.iter().find(|(word, _)| Some(*word) == last) {
        let side = board.side();
        let has_odd_rest = rest.as_ref().is_some_and(|rest| !rest.moves.is_multiple_of(2));
        let stated = if has_odd_rest { !side } else { side };
        record.end = Some(End::new(kind.clone().of_player(stated, side, word)));
        if let Some(rest) = &mut rest {
            rest.end = Some((*word).to_owned());
        }
    }
    Ok(CheckedGame { record, fault, rest })
}

/// Splits a line in columns, as lists of positions have them, after the first column: `sfen …`, a
/// tab, the game that leads to this position, a tab, and so on. Returns what stands before the game,
/// and the game.
fn game_column(text: &str) -> (&str, &str) {
    let is_game = |column: &str| ["startpos", "sfen"].iter().any(|word| column.starts_with(word));
    match text.split_once('\t') {
        Some((position, rest)) if is_game(position) && is_game(rest) => {
            let game = rest.split('\t').next().unwrap_or(rest);
            (&text[..=position.len()], game)
        }
        _ => ("", text),
    }
}

/// Returns the words that are missing before a line of moves alone.
fn missing_start(game: &str) -> &'static str {
    match game.split_ascii_whitespace().next() {
        Some("moves") => "startpos ",
        Some(word) if word.parse::<komadai_core::Move>().is_ok() => "startpos moves ",
        _ => "",
    }
}

/// Reads a game up to the first word that is not known, if there is one behind a move.
/// Returns the byte of that word, and the error.
fn read_known(game: &str) -> Result<(UsiPosition, Option<(usize, UsiError)>), UsiError> {
    let error = match UsiPosition::from_usi(game) {
        Ok(usi) => return Ok((usi, None)),
        Err(error) => error,
    };
    let at = match &error {
        UsiError::BadMove { at, .. } | UsiError::Unexpected { at, .. } => *at,
        _ => return Err(error),
    };
    match game.get(..at).map(UsiPosition::from_usi) {
        Some(Ok(usi)) if !usi.moves.is_empty() => Ok((usi, Some((at, error)))),
        _ => Err(error),
    }
}

/// Returns the number of words that stand in the places of moves.
fn words_of_moves(text: &str) -> usize {
    let words = text.split_ascii_whitespace();
    words.filter(|word| END_WORDS.iter().all(|(end, _)| end != word)).count()
}

/// Returns the column of the move number `ply` of `count`: the moves are the last words of the
/// line, except for an end word.
fn column_of_move(game: &str, ply: usize, count: usize) -> usize {
    let mut words = game.split_ascii_whitespace().rev().peekable();
    while words.peek().is_some_and(|word| word.parse::<komadai_core::Move>().is_err()) {
        words.next();
    }
    let word = words.nth(count - ply).unwrap_or(game);
    // `word` is a part of `game`, so the difference of the addresses is its offset.
    let offset = word.as_ptr() as usize - game.as_ptr() as usize;
    game[..offset].chars().count() + 1
}

/// Converts a USI error, with its byte offset as a column if it has one.
/// `shift` is the number of characters by which the text begins later in the line.
fn usi_error(text: &str, shift: isize, line: u64, error: UsiError) -> KifuError {
    let (token, at, expected) = match &error {
        UsiError::BadMove { token, at } => (token, *at, "a move such as 7g7f, 8h2b+ or P*5e"),
        UsiError::Unexpected { token, at, expected } => (token, *at, *expected),
        _ => return KifuError::Usi { line, error },
    };
    let column = text.get(..at).map_or(0, |before| before.chars().count()) + 1;
    let column = column.saturating_add_signed(shift).max(1);
    TextFault::syntax(line, column, token, expected).into()
}
