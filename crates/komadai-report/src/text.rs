//! Texts in pictures and pages.

use core::fmt;

use komadai_core::{Language, Score};

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

/// A value for Black with its sign: `+120`, `−35`, `+mate 5` or `+詰 5手`.
pub(crate) struct ValueText(pub(crate) Score, pub(crate) Language);

impl fmt::Display for ValueText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(score, language) = *self;
        let sign = if score < Score::ZERO { "−" } else { "+" };
        match (score.to_cp(), score.mate_plies()) {
            (Some(0), _) => f.write_str("0"),
            (Some(cp), _) => write!(f, "{sign}{}", cp.unsigned_abs()),
            (None, Some(plies)) => match language {
                Language::English => write!(f, "{sign}mate {}", plies.unsigned_abs()),
                Language::Japanese => write!(f, "{sign}詰 {}手", plies.unsigned_abs()),
            },
            (None, None) => write!(f, "{sign}{}", language.choose("mate", "詰")),
        }
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

#[cfg(test)]
mod value_text_tests {
    use super::*;

    #[test]
    fn values_have_signs_and_lengths_of_mates() {
        let texts = |language| {
            let scores = [Score::cp(7), Score::cp(-35), Score::ZERO, Score::mate_in(5)];
            let more = [Score::mated_in(4), Score::MATE_OF_UNKNOWN_LENGTH, -Score::MATE];
            let all = scores.into_iter().chain(more);
            all.map(|score| ValueText(score, language).to_string()).collect::<Vec<_>>().join("|")
        };
        assert_eq!(texts(Language::English), "+7|−35|0|+mate 5|−mate 4|+mate|−mate 0");
        assert_eq!(texts(Language::Japanese), "+7|−35|0|+詰 5手|−詰 4手|+詰|−詰 0手");
    }
}
