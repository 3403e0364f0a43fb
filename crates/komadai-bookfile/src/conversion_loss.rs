//! Data that a file format cannot hold.

use std::fmt;
use std::ops::AddAssign;

/// Number of items that a writer omitted because its format cannot hold them, by kind.
///
/// Every writer of book files returns one, so that a conversion can report its losses. It is
/// printed as one line for each kind with losses; without losses the text is empty.
///
/// # Examples
///
/// ```
/// use komadai_bookfile::ConversionLoss;
///
/// let mut lost = ConversionLoss::default();
/// assert!(lost.is_empty());
/// lost.comments += 1;
/// lost.counts += 20;
/// assert_eq!(lost.to_string(), "comments: 1\ncounts of moves: 20\n");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct ConversionLoss {
    /// Comments on positions and on moves.
    pub comments: u64,
    /// Counts of the games in which a move was made.
    pub counts: u64,
    /// Expected answers.
    pub ponders: u64,
    /// Depths of moves.
    pub depths: u64,
    /// Move numbers of positions, omitted or clamped to the range of the format.
    pub plies: u64,
    /// Marks on moves, such as good or bad.
    pub marks: u64,
    /// Results of the games through a position.
    pub results: u64,
    /// Evaluations of positions as a whole.
    pub evals: u64,
    /// Values of moves, omitted or clamped to the range of the format.
    pub values: u64,
    /// Moves that the format cannot hold.
    pub moves: u64,
    /// Positions that the format cannot hold. Their content is not counted again.
    pub positions: u64,
}

impl ConversionLoss {
    /// Returns true if nothing was lost.
    pub fn is_empty(&self) -> bool {
        self.kinds().all(|(_, count)| count == 0)
    }

    /// Appends the number of kinds with losses, a byte, and for each of them its number, a byte,
    /// and its count, a little-endian `u64`.
    pub(crate) fn encode(&self, bytes: &mut Vec<u8>) {
        // Most records lose a few kinds only: absent kinds take no bytes in temporary files.
        let lost = self.kinds().zip(0_u8..).filter(|((_, count), _)| *count != 0);
        bytes.push(lost.clone().count() as u8);
        for ((_, count), kind) in lost {
            bytes.push(kind);
            bytes.extend(count.to_le_bytes());
        }
    }

    /// Reads the bytes that [`encode`](Self::encode) wrote and returns the bytes after them; `None`
    /// if they are damaged.
    pub(crate) fn decode(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (&kinds, mut bytes) = bytes.split_first()?;
        let mut lost = Self::default();
        for _ in 0..kinds {
            let (&kind, rest) = bytes.split_first()?;
            let (count, rest) = rest.split_first_chunk()?;
            **lost.counts_mut().get_mut(usize::from(kind))? = u64::from_le_bytes(*count);
            bytes = rest;
        }
        Some((lost, bytes))
    }

    /// The counts in the order of [`kinds`](Self::kinds).
    fn counts_mut(&mut self) -> [&mut u64; 11] {
        [
            &mut self.comments,
            &mut self.counts,
            &mut self.ponders,
            &mut self.depths,
            &mut self.plies,
            &mut self.marks,
            &mut self.results,
            &mut self.evals,
            &mut self.values,
            &mut self.moves,
            &mut self.positions,
        ]
    }

    /// Each kind in words, with its count.
    pub fn kinds(&self) -> impl ExactSizeIterator<Item = (&'static str, u64)> + Clone + use<> {
        [
            ("comments", self.comments),
            ("counts of moves", self.counts),
            ("expected answers", self.ponders),
            ("depths of moves", self.depths),
            ("move numbers", self.plies),
            ("marks on moves", self.marks),
            ("results of games", self.results),
            ("judgements of positions", self.evals),
            ("values of moves", self.values),
            ("moves", self.moves),
            ("positions", self.positions),
        ]
        .into_iter()
    }
}

impl AddAssign for ConversionLoss {
    fn add_assign(&mut self, other: Self) {
        for (sum, (_, count)) in self.counts_mut().into_iter().zip(other.kinds()) {
            *sum += count;
        }
    }
}

impl fmt::Display for ConversionLoss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lost = self.kinds().filter(|&(_, count)| count != 0);
        lost.try_for_each(|(what, count)| writeln!(f, "{what}: {count}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_is_added_and_printed() {
        let one = ConversionLoss {
            comments: 1,
            counts: 1,
            ponders: 1,
            depths: 1,
            plies: 1,
            marks: 1,
            results: 1,
            evals: 1,
            values: 1,
            moves: 1,
            positions: 1,
        };
        let mut sum = ConversionLoss::default();
        assert!(sum.is_empty());
        assert_eq!(sum.to_string(), "");
        sum += one.clone();
        assert_eq!(sum, one);
        assert!(!sum.is_empty());
        sum += one;
        let text = sum.to_string();
        assert_eq!(text.lines().count(), sum.kinds().len());
        assert!(text.lines().all(|line| line.ends_with(": 2")), "{text}");
    }

    #[test]
    fn bytes_keep_every_kind_and_nothing_damaged_is_trusted() {
        let mut all = ConversionLoss::default();
        for (count, number) in all.counts_mut().into_iter().zip(1..) {
            *count = number;
        }
        let some = ConversionLoss { evals: u64::MAX, ..ConversionLoss::default() };
        for lost in [ConversionLoss::default(), some, all] {
            let mut bytes = Vec::new();
            lost.encode(&mut bytes);
            assert!(
                (0..bytes.len()).all(|length| ConversionLoss::decode(&bytes[..length]).is_none())
            );
            bytes.push(7);
            assert_eq!(ConversionLoss::decode(&bytes), Some((lost, &[7][..])));
        }
        assert_eq!(ConversionLoss::decode(&[1, 11, 0, 0, 0, 0, 0, 0, 0, 0]), None);
    }
}
