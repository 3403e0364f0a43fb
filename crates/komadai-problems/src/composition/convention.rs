//! The ways in which lengths are counted.

/// The way in which a length is counted: see the [definitions](super#lengths).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Convention {
    /// Every legal reply counts.
    Strict,
    /// Futile interpositions (無駄合) do not count.
    #[default]
    Literature,
}
