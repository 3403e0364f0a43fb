//! Printing of foreign text: names, comments and words from files, servers and engines.
//!
//! Such a text may hold characters that a terminal obeys (escape sequences set the title, clear the
//! screen or hide lines), that reverse what follows, or that break a line or a table. What prints
//! it passes it through here. Errors quote its [first characters](shorten).

mod printable_writer;

pub use printable_writer::PrintableWriter;

use std::borrow::Cow;

/// Returns whether a terminal, an editor or a table shows something else than a glyph for `c`.
///
/// These are the control characters (C0, DEL and C1, so line breaks and tabs, too), the separators
/// of lines and paragraphs, the controls of direction (UAX #9), and invisible characters that can
/// carry hidden text: byte order marks, interlinear annotations and tags.
///
/// # Examples
///
/// ```
/// use komadai_base::text::is_unprintable;
///
/// assert!(is_unprintable('\u{1b}') && is_unprintable('\n'));
/// assert!(!is_unprintable('歩') && !is_unprintable(' '));
/// ```
pub fn is_unprintable(c: char) -> bool {
    matches!(
        c,
        '\u{2028}' | '\u{2029}'
            | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}'
    ) || c.is_control()
}

/// A foreign text in one line of a terminal or a report: each character of [`is_unprintable`] is
/// replaced by U+FFFD.
///
/// # Examples
///
/// ```
/// use komadai_base::text::printable;
///
/// assert_eq!(printable("羽生 善治"), "羽生 善治");
/// assert_eq!(printable("a\u{1b}[2Jb\n\u{202e}c"), "a\u{fffd}[2Jb\u{fffd}\u{fffd}c");
/// ```
pub fn printable(text: &str) -> Cow<'_, str> {
    replaced(text, is_unprintable)
}

/// A foreign text of several lines: as [`printable`], but line feeds and tabs stay.
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    replaced(text, |c| is_unprintable(c) && c != '\n' && c != '\t')
}

fn replaced(text: &str, is_replaced: impl Fn(char) -> bool) -> Cow<'_, str> {
    if text.contains(&is_replaced) {
        Cow::Owned(text.replace(is_replaced, "\u{fffd}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// A foreign text as the content of a cell of a Markdown table: as [`printable`], and `|`, which
/// ends a cell, is escaped, as is `\`.
pub fn markdown_cell(text: &str) -> String {
    let mut cell = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '|' | '\\' => cell.extend(['\\', c]),
            c if is_unprintable(c) => cell.push('\u{fffd}'),
            c => cell.push(c),
        }
    }
    cell
}

/// The first characters of a text, with `…` if there are more: an error that quotes what it found
/// shall not copy a whole broken file.
///
/// # Examples
///
/// ```
/// use komadai_base::text::shorten;
///
/// assert_eq!(shorten("▲７六歩", 4), "▲７六歩");
/// assert_eq!(shorten("▲７六歩 △３四歩", 4), "▲７六歩…");
/// ```
pub fn shorten(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}

/// A count with commas between thousands.
///
/// # Examples
///
/// ```
/// use komadai_base::text::grouped;
///
/// assert_eq!([0, 999, 1_000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
/// ```
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A byte order mark.
pub(crate) const MARK: char = '\u{feff}';

/// A text without the byte order mark that editors of some systems write at its start.
///
/// # Examples
///
/// ```
/// use komadai_base::text::without_mark;
///
/// assert_eq!(without_mark("\u{feff}startpos"), "startpos");
/// assert_eq!(without_mark("startpos"), "startpos");
/// ```
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix(MARK).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_is_sound_stays_and_is_not_copied() {
        for text in
            ["", "▲７六歩 △３四歩", "Crazy Bird 2.1 (x86-64)", "🦊 é 한글 e\u{301}", "a\u{200d}b"]
        {
            assert!(matches!(printable(text), Cow::Borrowed(same) if same == text), "{text}");
            assert_eq!(markdown_cell(text), text);
        }
        assert_eq!(printable_lines("a\n\tb"), "a\n\tb");
    }

    #[test]
    fn characters_that_change_what_is_shown_are_replaced() {
        for c in "\0\u{7}\t\n\r\u{1b}\u{7f}\u{85}\u{9b}\u{61c}\u{200f}\u{202a}\u{202e}\u{2028}\u{2029}\u{2066}\u{2069}\
                  \u{feff}\u{fffa}\u{e0041}"
            .chars()
        {
            assert_eq!(printable(&format!("a{c}b")), "a\u{fffd}b", "{c:?}");
            assert_eq!(markdown_cell(&format!("a{c}b")), "a\u{fffd}b", "{c:?}");
        }
        assert_eq!(printable_lines("a\r\nb\u{1b}]0;x\u{7}"), "a\u{fffd}\nb\u{fffd}]0;x\u{fffd}");
        assert_eq!(markdown_cell(r"a|b\|c"), r"a\|b\\\|c");
    }
}
