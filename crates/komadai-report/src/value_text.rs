//! Values for Black as texts.

use core::fmt;

use komadai_core::{Language, Score};

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
