//! The origin of a value.

/// The index of an analyst in the list of a book's analysts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AnalystIndex(pub(crate) u16);

impl AnalystIndex {
    /// The place in the list of analysts.
    #[must_use]
    pub fn index(self) -> usize {
        self.0.into()
    }
}

/// The way in which an evaluation was obtained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Source {
    /// The position was analysed, and this move begins one of the lines found.
    Search,
    /// The position after the move was analysed, and its value negated.
    Successor,
    /// The value was read from a book file that contains no more about it.
    Import,
}
