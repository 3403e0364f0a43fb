//! One game of CSA, read statement by statement.

use std::iter;
use std::time::Duration;

use komadai_core::{Color, Move, PieceKind, Square};
use komadai_movegen::IllegalMove;

use super::escapes::unescape;
use super::keys::key_of;
use super::start::{Start, color_of, place_of};
use super::statement::Statement;
use super::summary::Summary;
use super::words::{end_of, kind_of};
use crate::board::Board;
use crate::comment::Comment;
use crate::end::End;
use crate::error::KifuError;
use crate::header::{Header, HeaderKey};
use crate::record::Record;
use crate::record_move::RecordMove;
use crate::text::lines::{Cut, TextSize};
use crate::text::shorten;
use komadai_base::reading::TextFault;

/// Largest number of moves in one game. Games between programs end by rule long before.
const MAX_MOVES: usize = 50_000;

/// The number of moves for which memory is reserved.
const USUAL_MOVES: usize = 128;

/// A game that is being read.
///
/// A method that returns an error has changed nothing, with one exception: an illegal move that can
/// be carried out on the board has been made. A lenient reader can therefore count the error and
/// continue.
#[derive(Debug, Default)]
pub(super) struct Game {
    header: Header,
    comments: Vec<Comment>,
    start: Start,
    /// Board and record, once the start position is complete.
    play: Option<(Board, Record)>,
    /// True if a move could not be made, so that the moves after it refer to an unknown board.
    pub(super) is_cut: bool,
    /// The part that is left out from that move on, and the side to move after it.
    cut: Option<(Cut, Color)>,
    /// The fault of the last move, a foul that was made. It is none if the end of the game states
    /// the foul.
    pub(super) foul: Option<KifuError>,
    /// True after a statement other than a comment.
    pub(super) has_begun: bool,
    text_size: TextSize,
}

impl Game {
    /// Returns true if the start position is complete.
    pub(super) fn is_in_play(&self) -> bool {
        self.play.is_some()
    }

    /// Returns true if this statement has to be skipped, because a move before it could not be
    /// made. Statements of the header and the summary of a server are still valid.
    pub(super) fn skips(&self, statement: &Statement<'_>) -> bool {
        self.is_cut
            && !statement.text.starts_with(['V', 'N', '$'])
            && !statement.text.starts_with("'summary:")
    }

    /// Leaves out the moves from the one in this statement on.
    pub(super) fn cut(&mut self, statement: &Statement<'_>, cut: Cut) {
        self.cut = Some((cut, !color_of(statement.text.as_bytes()[0])));
    }

    /// Returns the part that was left out.
    pub(super) fn take_cut(&mut self) -> Option<Cut> {
        self.cut.take().map(|(cut, _)| cut)
    }

    /// Leaves out a statement after a move that could not be made. The end mark is kept with its
    /// time and comments, because it needs no board.
    pub(super) fn leave_out(&mut self, statement: &Statement<'_>) {
        let (Some((cut, stated)), Some((board, record))) = (&mut self.cut, &mut self.play) else {
            return;
        };
        let text = statement.text;
        match (text.as_bytes()[0], &mut record.end) {
            (b'+' | b'-', None) => {
                cut.moves += 1;
                *stated = !color_of(text.as_bytes()[0]);
            }
            (b'%', None) if !matches!(&text[1..], "" | "MATTA") => {
                let kind = end_of(&text[1..], *stated);
                record.end = Some(End::new(kind.of_player(*stated, board.side(), &text[1..])));
                cut.end = Some(shorten(text));
            }
            // The texts after the end are read as ever. The limit of their size is no fault of the
            // part left out.
            (b'\'' | b'T', Some(_)) => drop(self.read(statement)),
            _ => {}
        }
    }

