//! The point of view of reports.

use komadai_core::{Color, Score};

/// A value for `side` as one for Black, from whose point of view everything is told.
pub(super) fn for_black(score: Score, side: Color) -> Score {
    match side {
        Color::Black => score,
        Color::White => -score,
    }
}
