//! What a judge of positions says about one of them.

use core::ops::Not;
use core::time::Duration;

use crate::moves::Move;
use crate::pv::Pv;
use crate::score::Score;

/// How a score relates to the true value of the search that found it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
pub enum Bound {
    /// The score is the value.
    #[default]
    Exact,
    /// The value is the score or more (USI `lowerbound`): the search failed high.
    Lower,
    /// The value is the score or less (USI `upperbound`): the search failed low.
    Upper,
}

/// The bound that the negated score is: a lower bound for one side is an upper one for the other.
impl Not for Bound {
    type Output = Self;

    fn not(self) -> Self {
        match self {
            Self::Exact => Self::Exact,
            Self::Lower => Self::Upper,
            Self::Upper => Self::Lower,
        }
    }
}

/// A score and the play that leads to it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Line {
    /// The value, from the side to move of the analysed position.
    pub score: Score,
    /// Whether the value is exact.
    pub bound: Bound,
    /// The moves, starting in the analysed position. Empty where only a score is known.
    pub pv: Pv,
}

/// The judgement of one position: what a search reports, a USI `info` line says, a comment in a
/// game record holds and a book stores.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use komadai_core::{Analysis, Bound, Line, Score};
///
/// let analysis = Analysis {
///     depth: 12,
///     nodes: 150_000,
///     time: Duration::from_millis(300),
///     lines: vec![Line { score: Score::cp(35), bound: Bound::Exact, pv: "7g7f 3c3d".parse()? }],
///     completed: true,
///     ..Analysis::default()
/// };
/// assert_eq!(analysis.best_move(), Some("7g7f".parse()?));
/// assert_eq!(analysis.score(), Some(Score::cp(35)));
/// # Ok::<(), komadai_core::UsiError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Analysis {
    /// The number of plies looked ahead, 0 where it is not known.
    pub depth: u32,
    /// The length of the longest line looked at in plies, 0 where it is not known.
    pub seldepth: u32,
    /// The number of nodes visited, 0 where it is not known.
    pub nodes: u64,
    /// The time taken, zero where it is not known.
    pub time: Duration,
    /// The best lines, best first; one, unless more were asked for. Empty if nothing is known or
    /// the side to move has no move.
    pub lines: Vec<Line>,
    /// Whether the work was finished; `false` if its budget ran out, whatever was found by then.
    pub completed: bool,
}

impl Analysis {
    /// The first move of the best line.
    #[must_use]
    pub fn best_move(&self) -> Option<Move> {
        self.lines.first()?.pv.first().copied()
    }

    /// The score of the best line, for the side to move.
    #[must_use]
    pub fn score(&self) -> Option<Score> {
        Some(self.lines.first()?.score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_analysis_has_no_move_and_no_score() {
        assert_eq!(Analysis::default().best_move(), None);
        assert_eq!(Analysis::default().score(), None);
        let line = Line { score: Score::ZERO, bound: Bound::Lower, pv: Pv::new() };
        let analysis = Analysis { lines: vec![line], ..Analysis::default() };
        assert_eq!(analysis.best_move(), None);
        assert_eq!(analysis.score(), Some(Score::ZERO));
    }

    #[test]
    fn bounds_turn_with_the_sign() {
        assert_eq!(!Bound::Lower, Bound::Upper);
        assert_eq!(!!Bound::Upper, Bound::Upper);
        assert_eq!(!Bound::Exact, Bound::Exact);
    }
}
