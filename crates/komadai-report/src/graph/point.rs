//! The points of a graph.

use komadai_core::{Bound, Color, Score};

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
/// let blunder = GraphPoint { mark: Some(PointMark::Blunder), ..point };
/// assert_eq!(blunder.ply, 58);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphPoint {
    /// The number of moves made, 0 for the start.
    pub ply: u32,
    /// The value for Black; `None` if it is unknown.
    pub score: Option<Score>,
    /// The relation of `score` to the value for Black.
    pub bound: Bound,
    /// The mark of the move that led to the position.
    pub mark: Option<PointMark>,
    /// The name of that move, which is written beside a mark.
    pub label: Option<String>,
}

impl GraphPoint {
    /// Creates a point without a mark.
    pub fn new(ply: u32, score: Option<Score>) -> Self {
        Self { ply, score, bound: Bound::Exact, mark: None, label: None }
    }
}

/// The mark of a move that lost value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum PointMark {
    /// 緩手: the move lost a little, written `?!`.
    Inaccuracy,
    /// 疑問手: the move lost much, written `?`.
    Mistake,
    /// 悪手: the move may have lost the game, written `??`.
    Blunder,
}

impl PointMark {
    /// Returns the mark of a move that lost this share of the winning probability; `None` below
    /// 0.05.
    ///
    /// The limits are 0.05, 0.1 and 0.2, a convention.
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
/// A move gets a mark if the points before and after it have values and the winning probability of
/// its side, `1 / (1 + exp(−centipawns / 600))`, fell as [`PointMark::of_loss`] requires. The
/// points are in the order of plies. Marks that points have already are kept. Values that are
/// bounds count where they prove the loss: the value before the move is at least so good, or the
/// one after it at most.
///
/// Records of games between engines often have the values of both players in turn, which disagree.
/// The values are taken as such if those of successive plies differ more, on average, than those
/// two plies apart. The value after a move is then the one after the reply, which is by the same
/// player as the value before the move.
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
    for (index, lost) in losses(points, first) {
        let point = &mut points[index];
        point.mark = point.mark.or(PointMark::of_loss(lost));
    }
}

/// Returns the losses of moves in winning probability, by the rules of [`mark_losses`], with the
/// indices of the points after them. A move that won something has a negative loss.
pub(crate) fn losses(points: &[GraphPoint], first: Color) -> Vec<(usize, f64)> {
    let mut losses = Vec::new();
    let win = |(index, point): (usize, &GraphPoint)| {
        let win = win_probability(point.score?);
        Some(Known { index, ply: point.ply, win, bound: point.bound })
    };
    let known: Vec<Known> = points.iter().enumerate().filter_map(win).collect();
    let are_in_turn = are_in_turn(&known);
    for (place, pair) in known.windows(2).enumerate() {
        let [before, at] = [&pair[0], &pair[1]];
        let after = if are_in_turn { known.get(place + 2) } else { Some(at) };
        let Some(after) = after.filter(|_| before.is_before(at)) else { continue };
        if are_in_turn && !at.is_before(after) {
            continue;
        }
        let mover = if at.ply % 2 == 1 { first } else { !first };
        let lost = before.win - after.win;
        let lost = if mover == Color::Black { lost } else { -lost };
        let [worse, better] = if mover == Color::Black {
            [Bound::Upper, Bound::Lower]
        } else {
            [Bound::Lower, Bound::Upper]
        };
        if before.bound == worse || after.bound == better {
            continue;
        }
        losses.push((at.index, lost));
    }
    losses
}

/// A point with a value.
struct Known {
    index: usize,
    ply: u32,
    /// The winning probability of Black.
    win: f64,
    /// The relation of the value to the true one.
    bound: Bound,
}

impl Known {
    fn is_before(&self, next: &Self) -> bool {
        self.ply.checked_add(1) == Some(next.ply)
    }
}

/// Returns true if values of successive plies differ more than those two plies apart.
fn are_in_turn(known: &[Known]) -> bool {
    let runs = known.windows(3);
    let runs = runs.filter(|run| run[0].is_before(&run[1]) && run[1].is_before(&run[2]));
    let differences = runs.map(|run| {
        let one = (run[2].win - run[1].win).abs();
        one - (run[2].win - run[0].win).abs()
    });
    differences.sum::<f64>() > 0.0
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
    fn values_of_two_players_in_turn_are_not_compared() {
        let zigzag = [300, -300, 310, -310, 290, -280, 300, -300].map(Some);
        assert!(marks(&zigzag, Color::Black).iter().all(|mark| mark.is_empty()));
        // Both see that the move 4 was bad.
        let blunder = [300, -300, 310, -310, 1_500, 800, 1_500, 800].map(Some);
        assert_eq!(marks(&blunder, Color::Black), ["", "", "", "", "??", "", "", ""]);
    }

    #[test]
    fn bounds_mark_a_move_only_where_they_prove_the_loss() {
        use Bound::{Exact, Lower, Upper};
        for (first, values, mark) in [
            (Color::Black, [(0, Exact), (-900, Exact)], "??"),
            (Color::Black, [(0, Lower), (-900, Exact)], "??"),
            (Color::Black, [(0, Exact), (-900, Upper)], "??"),
            (Color::Black, [(0, Upper), (-900, Exact)], ""),
            (Color::Black, [(0, Exact), (-900, Lower)], ""),
            (Color::White, [(0, Exact), (900, Exact)], "??"),
            (Color::White, [(0, Upper), (900, Lower)], "??"),
            (Color::White, [(0, Lower), (900, Exact)], ""),
            (Color::White, [(0, Exact), (900, Upper)], ""),
        ] {
            let points = (0..).zip(values);
            let points = points.map(|(ply, (cp, bound))| GraphPoint {
                bound,
                ..GraphPoint::new(ply, Some(Score::cp(cp)))
            });
            let mut points: Vec<GraphPoint> = points.collect();
            mark_losses(&mut points, first);
            let found = points[1].mark.map_or("", PointMark::signs);
            assert_eq!(found, mark, "{first:?} {values:?}");
        }
    }

    #[test]
    fn moves_without_values_on_both_sides_have_no_mark() {
        let values = [Some(0), None, Some(2_000), Some(-2_000)];
        assert_eq!(marks(&values, Color::Black), ["", "", "", "??"]);
        // In a lost position nothing is lost.
        assert_eq!(marks(&[Some(-4_000), Some(-9_000)], Color::Black), ["", ""]);
    }
}
