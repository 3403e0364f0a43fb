//! The KIF writer.

use std::time::Duration;

use komadai_core::{Move, PieceKind, Square};

use super::move_line::is_end_in_row;
use crate::board::Board;
use crate::csa::digits;
use crate::end::EndKind;
use crate::error::RecordTextError;
use crate::kakinoki::ends::{summary, word_of};
use crate::kakinoki::words::{is_blank, kind_name, square_name};
use crate::kakinoki::write::{
    is_handicap, lines_in_order, one_line, side_at_end, write_comments, write_header,
};
use crate::record::Record;
use crate::variation::Line;

impl Record {
    /// Returns the record as KIF, with variations, comments, bookmarks and times.
    ///
    /// Times are cut to whole seconds, and their sums are computed. The number of the first move is
    /// lost. A line end within a value of the header becomes a blank, and one within a comment
    /// starts another line of comment. [`TextForm`](crate::text::TextForm) encodes the text for a
    /// file.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_kifu::{Tolerance, parse_usi_games};
    ///
    /// let games = parse_usi_games("startpos moves 7g7f 3c3d resign", Tolerance::Strict)?;
    /// assert_eq!(
    ///     games.records[0].to_kif()?,
    ///     "手合割：平手\n手数----指手---------消費時間--\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 投了\nまで2手で後手の勝ち\n",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a move of a constructed record moves no piece.
    pub fn to_kif(&self) -> Result<String, RecordTextError> {
        let mut text = String::new();
        write_header(&mut text, self);
        text.push_str("手数----指手---------消費時間--\n");
        write_comments(&mut text, &self.comments, self.bookmark.as_deref());
        let mut writer = Writer {
            record: self,
            board: Board::new(self.setup.clone()).0,
            has_times: has_times(self),
            spent: vec![[Duration::ZERO; 2]],
            branches: self.variations.iter().map(|v| (v.parent, v.ply)).collect(),
            text,
        };
        for line in lines_in_order(self) {
            writer.write_line(line)?;
        }
        Ok(writer.text)
    }
}

/// Returns a time as it is written: sums are those of the times that a reader sees.
fn whole_seconds(time: Option<Duration>) -> Duration {
    Duration::from_secs(time.unwrap_or_default().as_secs())
}

/// Checks whether a move of any line has a time.
fn has_times(record: &Record) -> bool {
    let lines = record.variations.iter().map(|variation| &variation.moves);
    let mut moves = lines.chain([&record.moves]).flatten();
    moves.any(|played| played.time.is_some())
}

struct Writer<'r> {
    record: &'r Record,
    board: Board,
    /// The places that variations leave.
    branches: std::collections::HashSet<(Line, usize)>,
    has_times: bool,
    /// The times that both sides have spent after each number of moves on the board.
    spent: Vec<[Duration; 2]>,
    text: String,
}

impl Writer<'_> {
    /// Writes a line. The lines come in such an order that the moves before one are among those of
    /// the line before.
    fn write_line(&mut self, line: Line) -> Result<(), RecordTextError> {
        let record = self.record;
        let first = record.first_ply(line).max(1);
        while self.board.made() >= first {
            self.board.undo();
        }
        self.spent.truncate(self.board.made() + 1);
        for (index, played) in record.moves_of(line).iter().enumerate() {
            let (side, ply) = (self.board.side(), self.board.made() + 1);
            let piece = played.m.from().and_then(|from| self.board.piece_on(from));
            let kind = played.m.dropped().or(piece.map(|piece| piece.kind()));
            let no_piece = RecordTextError::NoPiece { ply, m: played.m };
            let kind = kind.ok_or_else(|| no_piece.clone())?;
            let last = self.board.last_move().map(Move::to);
            if self.board.play(played.m).is_err_and(|foul| !foul.was_made) {
                return Err(no_piece);
            }
            if index == 0 && line != Line::Main {
                self.text += &format!("\n変化：{first}手\n");
            }
            let mut spent = self.spent.last().copied().unwrap_or_default();
            let sum = &mut spent[side.index()];
            *sum = sum.saturating_add(whole_seconds(played.time));
            self.write_row(ply, &kif_move(last, kind, played.m), played.time, spent[side.index()]);
            self.end_row(line, ply);
            write_comments(&mut self.text, &played.comments, played.bookmark.as_deref());
            self.spent.push(spent);
        }
        self.write_end(line, self.board.made(), self.spent.last().copied().unwrap_or_default());
        Ok(())
    }

    fn write_end(&mut self, line: Line, plies: usize, spent: [Duration; 2]) {
        let Some(end) = self.record.end_of(line) else { return };
        if self.record.moves_of(line).is_empty() && line != Line::Main {
            self.text += &format!("\n変化：{}手\n", self.record.first_ply(line));
        }
        let side = side_at_end(self.record, line);
        let sum = spent[side.index()].saturating_add(whole_seconds(end.time));
        let word = word_of(&end.kind, side);
        if matches!(end.kind, EndKind::Other(_)) && word.starts_with("まで") {
            // Comments follow the end that they belong to.
            self.text += &format!("{}\n", one_line(&word));
            write_comments(&mut self.text, &end.comments, None);
            return;
        }
        self.write_row(plies + 1, &one_word(&word), end.time, sum);
        self.end_row(line, plies + 1);
        write_comments(&mut self.text, &end.comments, None);
        let is_handicap = is_handicap(&self.record.setup);
        if line == Line::Main
            && let Some(last) = summary(&end.kind, plies, side, is_handicap)
        {
            self.text += &format!("{}\n", one_line(&last));
        }
    }

    /// Writes number, move and times; the move fills twelve columns if times follow.
    fn write_row(&mut self, ply: usize, name: &str, time: Option<Duration>, spent: Duration) {
        self.text += &format!("{ply:4} {name}");
        let Some(time) = time.or(self.has_times.then_some(Duration::ZERO)) else { return };
        let columns: usize = name.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum();
        let (time, sum) = (time.as_secs(), spent.as_secs());
        self.text += &" ".repeat(13_usize.saturating_sub(columns).max(1));
        self.text += &format!(
            "({:2}:{:02}/{:02}:{:02}:{:02})",
            time / 60,
            time % 60,
            sum / 3_600,
            sum / 60 % 60,
            sum % 60
        );
    }

    /// Ends a row: a plus sign announces variations of this move.
    fn end_row(&mut self, line: Line, ply: usize) {
        let is_first = self.record.first_ply(line) == ply;
        let has_more = self.branches.contains(&(line, ply)) && !(is_first && line != Line::Main);
        self.text.push_str(if has_more { "+\n" } else { "\n" });
    }
}

/// Returns the word of an end in the place of a move: without blanks and brackets, and not like a
/// move.
fn one_word(word: &str) -> String {
    let word = word.replace(|c: char| is_blank(c) || matches!(c, '(' | '（'), "_");
    let word = word.trim_end_matches('+');
    if is_end_in_row(word) { word.to_owned() } else { format!("_{word}") }
}

/// Returns a move in the form of KIF: ７六歩(77), 同　銀成(31), ５五角打.
fn kif_move(last: Option<Square>, kind: PieceKind, m: Move) -> String {
    let to = if last == Some(m.to()) { "同　".to_owned() } else { square_name(m.to()) };
    let piece = kind_name(kind);
    let Some(from) = m.from() else { return format!("{to}{piece}打") };
    let promotion = if m.is_promotion() { "成" } else { "" };
    format!("{to}{piece}{promotion}({})", digits(from))
}
