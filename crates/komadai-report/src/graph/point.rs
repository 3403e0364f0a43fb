//! The points of a graph.

use komadai_core::{Color, Score};

use super::scale::win_probability;

/// The value of the position after a number of plies.
///
/// # Examples
///
/// ```
/// use komadai_core::Score;
/// use komadai_report::{GraphPoint, PointMark};
///
/// let point = GraphPoint::new(58, Some(Score::cp(-900)));
/// let point = point.with_mark(PointMark::Blunder).with_label("▲５八金右");
/// assert_eq!(point.ply, 58);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct GraphPoint {
    /// The number of moves made, 0 for the start.
    pub ply: u32,
    /// The value for Black; `None` if it is unknown.
    pub score: Option<Score>,
    /// The mark of the move that led to the position.
    pub mark: Option<PointMark>,
    /// The name of that move, which is written beside a mark.
    pub label: Option<String>,
}

impl GraphPoint {
    /// Creates a point without a mark.
    #[must_use]
    pub fn new(ply: u32, score: Option<Score>) -> Self {
        Self { ply, score, mark: None, label: None }
    }

    /// Returns the same point with a mark.
    #[must_use]
    pub fn with_mark(self, mark: PointMark) -> Self {
        Self { mark: Some(mark), ..self }
    }

    /// Returns the same point with the name of the move that led to it.
    #[must_use]
    pub fn with_label(self, label: impl Into<String>) -> Self {
        Self { label: Some(label.into()), ..self }
    }
}

/// The mark of a move that lost value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum PointMark {
    /// 疑問手: the move lost a little, written `?!`.
    Inaccuracy,
    /// 悪手: the move lost much, written `?`.
    Mistake,
    /// 大悪手: the move may have lost the game, written `??`.
    Blunder,
}

impl PointMark {
    /// Returns the mark of a move that lost this share of the winning probability; `None` below 0.05.
    ///
    /// The limits are 0.05, 0.1 and 0.2, a convention.
    #[must_use]
    pub fn of_loss(loss: f64) -> Option<Self> {
        match loss {
            0.2.. => Some(Self::Blunder),
            0.1.. => Some(Self::Mistake),
            0.05.. => Some(Self::Inaccuracy),
            _ => None,
        }
    }

    /// Returns the signs of the mark: `?!`, `?` or `??`.
    #[must_use]
    pub fn signs(self) -> &'static str {
        match self {
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }
}

/// Marks the moves that lost value; `first` is the side that makes the first move.
///
/// A move gets a mark if the points before and after it have values and the winning probability of its side,
/// `1 / (1 + exp(−centipawns / 600))`, fell as [`PointMark::of_loss`] requires. The points are in the order of
/// plies. Marks that points have already are kept.
///
/// # Examples
///
/// ```
/// use komadai_core::{Color, Score};
/// use komadai_report::{GraphPoint, PointMark, mark_losses};
///
/// let values = [30, 40, 900, 850];
/// let points = (0..).zip(values).map(|(ply, cp)| GraphPoint::new(ply, Some(Score::cp(cp))));
/// let mut points: Vec<GraphPoint> = points.collect();
/// mark_losses(&mut points, Color::Black);
/// // The second move is White's.
/// let marks: Vec<Option<PointMark>> = points.iter().map(|point| point.mark).collect();
/// assert_eq!(marks, [None, None, Some(PointMark::Blunder), None]);
/// ```
pub fn mark_losses(points: &mut [GraphPoint], first: Color) {
    let mut before: Option<(u32, Score)> = None;
    for point in points {
        let Some(score) = point.score else { continue };
        let last = before.replace((point.ply, score));
        let Some((_, old)) = last.filter(|&(ply, _)| ply.checked_add(1) == Some(point.ply)) else {
            continue;
        };
        let mover = if point.ply % 2 == 1 { first } else { !first };
        let lost = win_probability(old) - win_probability(score);
        let lost = if mover == Color::Black { lost } else { -lost };
        point.mark = point.mark.or(PointMark::of_loss(lost));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(values: &[Option<i32>], first: Color) -> Vec<&'static str> {
        let points = (0..).zip(values).map(|(ply, &cp)| GraphPoint::new(ply, cp.map(Score::cp)));
        let mut points: Vec<GraphPoint> = points.collect();
        mark_losses(&mut points, first);
        points.iter().map(|point| point.mark.map_or("", PointMark::signs)).collect()
    }

    #[test]
    fn only_the_side_that_moved_loses() {
        let values = [0, -100, 30, 200, 600].map(Some);
        assert_eq!(marks(&values, Color::Black), ["", "", "?!", "", "?"]);
        assert_eq!(marks(&values, Color::White), ["", "", "", "?!", ""]);
    }

    #[test]
    fn moves_without_values_on_both_sides_have_no_mark() {
        let values = [Some(0), None, Some(2_000), Some(-2_000)];
        assert_eq!(marks(&values, Color::Black), ["", "", "", "??"]);
        // In a lost position nothing is lost.
        assert_eq!(marks(&[Some(-4_000), Some(-9_000)], Color::Black), ["", ""]);
    }
}
