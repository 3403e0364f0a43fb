//! The methods, the sets, and the results of searches.

use komadai_testdata::tsume::Set;

/// The sets whose answers are known, with their names.
pub(super) const SETS: [(Set, &str); 4] = [
    (Set::ShortSelfplay, "short mates of games"),
    (Set::RandomMate, "random mates"),
    (Set::NoMate, "no mates"),
    (Set::Classic, "classics"),
];

/// A method of search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    Tree,
    BareDfPn,
    DfPn,
}

impl Method {
    pub(super) const ALL: [Self; 3] = [Self::Tree, Self::BareDfPn, Self::DfPn];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Tree => "proof-number search",
            Self::BareDfPn => "df-pn, bare",
            Self::DfPn => "df-pn",
        }
    }
}

/// The result of a search.
#[derive(Debug, Clone, Copy)]
pub(super) struct Outcome {
    pub(super) set: Set,
    pub(super) method: Method,
    /// The plies of the shortest mate, if they are known.
    pub(super) plies: Option<u32>,
    /// True for a mate and false for none.
    pub(super) verdict: Option<bool>,
    pub(super) nodes: u64,
    /// The processor time. Its clock may tick in milliseconds, so that only sums mean something.
    pub(super) seconds: f64,
}
