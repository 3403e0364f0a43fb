//! The character encodings of record files.

use std::borrow::Cow;

use encoding_rs::{EUC_JP, ISO_2022_JP, SHIFT_JIS};

use komadai_base::reading::TextFaultKind;

/// The encodings in which a format may be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Encodings {
    /// UTF-8 only.
    Utf8,
    /// UTF-8 and the legacy Japanese encodings; ISO-2022-JP by its escapes.
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

/// Decodes the lines of one game, each by itself.
///
/// A line that is valid UTF-8 is UTF-8, and any other is Shift_JIS in its Windows form (code page
/// 932) or EUC-JP. One line of another encoding, or with a broken character, therefore changes how
/// no other line is read. Lines of the encoding that the text has – by a byte order mark, by the
/// name of an encoding in the text, by the name of the file, or by most lines so far – have no
/// fault; the others have one. Only where a line may be read in several ways does the encoding of
/// the text decide.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Decoder {
    encodings: Encodings,
    main: Main,
    /// The lines of UTF-8 so far. What names the encoding counts as several of them.
    utf8_lines: u32,
    /// The lines in a legacy encoding so far.
    legacy_lines: u32,
    /// The legacy encoding of the last line that has one.
    legacy: Option<Legacy>,
    hint: Option<Legacy>,
    /// True if the name of the file says UTF-8.
    is_named_utf8: bool,
    /// True after a mark, or a line that can hardly be anything but UTF-8.
    has_utf8: bool,
}

/// The encoding of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Main {
    /// All lines so far are ASCII.
    Open,
    Utf8,
    Legacy,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Legacy {
    ShiftJis,
    EucJp,
}

/// The text of a line, and its fault if it is not in the encoding of the text.
#[derive(Debug)]
pub(crate) struct Decoded<'a> {
    pub(crate) text: Cow<'a, str>,
    pub(crate) fault: Option<TextFaultKind>,
    /// True if the fault is none unless a line of UTF-8 follows: so far only a name says UTF-8, and
    /// programs that convert files leave the names of encodings in them as they are.
    pub(crate) is_pending: bool,
}

impl<'a> Decoded<'a> {
    fn new(text: impl Into<Cow<'a, str>>, fault: Option<TextFaultKind>) -> Self {
        Self { text: text.into(), fault, is_pending: false }
    }
}

/// The number of lines for which the name of a file counts, and a name of an encoding in the text.
const NAME_LINES: u32 = 2;
const HINT_LINES: u32 = 8;

/// The character in place of bytes that are none.
const REPLACEMENT: char = '\u{fffd}';

impl Decoder {
    /// Creates a decoder that has not decided yet.
    pub(crate) const fn new(encodings: Encodings) -> Self {
        Self {
            encodings,
            main: Main::Open,
            utf8_lines: 0,
            legacy_lines: 0,
            legacy: None,
            hint: None,
            is_named_utf8: false,
            has_utf8: false,
        }
    }

    /// Expects UTF-8, because the name of the file says so.
    pub(crate) fn expect_utf8_by_name(&mut self) {
        self.is_named_utf8 = true;
        self.expect_utf8(NAME_LINES);
    }

    /// Expects UTF-8, because the text has its byte order mark.
    pub(crate) fn expect_utf8_by_mark(&mut self) {
        self.has_utf8 = true;
        self.expect_utf8(u32::MAX);
    }

    fn expect_utf8(&mut self, lines: u32) {
        self.main = Main::Utf8;
        self.utf8_lines = self.utf8_lines.max(lines);
    }

    /// Forgets what lines and hints of a game have shown, for the next game.
    pub(crate) fn reset(&mut self) {
        let is_named_utf8 = self.is_named_utf8;
        *self = Self::new(self.encodings);
        if is_named_utf8 {
            self.expect_utf8_by_name();
        }
    }

