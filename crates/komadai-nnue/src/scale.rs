//! The divisor of a network's output, as files state it.

use core::fmt;
use core::ops::RangeInclusive;

/// The place that the divisor of a network's output (`FV_SCALE`) comes from, the strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ScaleSource {
    /// The user's choice, such as the option `FV_SCALE`.
    Option,
    /// The file `eval_options.txt` in the folder of the network.
    EvalOptions,
    /// The description in the file, `fv_scale=N`.
    Text,
    /// None of the above: the usual divisor of such files, which may be wrong.
    Default,
}

impl fmt::Display for ScaleSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Option => "the option",
            Self::EvalOptions => "eval_options.txt",
            Self::Text => "the file's text",
            Self::Default => "the default, the file names none",
        })
    }
}

/// The divisors that exist.
pub(crate) const SCALES: RangeInclusive<i32> = 1..=128;

/// A divisor that a text states, or what stands in its place.
pub(crate) type Stated = Result<i32, String>;

fn scale(value: &str) -> Stated {
    let scale = value.parse().ok().filter(|scale| SCALES.contains(scale));
    scale.ok_or_else(|| value.chars().take(64).collect())
}

/// Finds `fv_scale=N` in the description of a network.
pub(crate) fn scale_of_text(text: &str) -> Option<Stated> {
    text.split(',').find_map(|part| part.strip_prefix("fv_scale=")).map(scale)
}

/// Finds `FV_SCALE` in the text of a file `eval_options.txt`: the last of its lines `NAME VALUE`,
/// `NAME=VALUE` and `option name NAME … default VALUE …`.
pub(crate) fn scale_of_options(text: &str) -> Option<Stated> {
    let value = |line: &str| {
        let line = line.replace('=', " ");
        let mut words = line.split_whitespace();
        let mut name = words.next()?;
        if name == "option" {
            name = words.find(|word| *word == "name").and_then(|_| words.next())?;
            words.find(|word| *word == "default")?;
        }
        name.eq_ignore_ascii_case("FV_SCALE").then(|| scale(words.next().unwrap_or_default()))
    };
    text.lines().rev().find_map(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_every_form_state_a_scale() {
        for (text, expected) in [
            ("FV_SCALE 40", Some(Ok(40))),
            ("FV_SCALE=24\r\n", Some(Ok(24))),
            ("// FV_SCALE 12\nfv_scale = 20\nBookFile no_book", Some(Ok(20))),
            ("FV_SCALE 20\nFV_SCALE 28", Some(Ok(28))),
            ("option name FV_SCALE type spin default 36 min 1 max 128", Some(Ok(36))),
            ("option name Threads type spin default 36", None),
            ("FV_SCALE 0", Some(Err("0".to_owned()))),
            ("FV_SCALE", Some(Err(String::new()))),
            ("FV_SCALE 1.5", Some(Err("1.5".to_owned()))),
            ("", None),
        ] {
            assert_eq!(scale_of_options(text), expected, "{text}");
        }
    }

    #[test]
    fn a_description_states_a_scale() {
        let text = |end| format!("Features=HalfKP(Friend)[125388->256x2],Network=…{end}");
        assert_eq!(scale_of_text(&text(",fv_scale=13")), Some(Ok(13)));
        assert_eq!(scale_of_text(&text(",fv_scale=13,qa=127")), Some(Ok(13)));
        assert_eq!(scale_of_text(&text(",fv_scale=129")), Some(Err("129".to_owned())));
        assert_eq!(scale_of_text(&text(",my_fv_scale=13")), None);
        assert_eq!(scale_of_text(&text("")), None);
    }
}
