//! What a file format cannot say.

use std::fmt;
use std::ops::AddAssign;

/// What a writer had to leave out because its format has no place for it, counted by kind.
///
/// Every writer of book files returns one, so that a conversion can state what it costs. It prints
/// one line for each kind that was lost, and nothing if nothing was.
///
/// # Examples
///
/// ```
/// use komadai_book::Lost;
///
/// let mut lost = Lost::default();
/// assert!(lost.is_nothing());
/// lost.comments += 1;
/// lost.counts += 20;
/// assert_eq!(lost.to_string(), "comments: 1\ncounts of moves: 20\n");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Lost {
    /// Comments on positions and on moves.
    pub comments: u64,
    /// Counts of the games in which a move was made.
    pub counts: u64,
    /// Expected answers.
    pub ponders: u64,
    /// Depths of moves.
    pub depths: u64,
    /// Move numbers of positions, left out or cut to what the format holds.
    pub plies: u64,
    /// Marks on moves, such as good or bad.
    pub marks: u64,
    /// Results of the games through a position.
    pub results: u64,
    /// Judgements of a position as a whole.
    pub evals: u64,
    /// Values of moves, left out or cut to what the format holds.
    pub values: u64,
    /// Moves that the format cannot hold.
    pub moves: u64,
    /// Positions that the format cannot hold. What they hold is not counted again.
    pub positions: u64,
}

impl Lost {
    /// Whether nothing was left out.
    #[must_use]
    pub fn is_nothing(&self) -> bool {
        self.kinds().all(|(_, count)| count == 0)
    }

    /// Each kind in words and how often it was lost.
    pub fn kinds(&self) -> impl ExactSizeIterator<Item = (&'static str, u64)> + use<> {
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

impl AddAssign for Lost {
    fn add_assign(&mut self, other: Self) {
        self.comments += other.comments;
        self.counts += other.counts;
        self.ponders += other.ponders;
        self.depths += other.depths;
        self.plies += other.plies;
        self.marks += other.marks;
        self.results += other.results;
        self.evals += other.evals;
        self.values += other.values;
        self.moves += other.moves;
        self.positions += other.positions;
    }
}

impl fmt::Display for Lost {
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
        let one = Lost {
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
        let mut sum = Lost::default();
        assert!(sum.is_nothing());
        assert_eq!(sum.to_string(), "");
        sum += one.clone();
        assert_eq!(sum, one);
        assert!(!sum.is_nothing());
        sum += one;
        let text = sum.to_string();
        assert_eq!(text.lines().count(), sum.kinds().len());
        assert!(text.lines().all(|line| line.ends_with(": 2")), "{text}");
    }
}
