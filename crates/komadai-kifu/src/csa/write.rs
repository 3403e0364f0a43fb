//! The CSA writer.

use std::time::Duration;

use komadai_core::{Color, Setup};

use super::escapes::escape;
use super::keys;
use super::summary::{Summary, reason_of, text_of_win};
use super::words::{digits, end_of, letters_of, sign, word_of};
use crate::board::Board;
use crate::comment::Comment;
use crate::end::{EndKind, Outcome};
use crate::error::RecordTextError;
use crate::header::{Header, HeaderKey};
use crate::record::Record;
use crate::record_move::RecordMove;
use crate::time_limit::TimeLimit;
use crate::variation::Line;

/// The versions of CSA that are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum CsaVersion {
    /// Version 2.2, or 3.0 for a record with statements that 2.2 does not have, such as remarks on
    /// the game (`$NOTE`) or a maximum number of moves.
    #[default]
    Lowest,
    /// Version 2.2, which all programs read: times in whole seconds. Statements that only version
    /// 3.0 has become comments.
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
/// let options = CsaWriteOptions { version: CsaVersion::V3_0, ..CsaWriteOptions::default() };
/// let written = games.records[0].to_csa_with(&options)?;
/// assert_eq!(written, format!("'CSA encoding=UTF-8\n{text}"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct CsaWriteOptions {
    /// The version.
    pub version: CsaVersion,
    /// The treatment of variations.
    pub variations: CsaVariations,
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
) -> Result<String, RecordTextError> {
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
    /// Returns the record as CSA of the lowest version that has its statements, with a first line
    /// that names the encoding UTF-8.
    ///
    /// Version 2.2 has times in whole seconds. The number of the first move is lost, and so are
    /// variations. The players' names come first in the header. A line end within a name becomes a
    /// blank, one within a note is written as `\n`, and one within a comment starts another line of
    /// comment. The time of the players is written in the form of the version, `01:00+30` for one
    /// hour and 30 seconds for each later move.
    ///
    /// An end that CSA has no word for becomes the nearest one. A win for another reason, and
    /// perpetual check, are stated in the comment of shogi-server as well, from which readers of
    /// floodgate's games take the result: `'summary:abnormal:alpha win:beta lose`.
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
    pub fn to_csa(&self) -> Result<String, RecordTextError> {
        self.to_csa_with(&CsaWriteOptions::default())
    }

    /// Returns the record as CSA of the version of the options, with a first line that names the
    /// encoding UTF-8; see [`to_csa`](Self::to_csa).
    ///
    /// Version 3 has times in milliseconds. A time limit such as `00:25+30` is written there as the
    /// time control `1500+30+0`, unless the header has one. Version 2.2 gets no statements of
    /// version 3: they become comments.
    ///
    /// # Errors
    ///
    /// If a move of a constructed record moves no piece.
    pub fn to_csa_with(&self, options: &CsaWriteOptions) -> Result<String, RecordTextError> {
        let mut text = String::from(ENCODING_LINE);
        self.write_csa(&mut text, options)?;
        Ok(text)
    }

    fn write_csa(
        &self,
        text: &mut String,
        options: &CsaWriteOptions,
    ) -> Result<(), RecordTextError> {
        let is_v3 = match options.version {
            CsaVersion::V2_2 => false,
            CsaVersion::V3_0 => true,
            CsaVersion::Lowest => self.needs_version_3(),
        };
        self.write_csa_line(text, Line::Main, is_v3)?;
        if options.variations == CsaVariations::AsGames {
            for index in 0..self.variations.len() {
                text.push_str("/\n");
                self.write_csa_line(text, Line::Variation(index), is_v3)?;
            }
        }
        Ok(())
    }

    /// Returns true if the record has statements that version 2.2 does not have.
    fn needs_version_3(&self) -> bool {
        let mut keys = self.header.iter().map(|(key, _)| key);
        let is_max_moves = matches!(&self.end, Some(end) if end.kind == EndKind::MaxMoves);
        let limit = TimeLimit::of_header(&self.header);
        is_max_moves
            || keys.any(keys::is_of_version_3)
            || limit.is_some_and(|limit| limit.csa_limit().is_none())
    }

    /// Writes a line of the record as a game, from the start.
    fn write_csa_line(
        &self,
        text: &mut String,
        line: Line,
        is_v3: bool,
    ) -> Result<(), RecordTextError> {
        text.push_str(if is_v3 { "V3.0\n" } else { "V2.2\n" });
        self.write_csa_header(text, is_v3);
        write_start(text, &self.setup);
        let path = self.path(line);
        let end = self.end_of(line).map(|end| &end.kind);
        let side = if path.len().is_multiple_of(2) { self.setup.side } else { !self.setup.side };
        let ending = Ending::new(end, is_v3, side);
        let comments = self.comments_on(&path, line);
        let summaries = ending.summaries(comments, &self.header);
        write_comments(text, &self.comments, summaries);
        // An illegal start position is written as well: records may contain one.
        let mut board = Board::new(self.setup.clone()).0;
        for (index, played) in path.into_iter().enumerate() {
            let no_piece = RecordTextError::NoPiece { ply: index + 1, m: played.m };
            let side = board.side();
            if board.play(played.m).is_err_and(|foul| !foul.was_made) {
                return Err(no_piece);
            }
            // CSA names the kind after the move, so the piece is read from the target.
            let piece = board.piece_on(played.m.to()).ok_or(no_piece)?;
            let from = played.m.from().map_or("00".to_owned(), digits);
            let (to, kind) = (digits(played.m.to()), letters_of(piece.kind()));
            *text += &format!("{}{from}{to}{kind}\n", sign(side));
            write_time(text, played.time, is_v3);
            write_comments(text, &played.comments, summaries);
        }
        if let (Some(end), Some(word)) = (self.end_of(line), ending.word) {
            *text += &format!("%{word}\n");
            write_time(text, end.time, is_v3);
            write_comments(text, &end.comments, summaries);
            if summaries == Summaries::Escaped
                && let Some(summary) = ending.own_summary(&self.header)
            {
                *text += &format!("'{summary}\n");
            }
        }
        Ok(())
    }

    /// Returns the comments of the start, of moves that lead to the end of a line, and of that end.
    fn comments_on<'r>(
        &'r self,
        path: &[&'r RecordMove],
        line: Line,
    ) -> impl DoubleEndedIterator<Item = &'r Comment> {
        let of_moves: Vec<&[Comment]> = path.iter().map(|played| &played.comments[..]).collect();
        let of_end = self.end_of(line).map_or(&[][..], |end| &end.comments);
        self.comments.iter().chain(of_moves.into_iter().flatten()).chain(of_end)
    }

    /// Writes names first, then the `$` lines. Keys that the version does not have become remarks.
    fn write_csa_header(&self, text: &mut String, is_v3: bool) {
        let line = |value: &str| value.replace(['\r', '\n'], " ");
        for (key, value) in self.header.iter() {
            let color = match key {
                HeaderKey::Black => Color::Black,
                HeaderKey::White => Color::White,
                _ => continue,
            };
            *text += &format!("N{}{}\n", sign(color), line(value));
        }
        let mut limit = self.csa_time_limit(is_v3);
        for (key, value) in self.header.iter() {
            let has_limit = match key {
                HeaderKey::Black | HeaderKey::White => continue,
                // The byoyomi is a part of the time.
                HeaderKey::TimeLimit | HeaderKey::Byoyomi => limit.is_some(),
                HeaderKey::TimeControl => !is_v3 && limit.is_some(),
                _ => false,
            };
            if has_limit {
                // An empty text remembers that the statement has been written.
                *text += &limit.replace(String::new()).unwrap_or_default();
                continue;
            }
            let value = if *key == HeaderKey::Note { escape(value) } else { line(value) };
            // What is no definite time is no time in the form of CSA.
            let is_stated = *key != HeaderKey::TimeLimit
                && keys::is_of_csa(key)
                && (is_v3 || !keys::is_of_version_3(key));
            match keys::word_of(key) {
                Some(word) if is_stated => {
                    *text += &format!("${}:{value}\n", line(word));
                }
                Some(word) => *text += &format!("'{}:{value}\n", line(word)),
                None => *text += &format!("'{key:?}:{value}\n"),
            }
        }
    }

    /// Returns the statement of the time of the players, if the header has one in other words than
    /// those of the version.
    fn csa_time_limit(&self, is_v3: bool) -> Option<String> {
        let limit = TimeLimit::of_header(&self.header)?;
        if !is_v3 {
            return Some(format!("$TIME_LIMIT:{}\n", limit.csa_limit()?));
        }
        let control = self.header.get(&HeaderKey::TimeControl);
        Some(control.map_or_else(|| format!("$TIME:{}\n", limit.csa_control()), |_| String::new()))
    }
}

