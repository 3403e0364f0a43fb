//! The writer of a graph as a `.db` book with propagated values.

use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

use komadai_base::atomic_file::write_atomically;
use komadai_bookfile::db::{COUNT_PREFIX, HEADER};
use komadai_bookfile::position_key::turn;
use komadai_core::{Color, Move, Score, Setup};
use rayon::prelude::*;

use super::book_graph::{BookGraph, Value};

/// Options of writing a graph as a `.db` book.
///
/// # Examples
///
/// ```
/// use komadai_bookgraph::{DbOptions, GraphBuilder, WrittenMoves};
///
/// let options = DbOptions { moves: WrittenMoves::Best, ..DbOptions::default() };
/// let mut text = Vec::new();
/// let graph = GraphBuilder::new().finish()?;
/// assert_eq!(graph.write_db(&mut text, &options)?, 0);
/// assert_eq!(text, b"#YANEURAOU-DB2016 1.00\n# NOE:0\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct DbOptions {
    /// The handling of moves without a value.
    pub unknown: UnknownMoves,
    /// The selection of the moves with a value.
    pub moves: WrittenMoves,
}

/// The moves of a position that are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum WrittenMoves {
    /// All moves, best first.
    #[default]
    All,
    /// The moves with the value of the best move.
    Best,
}

/// Handling of moves that have no value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum UnknownMoves {
    /// Writes them after the others, with the word `none` for the value. Some programs read that as
    /// 0.
    #[default]
    Write,
    /// Omits them, and positions that have only such moves.
    Omit,
}

/// The number of positions that one task writes: enough to make the cost of a task negligible.
const BLOCK: usize = 2_048;

/// The number of blocks in memory at a time, which bounds the memory used.
const BLOCKS_IN_FLIGHT: usize = 32;

/// Some positions as text.
struct Block {
    text: Vec<u8>,
    positions: usize,
    /// The ranges of the first and the last SFEN in the text, by which positions are sorted.
    ends: Option<[Range<usize>; 2]>,
    is_sorted: bool,
}

impl BookGraph {
    /// Writes the book with the propagated values, and returns the number of positions written.
    ///
    /// Positions keep the orientation and the move number with which they were added. They are
    /// sorted by the bytes of their text, as programs that search the file on disk require. Moves
    /// are written best first, including moves into the book that it does not list. The first move
    /// of a position has the exact value of the position. A move of equal value and another depth
    /// is written one centipawn lower, as other tools do: programs that compare values alone shall
    /// prefer the first move. The depth is the number of plies until the play leaves the book. The
    /// reply to a move stays the listed one, even if the value comes from another.
    ///
    /// # Errors
    ///
    /// Returns the errors of `out`.
    pub fn write_db(&self, out: &mut impl Write, options: &DbOptions) -> io::Result<usize> {
        let numbers = self.sorted_numbers();
        self.write_header(out, options)?;
        Ok(self.write_blocks(out, options, &numbers)?.positions)
    }

    /// Writes the book to a file as [`write_db`](Self::write_db) does. The file is replaced as a
    /// whole or not at all. Faster than `write_db` if positions were added in the order of the
    /// format.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be written.
    pub fn save_db(&self, path: impl AsRef<Path>, options: &DbOptions) -> io::Result<usize> {
        let mut numbers: Vec<u32> = (0..self.moves.len() as u32).collect();
        loop {
            // Books read from a file are mostly sorted, so sorting is tried only after the text
            // turns out to be unsorted. The error keeps the unsorted file from getting its name.
            let mut written = Written::default();
            let result = write_atomically(path.as_ref(), |out| {
                self.write_header(out, options)?;
                written = self.write_blocks(out, options, &numbers)?;
                if written.is_sorted {
                    Ok(written.positions)
                } else {
                    Err(io::Error::other("not sorted"))
                }
            });
            if written.is_sorted || !written.is_complete {
                return result;
            }
            numbers = self.sorted_numbers();
        }
    }

    /// The numbers of the positions in the order of the format.
    fn sorted_numbers(&self) -> Vec<u32> {
        let mut keyed: Vec<(Vec<u8>, u32)> = (0..self.moves.len() as u32)
            .into_par_iter()
            .map(|number| (self.sfen(number).into_bytes(), number))
            .collect();
        if !keyed.is_sorted() {
            keyed.par_sort_unstable();
        }
        keyed.into_iter().map(|(_, number)| number).collect()
    }

    fn write_header(&self, out: &mut impl Write, options: &DbOptions) -> io::Result<()> {
        let numbers = 0..self.moves.len() as u32;
        let written = numbers.filter(|&number| self.is_written(number, options)).count();
        writeln!(out, "{HEADER}\n{COUNT_PREFIX}{written}")
    }

    fn is_written(&self, number: u32, options: &DbOptions) -> bool {
        match options.unknown {
            UnknownMoves::Write => !self.moves.get(number).is_empty(),
            UnknownMoves::Omit => self.links.is_valued(number),
        }
    }

