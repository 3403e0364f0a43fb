//! Dates of games.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// The date of a game, which may lack the day or the month.
///
/// # Examples
///
/// ```
/// use komadai_games::GameDate;
///
/// let date = GameDate::find("2005/05/03(火) 10:30").expect("a date");
/// assert_eq!(date.to_string(), "2005-05-03");
/// assert_eq!(GameDate::find("平成17年5月3日"), Some(date));
/// let since: GameDate = "2005-05".parse()?;
/// assert!(date.compare(since).is_ge());
/// assert!("yesterday".parse::<GameDate>().is_err());
/// # Ok::<(), komadai_games::DateError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GameDate {
    /// The year of the Gregorian calendar, from 1.
    pub year: u16,
    /// The month, from 1; 0 if it is not known.
    pub month: u8,
    /// The day, from 1; 0 if it is not known.
    pub day: u8,
}

/// The error for a text that is no date.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("found {found:?}, expected a date such as 2019, 2019-06 or 2019-06-30")]
pub struct DateError {
    /// The text.
    pub found: String,
}

/// The eras of Japan in which games were dated, with the year before their first.
const ERAS: [(&str, u32); 5] =
    [("令和", 2018), ("平成", 1988), ("昭和", 1925), ("大正", 1911), ("明治", 1867)];

impl GameDate {
    /// Finds the date in the text of a header: `2005/05/03(火) 10:30`, `2019年5月`, `平成17年5月3日`,
    /// `20050503`. `None` if it begins with none.
    pub fn find(text: &str) -> Option<Self> {
        let text: String = text.chars().map(half_width).collect();
        let text = text.trim_start();
        if let Some((rest, before)) =
            ERAS.iter().find_map(|(era, before)| Some((text.strip_prefix(era)?, before)))
        {
            let (year, rest) = match rest.strip_prefix('元') {
                Some(rest) => (1, rest),
                None => number(rest.trim_start())?,
            };
            return Self::with_rest(before.checked_add(year)?, rest);
        }
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        match digits {
            4 => Self::with_rest(text[..4].parse().ok()?, &text[4..]),
            8 => Self::of(
                text[..4].parse().ok()?,
                text[4..6].parse().ok()?,
                text[6..8].parse().ok()?,
            ),
            _ => None,
        }
    }

    /// Compares two dates. Parts that one of them does not have decide nothing: 2019 is neither
    /// before nor after June 2019.
    pub fn compare(self, other: Self) -> Ordering {
        let part = |one: u8, other: u8| match (one, other) {
            (0, _) | (_, 0) => None,
            _ => Some(one.cmp(&other)),
        };
        self.year.cmp(&other.year).then_with(|| match part(self.month, other.month) {
            None => Ordering::Equal,
            Some(order) => order.then_with(|| part(self.day, other.day).unwrap_or(Ordering::Equal)),
        })
    }

    /// Reads month and day after a year. What is no part of a date ends it.
    fn with_rest(year: u32, rest: &str) -> Option<Self> {
        let part = |rest: &str| -> Option<(u32, usize)> {
            let after = rest.trim_start_matches([' ', '　']);
            let after =
                after.strip_prefix(['/', '-', '.', '年', '月'])?.trim_start_matches([' ', '　']);
            let (value, left) = number(after)?;
            Some((value, rest.len() - left.len()))
        };
        let Some((month, read)) = part(rest) else { return Self::of(year, 0, 0) };
        let Some((day, _)) = part(&rest[read..]) else { return Self::of(year, month, 0) };
        // `2019年5月 10:30` has no day, and unknown days are written as 00 or ??.
        Self::of(year, month, day).or_else(|| Self::of(year, month, 0))
    }

    fn of(year: u32, month: u32, day: u32) -> Option<Self> {
        let year = u16::try_from(year).ok().filter(|year| (1..=9_999).contains(year))?;
        let month = u8::try_from(month).ok().filter(|month| *month <= 12)?;
        let day = u8::try_from(day).ok().filter(|day| *day <= 31)?;
        Some(Self { year, month, day: if month == 0 { 0 } else { day } })
    }
}

