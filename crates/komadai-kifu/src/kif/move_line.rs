//! A line with a move: number, move, time.

use std::time::Duration;

use komadai_core::{PieceKind, Square};

use crate::kakinoki::ends::is_end;
use crate::kakinoki::words::{SIGNS, digit, is_blank, kind_at, number_at, square, square_at, trim};

/// The parts of a line such as `   1 ７六歩(77)   ( 0:16/00:00:16)+`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MoveLine {
    /// The number of the move, from 1; `None` if it is missing.
    pub(super) number: Option<usize>,
    pub(super) action: Action,
    /// The time for this move.
    pub(super) time: Option<Duration>,
}

/// The second part of a line with a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Action {
    Move(WrittenMove),
    /// The word of an end, whose meaning depends on the side to move.
    End(String),
}

/// A move as the text gives it, before it is compared with the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WrittenMove {
    /// The target; `None` for that of the move before (同).
    pub(super) to: Option<Square>,
    /// The kind before the move.
    pub(super) kind: PieceKind,
    /// The origin; `None` for a drop.
    pub(super) from: Option<Square>,
    pub(super) promotes: bool,
}

/// The fault of a line: the rest of the line that is wrong, and the text expected there.
pub(super) type LineFault<'a> = (&'a str, &'static str);

/// Checks for a line that begins as one with a move: a number and a blank.
pub(crate) fn is_move_line(line: &str) -> bool {
    let has_number = number_at(trim(line)).is_some_and(|(_, rest)| rest.starts_with(is_blank));
    has_number
        && match parse(line) {
            Ok((MoveLine { action: Action::Move(_), .. }, _)) => true,
            Ok((MoveLine { action: Action::End(word), .. }, _)) => is_end(&word),
            Err(_) => false,
        }
}

/// Parses a line. The second value is a fault in the time; the move can be made nevertheless.
pub(super) fn parse(line: &str) -> Result<(MoveLine, Option<LineFault<'_>>), LineFault<'_>> {
    let text = trim(line);
    const EXPECTED: &str = "a number and a move: `1 ７六歩(77)`";
    let numbered = number_at(text).ok_or((text, EXPECTED)).and_then(|(number, rest)| {
        if number == 0 {
            return Err((text, "a number from 1"));
        }
        let (action, rest) = parse_action(rest.trim_start_matches(is_blank))?;
        Ok((Some(number as usize), action, rest))
    });
    let (number, action, rest) = numbered.or_else(|fault| match parse_move(text) {
        Ok((written, rest)) => Ok((None, Action::Move(written), rest)),
        Err(_) => Err(fault),
    })?;
    let rest = trim(rest);
    let rest = rest.strip_suffix('+').map_or(rest, trim);
    let (time, fault) = match parse_time(rest) {
        Ok(time) => (time, None),
        Err(fault) => (None, Some(fault)),
    };
    Ok((MoveLine { number, action, time }, fault))
}

fn parse_action(text: &str) -> Result<(Action, &str), LineFault<'_>> {
    let word_end = text.find(|c: char| is_blank(c) || c == '(').unwrap_or(text.len());
    let (word, after) = text.split_at(word_end);
    // The sign of further variations.
    let word = word.trim_end_matches('+');
    if is_end(word) {
        return Ok((Action::End(word.to_owned()), after));
    }
    match parse_move(text) {
        Ok((written, rest)) => Ok((Action::Move(written), rest)),
        Err(_) if is_end_word(word, after) => Ok((Action::End(word.to_owned()), after)),
        Err(fault) => Err(fault),
    }
}

/// Checks whether a word in the place of a move is read as the end of a line.
pub(super) fn is_end_in_row(word: &str) -> bool {
    matches!(parse_action(word), Ok((Action::End(_), "")))
}

