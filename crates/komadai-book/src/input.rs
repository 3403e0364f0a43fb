//! Sources that have been read into a book.

/// A source that has been read into a book, such as a file of games.
///
/// A book remembers its sources, so that the games of a file are not counted again when it is read
/// once more.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Input {
    /// A number that identifies the content; see [`Fingerprint`](crate::files::fingerprint::Fingerprint).
    pub fingerprint: u64,
    /// The number of games in it.
    pub games: u64,
    /// The name of the source.
    pub name: String,
}
