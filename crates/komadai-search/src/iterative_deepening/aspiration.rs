//! Aspiration windows: an iteration starts with a narrow window around the value of the last one.
//!
//! Source: G. Baudet, "The design and analysis of algorithms for asynchronous multiprocessors",
//! Carnegie Mellon University, 1978.

use komadai_core::Bound;

use crate::parameters::Parameters;
use crate::pruning::Earliness;
use crate::root_move::RootMove;
use crate::value::{Value, WON_BY_RULE, Window, is_decided};

/// The value of a line and how steady it has been.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Trend {
    /// The value of the last search.
    pub(super) value: Value,
    /// The mean change from one search to the next; each change counts half as much as the one
    /// after it.
    unrest: Value,
}

impl Trend {
    /// Returns the trend after one more value; a decided game is no value.
    pub(super) fn with(before: Option<Self>, value: Value) -> Option<Self> {
        match before {
            _ if is_decided(value) => before,
            None => Some(Self { value, unrest: 0 }),
            Some(Self { value: last, unrest }) => {
                Some(Self { value, unrest: (unrest + (value - last).abs()) / 2 })
            }
        }
    }

    /// Returns half the width of the first window of an iteration: a value that has changed will
    /// change again.
    pub(super) fn margin(self, p: &Parameters, earliness: Earliness) -> Value {
        let steady = earliness.between(p.early_aspiration, p.aspiration);
        steady + self.unrest * p.aspiration_unrest / 100
    }
}

/// Returns the window of the next search, if `value` is not inside `window`.
///
/// The window moves to the side that failed. After a fail-low, beta is the old alpha, because the
/// true value lies below it.
pub(super) fn moved(window: Window, value: Value, margin: Value) -> Option<Window> {
    let Window { alpha, beta } = window;
    if value <= alpha && alpha > Window::FULL.alpha {
        let lower = if is_decided(value) { Window::FULL.alpha } else { value - margin };
        Some(Window { alpha: lower.max(Window::FULL.alpha), beta: alpha })
    } else if value >= beta && beta < Window::FULL.beta {
        let upper = if is_decided(value) { Window::FULL.beta } else { value + margin };
        let upper = upper.min(Window::FULL.beta);
        Some(Window { alpha: alpha.max(beta - margin), beta: upper })
    } else {
        None
    }
}

/// The largest distance from the last exact value, in centipawns, that a step without an exact
/// value can report.
///
/// Windows grow with each failure: while a mate is being found, each names a limit further away
/// that is the value of nothing on the board. The limit is about the value of a rook in hand, so
/// that a step which fails because a piece is lost or won is shown as it is.
pub(super) const FAR: Value = 1_000;

/// Corrects the results of a search that ended before it had an exact value for the best of
/// `moves`, the line that is searched in the iteration `depth`. `before` are these moves as they
/// were at its beginning, and `best` was then the value of the first line.
///
/// A value far below the expected one is the result of one move, and the others might be better:
/// all goes back to the state before (after Stockfish, for losses by mate alone). A lower bound far
/// above the first line is lowered, which leaves it true, unless it has decided the game: a mate
/// that was found is a fact.
pub(super) fn unfinished(moves: &mut [RootMove], before: &[RootMove], best: Value, depth: i32) {
    let (Some(found), Some(expected)) = (moves.first_mut(), before.first()) else { return };
    let value = if expected.bound.is_exact() { expected.value } else { best };
    if found.value < value - FAR {
        moves.clone_from_slice(before);
    } else if found.bound == Bound::Lower && found.value < WON_BY_RULE && !is_decided(best) {
        found.value = found.value.min(best + FAR);
    }
    // A move that failed high, and then did not in a wider window, is at most as good as the first
    // line.
    for refuted in moves.iter_mut().filter(|root| root.bound == Bound::Lower) {
        if refuted.iteration < depth {
            (refuted.bound, refuted.value) = (Bound::Upper, refuted.value.min(best));
        }
    }
}

#[cfg(test)]
mod tests {
    use komadai_core::Pv;

    use super::*;
    use crate::value::{mated, mating};

