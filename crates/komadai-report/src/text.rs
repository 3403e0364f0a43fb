//! Texts in pictures and pages.

use core::fmt;

/// A text from outside, between tags or within an attribute.
///
/// Markup is escaped, and characters are replaced that XML does not allow or HTML refuses even as
/// references. Line breaks become blanks because names and titles stand on one line.
pub(crate) struct Escaped<'a>(pub(crate) &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '"' => f.write_str("&quot;"),
            '\'' => f.write_str("&#39;"),
            '\t' | '\n' | '\r' => write!(f, " "),
            '\u{fffe}' | '\u{ffff}' => write!(f, "\u{fffd}"),
            c if c.is_control() => write!(f, "\u{fffd}"),
            _ => write!(f, "{c}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_and_controls_are_replaced() {
        assert_eq!(Escaped("a<b>&\"'\u{1}").to_string(), "a&lt;b&gt;&amp;&quot;&#39;\u{fffd}");
        assert_eq!(Escaped("a\tb\nc\u{9f}\u{ffff}").to_string(), "a b c\u{fffd}\u{fffd}");
    }
}
