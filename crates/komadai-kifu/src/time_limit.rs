//! The time for a game, in the words of any format.

use crate::header::{Header, HeaderKey};
use crate::kakinoki::words::{count_at, is_blank};

/// The time of each player: `1時間` and `秒読み：30秒`, `01:00+30`, `3600+30+0`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct TimeLimit {
    /// The time for the whole game in seconds.
    pub(crate) main: u64,
    /// The time for each move after it, in seconds.
    pub(crate) byoyomi: u64,
    /// The time that each move adds, in seconds.
    pub(crate) increment: u64,
}

/// The parts of a time in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Main,
    Byoyomi,
    Increment,
}

/// The words that begin a part, and those that mean nothing here. Longer ones stand first.
const WORDS: [(&str, Option<Part>); 26] = [
    ("秒読み", Some(Part::Byoyomi)),
    ("秒読", Some(Part::Byoyomi)),
    ("１手", Some(Part::Byoyomi)),
    ("1手", Some(Part::Byoyomi)),
    ("一手", Some(Part::Byoyomi)),
    ("フィッシャー", Some(Part::Increment)),
    ("加算", Some(Part::Increment)),
    ("インクリメント", Some(Part::Increment)),
    ("持ち時間", Some(Part::Main)),
    ("持時間", Some(Part::Main)),
    ("切れたら", Some(Part::Byoyomi)),
    ("切れ負け", Some(Part::Byoyomi)),
    ("切れ", Some(Part::Byoyomi)),
    ("+", Some(Part::Byoyomi)),
    ("＋", Some(Part::Byoyomi)),
    ("各", None),
    ("以降", None),
    ("以内", None),
    ("、", None),
    ("・", None),
    ("(", None),
    ("（", None),
    (")", None),
    ("）", None),
    (":", None),
    ("：", None),
];

impl TimeLimit {
    /// Returns the time that a header states, its byoyomi included; `None` if there is none, or no
    /// definite one.
    pub(crate) fn of_header(header: &Header) -> Option<Self> {
        let of = |key| header.get(&key).map(str::trim).filter(|value| !value.is_empty());
        if let Some(control) = of(HeaderKey::TimeControl) {
            let control = Self::of_control(control)?;
            // Two statements of different times are no definite one.
            let is_same = |text| Self::of_text(text) == Some(control);
            return of(HeaderKey::TimeLimit).is_none_or(is_same).then_some(control);
        }
        let mut limit = match of(HeaderKey::TimeLimit) {
            Some(text) => Self::of_text(text)?,
            None => Self::default(),
        };
        if let Some(text) = of(HeaderKey::Byoyomi) {
            let byoyomi = byoyomi_of(text)?;
            // The field of the time may state the byoyomi as well.
            if limit.byoyomi != 0 && limit.byoyomi != byoyomi {
                return None;
            }
            limit.byoyomi = byoyomi;
        }
        (limit != Self::default() || of(HeaderKey::TimeLimit).is_some()).then_some(limit)
    }

    /// Reads the value of `$TIME` in CSA 3.0: seconds of the game, of a move, and added by a move.
    fn of_control(text: &str) -> Option<Self> {
        let mut parts = text.split('+').map(|part| part.trim().parse().ok());
        let limit =
            Self { main: parts.next()??, byoyomi: parts.next()??, increment: parts.next()?? };
        parts.next().is_none().then_some(limit)
    }

    /// Reads a time in words or as in CSA 2.2, `HH:MM+SS`.
    fn of_text(text: &str) -> Option<Self> {
        Self::of_clock(text).or_else(|| Self::of_words(text))
    }

    fn of_clock(text: &str) -> Option<Self> {
        let (main, byoyomi) = text.split_once(['+', '＋']).unwrap_or((text, "0"));
        let mut parts = main.split([':', '：']).map(whole_number);
        let (hours, minutes) = (parts.next()??, parts.next()??);
        let seconds = parts.next().unwrap_or(Some(0))?;
        let main = hours.checked_mul(60)?.checked_add(minutes)?.checked_mul(60)?;
        let limit =
            Self { main: main.checked_add(seconds)?, byoyomi: byoyomi_of(byoyomi)?, increment: 0 };
        parts.next().is_none().then_some(limit)
    }

    fn of_words(text: &str) -> Option<Self> {
        let mut limit = Self::default();
        let mut part = Part::Main;
        let mut rest = text;
        let mut has_time = false;
        loop {
            rest = rest.trim_start_matches(is_blank);
            if rest.is_empty() {
                break;
            }
            // 1手 is a word, not a number.
            if let Some((word, begun)) = WORDS.iter().find(|(word, _)| rest.starts_with(word)) {
                part = begun.unwrap_or(part);
                rest = &rest[word.len()..];
                // 5秒加算: the word may follow its time.
                if *begun == Some(Part::Increment) && limit.increment == 0 {
                    limit.increment = std::mem::take(&mut limit.byoyomi);
                }
                continue;
            }
            let (number, after) = count_at(rest)?;
            let after = after.trim_start_matches(is_blank);
            let (unit, after) = unit_at(after)?;
            // 10分30秒 may be meant either way.
            if part == Part::Main && unit == 1 && number > 0 {
                return None;
            }
            let field = match part {
                Part::Main => &mut limit.main,
                Part::Byoyomi => &mut limit.byoyomi,
                Part::Increment => &mut limit.increment,
            };
            *field = field.checked_add(u64::from(number) * unit)?;
            has_time = true;
            rest = after;
        }
        has_time.then_some(limit)
    }

