//! The CSA writer.

use komadai_core::{Color, Move, Setup, Square};

use super::keys;
use super::words::{letters_of, word_of};
use crate::board::Board;
use crate::comment::Comment;
use crate::header::HeaderKey;
use crate::record::Record;

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

impl Record {
    /// Returns the record as CSA 2.2, with a first line that names the encoding UTF-8.
    ///
    /// Times are cut to whole seconds, because version 2.2 has no fractions. The number of the
    /// first move is lost. The players' names come first in the header. A line end within a name
    /// becomes a blank, and one within a comment starts another line of comment.
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
        let mut text = String::from("'CSA encoding=UTF-8\nV2.2\n");
        self.write_header(&mut text);
        write_start(&mut text, &self.setup);
        write_comments(&mut text, &self.comments);
        // An illegal start position is written as well: records may contain one.
        let mut board = Board::new(self.setup.clone()).0;
        for (index, played) in self.moves.iter().enumerate() {
            let no_piece = CsaWriteError::NoPiece { ply: index + 1, m: played.m };
            let side = board.side();
            if board.play(played.m).is_err_and(|foul| !foul.was_made) {
                return Err(no_piece);
            }
            // CSA names the kind after the move, so the piece is read from the target.
            let piece = board.piece_on(played.m.to()).ok_or(no_piece)?;
            let from = played.m.from().map_or("00".to_owned(), digits);
            let (to, kind) = (digits(played.m.to()), letters_of(piece.kind()));
            text += &format!("{}{from}{to}{kind}\n", sign(side));
            if let Some(time) = played.time {
                text += &format!("T{}\n", time.as_secs());
            }
            write_comments(&mut text, &played.comments);
        }
        if let Some(end) = &self.end {
            text += &format!("%{}\n", word_of(&end.kind, self.side_at_end()));
            if let Some(time) = end.time {
                text += &format!("T{}\n", time.as_secs());
            }
            write_comments(&mut text, &end.comments);
        }
        Ok(text)
    }

    /// Writes names first, then the `$` lines. Keys that CSA does not have become remarks.
    fn write_header(&self, text: &mut String) {
        let line = |value: &str| value.replace(['\r', '\n'], " ");
        for (key, value) in self.header.iter() {
            let color = match key {
                HeaderKey::Black => Color::Black,
                HeaderKey::White => Color::White,
                _ => continue,
            };
            *text += &format!("N{}{}\n", sign(color), line(value));
        }
        for (key, value) in self.header.iter() {
            match keys::word_of(key) {
                Some(word) => *text += &format!("${}:{}\n", line(word), line(value)),
                None if matches!(key, HeaderKey::Black | HeaderKey::White) => {}
                None => *text += &format!("'{key:?}:{}\n", line(value)),
            }
        }
    }
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
        let mark = match comment {
            Comment::Note(_) => "'*",
            Comment::Remark(_) => "'",
        };
        for line in comment.text().split(['\r', '\n']) {
            *text += &format!("{mark}{line}\n");
        }
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
