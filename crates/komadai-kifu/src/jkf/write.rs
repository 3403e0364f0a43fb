//! The JKF writer.

use std::borrow::Cow;
use std::collections::HashMap;
use std::time::Duration;

use komadai_core::{Color, Handicap, Move, Piece, Setup, Square};

use super::MAX_FORK_DEPTH;
use crate::board::Board;
use crate::comment::Comment;
use crate::csa::{letters_of, word_of};
use crate::end::{End, EndKind};
use crate::error::RecordTextError;
use crate::kakinoki::ends::word_of as word_in_japanese;
use crate::kakinoki::keys::{key_of, word_of as header_word_of};
use crate::record::Record;
use crate::record_move::RecordMove;
use crate::variation::Line;

impl Record {
    /// Returns the record as JKF on one line, with its variations as forks.
    ///
    /// An end that CSA has no word for is written in Japanese: 先手の勝ち. Times are cut to whole
    /// seconds. Remarks ([`Comment::Remark`]), the number of the first move and `relative` are left
    /// out; a bookmark becomes a comment that begins with `&`. A header key that occurs again is
    /// left out as well, because the keys of a JSON object differ.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_kifu::{Tolerance, parse_jkf, parse_usi_games};
    ///
    /// let game = parse_usi_games("startpos moves 7g7f resign", Tolerance::Strict)?.records.remove(0);
    /// let text = game.to_jkf()?;
    /// assert_eq!(
    ///     text,
    ///     r#"{"header":{},"initial":{"preset":"HIRATE"},"moves":[{},{"move":{"color":0,"#.to_owned()
    ///         + r#""from":{"x":7,"y":7},"to":{"x":7,"y":6},"piece":"FU"}},{"special":"TORYO"}]}"#,
    /// );
    /// assert_eq!(parse_jkf(text, Tolerance::Strict)?.records, [game]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a move of a constructed record cannot be carried out, or variations are nested more than
    /// 40 deep.
    pub fn to_jkf(&self) -> Result<String, RecordTextError> {
        let board = Board::new(self.setup.clone()).0;
        let mut writer = Writer { record: self, forks: self.forks(), board, text: String::new() };
        writer.write_head();
        writer.write_line(Line::Main, 0, [Duration::ZERO; 2])?;
        writer.text.push('}');
        Ok(writer.text)
    }
}

#[derive(Debug)]
struct Writer<'a> {
    record: &'a Record,
    /// The lines that replace a move of a line.
    forks: HashMap<(Line, usize), Vec<Line>>,
    board: Board,
    text: String,
}

