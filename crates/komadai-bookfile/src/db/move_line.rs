//! The line of a move.

use komadai_core::{Move, Position, Score};
use komadai_movegen::check_legality;

use super::{NONE, UNKNOWN_VALUE};
use crate::error::BookError;
use crate::fault_place::FaultPlace;
use crate::fields::{number, part_of};
use crate::record::RecordMove;

/// The line of a move while it is read.
pub(super) struct MoveLine<'a> {
    /// The whole line, from which columns count.
    pub(super) text: &'a str,
    pub(super) line: u64,
}

/// The content of the line of a move.
pub(super) struct ReadMove {
    pub(super) listed: RecordMove,
    /// True if a number was outside the range of a record and was clamped.
    pub(super) is_clamped: bool,
}

/// The columns after the move: the ponder, three numbers, and the rest of the line.
struct Columns<'a> {
    ponder: &'a str,
    numbers: [&'a str; 3],
    comment: &'a str,
}

const EXPECTED_NUMBERS: [&str; 3] =
    ["a value in centipawns, or `none`", "a depth, or `none`", "a number of games, or `none`"];

impl<'a> MoveLine<'a> {
    /// The first word; empty if the line is blank.
    pub(super) fn first_word(&self) -> &'a str {
        split_word(self.text).0
    }

    /// Reads the line; `None` if it states that there is no move. `position` is unchanged on
    /// return.
    pub(super) fn read(&self, position: &mut Position) -> Result<Option<ReadMove>, BookError> {
        let (first, rest) = split_word(self.text);
        if is_no_move(first) {
            return Ok(None);
        }
        let m = self.legal_move(position, first)?;
        let columns = Columns::of(rest);
        let ponder = match columns.ponder {
            "" => None,
            word if is_no_move(word) => None,
            word => {
                position.do_move(m);
                let ponder = self.legal_move(position, word);
                position.undo_move();
                Some(ponder?)
            }
        };
        let mut numbers = [None; 3];
        for ((number, word), expected) in
            numbers.iter_mut().zip(columns.numbers).zip(EXPECTED_NUMBERS)
        {
            *number = self.number(word, expected)?;
        }
        Ok(Some(read_move(m, ponder, numbers, columns.comment)))
    }

    pub(super) fn error(&self, word: &str, expected: &'static str) -> BookError {
        part_of(self.text, word, self.line).error(expected)
    }

    /// The place of a word of the line.
    pub(super) fn place(&self, word: &str) -> FaultPlace {
        part_of(self.text, word, self.line).place()
    }

    fn legal_move(&self, position: &Position, word: &str) -> Result<Move, BookError> {
        let m = word.parse().map_err(|_| self.error(word, "a move such as 7g7f, 8h2b+ or P*5e"))?;
        check_legality(position, m).map_err(|reason| BookError::IllegalMove {
            place: self.place(word),
            m,
            reason,
        })?;
        Ok(m)
    }

    fn number(&self, word: &str, expected: &'static str) -> Result<Option<i64>, BookError> {
        if word.is_empty() || word.eq_ignore_ascii_case(NONE) {
            return Ok(None);
        }
        number(word).map(Some).ok_or_else(|| self.error(word, expected))
    }
}

fn read_move(
    m: Move,
    ponder: Option<Move>,
    [value, depth, count]: [Option<i64>; 3],
    comment: &str,
) -> ReadMove {
    let value = value.filter(|&value| value != UNKNOWN_VALUE);
    let mut is_clamped = false;
    let mut clamp = |number: i64, least: i64, most: i64| {
        is_clamped |= number < least || number > most;
        number.clamp(least, most)
    };
    let mate = i64::from(Score::MATE.raw());
    let listed = RecordMove {
        ponder,
        score: value.map(|value| Score::from_raw(clamp(value, -mate, mate) as i32)),
        depth: depth.map(|depth| clamp(depth, 0, u16::MAX.into()) as u16),
        count: count.map(|count| clamp(count, 0, u32::MAX.into()) as u32),
        comment: comment.to_owned(),
        ..RecordMove::new(m)
    };
    ReadMove { listed, is_clamped }
}

