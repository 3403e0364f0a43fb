//! The time rules of one side.

use std::time::Duration;

use crate::error::ProtocolError;

/// The time rules of one side, from a block `BEGIN Time` … `END Time` of a game's summary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeRules {
    /// The unit of the numbers in the summary, by default a second. The times below are in real
    /// time.
    pub unit: Duration,
    /// The main time (持ち時間).
    pub total: Duration,
    /// The time for each move after the main time (秒読み).
    pub byoyomi: Duration,
    /// The time that each move adds to the main time. The move itself may use it.
    pub increment: Duration,
    /// The time of each move that is not counted.
    pub delay: Duration,
    /// The least time that a move is counted with.
    pub least: Duration,
    /// True if times are rounded up to the unit, not down.
    pub rounds_up: bool,
    /// False if the game has no time limit: the summary states neither main time, nor byoyomi, nor
    /// increment.
    pub is_limited: bool,
}

impl Default for TimeRules {
    /// Returns rules without limits, with the defaults of the protocol.
    fn default() -> Self {
        Self {
            unit: Duration::from_secs(1),
            total: Duration::ZERO,
            byoyomi: Duration::ZERO,
            increment: Duration::ZERO,
            delay: Duration::ZERO,
            least: Duration::ZERO,
            rounds_up: false,
            is_limited: false,
        }
    }
}

impl TimeRules {
    /// Returns the time that a move is counted with if it took `elapsed`.
    pub fn counted(&self, elapsed: Duration) -> Duration {
        let elapsed = elapsed.saturating_sub(self.delay).as_nanos();
        let unit = self.unit.as_nanos().max(1);
        let units = if self.rounds_up { elapsed.div_ceil(unit) } else { elapsed / unit };
        let units = u32::try_from(units).unwrap_or(u32::MAX);
        self.unit.saturating_mul(units).max(self.least)
    }

    /// Reads the lines of a block, each a key and a value, on top of these rules. Unknown keys are
    /// ignored.
    pub(crate) fn read<'a>(
        mut self,
        lines: impl Iterator<Item = (&'a str, &'a str)> + Clone,
    ) -> Result<Self, ProtocolError> {
        // The unit may stand after the numbers that it applies to.
        for (_, value) in lines.clone().filter(|&(key, _)| key == "Time_Unit") {
            self.unit = unit_of(value)
                .ok_or_else(|| fault("Time_Unit", value, "1sec, 1min or a number of msec"))?;
        }
        for (key, value) in lines {
            let time = || {
                let units: Option<u32> = value.parse().ok();
                let time = units.and_then(|units| self.unit.checked_mul(units));
                time.ok_or_else(|| fault(key, value, "a number of units of time"))
            };
            match key {
                "Total_Time" => self.total = time()?,
                "Byoyomi" => self.byoyomi = time()?,
                "Increment" => self.increment = time()?,
                "Delay" => self.delay = time()?,
                "Least_Time_Per_Move" => self.least = time()?,
                "Time_Roundup" => self.rounds_up = value == "YES",
                _ => continue,
            }
            self.is_limited |= matches!(key, "Total_Time" | "Byoyomi" | "Increment");
        }
        Ok(self)
    }
}

fn fault(key: &str, found: &str, expected: &'static str) -> ProtocolError {
    ProtocolError::Summary { found: format!("{key}:{found}"), expected }
}

fn unit_of(value: &str) -> Option<Duration> {
    let split = value.find(|c: char| !c.is_ascii_digit())?;
    let (number, unit) = value.split_at(split);
    let number: u32 = number.parse().ok().filter(|&number| number > 0)?;
    let unit = match unit {
        "min" => Duration::from_secs(60),
        "sec" => Duration::from_secs(1),
        "msec" => Duration::from_millis(1),
        _ => return None,
    };
    unit.checked_mul(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_in_the_unit_wherever_it_stands() {
        let read = |lines: &[(&'static str, &'static str)]| {
            TimeRules::default().read(lines.iter().copied())
        };
        let rules = read(&[("Total_Time", "5"), ("Time_Unit", "1min"), ("Byoyomi", "1")]).unwrap();
        assert_eq!((rules.total.as_secs(), rules.byoyomi.as_secs()), (300, 60));
        let rules = read(&[("Time_Unit", "100msec"), ("Increment", "7")]).unwrap();
        assert_eq!((rules.increment.as_millis(), rules.is_limited), (700, true));
        assert!(!read(&[("Least_Time_Per_Move", "1")]).unwrap().is_limited);
        for (key, value) in [
            ("Time_Unit", "0sec"),
            ("Time_Unit", "sec"),
            ("Time_Unit", "1week"),
            ("Total_Time", "-1"),
            ("Byoyomi", "99999999999"),
        ] {
            let error = read(&[(key, value)]).unwrap_err().to_string();
            assert!(error.contains(&format!("{key}:{value}")), "{error}");
        }
    }

    #[test]
    fn a_time_is_counted_in_units() {
        let millis = Duration::from_millis;
        let second = TimeRules::default();
        let up = TimeRules { rounds_up: true, ..second.clone() };
        let least = TimeRules { least: millis(1_000), ..second.clone() };
        let delay = TimeRules { delay: millis(2_000), ..second.clone() };
        let minute = TimeRules { unit: millis(60_000), ..second.clone() };
        let tenth = TimeRules { unit: millis(100), ..second.clone() };
        for (rules, elapsed, counted) in [
            (&second, 0, 0),
            (&second, 999, 0),
            (&second, 3_700, 3_000),
            (&up, 3_001, 4_000),
            (&up, 3_000, 3_000),
            (&least, 10, 1_000),
            (&least, 2_500, 2_000),
            (&delay, 1_500, 0),
            (&delay, 3_500, 1_000),
            (&minute, 59_999, 0),
            (&minute, 61_000, 60_000),
            (&tenth, 1_250, 1_200),
        ] {
            assert_eq!(rules.counted(millis(elapsed)), millis(counted), "{rules:?}, {elapsed}");
        }
        assert!(second.counted(Duration::MAX) > millis(1 << 40));
    }
}
