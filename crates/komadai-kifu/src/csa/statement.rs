//! Statements: a line of CSA contains one of them, or several separated by commas.

use crate::error::KifuError;
use komadai_base::reading::TextFault;

/// One statement with its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Statement<'a> {
    pub(super) text: &'a str,
    pub(super) line: u64,
    /// Column of the first character, from 1.
    pub(super) column: usize,
}

impl<'a> Statement<'a> {
    /// Returns the statement of a line that is a move or a time without anything else, as most
    /// lines are.
    pub(super) fn alone(text: &'a str, line: u64) -> Option<Self> {
        let bytes = text.as_bytes();
        let is_digit = |byte: &u8| byte.is_ascii_digit();
        let is_alone = match bytes {
            [b'+' | b'-', digits @ .., one, two] => {
                digits.len() == 4 && one.is_ascii_alphabetic() && two.is_ascii_alphabetic()
            }
            [b'T', rest @ ..] => rest.len() < 16 && rest.iter().all(is_digit),
            _ => false,
        };
        is_alone.then_some(Self { text, line, column: 1 })
    }

    /// Returns a syntax error at the byte `offset` of the statement.
    pub(super) fn error(&self, offset: usize, expected: &'static str) -> KifuError {
        let found = self.text.get(offset..).unwrap_or_default();
        TextFault::syntax(self.line, self.column_of(offset), found, expected).into()
    }

    /// Returns the column of the character at the byte `offset`.
    pub(super) fn column_of(&self, offset: usize) -> usize {
        let before = self.text.get(..offset).unwrap_or(self.text);
        self.column + before.chars().count()
    }
}

/// Splits a line into statements and removes the blanks around them.
///
/// Names, `$` lines and comments extend to the end of the line. This includes a comment after
/// another statement.
pub(super) fn statements(line: &str, number: u64) -> impl Iterator<Item = Statement<'_>> {
    let mut rest = Some((line, 1));
    std::iter::from_fn(move || {
        loop {
            let (text, mut column) = rest?;
            let (text, after) = split(text);
            rest = after.map(|(skipped, after)| (after, column + text.chars().count() + skipped));
            // Trailing blanks of a comment belong to its text.
            let trimmed = if text.starts_with('\'') { text } else { text.trim_ascii_end() };
            let trimmed_start = trimmed.trim_ascii_start();
            column += trimmed.len() - trimmed_start.len();
            if !trimmed_start.is_empty() {
                return Some(Statement { text: trimmed_start, line: number, column });
            }
        }
    })
}

/// Returns the text up to the end of the first statement, and the rest with the number of
/// separating characters before it.
fn split(text: &str) -> (&str, Option<(usize, &str)>) {
    if matches!(text.trim_ascii_start().as_bytes().first(), Some(b'\'' | b'N' | b'$')) {
        return (text, None);
    }
    // Bytes of separators are no parts of other characters.
    match text.bytes().position(|byte| matches!(byte, b',' | b'\'')) {
        None => (text, None),
        Some(at) if text.as_bytes()[at] == b'\'' => (&text[..at], Some((0, &text[at..]))),
        Some(at) => (&text[..at], Some((1, &text[at + 1..]))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split_line(line: &str) -> Vec<(&str, usize)> {
        statements(line, 1).map(|statement| (statement.text, statement.column)).collect()
    }

    #[test]
    fn commas_separate_statements_but_not_within_text() {
        assert_eq!(
            split_line("+7776FU,T12, -3334FU ,T6"),
            [("+7776FU", 1), ("T12", 9), ("-3334FU", 14), ("T6", 23)]
        );
        assert_eq!(split_line("N+A, B "), [("N+A, B", 1)]);
        assert_eq!(split_line("$EVENT:a,b'c"), [("$EVENT:a,b'c", 1)]);
        assert_eq!(split_line("'a, b "), [("'a, b ", 1)]);
        assert_eq!(split_line(" , ,"), []);
    }

    #[test]
    fn a_comment_may_follow_a_statement() {
        assert_eq!(split_line("+7776FU'歩, T1"), [("+7776FU", 1), ("'歩, T1", 8)]);
        assert_eq!(split_line("T0       ,'7776   ,'  1"), [("T0", 1), ("'7776   ,'  1", 11)]);
    }
}
