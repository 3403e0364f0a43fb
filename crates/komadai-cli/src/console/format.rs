//! Times of day.

/// A time as `2026-11-22 02:11`, or `-` if it is not known.
///
/// Source of the days' arithmetic: H. Hinnant, *chrono-Compatible Low-Level Date Algorithms* (2013),
/// `civil_from_days`.
pub(crate) fn date(when: u64) -> String {
    if when == 0 {
        return "-".to_owned();
    }
    let (days, seconds) = (when / 86_400 + 719_468, when % 86_400);
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    // Years begin in March here.
    let month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month + 2) / 5 + 1;
    let (month, after) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = era * 400 + year_of_era + after;
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}", seconds / 3_600, seconds / 60 % 60)
}
