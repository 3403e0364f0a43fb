//! The result of analysing one position.

use core::fmt;
use core::ops::Not;
use core::time::Duration;

use crate::moves::Move;
use crate::pv::Pv;
use crate::score::Score;

/// The relation of a score to the true value of the search that found it.
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

impl Bound {
    /// The sign before a value that people read: `≥`, `≤`, or nothing before an exact value.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::{Bound, Score};
    ///
    /// assert_eq!(format!("{}{}", Bound::Lower.sign(), Score::cp(35)), "≥cp 35");
    /// assert_eq!(Bound::Exact.sign(), "");
    /// ```
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Exact => "",
            Self::Lower => "≥",
            Self::Upper => "≤",
        }
    }

    /// Returns whether the score is the value.
    #[must_use]
    pub const fn is_exact(self) -> bool {
        matches!(self, Self::Exact)
    }
}

/// The bound of the negated score: a lower bound for one side is an upper bound for the other.
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

/// A score and the moves that lead to it.
///
/// Shown with its [bound](Bound::sign): `cp 35 7g7f 3c3d`, `≥cp 101 2g2f`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Line {
    /// The nominal depth in plies of the search that found the line, 0 if it is not known.
    #[cfg_attr(feature = "serde", serde(default))]
    pub depth: u32,
    /// The value, for the side to move of the analysed position.
    pub score: Score,
    /// The relation of `score` to the true value.
    pub bound: Bound,
    /// The moves, starting in the analysed position. Empty if only a score is known.
    pub pv: Pv,
}

impl Line {
    /// A line with an exact score, found at a depth that is not known.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::{Bound, Line, Score};
    ///
    /// let line = Line::exact(Score::cp(35), "7g7f 3c3d".parse()?);
    /// assert_eq!((line.bound, line.depth), (Bound::Exact, 0));
    /// let at_least = Line { depth: 12, bound: Bound::Lower, ..line };
    /// assert_eq!(at_least.score, Score::cp(35));
    /// # Ok::<(), komadai_core::UsiError>(())
    /// ```
    pub fn exact(score: Score, pv: Pv) -> Self {
        Self { depth: 0, score, bound: Bound::Exact, pv }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { score, bound, pv, .. } = self;
        write!(f, "{}{score}", bound.sign())?;
        if !pv.is_empty() {
            write!(f, " {pv}")?;
        }
        Ok(())
    }
}

/// The analysis of one position.
///
/// The one type for the report of a search, a USI `info` line, an engine's comment in a game record
/// and an entry of a book.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use komadai_core::{Analysis, Line, Score};
///
/// let analysis = Analysis {
///     depth: 12,
///     nodes: 150_000,
///     time: Duration::from_millis(300),
///     lines: vec![Line::exact(Score::cp(35), "7g7f 3c3d".parse()?)],
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
    /// The nominal depth of the last finished iteration in plies, 0 if it is not known.
    pub depth: u32,
    /// The length of the longest line searched in plies, 0 if it is not known.
    pub seldepth: u32,
    /// The number of nodes visited, 0 if it is not known.
    pub nodes: u64,
    /// The time taken, zero if it is not known.
    pub time: Duration,
    /// The best lines, best first; one line unless more were requested. Empty if no line is known
    /// or the side to move has no legal move.
    ///
    /// A search orders them by depth, deepest first, then by score, highest first. All have the
    /// same depth after a finished iteration. If the budget runs out in the middle of an iteration,
    /// the lines that it has reached are a ply deeper than [`depth`](Self::depth), and come first.
    pub lines: Vec<Line>,
    /// True if the search was finished; `false` if its budget ran out before.
    pub completed: bool,
}

