//! The treatment of faults in the input of a reader.

use std::fmt;

/// The treatment of faulty input: refusal, or a lenient reading that skips faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Tolerance {
    /// The first fault ends the reading with an error.
    Strict,
    /// Faults are skipped and counted (see [`Skipped`]), and the reading continues.
    #[default]
    Lenient,
}

/// The faults that a lenient reader skipped: their number, and the first of them with their places.
///
/// The list is bounded, so that a file full of faults takes little memory. `E` is the error type of
/// the reader.
///
/// # Examples
///
/// ```
/// use komadai_base::reading::Skipped;
///
/// let mut skipped = Skipped::default();
/// (1..=102).for_each(|line| skipped.add(format!("line {line}: no move")));
/// assert_eq!((skipped.count(), skipped.first().len()), (102, Skipped::<String>::LISTED));
/// assert!(skipped.to_string().ends_with("line 100: no move\n… and 2 more\n"));
/// ```
#[derive(Debug)]
pub struct Skipped<E> {
    count: u64,
    lost_moves: u64,
    first: Vec<E>,
}

impl<E> Default for Skipped<E> {
    fn default() -> Self {
        Self { count: 0, lost_moves: 0, first: Vec::new() }
    }
}

impl<E> Skipped<E> {
    /// Largest number of faults that are kept in full.
    pub const LISTED: usize = 100;

    /// Returns the number of faults.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Returns the number of moves of games that were left out: a move that could not be made or
    /// read, and those after it, which refer to an unknown board. Moves of variations do not count.
    pub fn lost_moves(&self) -> u64 {
        self.lost_moves
    }

    /// Counts moves of a game that are left out.
    pub fn add_lost_moves(&mut self, moves: u64) {
        self.lost_moves += moves;
    }

    /// Completes a fault, if it is one of those kept in full, by what is known only after it.
    pub fn complete(&mut self, index: usize, complete: impl FnOnce(E) -> E) {
        if index < self.first.len() {
            let fault = self.first.remove(index);
            self.first.insert(index, complete(fault));
        }
    }

    /// Returns true if nothing was skipped.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the first faults, at most [`LISTED`](Self::LISTED).
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

    /// Adds a part of the input that was skipped because of an earlier fault and has no fault of
    /// its own.
    pub fn add_consequence(&mut self) {
        self.count += 1;
    }

    /// Appends the faults of another reader that continued where this one stopped.
    pub fn append(&mut self, later: Self) {
        self.count += later.count;
        self.lost_moves += later.lost_moves;
        let room = Self::LISTED - self.first.len();
        self.first.extend(later.first.into_iter().take(room));
    }

    /// Converts the faults.
    #[must_use]
    pub fn map<F>(self, convert: impl FnMut(E) -> F) -> Skipped<F> {
        let (count, lost_moves) = (self.count, self.lost_moves);
        Skipped { count, lost_moves, first: self.first.into_iter().map(convert).collect() }
    }
}

/// One line per fault, and a last line with the number of faults not listed.
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

/// The number, and the first faults as texts.
#[cfg(feature = "serde")]
impl<E: std::fmt::Display> serde::Serialize for Skipped<E> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct as _;

        let first: Vec<String> = self.first.iter().map(E::to_string).collect();
        let mut skipped = serializer.serialize_struct("Skipped", 3)?;
        skipped.serialize_field("count", &self.count)?;
        skipped.serialize_field("lost_moves", &self.lost_moves)?;
        skipped.serialize_field("first", &first)?;
        skipped.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_appended_part_is_counted_and_listed() {
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
