//! Times on the command line.

use std::time::Duration;

/// Reads a time such as `90s`, `30m`, `24h` or `7d`.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    const UNITS: [(char, u64); 4] = [('s', 1), ('m', 60), ('h', 3_600), ('d', 86_400)];
    let expected = || format!("found {text:?}, expected a time such as 30m, 24h or 7d");
    let unit = UNITS.iter().find(|(unit, _)| text.ends_with(*unit)).ok_or_else(expected)?;
    let number: u64 = text[..text.len() - 1].parse().map_err(|_| expected())?;
    let seconds = number.checked_mul(unit.1).filter(|seconds| (1..=1 << 32).contains(seconds));
    seconds.map(Duration::from_secs).ok_or_else(expected)
}

/// Reads a number of seconds, with or without decimals.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| *seconds > 0.0 && *seconds <= 86_400.0);
    let seconds = seconds.ok_or("expected seconds above 0 and up to a day")?;
    Ok(Duration::from_secs_f64(seconds))
}

/// Reads a number of minutes, with or without decimals.
pub(crate) fn minutes(text: &str) -> Result<Duration, String> {
    let minutes = text.parse::<f64>().ok().filter(|minutes| *minutes > 0.0 && *minutes <= 1_440.0);
    let minutes = minutes.ok_or("expected minutes above 0 and up to a day")?;
    Ok(Duration::from_secs_f64(minutes * 60.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_a_unit() {
        for (text, seconds) in [("90s", 90), ("30m", 1_800), ("24h", 86_400), ("7d", 604_800)] {
            assert_eq!(duration(text), Ok(Duration::from_secs(seconds)));
        }
        for text in ["", "h", "24", "-1h", "0d", "1.5h", "24 h", "時", "99999999999999999999d"] {
            assert!(duration(text).is_err(), "{text}");
        }
    }
}
