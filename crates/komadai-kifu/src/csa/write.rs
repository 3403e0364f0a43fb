//! The CSA writer.

use std::time::Duration;

use komadai_core::{Color, Move, Setup, Square};

use super::escapes::escape;
use super::keys;
use super::words::{letters_of, word_of};
use crate::board::Board;
use crate::comment::Comment;
use crate::header::HeaderKey;
use crate::record::Record;
use crate::variation::Line;

/// The reason why a record cannot be written as CSA.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CsaWriteError {
    /// A move starts from an empty square, so that its piece cannot be named. Records that were
    /// read have no such moves.
    #[error("ply {ply}, {m}, moves a piece that is not there")]
    NoPiece {
        /// The number of the move, from 1.
        ply: usize,
        /// The move.
        m: Move,
    },
}

/// The versions of CSA that are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum CsaVersion {
    /// Version 2.2, which all programs read: times in whole seconds.
    #[default]
    V2_2,
    /// Version 3.0: times in milliseconds, time control in seconds (`$TIME`).
    V3_0,
}

/// The treatment of variations, which CSA does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum CsaVariations {
    /// The game alone is written.
    #[default]
    LeftOut,
    /// Each variation follows as another game, with the moves before it.
    AsGames,
}

/// The options of the CSA writer.
///
/// # Examples
///
/// ```
/// use komadai_kifu::{CsaVersion, CsaWriteOptions, Tolerance, parse_csa};
///
/// let text = "V3.0\nPI\n+\n+7776FU\nT1.5\n";
/// let games = parse_csa(text, Tolerance::Strict)?;
/// let options = CsaWriteOptions::default().with_version(CsaVersion::V3_0);
/// let written = games.records[0].to_csa_with(&options)?;
/// assert_eq!(written, format!("'CSA encoding=UTF-8\n{text}"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub struct CsaWriteOptions {
    /// The version.
    pub version: CsaVersion,
    /// The treatment of variations.
    pub variations: CsaVariations,
}

impl CsaWriteOptions {
    /// Returns the options with this version.
    #[must_use]
    pub fn with_version(self, version: CsaVersion) -> Self {
        Self { version, ..self }
    }

    /// Returns the options with this treatment of variations.
    #[must_use]
    pub fn with_variations(self, variations: CsaVariations) -> Self {
        Self { variations, ..self }
    }
}

/// Returns several records as one text of CSA, separated by lines of `/`.
///
/// # Examples
///
/// ```
/// use komadai_kifu::{CsaWriteOptions, Tolerance, parse_csa, parse_usi_games, write_csa_games};
///
/// let games = parse_usi_games("startpos moves 7g7f\nstartpos moves 2g2f\n", Tolerance::Strict)?;
/// let text = write_csa_games(&games.records, &CsaWriteOptions::default())?;
/// assert_eq!(parse_csa(text, Tolerance::Strict)?.records, games.records);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If a move of a constructed record moves no piece.
pub fn write_csa_games<'r>(
    records: impl IntoIterator<Item = &'r Record>,
    options: &CsaWriteOptions,
) -> Result<String, CsaWriteError> {
    let mut text = String::from(ENCODING_LINE);
    for (index, record) in records.into_iter().enumerate() {
        if index > 0 {
            text.push_str("/\n");
        }
        record.write_csa(&mut text, options)?;
    }
    Ok(text)
}

/// The first line of a text, which version 3 requires.
const ENCODING_LINE: &str = "'CSA encoding=UTF-8\n";

impl Record {
    /// Returns the record as CSA 2.2, with a first line that names the encoding UTF-8.
    ///
    /// Times are cut to whole seconds, because version 2.2 has no fractions. The number of the
    /// first move is lost, and so are variations. The players' names come first in the header. A
    /// line end within a name becomes a blank, one within a note is written as `\n`, and one within a comment starts another line of
    /// comment. [`to_csa_with`](Self::to_csa_with) writes version 3.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_kifu::{Tolerance, parse_usi_games};
    ///
    /// let games = parse_usi_games("startpos moves 7g7f 3c3d resign", Tolerance::Strict)?;
    /// assert_eq!(
    ///     games.records[0].to_csa()?,
    ///     "'CSA encoding=UTF-8\nV2.2\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a move of a constructed record moves no piece.
    pub fn to_csa(&self) -> Result<String, CsaWriteError> {
        self.to_csa_with(&CsaWriteOptions::default())
    }

    /// Returns the record as CSA of the version of the options, with a first line that names the
    /// encoding UTF-8; see [`to_csa`](Self::to_csa).
    ///
    /// Version 3 has times in milliseconds. A time limit such as `00:25+30` is written there as the
    /// time control `1500+30+0`, unless the header has one.
    ///
    /// # Errors
    ///
    /// If a move of a constructed record moves no piece.
    pub fn to_csa_with(&self, options: &CsaWriteOptions) -> Result<String, CsaWriteError> {
        let mut text = String::from(ENCODING_LINE);
        self.write_csa(&mut text, options)?;
        Ok(text)
    }

    fn write_csa(&self, text: &mut String, options: &CsaWriteOptions) -> Result<(), CsaWriteError> {
        self.write_csa_line(text, Line::Main, options.version)?;
        if options.variations == CsaVariations::AsGames {
            for index in 0..self.variations.len() {
                text.push_str("/\n");
                self.write_csa_line(text, Line::Variation(index), options.version)?;
            }
        }
        Ok(())
    }