/// Writes `2005-05-03`, `2005-05` or `2005`.
impl fmt::Display for GameDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { year, month, day } = self;
        let text = match (month, day) {
            (0, _) => format!("{year:04}"),
            (_, 0) => format!("{year:04}-{month:02}"),
            _ => format!("{year:04}-{month:02}-{day:02}"),
        };
        f.pad(&text)
    }
}

/// Reads a year, with month and day after hyphens or slashes.
impl FromStr for GameDate {
    type Err = DateError;

    fn from_str(text: &str) -> Result<Self, DateError> {
        let error = || DateError { found: text.to_owned() };
        let parts: Vec<&str> = text.trim().split(['-', '/']).collect();
        let is_number = |part: &&str| {
            (1..=4).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
        };
        if parts.len() > 3 || !parts.iter().all(is_number) {
            return Err(error());
        }
        let numbers: Vec<u32> = parts.iter().filter_map(|part| part.parse().ok()).collect();
        if numbers.contains(&0) {
            return Err(error());
        }
        let part = |index: usize| numbers.get(index).copied().unwrap_or(0);
        Self::of(part(0), part(1), part(2)).ok_or_else(error)
    }
}

/// Reads a number of at most four digits at the start of a text, and returns the rest.
fn number(text: &str) -> Option<(u32, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let value = (1..=4).contains(&digits).then(|| text[..digits].parse().ok())??;
    Some((value, &text[digits..]))
}

/// A full-width digit, slash or hyphen as the half-width one.
fn half_width(c: char) -> char {
    match u32::from(c) {
        code @ 0xff0d..=0xff19 => char::from_u32(code - 0xfee0).unwrap_or(c),
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_headers_are_found() {
        for (text, expected) in [
            ("2005/05/03", "2005-05-03"),
            ("2005/05/03 10:30:00", "2005-05-03"),
            ("2005-5-3", "2005-05-03"),
            ("2019年5月1日（水）", "2019-05-01"),
            ("２０１９／０５／０１", "2019-05-01"),
            ("2019年 5月 1日", "2019-05-01"),
            ("2019/05", "2019-05"),
            ("2019/05/00", "2019-05"),
            ("2019/05/??", "2019-05"),
            ("2019", "2019"),
            ("2019年", "2019"),
            ("20190501", "2019-05-01"),
            ("令和元年5月1日", "2019-05-01"),
            ("昭和50年", "1975"),
        ] {
            let found = GameDate::find(text).map(|date| date.to_string());
            assert_eq!(found.as_deref(), Some(expected), "{text}");
        }
        for text in ["", "不明", "第3局", "99/1/1", "20191301", "0000/01/01", "12345"] {
            assert_eq!(GameDate::find(text), None, "{text}");
        }
    }

    #[test]
    fn arguments_are_read_strictly() {
        for (text, expected) in
            [("2019", "2019"), ("2019-6", "2019-06"), ("2019/06/30", "2019-06-30")]
        {
            assert_eq!(text.parse::<GameDate>().unwrap().to_string(), expected);
        }
        for text in
            ["", "2019-", "2019-13", "2019-0", "2019-1-32", "1-2-3-4", "today", "-2019", "歩"]
        {
            assert!(text.parse::<GameDate>().is_err(), "{text}");
        }
    }

    #[test]
    fn missing_parts_decide_nothing() {
        let date = |text: &str| text.parse::<GameDate>().unwrap();
        for (one, other, expected) in [
            ("2019", "2020", Ordering::Less),
            ("2019", "2019-06-30", Ordering::Equal),
            ("2019-06", "2019-06-30", Ordering::Equal),
            ("2019-07", "2019-06-30", Ordering::Greater),
            ("2019-06-29", "2019-06-30", Ordering::Less),
        ] {
            assert_eq!(date(one).compare(date(other)), expected, "{one} {other}");
            assert_eq!(date(other).compare(date(one)), expected.reverse(), "{other} {one}");
        }
    }
}