impl Writer<'_> {
    fn write_head(&mut self) {
        let handicap = Handicap::from_setup(&self.record.setup);
        let has_handicap = handicap.is_some_and(|handicap| handicap != Handicap::Hirate);
        let mut written: Vec<String> = Vec::new();
        self.text.push_str("{\"header\":{");
        for (key, value) in self.record.header.iter() {
            let word = header_word_of(key, has_handicap);
            // A key that is the word of another one would be read as that.
            if !written.contains(&word) && key_of(&word) == *key {
                self.comma_unless_first(written.is_empty());
                self.text += &format!("{}:{}", quoted(&word), quoted(value));
                written.push(word);
            }
        }
        self.text.push_str("},\"initial\":");
        match handicap {
            Some(handicap) => {
                self.text += &format!("{{\"preset\":{}}}", quoted(handicap.jkf_preset()));
            }
            None => write_setup(&mut self.text, &self.record.setup),
        }
        self.text.push_str(",\"moves\":");
    }

    fn comma_unless_first(&mut self, is_first: bool) {
        if !is_first {
            self.text.push(',');
        }
    }

    /// Writes a line with its forks. The board is the one before its first move, and is so again
    /// afterwards. `depth` bounds the recursion.
    fn write_line(
        &mut self,
        line: Line,
        depth: usize,
        mut totals: [Duration; 2],
    ) -> Result<(), RecordTextError> {
        if depth > MAX_FORK_DEPTH {
            return Err(RecordTextError::TooDeep { limit: MAX_FORK_DEPTH });
        }
        let record = self.record;
        let start = self.board.made();
        self.text.push('[');
        if line == Line::Main {
            let comments = comment_lines(&record.comments, record.bookmark.as_deref());
            self.text.push('{');
            self.write_comments(&comments, true);
            self.text.push('}');
        }
        for (index, played) in record.moves_of(line).iter().enumerate() {
            self.comma_unless_first(line != Line::Main && index == 0);
            self.write_move(line, played, &mut totals, depth)?;
        }
        self.write_end(line, depth, totals)?;
        self.text.push(']');
        while self.board.made() > start {
            self.board.undo();
        }
        Ok(())
    }

    fn write_move(
        &mut self,
        line: Line,
        played: &RecordMove,
        totals: &mut [Duration; 2],
        depth: usize,
    ) -> Result<(), RecordTextError> {
        let (m, ply, us) = (played.m, self.board.made() + 1, self.board.side());
        let impossible = RecordTextError::ImpossibleMove { line, ply, m };
        let stands = m.from().and_then(|from| self.board.piece_on(from)).map(Piece::kind);
        let kind = stands.or(m.dropped()).ok_or(impossible.clone())?;
        self.text += &format!("{{\"move\":{{\"color\":{}", us.index());
        if let Some(from) = m.from() {
            self.text += &format!(",\"from\":{}", place(from));
        }
        self.text += &format!(",\"to\":{},\"piece\":\"{}\"", place(m.to()), letters_of(kind));
        if self.board.last_move().map(Move::to) == Some(m.to()) {
            self.text.push_str(",\"same\":true");
        }
        // Absent if there was no choice to promote.
        let may_promote = m.from().is_some_and(|from| {
            kind.can_promote() && [from, m.to()].iter().any(|square| square.is_promotion_zone(us))
        });
        if may_promote || m.is_promotion() {
            self.text += &format!(",\"promote\":{}", m.is_promotion());
        }
        if let Some(captured) = self.board.piece_on(m.to()) {
            self.text += &format!(",\"capture\":\"{}\"", letters_of(captured.kind()));
        }
        self.text.push('}');
        let totals_before = *totals;
        self.write_time(played.time, us, totals);
        self.write_comments(&comment_lines(&played.comments, played.bookmark.as_deref()), false);
        self.write_forks(line, ply, depth, totals_before)?;
        self.text.push('}');
        match self.board.play(m) {
            Err(foul) if !foul.was_made => Err(impossible),
            _ => Ok(()),
        }
    }

    /// Writes the end mark, and the forks that follow the last move.
    fn write_end(
        &mut self,
        line: Line,
        depth: usize,
        mut totals: [Duration; 2],
    ) -> Result<(), RecordTextError> {
        let (ply, us) = (self.board.made() + 1, self.board.side());
        let end = self.record.end_of(line);
        if end.is_none() && !self.forks.contains_key(&(line, ply)) {
            return Ok(());
        }
        self.comma_unless_first(self.text.ends_with('['));
        let totals_before = totals;
        match end {
            Some(End { kind, time, comments, .. }) => {
                self.text += &format!("{{\"special\":{}", quoted(&special_of(kind, us)));
                self.write_time(*time, us, &mut totals);
                self.write_comments(&comment_lines(comments, None), false);
                self.write_forks(line, ply, depth, totals_before)?;
                self.text.push('}');
            }
            None => {
                self.text.push_str("{\"comments\":[]");
                self.write_forks(line, ply, depth, totals_before)?;
                self.text.push('}');
            }
        }
        Ok(())
    }

    fn write_forks(
        &mut self,
        line: Line,
        ply: usize,
        depth: usize,
        totals: [Duration; 2],
    ) -> Result<(), RecordTextError> {
        // Removed, so that parents which form a ring end.
        let Some(forks) = self.forks.remove(&(line, ply)) else { return Ok(()) };
        self.text.push_str(",\"forks\":[");
        for (index, fork) in forks.into_iter().enumerate() {
            self.comma_unless_first(index == 0);
            self.write_line(fork, depth + 1, totals)?;
        }
        self.text.push(']');
        Ok(())
    }

    fn write_time(&mut self, time: Option<Duration>, us: Color, totals: &mut [Duration; 2]) {
        let Some(time) = time else { return };
        let total = totals[us.index()].saturating_add(Duration::from_secs(time.as_secs()));
        totals[us.index()] = total;
        let (now, total) = (time.as_secs(), total.as_secs());
        let hours = if now < 3600 { String::new() } else { format!("\"h\":{},", now / 3600) };
        self.text += &format!(
            ",\"time\":{{\"now\":{{{hours}\"m\":{},\"s\":{}}},\"total\":{{\"h\":{},\"m\":{},\"s\":{}}}}}",
            now / 60 % 60,
            now % 60,
            total / 3600,
            total / 60 % 60,
            total % 60,
        );
    }

    fn write_comments(&mut self, lines: &[String], is_first: bool) {
        if !lines.is_empty() {
            self.comma_unless_first(is_first);
            self.text += &format!("\"comments\":[{}]", lines.join(","));
        }
    }
}

/// Returns the word of an end: that of CSA, or a sentence for a win that CSA has no word for.
fn special_of(kind: &EndKind, side: Color) -> Cow<'_, str> {
    match kind {
        EndKind::Other(word) => word.into(),
        EndKind::Win { .. } => word_in_japanese(kind, side),
        kind => word_of(kind, side).into(),
    }
}

/// Returns the lines of comments as JSON texts, a bookmark first.
fn comment_lines(comments: &[Comment], bookmark: Option<&str>) -> Vec<String> {
    let bookmark = bookmark.map(|name| quoted(&format!("&{name}")));
    let notes = comments.iter().filter_map(|comment| match comment {
        // With a blank the text is no bookmark.
        Comment::Note(text) if text.starts_with('&') => Some(quoted(&format!(" {text}"))),
        Comment::Note(text) => Some(quoted(text)),
        Comment::Remark(_) => None,
    });
    bookmark.into_iter().chain(notes).collect()
}

fn write_setup(text: &mut String, setup: &Setup) {
    *text += &format!("{{\"preset\":\"OTHER\",\"data\":{{\"color\":{}", setup.side.index());
    text.push_str(",\"board\":[");
    let cell = |piece: Option<Piece>| match piece {
        None => "{}".to_owned(),
        Some(piece) => {
            let (color, kind) = (piece.color().index(), letters_of(piece.kind()));
            format!("{{\"color\":{color},\"kind\":\"{kind}\"}}")
        }
    };
    let file = |file: usize| {
        let cells: Vec<String> = (0..9).map(|rank| cell(setup.board[file * 9 + rank])).collect();
        format!("[{}]", cells.join(","))
    };
    text.push_str(&(0..9).map(file).collect::<Vec<_>>().join(","));
    text.push_str("],\"hands\":[");
    let hand = |color: Color| {
        let counts = setup.hands[color].iter();
        let counts: Vec<String> =
            counts.map(|(kind, count)| format!("\"{}\":{count}", letters_of(kind))).collect();
        format!("{{{}}}", counts.join(","))
    };
    text.push_str(&Color::ALL.map(hand).join(","));
    text.push_str("]}}");
}

fn place(square: Square) -> String {
    format!("{{\"x\":{},\"y\":{}}}", square.file().index() + 1, square.rank().index() + 1)
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