    /// Writes a line of the record as a game, from the start.
    fn write_csa_line(
        &self,
        text: &mut String,
        line: Line,
        version: CsaVersion,
    ) -> Result<(), CsaWriteError> {
        text.push_str(match version {
            CsaVersion::V2_2 => "V2.2\n",
            CsaVersion::V3_0 => "V3.0\n",
        });
        self.write_csa_header(text, version);
        write_start(text, &self.setup);
        write_comments(text, &self.comments);
        // An illegal start position is written as well: records may contain one.
        let mut board = Board::new(self.setup.clone()).0;
        for (index, played) in self.path(line).into_iter().enumerate() {
            let no_piece = CsaWriteError::NoPiece { ply: index + 1, m: played.m };
            let side = board.side();
            if board.play(played.m).is_err_and(|foul| !foul.was_made) {
                return Err(no_piece);
            }
            // CSA names the kind after the move, so the piece is read from the target.
            let piece = board.piece_on(played.m.to()).ok_or(no_piece)?;
            let from = played.m.from().map_or("00".to_owned(), digits);
            let (to, kind) = (digits(played.m.to()), letters_of(piece.kind()));
            *text += &format!("{}{from}{to}{kind}\n", sign(side));
            write_time(text, played.time, version);
            write_comments(text, &played.comments);
        }
        if let Some(end) = self.end_of(line) {
            *text += &format!("%{}\n", end_word(word_of(&end.kind, board.side())));
            write_time(text, end.time, version);
            write_comments(text, &end.comments);
        }
        Ok(())
    }

    /// Writes names first, then the `$` lines. Keys that CSA does not have become remarks.
    fn write_csa_header(&self, text: &mut String, version: CsaVersion) {
        let line = |value: &str| value.replace(['\r', '\n'], " ");
        for (key, value) in self.header.iter() {
            let color = match key {
                HeaderKey::Black => Color::Black,
                HeaderKey::White => Color::White,
                _ => continue,
            };
            *text += &format!("N{}{}\n", sign(color), line(value));
        }
        let is_v3 = version == CsaVersion::V3_0;
        let has_control = self.header.get(&HeaderKey::TimeControl).is_some();
        for (key, value) in self.header.iter() {
            let control = if is_v3 && !has_control { time_control(value) } else { None };
            match (key, control) {
                (HeaderKey::TimeLimit, Some(control)) => *text += &format!("$TIME:{control}\n"),
                (HeaderKey::Note, _) => *text += &format!("$NOTE:{}\n", escape(value)),
                (key, _) => match keys::word_of(key) {
                    Some(word) => *text += &format!("${}:{}\n", line(word), line(value)),
                    None if matches!(key, HeaderKey::Black | HeaderKey::White) => {}
                    None => *text += &format!("'{key:?}:{}\n", line(value)),
                },
            }
        }
    }
}

/// Returns the time control of version 3 for a time limit of version 2.2, `HH:MM+SS`.
fn time_control(limit: &str) -> Option<String> {
    let (main, byoyomi) = limit.trim().split_once('+')?;
    let (hours, minutes) = main.split_once(':')?;
    let number = |text: &str| text.parse::<u32>().ok().map(u64::from);
    let seconds = (number(hours)? * 60 + number(minutes)?) * 60;
    Some(format!("{seconds}+{}+0", number(byoyomi)?))
}

fn write_time(text: &mut String, time: Option<Duration>, version: CsaVersion) {
    let Some(time) = time else { return };
    *text += &match (version, time.subsec_millis()) {
        (CsaVersion::V2_2, _) | (_, 0) => format!("T{}\n", time.as_secs()),
        (CsaVersion::V3_0, millis) => {
            let seconds = format!("T{}.{millis:03}", time.as_secs());
            format!("{}\n", seconds.trim_end_matches('0'))
        }
    };
}

fn write_start(text: &mut String, setup: &Setup) {
    if setup.board == Setup::hirate().board {
        text.push_str("PI\n");
    } else {
        for rank in 0..9 {
            *text += &format!("P{}", rank + 1);
            for file in (0..9).rev() {
                let cell = setup.board[file * 9 + rank]
                    .map(|piece| format!("{}{}", sign(piece.color()), letters_of(piece.kind())));
                text.push_str(cell.as_deref().unwrap_or(" * "));
            }
            text.push('\n');
        }
    }
    for color in Color::ALL.into_iter().filter(|&color| !setup.hands[color].is_empty()) {
        *text += &format!("P{}", sign(color));
        for (kind, count) in setup.hands[color].iter() {
            text.push_str(&format!("00{}", letters_of(kind)).repeat(count as usize));
        }
        text.push('\n');
    }
    *text += &format!("{}\n", sign(setup.side));
}

fn write_comments(text: &mut String, comments: &[Comment]) {
    for comment in comments {
        for line in comment.text().split(['\r', '\n']) {
            let mark = match comment {
                Comment::Note(_) => "'*",
                // With a blank the text is neither a note nor the name of an encoding.
                Comment::Remark(_) if line.starts_with('*') || names_encoding(line) => "' ",
                Comment::Remark(_) => "'",
            };
            *text += &format!("{mark}{line}\n");
        }
    }
}

fn names_encoding(line: &str) -> bool {
    line.strip_prefix("CSA ").unwrap_or(line).starts_with("encoding=")
}

/// Returns a word that is one statement, and takes back no moves.
fn end_word(word: &str) -> String {
    let word = word.replace([',', '\'', '\r', '\n'], " ");
    match word.trim() {
        "" | "MATTA" => "CHUDAN".to_owned(),
        word => word.to_owned(),
    }
}

fn sign(color: Color) -> char {
    match color {
        Color::Black => '+',
        Color::White => '-',
    }
}

fn digits(square: Square) -> String {
    format!("{}{}", square.file().index() + 1, square.rank().index() + 1)
}
