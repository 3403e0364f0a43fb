//! A reader of one line of text, token by token.

/// A line of text and the byte offset up to which it has been read.
///
/// Tokens are separated by ASCII blanks. No text is copied, so that malformed text of any length is
/// rejected at its first bad character without further cost.
#[derive(Debug, Clone)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    offset: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, offset: 0 }
    }

    /// The byte offset of the next character.
    pub(crate) fn offset(&self) -> usize {
        self.offset
    }

    fn rest(&self) -> &'a str {
        &self.text[self.offset..]
    }

    /// Skips blanks and returns whether text remains.
    pub(crate) fn skip_blanks(&mut self) -> bool {
        let rest = self.rest();
        self.offset += rest.len() - rest.trim_ascii_start().len();
        self.offset < self.text.len()
    }

    /// Skips blanks and returns whether the next token is exactly `word`.
    pub(crate) fn is_next(&mut self, word: &str) -> bool {
        self.skip_blanks();
        self.rest()
            .strip_prefix(word)
            .is_some_and(|after| after.bytes().next().is_none_or(|byte| byte.is_ascii_whitespace()))
    }

    /// Skips the next token if it is exactly `word`, and returns whether it was.
    pub(crate) fn eat(&mut self, word: &str) -> bool {
        let found = self.is_next(word);
        if found {
            self.offset += word.len();
        }
        found
    }

    /// The next character of the current token with its offset, or `None` at the end of the token.
    #[inline]
    pub(crate) fn next_char(&mut self) -> Option<(char, usize)> {
        let at = self.offset;
        let first = *self.text.as_bytes().get(at)?;
        // The ASCII path avoids decoding UTF-8: books are read as millions of ASCII positions.
        let found = match first {
            first if first.is_ascii_whitespace() => return None,
            first if first.is_ascii() => char::from(first),
            _ => self.rest().chars().next()?,
        };
        self.offset += found.len_utf8();
        Some((found, at))
    }

    /// The next token and its offset.
    pub(crate) fn next_token(&mut self) -> Option<(&'a str, usize)> {
        if !self.skip_blanks() {
            return None;
        }
        let rest = self.rest();
        let at = self.offset;
        let length = rest.bytes().position(|byte| byte.is_ascii_whitespace()).unwrap_or(rest.len());
        self.offset += length;
        Some((&rest[..length], at))
    }

    /// The next token, shortened for an error, and its offset; the cursor stays before it.
    pub(crate) fn peek_shortened(&mut self) -> Option<(String, usize)> {
        let (token, at) = self.clone().next_token()?;
        self.skip_blanks();
        Some((shorten(token), at))
    }
}

/// The first 32 characters of a rejected token, so that an error never copies a whole broken file.
pub(crate) fn shorten(token: &str) -> String {
    if token.chars().nth(32).is_none() { token.to_owned() } else { format!("{token:.32}…") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_tokens_are_cut() {
        assert_eq!(shorten("7g7f"), "7g7f");
        assert_eq!(shorten(&"歩".repeat(33)), format!("{}…", "歩".repeat(32)));
    }
}
