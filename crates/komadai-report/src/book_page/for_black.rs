//! Values from the point of view of Black, which all reports use.

use komadai_core::{Color, Score};

/// Converts a value for `side` to one for Black.
pub(super) fn for_black(score: Score, side: Color) -> Score {
    match side {
        Color::Black => score,
        Color::White => -score,
    }
}
