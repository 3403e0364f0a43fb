//! Words of a line, with their places.

use komadai_base::text;

use crate::error::BookError;
use crate::fault_place::FaultPlace;

/// A word of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field<'a> {
    /// The word.
    pub text: &'a str,
    /// The number of its line, from 1.
    pub line: u64,
    /// The column of its first character, from 1.
    pub column: usize,
}

impl Field<'_> {
    /// The place of the word, for errors.
    pub fn place(&self) -> FaultPlace {
        FaultPlace::Column { line: self.line, column: self.column }
    }

    /// The error that something else was expected in the place of this word.
    pub fn error(&self, expected: &'static str) -> BookError {
        let found = shorten(self.text);
        BookError::Syntax { line: self.line, column: self.column, found, expected }
    }

    /// The word as an integer, optionally signed, clamped to `i64`.
    ///
    /// # Errors
    ///
    /// If the word is not a number.
    pub fn number(&self, expected: &'static str) -> Result<i64, BookError> {
        number(self.text).ok_or_else(|| self.error(expected))
    }
}

/// Parses an integer, optionally signed, clamped to `i64`.
pub fn number(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.is_empty() {
        return None;
    }
    let mut size: i64 = 0;
    for byte in digits.bytes() {
        if !byte.is_ascii_digit() {
            return None;
        }
        size = size.saturating_mul(10).saturating_add((byte - b'0').into());
    }
    Some(if text.starts_with('-') { -size } else { size })
}

/// The field of `part`, a substring of the line `text`. The columns are counted here: call it only
/// where the place is needed.
pub fn part_of<'a>(text: &str, part: &'a str, line: u64) -> Field<'a> {
    Field { text: part, line, column: column_of(text, part) }
}

/// The column of `part`, a substring of `text`.
fn column_of(text: &str, part: &str) -> usize {
    let offset = part.as_ptr() as usize - text.as_ptr() as usize;
    text.get(..offset).map_or(0, |before| before.chars().count()) + 1
}

/// The first 40 characters of a text, for an error message.
pub fn shorten(text: &str) -> String {
    text::shorten(text, 40)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_cells_know_their_columns() {
        let line = " 歩 x\ty";
        let words = line.split_ascii_whitespace().map(|word| part_of(line, word, 3));
        let words: Vec<_> = words.map(|f| (f.text, f.column)).collect();
        assert_eq!(words, [("歩", 2), ("x", 4), ("y", 6)]);
        let line = "歩\t\tx y";
        let cells = line.split('\t').map(|cell| part_of(line, cell, 3));
        let cells: Vec<_> = cells.map(|f| (f.text, f.column)).collect();
        assert_eq!(cells, [("歩", 1), ("", 3), ("x y", 4)]);
    }

    #[test]
    fn numbers_are_signed_and_cut() {
        let number = |text| Field { text, line: 1, column: 1 }.number("a number").ok();
        assert_eq!(number("+12"), Some(12));
        assert_eq!(number("-99999999999999999999"), Some(-i64::MAX));
        for text in ["", "-", "1.5", "１", "0x1"] {
            assert_eq!(number(text), None, "{text}");
        }
    }
}