impl Analysis {
    /// Returns the lines, the highest score first: a table for people, where lines of an unfinished
    /// iteration stand among the others. Lines with the same score keep their order.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::{Analysis, Line, Pv, Score};
    ///
    /// let line = |cp, depth| Line { depth, ..Line::exact(Score::cp(cp), Pv::new()) };
    /// let analysis = Analysis { lines: vec![line(10, 8), line(40, 7)], ..Analysis::default() };
    /// let scores: Vec<Score> = analysis.by_score().iter().map(|line| line.score).collect();
    /// assert_eq!(scores, [Score::cp(40), Score::cp(10)]);
    /// ```
    pub fn by_score(&self) -> Vec<&Line> {
        let mut lines: Vec<&Line> = self.lines.iter().collect();
        lines.sort_by_key(|line| std::cmp::Reverse(line.score));
        lines
    }

    /// The first move of the best line.
    pub fn best_move(&self) -> Option<Move> {
        self.lines.first()?.pv.first().copied()
    }

    /// The number of nodes visited in a second, 0 if nodes or time are not known.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use komadai_core::Analysis;
    ///
    /// let time = Duration::from_millis(20);
    /// assert_eq!(Analysis { nodes: 10_000, time, ..Analysis::default() }.nps(), 500_000);
    /// assert_eq!(Analysis { nodes: 10_000, ..Analysis::default() }.nps(), 0);
    /// ```
    pub fn nps(&self) -> u64 {
        let per_second = (u128::from(self.nodes) * 1_000_000_000).checked_div(self.time.as_nanos());
        per_second.map_or(0, |nps| nps.try_into().unwrap_or(u64::MAX))
    }

    /// The score of the best line, for the side to move.
    ///
    /// It may be a [bound](Line::bound), if the budget ended within an iteration:
    /// [`exact_score`](Self::exact_score) tells these apart.
    pub fn score(&self) -> Option<Score> {
        Some(self.lines.first()?.score)
    }

    /// The score of the best line, for the side to move, if it is the value and not a bound.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::{Analysis, Bound, Line, Score};
    ///
    /// let value = Line::exact(Score::cp(35), "7g7f".parse()?);
    /// let bound = Line { bound: Bound::Lower, ..value.clone() };
    /// let of = |line| Analysis { lines: vec![line], ..Analysis::default() };
    /// assert_eq!(of(value).exact_score(), Some(Score::cp(35)));
    /// assert_eq!(of(bound.clone()).exact_score(), None);
    /// assert_eq!(of(bound).score(), Some(Score::cp(35)));
    /// # Ok::<(), komadai_core::UsiError>(())
    /// ```
    pub fn exact_score(&self) -> Option<Score> {
        let best = self.lines.first()?;
        best.bound.is_exact().then_some(best.score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_analysis_has_no_move_and_no_score() {
        assert_eq!(Analysis::default().best_move(), None);
        assert_eq!(Analysis::default().score(), None);
        let line = Line { bound: Bound::Lower, ..Line::exact(Score::ZERO, Pv::new()) };
        let analysis = Analysis { lines: vec![line], ..Analysis::default() };
        assert_eq!(analysis.best_move(), None);
        assert_eq!(analysis.score(), Some(Score::ZERO));
        assert_eq!(analysis.exact_score(), None);
        assert_eq!(Analysis::default().exact_score(), None);
    }

    #[test]
    fn a_line_is_shown_with_its_bound() {
        let exact = Line::exact(Score::cp(-12), "7g7f 3c3d".parse().unwrap());
        let without_moves = Line { pv: Pv::new(), ..exact.clone() };
        for (line, text) in [
            (exact.clone(), "cp -12 7g7f 3c3d"),
            (Line { bound: Bound::Lower, ..exact.clone() }, "≥cp -12 7g7f 3c3d"),
            (
                Line { bound: Bound::Upper, score: Score::mated_in(4), ..exact },
                "≤mate -4 7g7f 3c3d",
            ),
            (without_moves.clone(), "cp -12"),
            (Line { bound: Bound::Upper, ..without_moves }, "≤cp -12"),
        ] {
            assert_eq!(line.to_string(), text);
        }
    }

    #[test]
    fn bounds_turn_with_the_sign() {
        assert_eq!(!Bound::Lower, Bound::Upper);
        assert_eq!(!!Bound::Upper, Bound::Upper);
        assert_eq!(!Bound::Exact, Bound::Exact);
    }
}
