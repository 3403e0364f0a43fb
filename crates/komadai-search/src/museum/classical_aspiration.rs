//! Classical aspiration: a first window of fixed width, opened completely on the side that fails.
//!
//! Source: the glossary of computer shogi (2009), "aspiration search".

use crate::value::{Value, Window};

/// Half the width of the first window in centipawns.
pub(crate) const MARGIN: Value = 150;

/// Returns the window opened completely on the side that failed.
pub(crate) fn opened(window: Window, value: Value) -> Window {
    if value <= window.alpha {
        Window { alpha: Window::FULL.alpha, ..window }
    } else {
        Window { beta: Window::FULL.beta, ..window }
    }
}
