//! Line numbers of findings.

use std::fmt;

/// The number of findings of one kind, and the first lines with one.
///
/// The list is bounded, so that a file with findings everywhere takes no more memory. For a source
/// without lines, the numbers are those of its records.
///
/// # Examples
///
/// ```
/// use komadai_bookfile::LineNumbers;
///
/// let mut places = LineNumbers::default();
/// (1..=1_000).for_each(|line| places.add(line));
/// assert_eq!((places.count(), places.first().len()), (1_000, LineNumbers::LISTED));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct LineNumbers {
    count: u64,
    first: Vec<u64>,
}

impl LineNumbers {
    /// The maximum number of lines kept.
    pub const LISTED: usize = 20;

    /// The number of findings.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns true if there are no findings.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The first lines with a finding, from 1, at most [`LISTED`](Self::LISTED).
    pub fn first(&self) -> &[u64] {
        &self.first
    }

    /// Adds a line. Lines may come in any order; the smallest are kept, in order.
    pub fn add(&mut self, line: u64) {
        self.count += 1;
        let is_early = self.first.last().is_none_or(|&last| line < last);
        if self.first.len() == Self::LISTED {
            if !is_early {
                return;
            }
            self.first.pop();
        }
        let place = self.first.partition_point(|&known| known <= line);
        self.first.insert(place, line);
    }

    /// Adds the findings of another list.
    pub fn append(&mut self, other: &Self) {
        other.first.iter().for_each(|&line| self.add(line));
        self.count += other.count - other.first.len() as u64;
    }
}

/// The number, and the first lines in brackets: `3 (lines 5, 8, 13)`.
impl fmt::Display for LineNumbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.count)?;
        let [first, others @ ..] = &self.first[..] else { return Ok(()) };
        write!(f, " ({} {first}", if self.count == 1 { "line" } else { "lines" })?;
        others.iter().try_for_each(|line| write!(f, ", {line}"))?;
        let is_whole = self.count == self.first.len() as u64;
        f.write_str(if is_whole { ")" } else { ", …)" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_lines_are_kept_in_whatever_order_they_come() {
        let mut places = LineNumbers::default();
        let lines = (0..100_u64).map(|number| number * 37 % 101);
        lines.clone().for_each(|line| places.add(line));
        let mut sorted: Vec<u64> = lines.collect();
        sorted.sort_unstable();
        assert_eq!(places.first(), &sorted[..LineNumbers::LISTED]);
        assert_eq!(places.count(), 100);
        let mut sum = LineNumbers::default();
        sum.add(1_000);
        sum.append(&places);
        assert_eq!((sum.count(), sum.first()), (101, places.first()));
    }

    #[test]
    fn they_print_in_one_line() {
        let mut places = LineNumbers::default();
        assert_eq!(places.to_string(), "0");
        places.add(7);
        assert_eq!(places.to_string(), "1 (line 7)");
        (8..30).for_each(|line| places.add(line));
        assert!(places.to_string().starts_with("23 (lines 7, 8, "));
        assert!(places.to_string().ends_with(", 26, …)"));
    }
}