/// The statement of the end of a line.
#[derive(Debug)]
struct Ending<'r> {
    kind: Option<&'r EndKind>,
    word: Option<&'static str>,
    /// The meaning of the word alone.
    mark: Option<EndKind>,
    side: Color,
}

/// The treatment of comments that a reader would take for the summary of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Summaries {
    /// The end is that of the summary, if there is one.
    Kept,
    /// The comments would change the end, or do not state it.
    Escaped,
}

impl<'r> Ending<'r> {
    fn new(kind: Option<&'r EndKind>, is_v3: bool, side: Color) -> Self {
        let word = kind.map(|kind| match word_of(kind, side) {
            // Version 2.2 has no limit of moves; a game that reaches it is drawn.
            "MAX_MOVES" if !is_v3 => "HIKIWAKE",
            word => word,
        });
        Self { kind, word, mark: word.map(|word| end_of(word, side)), side }
    }

    fn summaries<'c>(
        &self,
        comments: impl DoubleEndedIterator<Item = &'c Comment>,
        header: &Header,
    ) -> Summaries {
        let summary = Summary::last(comments, header);
        let read = match &summary {
            Some(summary) => Some(summary.end(self.mark.as_ref(), self.side)),
            None => self.mark.clone(),
        };
        if read.as_ref() == self.kind { Summaries::Kept } else { Summaries::Escaped }
    }

    /// Returns the summary of an end that no word states: readers of the files of floodgate know
    /// it.
    fn own_summary(&self, header: &Header) -> Option<String> {
        let kind = self.kind?;
        let reason = match kind {
            EndKind::Win { reason, .. } => reason,
            EndKind::PerpetualCheckLoss | EndKind::PerpetualCheckWin => {
                reason_of(&EndKind::PerpetualCheckLoss)?
            }
            _ => return None,
        };
        match kind.outcome(self.side) {
            Outcome::Win(winner) => Some(text_of_win(reason, winner, header)),
            Outcome::Draw | Outcome::Unknown => None,
        }
    }
}

fn write_time(text: &mut String, time: Option<Duration>, is_v3: bool) {
    let Some(time) = time else { return };
    *text += &match (is_v3, time.subsec_millis()) {
        (false, _) | (_, 0) => format!("T{}\n", time.as_secs()),
        (true, millis) => {
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

fn write_comments(text: &mut String, comments: &[Comment], summaries: Summaries) {
    let is_escaped = |line: &str| match summaries {
        Summaries::Kept => false,
        Summaries::Escaped => line.starts_with("summary:"),
    };
    for comment in comments {
        for line in comment.text().split(['\r', '\n']) {
            let mark = match comment {
                Comment::Note(_) => "'*",
                // With a blank the text is neither a note nor the name of an encoding nor a result.
                Comment::Remark(_)
                    if line.starts_with('*') || names_encoding(line) || is_escaped(line) =>
                {
                    "' "
                }
                Comment::Remark(_) => "'",
            };
            *text += &format!("{mark}{line}\n");
        }
    }
}

fn names_encoding(line: &str) -> bool {
    line.strip_prefix("CSA ").unwrap_or(line).starts_with("encoding=")
}
