//! The character encodings of record files.

use std::borrow::Cow;

use encoding_rs::{EUC_JP, SHIFT_JIS};

/// The encodings in which a format may be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encodings {
    /// UTF-8 only.
    Utf8,
    /// UTF-8 and the legacy Japanese encodings.
    Japanese,
}

impl Encodings {
    /// Returns their names for an error message.
    pub(crate) const fn names(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8",
            Self::Japanese => "UTF-8, Shift_JIS (code page 932) or EUC-JP",
        }
    }
}

/// Decodes the lines of one game.
///
/// A line is read as UTF-8 as long as all lines are valid UTF-8. The first line that is not valid
/// UTF-8 decides between Shift_JIS, in its Windows form (code page 932), and EUC-JP, for itself and
/// the lines after it. A later line that is not valid in that encoding decides again.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Decoder {
    encodings: Encodings,
    decided: Option<Legacy>,
    hint: Option<Legacy>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Legacy {
    ShiftJis,
    EucJp,
}

impl Decoder {
    /// Creates a decoder that has not decided yet.
    pub(crate) const fn new(encodings: Encodings) -> Self {
        Self { encodings, decided: None, hint: None }
    }

    /// Returns the encodings that the decoder tries.
    pub(crate) const fn encodings(&self) -> Encodings {
        self.encodings
    }

    /// Forgets the decision and the hint, for the next game.
    pub(crate) fn reset(&mut self) {
        *self = Self::new(self.encodings);
    }

    /// Returns the text of a line, or `None` if the line is valid in none of the encodings.
    pub(crate) fn decode<'a>(&mut self, line: &'a [u8]) -> Option<Cow<'a, str>> {
        // After a legacy line, text that happens to be valid UTF-8 is legacy text, too, but ASCII
        // is the same in all encodings.
        if (self.decided.is_none() || line.is_ascii())
            && let Ok(text) = str::from_utf8(line)
        {
            return Some(Cow::Borrowed(text));
        }
        if self.encodings == Encodings::Utf8 {
            return None;
        }
        if let Some(text) = self.decided.and_then(|decided| decided.decode(line)) {
            return Some(text);
        }
        let decided = self.decide(line)?;
        self.decided = Some(decided);
        decided.decode(line)
    }

    /// Chooses a legacy encoding in which the line is valid.
    fn decide(&self, line: &[u8]) -> Option<Legacy> {
        match (Legacy::ShiftJis.decode(line), Legacy::EucJp.decode(line)) {
            (None, None) => None,
            (Some(_), None) => Some(Legacy::ShiftJis),
            (None, Some(_)) => Some(Legacy::EucJp),
            (Some(_), Some(_)) if self.hint.is_some() => self.hint,
            // Most text in EUC-JP is also valid Shift_JIS, where it reads as half-width katakana,
            // which real records hardly contain.
            (Some(one), Some(other)) => {
                let is_euc_jp = has_half_width_katakana(&one) && !has_half_width_katakana(&other);
                Some(if is_euc_jp { Legacy::EucJp } else { Legacy::ShiftJis })
            }
        }
    }

    /// Returns the legacy encoding that a line has decided.
    pub(crate) fn decided(&self) -> Option<&'static str> {
        Some(match self.decided? {
            Legacy::ShiftJis => "Shift_JIS",
            Legacy::EucJp => "EUC-JP",
        })
    }

    /// Sets the encoding that the file itself names. An unknown name removes the hint.
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
        Decoder::new(Encodings::Japanese).decode(line)
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
        let mut decoder = Decoder::new(Encodings::Japanese);
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
        let mut decoder = Decoder::new(Encodings::Japanese);
        decoder.hint("Shift_JIS");
        assert_eq!(decoder.decode(line).unwrap(), "ｱｲｳｴ");
    }
}
