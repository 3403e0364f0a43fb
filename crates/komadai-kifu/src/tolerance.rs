//! What a reader does about faults in its input.

use std::fmt;

use crate::error::KifuError;
use crate::record::Record;

/// Whether a reader refuses faulty input or goes on past it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Tolerance {
    /// The first fault ends the reading with an error.
    Strict,
    /// Faults are skipped and counted (see [`Skipped`]); reading goes on.
    #[default]
    Lenient,
}

/// What a lenient reader skipped: how many things, and the first of them with their places.
///
/// The list is bounded, so that a file of nothing but faults costs no memory. `E` is the reader's
/// error.
///
/// # Examples
///
/// ```
/// use komadai_kifu::{Tolerance, parse_csa};
///
/// let games = parse_csa("PI\n+\n+7776FU\nhello\n-3334FU\n", Tolerance::Lenient)?;
/// assert_eq!(games.records[0].moves.len(), 2);
/// assert_eq!(games.skipped.count(), 1);
/// assert_eq!(games.skipped.first()[0].line(), 4);
/// # Ok::<(), komadai_kifu::KifuError>(())
/// ```
#[derive(Debug)]
pub struct Skipped<E = KifuError> {
    count: u64,
    first: Vec<E>,
}

impl<E> Default for Skipped<E> {
    fn default() -> Self {
        Self { count: 0, first: Vec::new() }
    }
}

impl<E> Skipped<E> {
    /// How many faults are kept in full.
    pub const LISTED: usize = 100;

    /// The number of faults.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Whether nothing was skipped.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The first faults, at most [`LISTED`](Self::LISTED).
    #[must_use]
    pub fn first(&self) -> &[E] {
        &self.first
    }

    /// Adds a fault.
    pub fn add(&mut self, fault: E) {
        self.count += 1;
        if self.first.len() < Self::LISTED {
            self.first.push(fault);
        }
    }

    /// Adds something that had to be skipped because of an earlier fault and has none of its own.
    pub fn add_consequence(&mut self) {
        self.count += 1;
    }

    /// Adds what another reader skipped that went on where this one stopped.
    pub fn append(&mut self, later: Self) {
        self.count += later.count;
        let room = Self::LISTED - self.first.len();
        self.first.extend(later.first.into_iter().take(room));
    }
}

/// The games of one text.
#[derive(Debug, Default)]
pub struct Loaded {
    /// The games, first to last.
    pub records: Vec<Record>,
    /// What was skipped; nothing if the reading was strict.
    pub skipped: Skipped,
}

/// One line a fault, and a last one for those not listed.
impl<E: fmt::Display> fmt::Display for Skipped<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for fault in &self.first {
            writeln!(f, "{fault}")?;
        }
        match self.count - self.first.len() as u64 {
            0 => Ok(()),
            more => writeln!(f, "… and {more} more"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_parts_are_one_whole() {
        let part = |faults: std::ops::Range<u64>| {
            let mut skipped = Skipped::default();
            faults.for_each(|fault| skipped.add(fault));
            skipped.add_consequence();
            skipped
        };
        let mut whole = part(0..70);
        whole.append(part(70..150));
        assert_eq!(whole.count(), 152);
        assert!(whole.first().iter().copied().eq(0..Skipped::<u64>::LISTED as u64));
    }
}
