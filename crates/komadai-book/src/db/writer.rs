//! Writing `.db` books.

use std::io::{self, Write};

use komadai_core::{Move, Score};

use super::{COUNT_PREFIX, HEADER, NONE};
use crate::book::Book;
use crate::move_order::usi_order;

/// What to do with moves that have no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum UnknownMoves {
    /// Write them behind the others, with the word `none` for the value. Some programs read that
    /// as 0.
    #[default]
    Write,
    /// Leave them out, and positions that have no others as well.
    Omit,
}

/// A move as it is written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WrittenMove {
    pub(crate) m: Move,
    pub(crate) ponder: Option<Move>,
    pub(crate) score: Option<Score>,
    pub(crate) depth: u16,
    pub(crate) games: u32,
}

impl Book {
    /// Writes the book with its values as they were logged, and returns the number of positions
    /// written.
    ///
    /// Positions keep the orientation and the move number with which they were added, and are sorted
    /// as programs that search the file on disk need it: by the bytes of their text. Moves are
    /// sorted best first. The format has no place for who evaluated, when and with how many nodes;
    /// a log file keeps that.
    ///
    /// # Errors
    ///
    /// If `out` fails.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_book::{Book, UnknownMoves};
    /// use komadai_core::Position;
    ///
    /// let mut book = Book::new();
    /// book.add_games(&Position::hirate(), "7g7f".parse()?, 12)?;
    /// let mut text = Vec::new();
    /// book.write_db(&mut text, UnknownMoves::Write)?;
    /// let text = String::from_utf8(text)?;
    /// assert_eq!(text.lines().last(), Some("7g7f none none none 12"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn write_db(&self, out: &mut impl Write, unknown: UnknownMoves) -> io::Result<usize> {
        let moves_of = |at: usize| {
            let entry = self.entry_at(at);
            let mut moves: Vec<_> = entry
                .moves()
                .map(|listed| WrittenMove {
                    m: listed.m,
                    ponder: listed.ponder,
                    score: listed.score(),
                    depth: listed.evaluation().map_or(0, |evaluation| evaluation.depth),
                    games: listed.games,
                })
                .collect();
            moves.sort_by_key(|listed| {
                (std::cmp::Reverse((listed.score, listed.games)), usi_order(listed.m))
            });
            moves
        };
        write_positions(self, out, unknown, moves_of)
    }
}

/// Writes the positions of a book, with the moves that `moves_of` gives in the orientation in which
/// the position was added.
pub(crate) fn write_positions(
    book: &Book,
    out: &mut impl Write,
    unknown: UnknownMoves,
    moves_of: impl Fn(usize) -> Vec<WrittenMove>,
) -> io::Result<usize> {
    let is_written =
        |listed: &WrittenMove| unknown == UnknownMoves::Write || listed.score.is_some();
    let mut positions: Vec<(String, usize)> = (0..book.len())
        .filter(|&at| moves_of(at).iter().any(is_written))
        .map(|at| (book.entry_at(at).position().to_string(), at))
        .collect();
    positions.sort_unstable();
    writeln!(out, "{HEADER}")?;
    writeln!(out, "{COUNT_PREFIX}{}", positions.len())?;
    for (sfen, at) in &positions {
        writeln!(out, "sfen {sfen}")?;
        for listed in moves_of(*at).iter().filter(|listed| is_written(listed)) {
            write_move(out, listed)?;
        }
    }
    Ok(positions.len())
}

fn write_move(out: &mut impl Write, listed: &WrittenMove) -> io::Result<()> {
    write!(out, "{} ", listed.m)?;
    match listed.ponder {
        Some(ponder) => write!(out, "{ponder}")?,
        None => write!(out, "{NONE}")?,
    }
    match listed.score {
        Some(score) => write!(out, " {} {}", score.raw(), listed.depth)?,
        None => write!(out, " {NONE} {NONE}")?,
    }
    match listed.games {
        0 => writeln!(out),
        games => writeln!(out, " {games}"),
    }
}
