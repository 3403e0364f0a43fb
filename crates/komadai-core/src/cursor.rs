//! A line of text, read token by token.

/// Walks a line token by token and knows where it is.
///
/// Blanks are the ASCII ones. Nothing is copied, so that garbage of any length is refused where it
/// begins.
#[derive(Debug, Clone)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    offset: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, offset: 0 }
    }

    /// The byte offset of what comes next.
    pub(crate) fn offset(&self) -> usize {
        self.offset
    }

    fn rest(&self) -> &'a str {
        &self.text[self.offset..]
    }

    /// Steps over blanks; whether anything is left.
    pub(crate) fn skip_blanks(&mut self) -> bool {
        let rest = self.rest();
        self.offset += rest.len() - rest.trim_ascii_start().len();
        self.offset < self.text.len()
    }

    /// Whether the next token is exactly `word`.
    pub(crate) fn is_next(&mut self, word: &str) -> bool {
        self.skip_blanks();
        self.rest()
            .strip_prefix(word)
            .is_some_and(|after| after.bytes().next().is_none_or(|byte| byte.is_ascii_whitespace()))
    }

    /// Steps over the next token if it is exactly `word`; whether it was.
    pub(crate) fn eat(&mut self, word: &str) -> bool {
        let found = self.is_next(word);
        if found {
            self.offset += word.len();
        }
        found
    }

    /// The next character of the token the cursor stands in, or `None` at its end.
    #[inline]
    pub(crate) fn next_char(&mut self) -> Option<(char, usize)> {
        let at = self.offset;
        let first = *self.text.as_bytes().get(at)?;
        // Positions are ASCII, and books are millions of them.
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
        let (rest, at) = (self.rest(), self.offset);
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

/// The first 32 characters of an offending token: errors never copy a whole broken file.
pub(crate) fn shorten(token: &str) -> String {
    const LONGEST: usize = 32;
    match token.char_indices().nth(LONGEST) {
        None => token.to_owned(),
        Some((end, _)) => format!("{}…", &token[..end]),
    }
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