    /// Returns the text of a line. Bytes that are no text in any of the encodings become U+FFFD.
    pub(crate) fn decode<'a>(&mut self, line: &'a [u8]) -> Decoded<'a> {
        if self.encodings == Encodings::Japanese && line.contains(&ESCAPE) {
            return decode_escapes(line);
        }
        match str::from_utf8(line) {
            Ok(text) if text.is_ascii() => Decoded::new(text, None),
            Ok(text) => self.valid_utf8(text),
            Err(_) if self.encodings == Encodings::Utf8 => self.unreadable(line),
            Err(_) => self.other_than_utf8(line),
        }
    }

    /// Reads a line that is valid UTF-8 but not ASCII.
    fn valid_utf8<'a>(&mut self, text: &'a str) -> Decoded<'a> {
        let is_japanese = is_japanese(text);
        if self.main == Main::Legacy
            && !is_japanese
            && let Some(text) = self.legacy.and_then(|legacy| legacy.decode(text.as_bytes()))
        {
            return Decoded::new(text, None);
        }
        // Two bytes such as ± may be half-width katakana of Shift_JIS and show nothing.
        if is_japanese || self.main == Main::Utf8 {
            self.utf8_lines = self.utf8_lines.saturating_add(1);
        }
        let is_first = is_japanese && self.main == Main::Open;
        if is_first || (self.main == Main::Legacy && self.utf8_lines > self.legacy_lines) {
            self.main = Main::Utf8;
        }
        let other = TextFaultKind::OtherEncoding { expected: self.legacy_name(), found: "UTF-8" };
        self.has_utf8 |= is_japanese;
        Decoded::new(text, (self.main == Main::Legacy).then_some(other))
    }

    /// Reads a line that is not valid UTF-8.
    fn other_than_utf8<'a>(&mut self, line: &'a [u8]) -> Decoded<'a> {
        if let Some(text) = broken_utf8(line, self.main == Main::Utf8) {
            self.utf8_lines = self.utf8_lines.saturating_add(1);
            if self.main == Main::Open {
                self.main = Main::Utf8;
            }
            self.has_utf8 = true;
            return Decoded::new(text, Some(self.not_text()));
        }
        let same = self.legacy.and_then(|legacy| Some((legacy, legacy.decode(line)?)));
        let found = same.or_else(|| {
            let legacy = self.decide(line)?;
            Some((legacy, legacy.decode(line)?))
        });
        let Some((legacy, text)) = found else { return self.unreadable(line) };
        self.legacy = Some(legacy);
        self.legacy_lines = self.legacy_lines.saturating_add(1);
        if self.main != Main::Utf8 || self.legacy_lines > self.utf8_lines {
            self.main = Main::Legacy;
        }
        let other = TextFaultKind::OtherEncoding { expected: "UTF-8", found: self.legacy_name() };
        let fault = (self.main == Main::Utf8).then_some(other);
        Decoded { text, fault, is_pending: !self.has_utf8 }
    }

    fn unreadable<'a>(&self, line: &'a [u8]) -> Decoded<'a> {
        Decoded::new(String::from_utf8_lossy(line), Some(self.not_text()))
    }

    fn not_text(&self) -> TextFaultKind {
        let expected = match self.main {
            Main::Utf8 => Encodings::Utf8.names(),
            Main::Open | Main::Legacy => self.encodings.names(),
        };
        TextFaultKind::Encoding { expected }
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

    fn legacy_name(&self) -> &'static str {
        match self.legacy {
            Some(Legacy::EucJp) => "EUC-JP",
            Some(Legacy::ShiftJis) | None => "Shift_JIS",
        }
    }

    /// Returns true if the text has shown that it is UTF-8, so that pending faults are faults.
    pub(crate) fn has_utf8(&self) -> bool {
        self.has_utf8 && self.main == Main::Utf8
    }

    /// Returns the legacy encoding that the text has.
    pub(crate) fn decided(&self) -> Option<&'static str> {
        (self.main == Main::Legacy).then(|| self.legacy_name())
    }

    /// Sets the encoding that the file itself names. An unknown name removes the hint.
    pub(crate) fn hint(&mut self, name: &str) {
        self.hint = match name.trim().to_ascii_lowercase().as_str() {
            "shift_jis" | "shift-jis" | "sjis" | "cp932" | "windows-31j" => Some(Legacy::ShiftJis),
            "euc-jp" | "eucjp" => Some(Legacy::EucJp),
            "utf-8" | "utf8" if self.legacy_lines == 0 => {
                self.expect_utf8(HINT_LINES);
                None
            }
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

/// The byte that begins the escapes of ISO-2022-JP.
const ESCAPE: u8 = 0x1b;

/// Reads a line of ISO-2022-JP, the encoding of mail, or one with escapes of another kind.
fn decode_escapes(line: &[u8]) -> Decoded<'_> {
    let is_japanese = [&b"\x1b$"[..], b"\x1b("]
        .iter()
        .any(|escape| line.windows(escape.len()).any(|bytes| bytes == *escape));
    if is_japanese && line.is_ascii() {
        let decoded = ISO_2022_JP.decode_without_bom_handling_and_without_replacement(line);
        if let Some(text) = decoded {
            return Decoded::new(text, None);
        }
        let kind = TextFaultKind::Encoding { expected: "ISO-2022-JP" };
        return Decoded::new(ISO_2022_JP.decode_without_bom_handling(line).0, Some(kind));
    }
    // A terminal's colors, for example.
    Decoder::new(Encodings::Utf8).decode(line)
}

/// Returns the text of a line of UTF-8 in which some bytes are none; `None` if more of it looks
/// like another encoding. In a text of UTF-8 less is needed to look like it.
fn broken_utf8(line: &[u8], is_utf8: bool) -> Option<String> {
    let line = without_surrogates(line);
    let mut text = String::with_capacity(line.len());
    // Characters of three and more bytes, and bytes that are no characters.
    let (mut characters, mut broken) = (0, 0);
    for chunk in line.utf8_chunks() {
        text.push_str(chunk.valid());
        characters += chunk.valid().chars().filter(|c| c.len_utf8() > 2).count();
        if !chunk.invalid().is_empty() {
            text.push(REPLACEMENT);
            broken += chunk.invalid().len();
        }
    }
    let is_plain = if is_utf8 {
        // Shift_JIS has hardly any sequence that is a character of UTF-8. The last character may be
        // cut.
        let last = line.utf8_chunks().last().map_or(0, |chunk| chunk.invalid().len());
        characters * 3 > broken || (last >= 2 && last == broken)
    } else {
        characters >= 4 && broken <= 3
    };
    is_plain.then_some(text)
}

/// Returns a line with the characters of pairs of surrogates.
fn without_surrogates(line: &[u8]) -> Cow<'_, [u8]> {
    if !line.contains(&SURROGATE) {
        return Cow::Borrowed(line);
    }
    let mut replaced = Vec::with_capacity(line.len());
    let mut rest = line;
    while let Some((&first, after)) = rest.split_first() {
        rest = match surrogates_at(rest) {
            Some((character, after)) => {
                replaced.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                after
            }
            None => {
                replaced.push(first);
                after
            }
        };
    }
    Cow::Owned(replaced)
}

