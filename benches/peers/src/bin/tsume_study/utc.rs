//! The date.

use std::time::{SystemTime, UNIX_EPOCH};

/// Returns the date of today in UTC as `YYYY-MM-DD`.
pub(crate) fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    date(seconds / (24 * 60 * 60))
}

/// Returns the date of a day, counted from 1970-01-01.
fn date(mut day: u64) -> String {
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let mut year = 1970;
    while day >= 365 + u64::from(is_leap(year)) {
        day -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 1;
    for length in lengths {
        if day < length {
            break;
        }
        day -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", day + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_known_days() {
        let known = [(0, "1970-01-01"), (59, "1970-03-01"), (11_016, "2000-02-29")];
        for (day, expected) in known.into_iter().chain([(20_088, "2024-12-31")]) {
            assert_eq!(date(day), expected);
        }
    }
}