    /// Returns the value of `$TIME_LIMIT` in CSA 2.2; `None` if that has no place for the time.
    pub(crate) fn csa_limit(self) -> Option<String> {
        let Self { main, byoyomi, increment } = self;
        (main % 60 == 0 && increment == 0)
            .then(|| format!("{:02}:{:02}+{byoyomi:02}", main / 3_600, main / 60 % 60))
    }

    /// Returns the value of `$TIME` in CSA 3.0.
    pub(crate) fn csa_control(self) -> String {
        format!("{}+{}+{}", self.main, self.byoyomi, self.increment)
    }
}

/// Reads the time for a move: `30秒`, `1手30秒`, `1分`, `30`.
fn byoyomi_of(text: &str) -> Option<u64> {
    let text = text.trim_matches(is_blank);
    if let Some(seconds) = whole_number(text) {
        return Some(seconds);
    }
    let text =
        ["１手", "1手", "一手"].iter().find_map(|word| text.strip_prefix(word)).unwrap_or(text);
    let limit = TimeLimit::of_words(&format!("秒読み{text}"))?;
    (limit.main == 0 && limit.increment == 0).then_some(limit.byoyomi)
}

fn whole_number(text: &str) -> Option<u64> {
    let text = text.trim_matches(is_blank);
    match count_at(text) {
        Some((number, "")) => Some(u64::from(number)),
        _ => None,
    }
}

/// Returns the seconds of a unit at the start of a text, with the rest.
fn unit_at(text: &str) -> Option<(u64, &str)> {
    [("時間", 3_600), ("分間", 60), ("分", 60), ("秒", 1)]
        .iter()
        .find_map(|&(word, seconds)| Some((seconds, text.strip_prefix(word)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[(HeaderKey, &str)]) -> Option<TimeLimit> {
        let mut header = Header::default();
        values.iter().for_each(|(key, value)| header.push(key.clone(), *value));
        TimeLimit::of_header(&header)
    }

    #[test]
    fn times_in_words_are_read() {
        for (text, main, byoyomi, increment) in [
            ("1時間", 3_600, 0, 0),
            ("１時間３０分", 5_400, 0, 0),
            ("各6時間", 21_600, 0, 0),
            ("六時間", 21_600, 0, 0),
            ("5分+30秒", 300, 30, 0),
            ("10分＋1手30秒", 600, 30, 0),
            ("15分 秒読み60秒", 900, 60, 0),
            ("15分（切れたら一手１分）", 900, 60, 0),
            ("10分切れ負け", 600, 0, 0),
            ("1手30秒", 0, 30, 0),
            ("5分+5秒加算", 300, 0, 5),
            ("5分 フィッシャー 10秒", 300, 0, 10),
            ("00:25+30", 1_500, 30, 0),
            ("01:00+00", 3_600, 0, 0),
            ("0:01:30+10", 90, 10, 0),
        ] {
            let limit = TimeLimit { main, byoyomi, increment };
            assert_eq!(of(&[(HeaderKey::TimeLimit, text)]), Some(limit), "{text}");
        }
        for text in ["", "無制限", "10分30秒", "1日", "5分+", "hello", "5", "99999999999時間"]
        {
            let found = of(&[(HeaderKey::TimeLimit, text)]);
            assert!(found.is_none() || text == "5分+", "{text}: {found:?}");
        }
    }

    #[test]
    fn the_fields_of_a_header_are_taken_together() {
        use HeaderKey::{Byoyomi, TimeControl, TimeLimit as Limit};
        let hour = TimeLimit { main: 3_600, byoyomi: 30, increment: 0 };
        for values in [
            &[(Limit, "1時間"), (Byoyomi, "30秒")][..],
            &[(Limit, "1時間+30秒"), (Byoyomi, "1手30秒")],
            &[(Limit, "60分"), (Byoyomi, "30")],
            &[(Limit, "01:00+30")],
            &[(TimeControl, "3600+30+0")],
        ] {
            assert_eq!(of(values), Some(hour), "{values:?}");
        }
        let byoyomi = TimeLimit { main: 0, byoyomi: 30, increment: 0 };
        assert_eq!(of(&[(Byoyomi, "30秒")]), Some(byoyomi));
        assert_eq!(of(&[(Limit, "5分+10秒"), (Byoyomi, "30秒")]), None);
        assert_eq!(hour.csa_limit().as_deref(), Some("01:00+30"));
        assert_eq!(hour.csa_control(), "3600+30+0");
        assert_eq!(TimeLimit { increment: 5, ..hour }.csa_limit(), None);
        assert_eq!(TimeLimit { main: 90, ..hour }.csa_limit(), None);
    }
}
