//! Aspiration windows: an iteration starts with a narrow window around the value of the last one.
//!
//! Source: G. Baudet, "The design and analysis of algorithms for asynchronous multiprocessors", Carnegie
//! Mellon University, 1978.

use crate::value::{Value, Window, is_decided};

/// The smallest iteration with an aspiration window: the values of shallower ones jump too much.
pub(super) const MIN_ITERATION: i32 = 4;

/// Half the width of the classical window in centipawns.
///
/// Source: the glossary of computer shogi (2009), "aspiration search".
pub(super) const CLASSICAL_MARGIN: Value = 150;

/// Returns the window of the next search, if `value` is not inside `window`.
///
/// The window grows on the side that failed, by more with each failure. After a fail-low, beta moves
/// to the middle of the old window, because the true value lies below it (Stockfish).
pub(super) fn widened(window: Window, value: Value, margin: Value) -> Option<Window> {
    let Window { alpha, beta } = window;
    if value <= alpha && alpha > Window::FULL.alpha {
        let lower = if is_decided(value) { Window::FULL.alpha } else { value - 2 * margin };
        Some(Window { alpha: lower, beta: (alpha + beta) / 2 })
    } else if value >= beta && beta < Window::FULL.beta {
        let upper = if is_decided(value) { Window::FULL.beta } else { value + 2 * margin };
        Some(Window { alpha, beta: upper })
    } else {
        None
    }
}

/// Returns the window opened completely on the side that failed: the classical form.
pub(super) fn opened(window: Window, value: Value) -> Window {
    if value <= window.alpha {
        Window { alpha: Window::FULL.alpha, ..window }
    } else {
        Window { beta: Window::FULL.beta, ..window }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_widen_on_the_side_that_failed_and_always_end_up_open() {
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
