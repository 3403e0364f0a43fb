//! Sources that are merged into a book, and counts of merged items.

/// A source that has been read into a book, such as a file of games.
///
/// A book remembers its sources, so that the games of a file are not counted again when it is read
/// once more.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Input {
    /// A number that identifies the content; see
    /// [`Fingerprint`](crate::files::fingerprint::Fingerprint).
    pub fingerprint: u64,
    /// The number of games in it.
    pub games: u64,
    /// The name of the source.
    pub name: String,
}

/// The number of items that an import has added to a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Merged {
    /// New positions.
    pub positions: usize,
    /// New moves, those of new positions included.
    pub moves: usize,
    /// New evaluations.
    pub evaluations: usize,
    /// Moves that were left out because a book [cannot
    /// hold](komadai_bookfile::position_key::leads_out) the position after them: some positions
    /// with only one king. Their evaluations are not left out.
    pub unheld: usize,
}