impl<'a> Columns<'a> {
    fn of(rest: &'a str) -> Self {
        // Most lines have single blanks only; both interpretations then agree, and the search for
        // empty columns can be skipped.
        let has_run = rest.as_bytes().windows(2).any(|pair| pair == b"  ");
        let with_empty = if has_run { Self::with_empty_columns(rest) } else { None };
        with_empty.unwrap_or_else(|| Self::by_words(rest))
    }

    /// Columns separated by runs of blanks, as most programs read them.
    fn by_words(mut rest: &'a str) -> Self {
        let mut words = [""; 4];
        for slot in &mut words {
            let (word, after) = split_word(rest);
            if begins_comment(word) {
                break;
            }
            (*slot, rest) = (word, after);
        }
        let [ponder, numbers @ ..] = words;
        Self { ponder, numbers, comment: without_marker(rest) }
    }

    /// Columns separated by single blanks, where an empty column is an unknown number, as ShogiHome
    /// 1.20 writes them. `None` unless all columns are present: then the blanks are only padding.
    fn with_empty_columns(rest: &'a str) -> Option<Self> {
        let mut columns = rest.strip_prefix(' ')?.splitn(5, ' ');
        let ponder = columns.next().filter(|column| !column.trim_ascii().is_empty())?;
        let numbers = [columns.next()?, columns.next()?, columns.next()?].map(str::trim_ascii);
        let comment = columns.next().unwrap_or_default().trim_ascii();
        let is_number = comment
            .split_ascii_whitespace()
            .next()
            .is_some_and(|word| number(word).is_some() || word.eq_ignore_ascii_case(NONE));
        let is_filled = numbers.iter().all(|column| !column.is_empty());
        if is_number || is_filled || numbers.iter().any(|column| begins_comment(column)) {
            return None;
        }
        Some(Self { ponder: ponder.trim_ascii(), numbers, comment: without_marker(comment) })
    }
}

/// The first word and what follows it.
#[inline]
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim_ascii_start();
    let end = text.bytes().position(|byte| byte.is_ascii_whitespace()).unwrap_or(text.len());
    text.split_at(end)
}

fn begins_comment(word: &str) -> bool {
    word.starts_with('#') || word.starts_with("//")
}

/// A comment at the end of a line, without the marker that it may start with.
fn without_marker(comment: &str) -> &str {
    let comment = comment.trim_ascii();
    comment.strip_prefix('#').or_else(|| comment.strip_prefix("//")).unwrap_or(comment)
}

/// Returns true for the words that programs write in the place of a move.
fn is_no_move(word: &str) -> bool {
    ["none", "resign", "win"].iter().any(|other| word.eq_ignore_ascii_case(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns(rest: &str) -> (String, [String; 3], String) {
        let Columns { ponder, numbers, comment } = Columns::of(rest);
        (ponder.to_owned(), numbers.map(str::to_owned), comment.to_owned())
    }

    #[test]
    fn columns_are_told_from_padding() {
        for (rest, ponder, numbers, comment) in [
            (" none 20 25 6 #single line", "none", ["20", "25", "6"], "single line"),
            (" none   8", "none", ["", "", "8"], ""),
            (" none  5 8", "none", ["", "5", "8"], ""),
            (" none   8 a remark", "none", ["", "", "8"], "a remark"),
            (" none none none ", "none", ["none", "none", ""], ""),
            (" none 7  ", "none", ["7", "", ""], ""),
            (" none 35 18  remark", "none", ["35", "18", ""], "remark"),
            // Padding: numbers would be left over, or columns missing.
            (" none  35 18 120", "none", ["35", "18", "120"], ""),
            (" none  35", "none", ["35", "", ""], ""),
            ("  3c3d   35", "3c3d", ["35", "", ""], ""),
            (" 3c3d 25\t 10 3 x  y", "3c3d", ["25", "10", "3"], "x  y"),
            (" none 20 //why", "none", ["20", "", ""], "why"),
            ("", "", ["", "", ""], ""),
        ] {
            let expected = (ponder.to_owned(), numbers.map(str::to_owned), comment.to_owned());
            assert_eq!(columns(rest), expected, "{rest:?}");
        }
    }
}
