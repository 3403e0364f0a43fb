//! The character encodings of record files.

use std::borrow::Cow;

use encoding_rs::{EUC_JP, SHIFT_JIS};

/// Turns the lines of one game into text.
///
/// What is valid UTF-8 is UTF-8, until a line is not. That line decides between Shift_JIS, in its
/// Windows form (code page 932), and EUC-JP, for itself and those after it; a line that is not valid
/// in what was decided decides anew.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Decoder {
    decided: Option<Legacy>,
    hint: Option<Legacy>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Legacy {
    ShiftJis,
    EucJp,
}

impl Decoder {
    /// The text of a line, or `None` if it is in none of the encodings.
    pub(crate) fn decode<'a>(&mut self, line: &'a [u8]) -> Option<Cow<'a, str>> {
        if (line.is_ascii() || self.decided.is_none())
            && let Ok(text) = str::from_utf8(line)
        {
            return Some(Cow::Borrowed(text));
        }
        if let Some(text) = self.decided.and_then(|decided| decided.decode(line)) {
            return Some(text);
        }
        let decided = self.decide(line)?;
        self.decided = Some(decided);
        decided.decode(line)
    }

    fn decide(&self, line: &[u8]) -> Option<Legacy> {
        match (Legacy::ShiftJis.decode(line), Legacy::EucJp.decode(line)) {
            (None, None) => None,
            (Some(_), None) => Some(Legacy::ShiftJis),
            (None, Some(_)) => Some(Legacy::EucJp),
            (Some(_), Some(_)) if self.hint.is_some() => self.hint,
            // Most text in EUC-JP is also valid Shift_JIS, but of half-width katakana only.
            (Some(one), Some(other)) => {
                let is_euc_jp = has_half_width_katakana(&one) && !has_half_width_katakana(&other);
                Some(if is_euc_jp { Legacy::EucJp } else { Legacy::ShiftJis })
            }
        }
    }

    /// Takes note of what a file says about its encoding.
    pub(crate) fn hint(&mut self, name: &str) {
        self.hint = match name.trim().to_ascii_lowercase().as_str() {
            "shift_jis" | "sjis" | "cp932" | "windows-31j" => Some(Legacy::ShiftJis),
            "euc-jp" | "eucjp" => Some(Legacy::EucJp),
            _ => None,
        };
    }
}

impl Legacy {
    fn decode(self, line: &[u8]) -> Option<Cow<'_, str>> {
        let encoding = match self {
            Self::ShiftJis => SHIFT_JIS,
            Self::EucJp => EUC_JP,
        };
        encoding.decode_without_bom_handling_and_without_replacement(line)
    }
}

fn has_half_width_katakana(text: &str) -> bool {
    text.chars().any(|c| ('\u{ff61}'..='\u{ff9f}').contains(&c))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 表, whose second byte in Shift_JIS is a backslash, and 手.
    const SHIFT_JIS_LINE: &[u8] = b"N+\x95\x5c\x8e\xe8";
    const EUC_JP_LINE: &[u8] = b"N+\xc9\xbd\xbc\xea";
    /// ﾂｱ in Shift_JIS, ± in UTF-8, 弔 in EUC-JP.
    const AMBIGUOUS_LINE: &[u8] = b"\xc2\xb1";

    fn decode_alone(line: &[u8]) -> Option<Cow<'_, str>> {
        Decoder::default().decode(line)
    }

    #[test]
    fn encodings_are_told_apart() {
        for line in ["N+表手".as_bytes(), SHIFT_JIS_LINE, EUC_JP_LINE] {
            assert_eq!(decode_alone(line).unwrap(), "N+表手");
        }
        assert_eq!(decode_alone(b"N+A").unwrap(), "N+A");
        assert_eq!(decode_alone(b"N+\xff\xff"), None);
    }

    #[test]
    fn a_decision_holds_for_the_lines_that_follow() {
        assert_eq!(decode_alone(AMBIGUOUS_LINE).unwrap(), "±");
        let mut decoder = Decoder::default();
        decoder.decode(SHIFT_JIS_LINE).unwrap();
        assert_eq!(decoder.decode(AMBIGUOUS_LINE).unwrap(), "ﾂｱ");
        assert_eq!(decoder.decode(b"N+A").unwrap(), "N+A");
    }

    #[test]
    fn a_hint_decides_where_two_encodings_are_possible() {
        let line = b"\xb1\xb2\xb3\xb4 \xff";
        assert_eq!(decode_alone(line), None);
        let line = &line[..4];
        assert_eq!(decode_alone(line).unwrap(), EUC_JP.decode(line).0);
        let mut decoder = Decoder::default();
        decoder.hint("Shift_JIS");
        assert_eq!(decoder.decode(line).unwrap(), "ｱｲｳｴ");
    }
}
