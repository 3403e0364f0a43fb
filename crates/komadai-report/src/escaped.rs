//! Texts in SVG.

use core::fmt;

/// Text between tags, with markup escaped and characters that XML does not allow replaced.
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
            '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => write!(f, "\u{fffd}"),
            _ => write!(f, "{c}"),
        })
    }
}
