//! Principal variations.

use core::fmt;
use core::ops::Deref;
use core::str::FromStr;

use smallvec::SmallVec;

use crate::moves::Move;
use crate::usi::{UsiError, read_variation};

/// A line of moves, best play first to last (読み筋): a slice of moves that can grow.
///
/// Lines of up to sixteen moves need no allocation.
///
/// # Examples
///
/// ```
/// use komadai_core::{Move, Pv, Square};
///
/// let reply: Pv = "3c3d 8h2b+".parse()?;
/// let line = Pv::from_parts(Move::new(Square::S77, Square::S76), &reply);
/// assert_eq!(line.to_string(), "7g7f 3c3d 8h2b+");
/// assert_eq!(line.first(), Some(&Move::new(Square::S77, Square::S76)));
/// # Ok::<(), komadai_core::UsiError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub struct Pv(SmallVec<[Move; 16]>);

impl Pv {
    /// No moves.
    #[inline]
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes a line of a move and the line after it, as a search does when it returns from a node.
    pub fn from_parts(first: Move, rest: &[Move]) -> Self {
        let mut line = Self::new();
        line.set(first, rest);
        line
    }

    /// Replaces this line by a move and the line after it, reusing its memory.
    pub fn set(&mut self, first: Move, rest: &[Move]) {
        self.0.clear();
        self.0.push(first);
        self.0.extend_from_slice(rest);
    }

    /// Appends a move.
    #[inline]
    pub fn push(&mut self, m: Move) {
        self.0.push(m);
    }

    /// Keeps the first `length` moves.
    pub fn truncate(&mut self, length: usize) {
        self.0.truncate(length);
    }

    /// Removes all moves.
    #[inline]
    pub fn clear(&mut self) {
        self.0.clear();
    }
}

impl Deref for Pv {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.0
    }
}

impl From<&[Move]> for Pv {
    fn from(moves: &[Move]) -> Self {
        Self(SmallVec::from_slice(moves))
    }
}

impl FromIterator<Move> for Pv {
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> Self {
        Self(moves.into_iter().collect())
    }
}

impl Extend<Move> for Pv {
    fn extend<I: IntoIterator<Item = Move>>(&mut self, moves: I) {
        self.0.extend(moves);
    }
}

impl<'a> IntoIterator for &'a Pv {
    type Item = &'a Move;
    type IntoIter = core::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

/// `Pv(…)` around the USI text: `Pv(7g7f 3c3d)`.
impl fmt::Debug for Pv {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pv({self})")
    }
}

/// USI: the moves, separated by blanks.
impl fmt::Display for Pv {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, m) in self.iter().enumerate() {
            let blank = if index == 0 { "" } else { " " };
            write!(f, "{blank}{m}")?;
        }
        Ok(())
    }
}

impl FromStr for Pv {
    type Err = UsiError;

    /// Reads USI moves up to the end or up to one of the words with which engines end a line:
    /// `resign`, `win`, `rep_draw`, `rep_win`, `rep_lose`, `rep_sup`, `rep_inf`, `0000`, `null`,
    /// `pass`.
    fn from_str(text: &str) -> Result<Self, UsiError> {
        read_variation(text).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_ends_at_the_first_word_that_is_no_move() {
        for end in ["", " resign", " win 7g7f", " rep_inf", " 0000 8c8d", " null", " pass 7g7f"] {
            let line: Pv = format!("7g7f 3c3d{end}").parse().unwrap();
            assert_eq!(line.to_string(), "7g7f 3c3d", "{end}");
        }
        assert_eq!("".parse(), Ok(Pv::new()));
        let error = UsiError::BadMove { token: "x".into(), at: 5 };
        assert_eq!("7g7f x".parse::<Pv>(), Err(error));
    }

    #[test]
    fn a_line_can_be_rebuilt_in_place() {
        let tail: Pv = "3c3d 2g2f".parse().unwrap();
        let mut line: Pv = "1g1f 9c9d 1f1e".parse().unwrap();
        line.set(Move::from_bits(tail[1].to_bits()).unwrap(), &tail[..1]);
        assert_eq!(line.to_string(), "2g2f 3c3d");
        line.extend(tail.iter().copied());
        assert_eq!(line.len(), 4);
        line.truncate(1);
        assert_eq!(line, tail.iter().copied().skip(1).collect());
    }
}
