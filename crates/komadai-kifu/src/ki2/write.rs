//! The KI2 writer.

use komadai_core::Move;
use komadai_movegen::is_legal;

use crate::board::Board;
use crate::csa::digits;
use crate::error::RecordTextError;
use crate::kakinoki::ends::{summary, word_of};
use crate::kakinoki::write::{
    is_handicap, lines_in_order, one_line, side_at_end, write_comments, write_header,
};
use crate::notation::Notation;
use crate::record::Record;
use crate::variation::Line;

/// The moves on a line.
const MOVES_A_LINE: usize = 6;

impl Record {
    /// Returns the record as KI2, with variations, comments and bookmarks.
    ///
    /// Times are lost, and so is the number of the first move. A foul has its origin as in KIF,
    /// `▲２二角(88)`. [`TextForm`](crate::text::TextForm) encodes the text for a file.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_kifu::{Tolerance, parse_usi_games};
    ///
    /// let games = parse_usi_games("startpos moves 7g7f 3c3d 4i5h resign", Tolerance::Strict)?;
    /// assert_eq!(
    ///     games.records[0].to_ki2()?,
    ///     "手合割：平手\n\n▲７六歩　△３四歩　▲５八金右\nまで3手で先手の勝ち\n",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If a move follows a foul.
    pub fn to_ki2(&self) -> Result<String, RecordTextError> {
        let mut text = String::new();
        write_header(&mut text, self);
        text.push('\n');
        write_comments(&mut text, &self.comments, self.bookmark.as_deref());
        let mut board = Board::new(self.setup.clone()).0;
        for line in lines_in_order(self) {
            write_line(&mut text, self, &mut board, line)?;
        }
        Ok(text)
    }
}

/// Writes a line. The lines come in such an order that the moves before one are among those of the
/// line before.
fn write_line(
    text: &mut String,
    record: &Record,
    board: &mut Board,
    line: Line,
) -> Result<(), RecordTextError> {
    let first = record.first_ply(line).max(1);
    while board.made() >= first {
        board.undo();
    }
    if line != Line::Main {
        *text += &format!("\n変化：{first}手\n");
    }
    let mut on_line = 0;
    for played in record.moves_of(line) {
        let m = played.m;
        let no_position = RecordTextError::NoPosition { ply: board.made() + 1, m };
        let last = board.last_move().map(Move::to);
        let position = board.position().ok_or_else(|| no_position.clone())?;
        text.push_str(if on_line == 0 { "" } else { "　" });
        // Files have a space after 同, as in KIF.
        text.push_str(&Notation::Japanese.name_after(last, position, m).replacen('同', "同　", 1));
        // The words tell only pieces apart that can make the move.
        if let (Some(from), false) = (m.from(), is_legal(position, m)) {
            *text += &format!("({})", digits(from));
        }
        on_line += 1;
        let has_text = !played.comments.is_empty() || played.bookmark.is_some();
        if has_text || on_line == MOVES_A_LINE {
            text.push('\n');
            on_line = 0;
        }
        write_comments(text, &played.comments, played.bookmark.as_deref());
        if board.play(m).is_err_and(|foul| !foul.was_made) {
            return Err(no_position);
        }
    }
    if on_line > 0 {
        text.push('\n');
    }
    let Some(end) = record.end_of(line) else { return Ok(()) };
    let side = side_at_end(record, line);
    let word = summary(&end.kind, board.made(), side, is_handicap(&record.setup));
    let word = word.map_or_else(|| word_of(&end.kind, side), Into::into);
    *text += &format!("{}\n", one_line(&word));
    write_comments(text, &end.comments, None);
    Ok(())
}
