//! The text of a line: its words, and text that stays on the line.

use std::borrow::Cow;

use core::fmt;

use komadai_base::text;

/// Characters that a line of the protocol cannot contain: a line break would start another line,
/// and a NUL ends the text for programs in C. They are read and written as spaces.
const BREAKS: [char; 3] = ['\n', '\r', '\0'];

/// Returns the text as one line without blanks at the end: each line break and NUL inside becomes a
/// space. Byte offsets stay valid.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
    let text = text.trim_end_matches(is_blank);
    if text.contains(BREAKS) { text.replace(BREAKS, " ").into() } else { text.into() }
}

fn is_blank(character: char) -> bool {
    character.is_ascii_whitespace() || character == '\0'
}

/// An iterator over the words of a line. Words are separated by runs of ASCII blanks.
#[derive(Debug, Clone)]
pub(crate) struct Words<'a>(&'a str);

impl<'a> Words<'a> {
    pub(crate) fn new(line: &'a str) -> Self {
        Self(line.trim_ascii())
    }

    /// Returns the unread part, without blanks around it.
    pub(crate) fn rest(&self) -> &'a str {
        self.0
    }

    /// Returns the next word, which stays unread.
    pub(crate) fn peek(&self) -> Option<&'a str> {
        self.clone().next()
    }

    /// Reads the next word if it equals `word`, and returns whether it did.
    pub(crate) fn eat(&mut self, word: &str) -> bool {
        let found = self.peek() == Some(word);
        if found {
            self.next();
        }
        found
    }

    /// Reads up to the first word that `ends` accepts, which stays unread.
    pub(crate) fn until(&mut self, ends: impl Fn(&str) -> bool) -> &'a str {
        let start = self.0;
        while self.peek().is_some_and(|word| !ends(word)) {
            self.next();
        }
        start[..start.len() - self.0.len()].trim_ascii()
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        if self.0.is_empty() {
            return None;
        }
        let length = self.0.bytes().position(|byte| byte.is_ascii_whitespace());
        let (word, rest) = self.0.split_at(length.unwrap_or(self.0.len()));
        self.0 = rest.trim_ascii_start();
        Some(word)
    }
}

/// Writes text in the form in which it is read: without blanks around it, and with spaces instead
/// of line breaks and NULs. A line break inside an option value or a message would start another
/// command.
pub(crate) struct OneLine<'a>(pub(crate) &'a str);

impl OneLine<'_> {
    /// Returns whether nothing is written.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.chars().all(is_blank)
    }
}

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = self.0.trim_matches(is_blank).split(BREAKS);
        f.write_str(parts.next().unwrap_or_default())?;
        parts.try_for_each(|part| write!(f, " {part}"))
    }
}

/// Writes a word of the protocol and the text after it. Empty text leaves no blank at the end.
pub(crate) struct Labelled<'a>(pub(crate) &'a str, pub(crate) &'a str);

impl fmt::Display for Labelled<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(label, text) = *self;
        let text = OneLine(text);
        if text.is_empty() { f.write_str(label) } else { write!(f, "{label} {text}") }
    }
}

/// Returns the first 80 characters of an external text, for an error message.
pub(crate) fn shorten(text: &str) -> String {
    text::shorten(text, 80)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_blanks_separate_words() {
        let mut words = Words::new("\t go  btime\t100 \r\n");
        assert_eq!(words.next(), Some("go"));
        assert!(!words.eat("wtime"));
        assert!(words.eat("btime"));
        assert_eq!(words.rest(), "100");
        assert_eq!(words.until(|word| word == "x"), "100");
        assert_eq!(words.next(), None);
    }

    #[test]
    fn a_stretch_of_words_keeps_its_inner_blanks() {
        let mut words = Words::new("Skill  Level type spin");
        assert_eq!(words.until(|word| word == "type"), "Skill  Level");
        assert_eq!(words.peek(), Some("type"));
    }

    #[test]
    fn no_text_breaks_the_line() {
        assert_eq!(OneLine("a\nquit\r\nb").to_string(), "a quit  b");
        assert_eq!(one_line("a\nquit\r\nb\r\n"), "a quit  b");
    }

    #[test]
    fn text_is_written_as_it_is_read() {
        assert_eq!(one_line("P*\0 \0\n"), "P*");
        assert_eq!(OneLine("\0 P*\0 \0\n").to_string(), "P*");
        assert_eq!(OneLine("a\t\0b \u{b}").to_string(), "a\t b \u{b}");
        assert_eq!(Labelled("id name", " \0").to_string(), "id name");
        assert!(OneLine("\0\r\n\t").is_empty());
    }
}
