//! Aspiration windows: an iteration starts with a narrow window around the value of the last one.
//!
//! Source: G. Baudet, "The design and analysis of algorithms for asynchronous multiprocessors",
//! Carnegie Mellon University, 1978.

use komadai_core::Bound;

use crate::parameters::Parameters;
use crate::root_move::RootMove;
use crate::value::{Value, WON_BY_RULE, Window, is_decided};

/// The smallest iteration with an aspiration window: the values of shallower ones jump too much.
pub(super) const MIN_ITERATION: i32 = 4;

/// The iteration from which on windows keep their width.
const LATE_ITERATION: i32 = 8;

/// Returns half the width of the first window of an iteration around a steady value.
pub(super) fn first_margin(p: &Parameters, iteration: i32) -> Value {
    let span = LATE_ITERATION - MIN_ITERATION;
    let beyond = (iteration - MIN_ITERATION).clamp(0, span);
    let percent = 100 + (p.aspiration_late - 100) * beyond / span;
    (p.aspiration * percent / 100).max(1)
}

/// Returns the window of the next search, if `value` is not inside `window`.
///
/// The window grows on the side that failed, by more with each failure. After a fail-low, beta
/// moves down into the old window, because the true value lies below it (Stockfish).
pub(super) fn widened(
    p: &Parameters,
    window: Window,
    value: Value,
    margin: Value,
) -> Option<Window> {
    let Window { alpha, beta } = window;
    if value <= alpha && alpha > Window::FULL.alpha {
        let lower = if is_decided(value) { Window::FULL.alpha } else { value - 2 * margin };
        let kept = p.aspiration_kept;
        Some(Window { alpha: lower, beta: ((100 - kept) * alpha + kept * beta) / 100 })
    } else if value >= beta && beta < Window::FULL.beta {
        let upper = if is_decided(value) { Window::FULL.beta } else { value + 2 * margin };
        Some(Window { alpha, beta: upper })
    } else {
        None
    }
}

/// The largest distance from the last exact value, in centipawns, that a step without an exact
/// value can report.
///
/// Windows grow by doubling: while a mate is being found, each failure names a limit twice as far
/// away that is the value of nothing on the board. The limit is about the value of a rook in hand.
/// Of the edges of 20,000 nodes a search, 95 % are within 500, so that a step which fails because a
/// piece is lost or won is shown as it is.
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
    fn first_windows_change_steadily_up_to_the_eighth_iteration() {
        let margins = |aspiration_late| {
            let p = Parameters { aspiration: 60, aspiration_late, ..Parameters::default() };
            [4, 6, 8, 30].map(|iteration| first_margin(&p, iteration))
        };
        assert_eq!(margins(100), [60; 4]);
        assert_eq!(margins(30), [60, 39, 18, 18]);
    }

    #[test]
    fn windows_widen_on_the_side_that_failed_and_always_end_up_open() {
        let widened =
            |window, value, margin| super::widened(&Parameters::default(), window, value, margin);
        let window = Window { alpha: -30, beta: 30 };
        assert_eq!(widened(window, 0, 30), None);
        assert_eq!(widened(window, -50, 30), Some(Window { alpha: -110, beta: 0 }));
        assert_eq!(widened(window, 40, 30), Some(Window { alpha: -30, beta: 100 }));
        assert_eq!(widened(Window::FULL, 31_000, 30), None);
        for value in [31_000, -31_000] {
            let mut window = window;
            for _ in 0..2 {
                if let Some(wider) = widened(window, value, 30) {
                    window = wider;
                }
            }
            assert_eq!(widened(window, value, 30), None);
        }
    }
}
