//! Reasons why a certificate was not written.

use komadai_movegen::MateLimit;

/// The reason why a certificate was not written.
///
/// # Examples
///
/// ```
/// use komadai_core::{Budget, Position};
/// use komadai_tsume::DfPn;
/// use komadai_problems::certificate::{CertifyError, certify};
///
/// let position = Position::from_sfen("7gk/9/6P1+P/9/9/9/9/9/9 b GSP2r2b2g3s4n4l15p 1")?;
/// let error = certify(&position, &mut DfPn::default(), &Budget::nodes(10), 1_000).unwrap_err();
/// assert!(matches!(error, CertifyError::Undecided { .. }));
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CertifyError {
    /// The solver has not decided a position within the budget.
    #[error("the solver has not decided {position}{}", reason(*limit))]
    Undecided {
        /// The position as SFEN without move number.
        position: String,
        /// The limit that ended the search, if the solver names one.
        limit: Option<MateLimit>,
    },
    /// The proof has more positions than the caller allows.
    #[error("the proof has more than {limit} positions")]
    TooManyPositions {
        /// The largest number of positions.
        limit: usize,
    },
    /// The solver's answers contradict each other: it is wrong about this position or about one
    /// before it.
    #[error("the solver contradicts itself: it expected {expected} in {position}")]
    Contradiction {
        /// The position as SFEN without move number.
        position: String,
        /// The result that its earlier answers imply.
        expected: &'static str,
    },
}

fn reason(limit: Option<MateLimit>) -> String {
    limit.map(|limit| format!(": limit {limit:?}")).unwrap_or_default()
}