/// Checks for the word of an end that is not known: it does not begin as a move, and no origin
/// follows it.
fn is_end_word(word: &str, after: &str) -> bool {
    let begins_as_move = |c: char| digit(c).is_some() || c == '同' || SIGNS.contains(&c);
    let is_line = word.is_empty() || word.starts_with("まで");
    !is_line && !word.starts_with(begins_as_move) && origin_at(after).is_none()
}

/// Parses a move, ７六歩(77), 同　銀成(31) or ５五角打.
fn parse_move(text: &str) -> Result<(WrittenMove, &str), LineFault<'_>> {
    let unsigned = text.trim_start_matches(SIGNS);
    let (to, rest) = match unsigned.strip_prefix('同') {
        Some(rest) => (None, rest.trim_start_matches(is_blank)),
        None => {
            let found = square_at(unsigned)
                .ok_or((text, "a move such as `７六歩(77)`, or an end such as `投了`"))?;
            (Some(found.0), found.1)
        }
    };
    let (kind, rest) = kind_at(rest).ok_or((rest, "a piece such as 歩 or 成銀"))?;
    // The official notation adds these words where several pieces can move; the origin makes them
    // superfluous.
    let rest = rest.trim_start_matches(['右', '左', '直', '上', '寄', '引', '行', '入']);
    let (promotes, rest) = match rest.strip_prefix('成') {
        Some(rest) => match rest.strip_prefix('ら').or_else(|| rest.strip_prefix("ず")) {
            Some(rest) => (false, rest.trim_start_matches('ず')),
            None => (true, rest),
        },
        None => {
            (false, rest.strip_prefix("不成").or_else(|| rest.strip_prefix('不')).unwrap_or(rest))
        }
    };
    if promotes && kind.promoted().is_none() {
        return Err((text, "a piece that can promote before 成"));
    }
    let (is_drop, rest) = match rest.strip_prefix('打') {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let (origin, rest) =
        origin_at(rest).map_or((None, rest), |(origin, rest)| (Some(origin), rest));
    // Some programs write `打(00)`.
    let from = match origin {
        Some(Some(from)) if !is_drop => Some(from),
        Some(Some(_)) => return Err((text, "either a drop or the origin of a move")),
        Some(None) => None,
        None if is_drop => None,
        None => return Err((rest, "the origin, `(77)`, or 打 for a drop")),
    };
    if from.is_none() && (promotes || !kind.is_hand_kind()) {
        return Err((text, "a piece that can be held, for a drop"));
    }
    Ok((WrittenMove { to, kind, from, promotes }, rest))
}

/// Returns the origin in brackets, `(77)`, with the rest; `None` inside for `(00)`.
fn origin_at(text: &str) -> Option<(Option<Square>, &str)> {
    let inside = text.strip_prefix(['(', '（'])?;
    let (digits, rest) = inside.split_once([')', '）'])?;
    let (number, "") = number_at(digits)? else { return None };
    if digits.chars().count() != 2 {
        return None;
    }
    match number {
        0 => Some((None, rest)),
        number => Some((Some(square(number / 10, number % 10)?), rest)),
    }
}

/// Parses a time, `( 0:16/00:00:16)`: that of the move, before the sum, which is not used.
fn parse_time(text: &str) -> Result<Option<Duration>, LineFault<'_>> {
    const EXPECTED: &str = "a time such as `( 0:16/00:00:16)`, or the end of the line";
    if text.is_empty() {
        return Ok(None);
    }
    let inside = text.strip_prefix(['(', '（']).and_then(|text| text.split([')', '）']).next());
    let spent = inside.and_then(|inside| inside.split(['/', '／']).next());
    let time = spent.map(trim).and_then(clock);
    time.map(Some).ok_or((text, EXPECTED))
}

/// Parses minutes and seconds, with or without hours before them: `0:16`, `1:02:03`.
fn clock(text: &str) -> Option<Duration> {
    let mut seconds = 0_u64;
    let mut parts = 0;
    for part in text.split([':', '：']) {
        seconds = seconds.checked_mul(60)?.checked_add(long_number(trim(part))?)?;
        parts += 1;
    }
    matches!(parts, 2 | 3).then(|| Duration::from_secs(seconds))
}