    fn write_blocks(
        &self,
        out: &mut impl Write,
        options: &DbOptions,
        numbers: &[u32],
    ) -> io::Result<Written> {
        let mut written = Written { is_sorted: true, ..Written::default() };
        let mut last: Vec<u8> = Vec::new();
        for some in numbers.chunks(BLOCK * BLOCKS_IN_FLIGHT) {
            let blocks: Vec<Block> =
                some.par_chunks(BLOCK).map(|numbers| self.block(numbers, options)).collect();
            for block in blocks {
                out.write_all(&block.text)?;
                written.positions += block.positions;
                written.is_sorted &= block.is_sorted;
                if let Some([first, end]) = block.ends {
                    written.is_sorted &= last[..] <= block.text[first];
                    last = block.text[end].to_vec();
                }
            }
        }
        written.is_complete = true;
        Ok(written)
    }

    fn block(&self, numbers: &[u32], options: &DbOptions) -> Block {
        let mut block = Block { text: Vec::new(), positions: 0, ends: None, is_sorted: true };
        for &number in numbers.iter().filter(|&&number| self.is_written(number, options)) {
            block.text.extend_from_slice(b"sfen ");
            let start = block.text.len();
            block.text.extend_from_slice(self.sfen(number).as_bytes());
            let sfen = start..block.text.len();
            block.text.push(b'\n');
            self.write_moves(&mut block.text, number, options);
            block.positions += 1;
            match &mut block.ends {
                Some([_, last]) => {
                    block.is_sorted &= block.text[last.clone()] <= block.text[sfen.clone()];
                    *last = sfen;
                }
                none => *none = Some([sfen.clone(), sfen]),
            }
        }
        block
    }

    /// The SFEN of a position as it was added; without a move number if it had none.
    fn sfen(&self, number: u32) -> String {
        let origin = self.positions.origin(number);
        let setup =
            self.positions.key(number).packed().to_setup().expect("each key is that of a position");
        let setup = if origin.side() == Color::White { setup.flipped() } else { setup };
        let text = Setup { ply: origin.ply().unwrap_or(1), ..setup }.to_string();
        match origin.ply() {
            Some(_) => text,
            None => text.rsplit_once(' ').map(|(text, _)| text.to_owned()).unwrap_or(text),
        }
    }

    fn write_moves(&self, out: &mut Vec<u8>, number: u32, options: &DbOptions) {
        let side = self.positions.origin(number).side();
        let listed = self.moves.get(number);
        let ranked = self.node_at(number).map(|node| self.ranked_moves(node)).unwrap_or_default();
        let best = ranked.first().map(|first| first.value);
        for ranked in &ranked {
            let Value { score, plies, .. } = ranked.value;
            let is_best = best.is_some_and(|best| best.score == score);
            if options.moves == WrittenMoves::Best && !is_best {
                break;
            }
            // The first move of a position must stay the best one for programs that compare values
            // alone.
            let is_second = is_best && best.is_some_and(|best| best.plies != plies);
            let score = Score::from_raw(score.raw() - i32::from(is_second));
            let known = listed.iter().find(|known| known.m == ranked.m);
            let ponder = known.and_then(|known| known.ponder);
            let games = known.map_or(0, |known| known.games);
            write_move(out, turn(ranked.m, side), ponder.map(|m| turn(m, side)));
            write_number(out, score.raw());
            write_number(out, plies.into());
            write_games(out, games);
        }
        if options.unknown == UnknownMoves::Omit {
            return;
        }
        for known in listed.iter().filter(|known| ranked.iter().all(|other| other.m != known.m)) {
            write_move(out, turn(known.m, side), known.ponder.map(|m| turn(m, side)));
            out.extend_from_slice(b" none none");
            write_games(out, known.games);
        }
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct Written {
    positions: usize,
    is_sorted: bool,
    /// True if all positions were written.
    is_complete: bool,
}

fn write_move(out: &mut Vec<u8>, m: Move, ponder: Option<Move>) {
    out.write_fmt(format_args!("{m}")).expect("writing to memory succeeds");
    match ponder {
        Some(ponder) => {
            out.write_fmt(format_args!(" {ponder}")).expect("writing to memory succeeds")
        }
        None => out.extend_from_slice(b" none"),
    }
}

/// Writes a space and a number, several times as fast as formatting it.
fn write_number(out: &mut Vec<u8>, number: i32) {
    out.extend_from_slice(if number < 0 { b" -" } else { b" " });
    let mut digits = [0; 10];
    let mut rest = number.unsigned_abs();
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at..]);
}

fn write_games(out: &mut Vec<u8>, games: u32) {
    if games > 0 {
        write_number(out, games.try_into().unwrap_or(i32::MAX));
    }
    out.push(b'\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_they_are_formatted() {
        for number in [0, 7, -7, 10, 32_000, -32_000, i32::MAX, i32::MIN] {
            let mut text = Vec::new();
            write_number(&mut text, number);
            assert_eq!(text, format!(" {number}").into_bytes());
        }
    }
}
