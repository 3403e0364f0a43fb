//! The origin of a value.

/// The index of an analyst in the list of a book's analysts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(transparent))]
pub struct AnalystIndex(pub(crate) u16);

impl AnalystIndex {
    /// The place in the list of analysts.
    #[must_use]
    pub fn index(self) -> usize {
        self.0.into()
    }
}

/// The way in which an evaluation was obtained.
///
/// # Examples
///
/// ```
/// use komadai_book::{LoggedAnalysis, Source};
/// use komadai_core::{Analysis, AnalystId, Line, Position, Score};
///
/// let start = Position::hirate();
/// let line = Line::exact(Score::cp(-30), "3c3d".parse()?);
/// let found = Analysis { lines: vec![line], ..Analysis::default() };
/// // The position after 7g7f was analysed; for Black, who made the move, it is worth 30.
/// let engine = AnalystId::new("engine", "1");
/// let logged = LoggedAnalysis::of_successor(start, "7g7f".parse()?, &found, engine);
/// assert_eq!(logged.source, Source::Successor);
/// assert_eq!(logged.analysis.score(), Some(Score::cp(30)));
/// # Ok::<(), komadai_core::UsiError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Source {
    /// The position was analysed, and this move begins one of the lines found.
    Search,
    /// The position after the move was analysed, and its value negated.
    Successor,
    /// The value was read from a book file that contains no more about it.
    Import,
}
