//! The settings of the ABC search.

use super::options::MoveModel;
use crate::options::SearchOptions;

/// The settings of an [ABC](super::Selective::abc) search.
///
/// # Examples
///
/// ```
/// use komadai_search::selective::AbcOptions;
///
/// assert_eq!(AbcOptions::default().margin, 150);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct AbcOptions {
    /// By how much another move may be worse and still be an alternative, in hundredths of a pawn.
    /// With the largest number every move costs the same, and lines have the same length.
    pub margin: i32,
    /// The model that orders the moves.
    pub order: MoveModel,
    /// Memory, threads, lines, rules and draw value; quiescence search and techniques, as in
    /// [`RealizationOptions`](super::RealizationOptions).
    pub search: SearchOptions,
}

impl Default for AbcOptions {
    fn default() -> Self {
        Self { margin: 150, order: MoveModel::default(), search: SearchOptions::default() }
    }
}
