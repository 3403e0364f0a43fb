//! Values, times and counts as text.

use komadai::book::clock::UtcTime;
use komadai::core::{Bound, Score};
pub use komadai_base::text::grouped;

/// Returns a value with its sign: `+35`, `-mate 12`, or `?` if it is unknown.
pub fn signed_score(score: Option<Score>) -> String {
    let Some(score) = score else { return "?".to_owned() };
    match (score.to_cp(), score.mate_plies()) {
        (Some(0), _) => "0".to_owned(),
        (Some(cp), _) => format!("{cp:+}"),
        (None, Some(plies)) if score.raw() > 0 => format!("+mate {plies}"),
        (None, Some(plies)) => format!("-mate {}", plies.abs()),
        (None, None) => score.raw().to_string(),
    }
}

/// Returns a value with its sign and the [sign of its bound](Bound::sign): `≥+35`.
pub fn bounded_score(score: Option<Score>, bound: Bound) -> String {
    let sign = score.map_or("", |_| bound.sign());
    format!("{sign}{}", signed_score(score))
}

/// Returns a time in seconds since the start of 1970 as `2026-11-22 02:11` (UTC), or `-` for 0,
/// which stands for an unknown time.
pub fn date(when: u64) -> String {
    if when == 0 { "-".to_owned() } else { UtcTime::of(when).to_string() }
}

/// Returns the number of terminal cells of a text. Chinese, Japanese and full-width characters take
/// two: the wide ranges of Unicode Standard Annex 11, "East Asian Width".
pub fn width(text: &str) -> usize {
    let is_wide = |c: char| {
        matches!(u32::from(c), 0x1100..=0x115f | 0x2e80..=0xa4cf | 0xac00..=0xd7a3
            | 0xf900..=0xfaff | 0xfe30..=0xfe6f | 0xff00..=0xff60 | 0xffe0..=0xffe6 | 0x20000..=0x3fffd)
    };
    text.chars().map(|c| if is_wide(c) { 2 } else { 1 }).sum()
}

/// Returns a text with blanks after it, up to this number of terminal cells.
pub fn padded(text: &str, cells: usize) -> String {
    format!("{text}{}", " ".repeat(cells.saturating_sub(width(text))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn japanese_takes_two_cells() {
        assert_eq!((width("P 7g"), width("歩 ７七、"), width("")), (4, 9, 0));
        assert_eq!(padded("囲い", 6), "囲い  ");
        assert_eq!(padded("囲い", 3), "囲い");
    }

    #[test]
    fn dates_are_those_of_the_gregorian_calendar() {
        assert_eq!(date(0), "-");
        assert_eq!(date(59), "1970-01-01 00:00");
        assert_eq!(date(951_782_400 + 3_660), "2000-02-29 01:01");
        assert_eq!(date(1_795_313_519), "2026-11-22 02:11");
    }

    #[test]
    fn scores_have_signs() {
        let scores = [Score::cp(35), Score::cp(0), Score::cp(-7), Score::mated_in(12)];
        let texts = scores.map(|score| signed_score(Some(score)));
        assert_eq!(texts, ["+35", "0", "-7", "-mate 12"]);
        assert_eq!(signed_score(None), "?");
        assert_eq!(bounded_score(Some(Score::cp(35)), Bound::Lower), "≥+35");
        assert_eq!(bounded_score(Some(Score::mated_in(4)), Bound::Upper), "≤-mate 4");
        assert_eq!(bounded_score(Some(Score::ZERO), Bound::Exact), "0");
        assert_eq!(bounded_score(None, Bound::Lower), "?");
    }
}