    /// Reads one statement.
    pub(super) fn read(&mut self, statement: &Statement<'_>) -> Result<(), KifuError> {
        let text = statement.text;
        let is_comment = text.starts_with('\'');
        self.has_begun |= !is_comment;
        match text.as_bytes()[0] {
            b'\'' => self.read_comment(statement),
            // All versions are read alike, so the version is not kept.
            b'V' => Ok(()),
            b'N' if text[1..].starts_with(['+', '-']) => {
                let color = color_of(text.as_bytes()[1]);
                self.add_header(statement.line, HeaderKey::player(color), &text[2..])
            }
            b'N' => Err(statement.error(1, "`+` or `-` after `N`")),
            b'$' => match text.split_once(':') {
                Some((key, value)) => {
                    let key = key_of(&key[1..]);
                    let note = (key == HeaderKey::Note).then(|| unescape(value));
                    self.add_header(statement.line, key, note.as_deref().unwrap_or(value))
                }
                None => Err(statement.error(text.len(), "a colon after the key")),
            },
            b'P' if self.play.is_some() => {
                Err(statement.error(0, "the start position to stand before the moves"))
            }
            b'P' => self.start.read(statement),
            b'+' | b'-' if text.len() == 1 => self.read_side(statement),
            b'+' | b'-' => self.read_move(statement),
            b'T' => self.read_time(statement),
            b'%' => self.read_end(statement),
            _ => Err(statement
                .error(0, "a statement of CSA, which begins with V, N, $, P, +, -, T, %, ' or /")),
        }
    }

    /// Returns the record of the complete game.
    ///
    /// The second value is an error if the text has no side to move or no legal start position. The
    /// record is usable in spite of it.
    pub(super) fn finish(mut self, line: u64) -> (Record, Result<(), KifuError>) {
        let validity = match &self.play {
            Some(_) => Ok(()),
            // Black moves first in an even game, so that is the best guess.
            None => self.begin_play(Color::Black, line).and(Err(TextFault::syntax(
                line,
                1,
                "",
                "the side to move first, `+` or `-`",
            )
            .into())),
        };
        let (_, mut record) = self.play.take().expect("play has begun");
        record.header = self.header;
        decide_by_summary(&mut record);
        (record, validity)
    }

    fn read_comment(&mut self, statement: &Statement<'_>) -> Result<(), KifuError> {
        let text = &statement.text[1..];
        self.text_size.add(statement.line, text.len())?;
        let comment = match text.strip_prefix('*') {
            Some(note) => Comment::Note(note.to_owned()),
            None => Comment::Remark(text.to_owned()),
        };
        let comments = match &mut self.play {
            Some((_, Record { end: Some(end), .. })) => &mut end.comments,
            Some((_, Record { moves, comments, .. })) => match moves.last_mut() {
                Some(last) => &mut last.comments,
                None => comments,
            },
            None => &mut self.comments,
        };
        comments.push(comment);
        Ok(())
    }

    fn add_header(&mut self, line: u64, key: HeaderKey, value: &str) -> Result<(), KifuError> {
        let key_bytes = if let HeaderKey::Custom(word) = &key { word.len() } else { 0 };
        self.text_size.add(line, key_bytes + value.len())?;
        self.header.push(key, value);
        Ok(())
    }

    fn read_side(&mut self, statement: &Statement<'_>) -> Result<(), KifuError> {
        if self.play.is_some() {
            return Err(statement.error(0, "a move such as `+7776FU`"));
        }
        self.begin_play(color_of(statement.text.as_bytes()[0]), statement.line)
    }

    fn begin_play(&mut self, side: Color, line: u64) -> Result<(), KifuError> {
        // A faulty position is kept with its error, so that a lenient reader can follow the moves.
        let start = std::mem::take(&mut self.start);
        let is_stated = start.is_stated;
        let setup = start.finish(side);
        let (board, validity) = Board::new(setup.clone());
        let mut record = Record::new(setup);
        // Most games have more moves than that; growing from nothing copies them often.
        record.moves.reserve(USUAL_MOVES);
        record.comments = std::mem::take(&mut self.comments);
        self.play = Some((board, record));
        validity.map_err(|error| KifuError::StartPosition { line, error })?;
        if is_stated {
            return Ok(());
        }
        let expected = "a start position, `PI` or `P1` to `P9`, before the side to move";
        Err(TextFault::syntax(line, 1, "", expected).into())
    }