/// Returns the value of digits of any width and number.
fn long_number(text: &str) -> Option<u64> {
    let add = |value: u64, c| value.checked_mul(10)?.checked_add(digit(c)?.into());
    if text.is_empty() { None } else { text.chars().try_fold(0, add) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(line: &str) -> WrittenMove {
        match parse(line).unwrap().0.action {
            Action::Move(written) => written,
            Action::End(end) => panic!("{line}: {end:?}"),
        }
    }

    #[test]
    fn moves_are_read_in_all_their_forms() {
        use PieceKind::*;
        let cases = [
            (
                "   1 ７六歩(77)   ( 0:16/00:00:16)",
                Some(Square::S76),
                Pawn,
                Some(Square::S77),
                false,
            ),
            ("2 同　銀(31)", None, Silver, Some(Square::S31), false),
            ("2 同銀成(24)+", None, Silver, Some(Square::S24), true),
            ("3 ▲5五角打", Some(Square::S55), Bishop, None, false),
            ("3 ５五角打(00)", Some(Square::S55), Bishop, None, false),
            ("３ ２二成銀(33)", Some(Square::S22), ProSilver, Some(Square::S33), false),
            ("4 ２二銀不成(33)", Some(Square::S22), Silver, Some(Square::S33), false),
            ("4 ５一竜(52)", Some(Square::S51), Dragon, Some(Square::S52), false),
            ("4 ５八金右(49)", Some(Square::S58), Gold, Some(Square::S49), false),
            ("4 ５一王(52)", Some(Square::S51), King, Some(Square::S52), false),
        ];
        for (line, to, kind, from, promotes) in cases {
            assert_eq!(written(line), WrittenMove { to, kind, from, promotes }, "{line}");
        }
    }

    #[test]
    fn times_are_those_of_the_move() {
        for (text, seconds) in [
            ("( 0:16/00:00:16)", Some(16)),
            ("(61:05/01:01:05)", Some(3_665)),
            ("(1:02:03/ 1:02:03)", Some(3_723)),
            ("(0:03/ 0:00:19)", Some(3)),
            ("(00:00/00:00:00)", Some(0)),
            ("(0:01)", Some(1)),
            ("", None),
        ] {
            let line = format!("1 ７六歩(77) {text}");
            let (parsed, fault) = parse(&line).unwrap();
            assert_eq!((parsed.time.map(|t| t.as_secs()), fault), (seconds, None), "{text}");
        }
        for text in ["(-1:00/0)", "(1)", "(a:b)", "hello"] {
            let line = format!("1 ７六歩(77) {text}");
            assert!(parse(&line).unwrap().1.is_some(), "{text}");
        }
    }

    #[test]
    fn impossible_moves_are_refused() {
        for line in [
            "1 ７六歩",
            "1 ７六",
            "0 ７六歩(77)",
            "1 ７六金成(77)",
            "1 ７六成銀成(77)",
            "1 ７六歩打(77)",
            "1 ７六玉打",
            "1 ７十歩(77)",
            "1 ７六歩(7)",
            "1",
            "1 六歩(77)",
        ] {
            assert!(parse(line).is_err(), "{line}");
        }
        assert_eq!(parse("5 投了").unwrap().0.action, Action::End("投了".to_owned()));
        assert_eq!(parse("5 投了+").unwrap().0.action, Action::End("投了".to_owned()));
        assert_eq!(parse("７六歩(77)").unwrap().0.number, None);
        let adjourned = Action::End("指し掛け".to_owned());
        assert_eq!(parse("5 指し掛け (0:01/)").unwrap().0.action, adjourned);
        assert_eq!(
            parse("5 反則負け (0:01/0:00:01)").unwrap().0.time,
            Some(Duration::from_secs(1))
        );
    }
}
