//! Splitting of lines into words.

use core::fmt;

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

/// Prints text on one line. A line break inside an option value or a message would start another
/// command.
pub(crate) struct OneLine<'a>(pub(crate) &'a str);

impl fmt::Display for OneLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = self.0.split(['\n', '\r', '\0']);
        f.write_str(parts.next().unwrap_or_default())?;
        parts.try_for_each(|part| write!(f, " {part}"))
    }
}

/// Returns the first characters of an external text, for an error message.
pub(crate) fn shorten(text: &str) -> String {
    const LONGEST: usize = 80;
    match text.char_indices().nth(LONGEST) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
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
    }
}