    fn read_move(&mut self, statement: &Statement<'_>) -> Result<(), KifuError> {
        // The moves after an unreadable one refer to an unknown board.
        let written =
            WrittenMove::parse(statement).inspect_err(|_| self.is_cut = self.play.is_some())?;
        if self.play.is_some() {
            return self.make_move(statement, written);
        }
        let expected = "the side to move first, `+` or `-`, on a line of its own";
        let begun = self.begin_play(written.side, statement.line);
        let preamble = begun.and_then(|()| Err::<(), _>(statement.error(0, expected)));
        // The move is made in any case; of two faults the first is reported.
        let made = self.make_move(statement, written);
        preamble.and(made)
    }

    fn make_move(
        &mut self,
        statement: &Statement<'_>,
        written: WrittenMove,
    ) -> Result<(), KifuError> {
        let (line, column) = (statement.line, statement.column);
        let (board, record) = self.play.as_mut().expect("play has begun");
        if record.end.is_some() {
            return Err(statement.error(0, "no move after the end of the game"));
        }
        let ply = record.moves.len() + 1;
        if ply > MAX_MOVES {
            return Err(KifuError::GameTooLong { line, what: "moves", limit: MAX_MOVES });
        }
        // Reset below if the move is made.
        self.is_cut = true;
        if written.side != board.side() {
            let (found, expected) = (written.side, board.side());
            return Err(KifuError::WrongSide { line, column, ply, found, expected });
        }
        let illegal = |reason| {
            let text = shorten(statement.text);
            KifuError::IllegalMove { line, column, ply, text, reason }
        };
        // CSA names the kind after the move, so only the board shows whether a move is a promotion.
        let m = match written.from {
            None => Move::drop(written.kind, written.to),
            Some(square) => match board.piece_on(square) {
                None => return Err(illegal(IllegalMove::NoPiece { square })),
                Some(stands) if stands.kind() == written.kind => Move::new(square, written.to),
                Some(stands) if stands.kind().promoted() == Some(written.kind) => {
                    Move::promotion(square, written.to)
                }
                Some(stands) => {
                    let (column, named) = (column + 1, written.kind);
                    return Err(KifuError::WrongPiece { line, column, ply, square, stands, named });
                }
            },
        };
        let played = board.play(m);
        self.is_cut = played.as_ref().is_err_and(|foul| !foul.was_made);
        if !self.is_cut {
            // Unlike `push`, this writes the move in its place, not by way of the stack.
            // After a foul, the board may have made the move without its promotion.
            let made = match board.position() {
                Some(_) => m,
                None => board.last_move().unwrap_or(m),
            };
            record.moves.extend(iter::once(made).map(RecordMove::new));
        }
        match played {
            Ok(()) => Ok(()),
            Err(foul) if foul.was_made => {
                self.foul = Some(illegal(foul.reason));
                Ok(())
            }
            Err(foul) => Err(illegal(foul.reason)),
        }
    }

    fn read_time(&mut self, statement: &Statement<'_>) -> Result<(), KifuError> {
        let seconds = parse_seconds(&statement.text[1..])
            .ok_or_else(|| statement.error(1, "seconds such as `12` or `12.345` after `T`"))?;
        // A time after the end mark is the time used before it, for example before resigning.
        let time = match &mut self.play {
            Some((_, Record { end: Some(end), .. })) => &mut end.time,
            Some((_, Record { moves, .. })) if !moves.is_empty() => {
                &mut moves.last_mut().expect("there is a move").time
            }
            _ => return Err(statement.error(0, "a move before the time it took")),
        };
        *time = Some(seconds);
        Ok(())
    }