/// The first byte of a surrogate, which UTF-8 does not allow.
const SURROGATE: u8 = 0xed;

/// Returns the character of two surrogates of three bytes each, in which some programs write those
/// beyond the basic plane (CESU-8).
fn surrogates_at(bytes: &[u8]) -> Option<(char, &[u8])> {
    let &[
        SURROGATE,
        a @ 0xa0..=0xaf,
        b @ 0x80..=0xbf,
        SURROGATE,
        c @ 0xb0..=0xbf,
        d @ 0x80..=0xbf,
        ref rest @ ..,
    ] = bytes
    else {
        return None;
    };
    let [high, low] = [(a, b), (c, d)].map(|(a, b)| u32::from(a & 0x0f) << 6 | u32::from(b & 0x3f));
    char::from_u32(0x1_0000 + (high << 10 | (low & 0x3ff))).map(|character| (character, rest))
}

/// Checks for text that is Japanese in all characters beyond ASCII: what happens to be valid UTF-8
/// in a file of Shift_JIS hardly ever is.
fn is_japanese(text: &str) -> bool {
    let mut others = text.chars().filter(|c| !c.is_ascii()).peekable();
    others.peek().is_some()
        && others.all(|c| {
            matches!(c, '\u{2000}'..='\u{2bff}' | '\u{3000}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}'
                | '\u{ff00}'..='\u{ff9f}' | '\u{1f000}'..='\u{1faff}' | '\u{fe0f}')
        })
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

    fn decoder() -> Decoder {
        Decoder::new(Encodings::Japanese)
    }

    /// The texts of lines, and the numbers of those with a fault.
    fn decode(mut decoder: Decoder, lines: &[&[u8]]) -> (Vec<String>, Vec<usize>) {
        let decoded: Vec<_> = lines.iter().map(|line| decoder.decode(line)).collect();
        let faults = decoded.iter().enumerate().filter(|(_, line)| line.fault.is_some());
        let faults = faults.map(|(index, _)| index).collect();
        (decoded.into_iter().map(|line| line.text.into_owned()).collect(), faults)
    }

    fn alone(line: &[u8]) -> (String, bool) {
        let mut decoder = decoder();
        let decoded = decoder.decode(line);
        (decoded.text.into_owned(), decoded.fault.is_some())
    }

    #[test]
    fn encodings_are_told_apart() {
        for line in ["N+表手".as_bytes(), SHIFT_JIS_LINE, EUC_JP_LINE, b"N+\x1b$BI=<j\x1b(B"] {
            assert_eq!(alone(line), ("N+表手".to_owned(), false));
        }
        assert_eq!(alone(b"N+A"), ("N+A".to_owned(), false));
        assert_eq!(alone(b"N+\xff\xff"), ("N+\u{fffd}\u{fffd}".to_owned(), true));
        assert_eq!(alone(b"\x1b[1mA"), ("\x1b[1mA".to_owned(), false));
    }

    #[test]
    fn the_encoding_of_a_text_decides_where_two_are_possible() {
        assert_eq!(alone(AMBIGUOUS_LINE).0, "±");
        let (texts, faults) = decode(decoder(), &[SHIFT_JIS_LINE, AMBIGUOUS_LINE, b"N+A"]);
        assert_eq!((texts[1].as_str(), texts[2].as_str(), faults.len()), ("ﾂｱ", "N+A", 0));
        let (texts, _) = decode(decoder(), &["表手".as_bytes(), AMBIGUOUS_LINE]);
        assert_eq!(texts[1], "±");
    }

    #[test]
    fn one_line_changes_no_other_one() {
        let utf8 = "先手：表手".as_bytes();
        let cut = &"*コメント".as_bytes()[..12];
        let cesu = b"*\xe8\xa1\xa8\xed\xa0\xbd\xed\xb8\x80";
        // Of each text, the line that is not in its encoding.
        for (lines, other, text) in [
            (&[utf8, SHIFT_JIS_LINE, utf8, utf8][..], 1, "N+表手"),
            (&[utf8, EUC_JP_LINE, utf8, utf8], 1, "N+表手"),
            (&[utf8, cut, utf8], 1, "*コメン\u{fffd}"),
            (&[utf8, b"*\xe3\x83", utf8], 1, "*\u{fffd}"),
            (&[utf8, cesu, utf8], 1, "*表😀"),
            (&[utf8, b"*\xff", utf8], 1, "*\u{fffd}"),
            (&[SHIFT_JIS_LINE, utf8, SHIFT_JIS_LINE, SHIFT_JIS_LINE], 1, "先手：表手"),
            (&[EUC_JP_LINE, utf8, EUC_JP_LINE], 1, "先手：表手"),
            (&[SHIFT_JIS_LINE, b"*\xff", SHIFT_JIS_LINE], 1, "*\u{fffd}"),
        ] {
            let (texts, faults) = decode(decoder(), lines);
            assert_eq!((texts[other].as_str(), faults), (text, vec![other]));
            for (line, text) in lines.iter().zip(&texts).filter(|(line, _)| **line == utf8) {
                assert_eq!(text.as_bytes(), *line);
            }
            for (_, text) in lines.iter().zip(&texts).filter(|(line, _)| **line == SHIFT_JIS_LINE) {
                assert_eq!(text, "N+表手");
            }
        }
    }

    #[test]
    fn a_mark_a_name_and_a_hint_say_utf8() {
        let (mut mark, mut name, mut hint) = (decoder(), decoder(), decoder());
        mark.expect_utf8_by_mark();
        name.expect_utf8_by_name();
        hint.hint("UTF-8");
        for decoder in [mark, name, hint] {
            let (texts, faults) = decode(decoder, &[SHIFT_JIS_LINE, "表".as_bytes()]);
            assert_eq!((texts, faults), (vec!["N+表手".to_owned(), "表".to_owned()], vec![0]));
        }
        // A name that is wrong makes no fault.
        for mut decoder in [name, hint] {
            for _ in 0..20 {
                let decoded = decoder.decode(SHIFT_JIS_LINE);
                assert_eq!(decoded.text, "N+表手");
                assert!(decoded.fault.is_none() || decoded.is_pending);
            }
            assert!(!decoder.has_utf8());
        }
        let mut next = mark;
        next.reset();
        assert!(next.decode(SHIFT_JIS_LINE).fault.is_none());
    }

    #[test]
    fn a_hint_decides_where_two_encodings_are_possible() {
        let line = b"\xb1\xb2\xb3\xb4";
        assert_eq!(alone(line).0, EUC_JP.decode(line).0);
        let mut decoder = decoder();
        decoder.hint("Shift_JIS");
        assert_eq!(decoder.decode(line).text, "ｱｲｳｴ");
    }

    #[test]
    fn broken_text_in_utf8_alone_is_replaced() {
        let mut decoder = Decoder::new(Encodings::Utf8);
        let decoded = decoder.decode(b"startpos moves 7g7f # \x95\x5c");
        assert_eq!(decoded.text, "startpos moves 7g7f # \u{fffd}\\");
        assert!(decoded.fault.is_some());
    }
}
