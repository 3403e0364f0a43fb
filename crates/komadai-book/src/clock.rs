//! Times of day, as books store them: seconds since the start of 1970 (UTC).

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

/// The number of seconds since the start of 1970 (UTC); 0 if the system clock is set to an earlier
/// time.
pub fn seconds_since_1970() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// The number of milliseconds since the start of 1970 (UTC); 0 if the system clock is set to an
/// earlier time.
pub(crate) fn milliseconds_since_1970() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| since.as_millis().try_into().unwrap_or(u64::MAX))
}

/// A time in UTC by the Gregorian calendar, to the minute.
///
/// It prints as `2026-11-22 02:11`.
///
/// # Examples
///
/// ```
/// use komadai_book::clock::UtcTime;
///
/// let time = UtcTime::of(1_700_000_000);
/// assert_eq!(time.to_string(), "2023-11-14 22:13");
/// assert_eq!(time.date(), "2023-11-14");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct UtcTime {
    /// The year.
    pub year: u64,
    /// The month, 1 to 12.
    pub month: u8,
    /// The day of the month, 1 to 31.
    pub day: u8,
    /// The hour, 0 to 23.
    pub hour: u8,
    /// The minute, 0 to 59.
    pub minute: u8,
}

impl UtcTime {
    /// The time at this number of seconds since the start of 1970 (UTC).
    ///
    /// Source: H. Hinnant, *chrono-Compatible Low-Level Date Algorithms* (2013), `civil_from_days`,
    /// <https://howardhinnant.github.io/date_algorithms.html>.
    pub const fn of(seconds: u64) -> Self {
        // The calendar repeats every 400 years. Days count from 1 March of the year 0, which lies
        // 719,468 days before 1970: a year that starts in March has its leap day at its end.
        let days = seconds / 86_400 + 719_468;
        let era = days / 146_097;
        let day_of_era = days % 146_097;
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        // From March on, the lengths of the months repeat every five months, which have 153 days.
        let month_from_march = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
        let year = era * 400 + year_of_era + (month <= 2) as u64;
        let hour = seconds % 86_400 / 3_600;
        let minute = seconds / 60 % 60;
        Self { year, month: month as u8, day: day as u8, hour: hour as u8, minute: minute as u8 }
    }

    /// The date alone, such as `2026-11-22`.
    pub fn date(&self) -> String {
        format!("{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl fmt::Display for UtcTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {:02}:{:02}", self.date(), self.hour, self.minute)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_follow_the_gregorian_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01 00:00"),
            (951_782_399, "2000-02-28 23:59"),
            (951_782_400, "2000-02-29 00:00"),
            (951_868_800, "2000-03-01 00:00"),
            (4_107_542_399, "2100-02-28 23:59"),
            (4_107_542_400, "2100-03-01 00:00"),
        ] {
            assert_eq!(UtcTime::of(seconds).to_string(), expected);
        }
    }
}