    fn result(m: &str, value: Value, bound: Bound, iteration: i32) -> RootMove {
        let m = m.parse().unwrap();
        RootMove { m, value, bound, pv: Pv::from_parts(m, &[]), iteration }
    }

    #[test]
    fn a_step_without_an_exact_value_reports_nothing_far_from_the_last_one() {
        // The bound and the value found for a move, and what is reported: `None` for the results
        // before.
        for (m, value, bound, reported) in [
            ("7g7f", 116, Bound::Lower, Some(116)),
            ("2g2f", 1_049, Bound::Lower, Some(1_049)),
            ("7g7f", 19_646, Bound::Lower, Some(1_050)),
            ("2g2f", 19_646, Bound::Lower, Some(1_050)),
            ("2g2f", 25_000, Bound::Lower, Some(1_050)),
            ("2g2f", mating(9), Bound::Lower, Some(mating(9))),
            ("2g2f", WON_BY_RULE, Bound::Lower, Some(WON_BY_RULE)),
            ("7g7f", -16, Bound::Upper, Some(-16)),
            ("7g7f", -950, Bound::Upper, Some(-950)),
            ("7g7f", -951, Bound::Upper, None),
            ("7g7f", -951, Bound::Exact, None),
            ("2g2f", -2_000, Bound::Lower, None),
            ("2g2f", mated(8), Bound::Upper, None),
        ] {
            let before =
                vec![result("7g7f", 50, Bound::Exact, 7), result("2g2f", 20, Bound::Exact, 6)];
            let mut moves = before.clone();
            let at = moves.iter().position(|root| root.m.to_string() == m).unwrap();
            moves[at] = result(m, value, bound, 8);
            moves.swap(0, at);
            let key = |root: &RootMove| (root.m, root.value, root.bound, root.iteration);
            let expected: Vec<_> = match reported {
                Some(value) => {
                    let new = RootMove { value, ..moves[0].clone() };
                    [new].iter().chain(&moves[1..]).map(key).collect()
                }
                None => before.iter().map(key).collect(),
            };
            unfinished(&mut moves, &before, 50, 8);
            assert_eq!(
                moves.iter().map(key).collect::<Vec<_>>(),
                expected,
                "{m} {value} {bound:?}"
            );
        }
    }

    #[test]
    fn a_lower_bound_that_a_wider_window_refuted_is_no_lower_bound() {
        let of = |iteration| {
            let mut moves = vec![
                result("7g7f", 50, Bound::Exact, 7),
                result("2g2f", 19_646, Bound::Lower, iteration),
            ];
            let before = moves.clone();
            unfinished(&mut moves[1..], &before[1..], 50, 7);
            (moves[1].value, moves[1].bound)
        };
        assert_eq!(of(6), (50, Bound::Upper));
        assert_eq!(of(7), (1_050, Bound::Lower));
    }

    #[test]
    fn first_windows_are_wider_where_values_change() {
        let p = Parameters::default();
        let window = |values: &[Value]| {
            let trend = values.iter().fold(None, |trend, &value| Trend::with(trend, value));
            trend.map(|trend| (trend.value, trend.margin(&p, Earliness::of_iteration(20))))
        };
        assert_eq!(window(&[]), None);
        assert_eq!(window(&[700, 700]), Some((700, p.aspiration)));
        let (value, margin) = window(&[400, 800]).unwrap();
        assert_eq!(value, 800);
        assert_eq!(margin, p.aspiration + 200 * p.aspiration_unrest / 100);
        assert_eq!(window(&[50, mating(5)]), window(&[50]), "a mate is no value");
    }

    #[test]
    fn windows_move_to_the_side_that_failed_and_end_up_open() {
        let window = Window { alpha: -30, beta: 30 };
        assert_eq!(moved(window, 0, 30), None);
        assert_eq!(moved(window, -50, 30), Some(Window { alpha: -80, beta: -30 }));
        assert_eq!(moved(window, 40, 30), Some(Window { alpha: 0, beta: 70 }));
        assert_eq!(moved(Window::FULL, 31_000, 30), None);
        for value in [31_000, -31_000] {
            let wider = moved(window, value, 30).unwrap();
            assert_eq!(moved(wider, value, 30), None);
        }
    }
}