    fn read_end(&mut self, statement: &Statement<'_>) -> Result<(), KifuError> {
        let Some((board, record)) = &mut self.play else {
            return Err(statement.error(0, "the side to move, `+` or `-`, before the end"));
        };
        if record.end.is_some() {
            return Err(statement.error(0, "one end of the game only"));
        }
        let word = &statement.text[1..];
        if word == "MATTA" {
            // MATTA (待った) takes back a move and the reply to it.
            for _ in 0..record.moves.len().min(2) {
                record.moves.pop();
                board.undo();
            }
            self.foul = None;
            return Ok(());
        }
        if word.is_empty() {
            return Err(statement.error(1, "a word such as `TORYO` after `%`"));
        }
        record.end = Some(End::new(end_of(word, board.side())));
        Ok(())
    }
}

/// Sets the end that the summary of a server states, if the record has one.
fn decide_by_summary(record: &mut Record) {
    let of_end = record.end.iter().flat_map(|end| &end.comments);
    let of_moves = record.moves.iter().flat_map(|played| &played.comments);
    let comments = record.comments.iter().chain(of_moves).chain(of_end);
    let Some(summary) = Summary::last(comments, &record.header) else { return };
    let side = record.side_at_end();
    match &mut record.end {
        Some(end) => end.kind = summary.end(Some(&end.kind), side),
        None => record.end = Some(End::new(summary.end(None, side))),
    }
}

/// A move as the text gives it, before it is compared with the board.
#[derive(Debug, Clone, Copy)]
struct WrittenMove {
    side: Color,
    /// The origin, `None` for a drop. The kind of a drop can be held in hand.
    from: Option<Square>,
    /// The target, which differs from the origin.
    to: Square,
    /// The kind after the move.
    kind: PieceKind,
}

impl WrittenMove {
    fn parse(statement: &Statement<'_>) -> Result<Self, KifuError> {
        Self::from_text(statement.text)
            .ok_or_else(|| statement.error(0, "a move such as `+7776FU`, or `+0055KA` for a drop"))
    }

    fn from_text(text: &str) -> Option<Self> {
        let &[sign, from_file, from_rank, to_file, to_rank, ref letters @ ..] = text.as_bytes()
        else {
            return None;
        };
        let side = color_of(sign);
        let from = place_of([from_file, from_rank])?;
        let to = place_of([to_file, to_rank])??;
        let kind = kind_of(letters)?;
        let makes_sense = match from {
            Some(from) => from != to,
            None => kind.is_hand_kind(),
        };
        makes_sense.then_some(Self { side, from, to, kind })
    }
}

/// Parses seconds with up to nine decimals.
fn parse_seconds(text: &str) -> Option<Duration> {
    let (mut seconds, mut nanos) = (0_u64, 0);
    // The value of the next decimal in nanoseconds; `None` before the point.
    let mut unit: Option<u32> = None;
    for (index, byte) in text.bytes().enumerate() {
        match (byte, unit) {
            (b'.', None) if index > 0 => unit = Some(100_000_000),
            (b'0'..=b'9', None) => {
                seconds = seconds.checked_mul(10)?.checked_add(u64::from(byte - b'0'))?;
            }
            (b'0'..=b'9', Some(value)) if value > 0 => {
                nanos += value * u32::from(byte - b'0');
                unit = Some(value / 10);
            }
            _ => return None,
        }
    }
    (!text.is_empty()).then(|| Duration::new(seconds, nanos))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_have_up_to_nine_decimals() {
        for (text, nanos) in [
            ("0", Some(0)),
            ("12", Some(12_000_000_000)),
            ("1.5", Some(1_500_000_000)),
            ("0.000000001", Some(1)),
            ("3.", Some(3_000_000_000)),
            ("", None),
            (".5", None),
            ("1.2.3", None),
            ("-1", None),
            ("+1", None),
            ("1.0000000001", None),
            ("99999999999999999999", None),
        ] {
            assert_eq!(parse_seconds(text).map(|time| time.as_nanos()), nanos, "{text}");
        }
    }
}
