//! Faults of a certificate, and reasons why one was not written.

use std::io;

use komadai_core::{Move, SfenError};
use komadai_movegen::MateLimit;

/// A fault of a certificate: its line, counted from 1, what was found and what was expected.
///
/// # Examples
///
/// ```
/// use komadai_problems::certificate::{CertificateError, check};
///
/// let text = "komadai-certificate 1\nclaim mate 1\n4k4/9/9/9/9/9/9/9/9 b G: 1 G*5b\nend 1\n";
/// let error = check(text.as_bytes(), 1_000).unwrap_err();
/// assert!(matches!(error, CertificateError::NotMated { line: 3, .. }));
/// assert_eq!(error.line(), 3);
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CertificateError {
    /// The source failed.
    #[error("line {line}: cannot read on: {error}")]
    Io {
        /// The line that was being read.
        line: u64,
        /// The cause.
        #[source]
        error: io::Error,
    },
    /// A line is longer than that of any position.
    #[error("line {line}: longer than {limit} bytes")]
    LineTooLong {
        /// The line.
        line: u64,
        /// The largest length in bytes.
        limit: usize,
    },
    /// A line does not have the form that its place requires.
    #[error("line {line}: found {found:?}, expected {expected}")]
    Syntax {
        /// The line.
        line: u64,
        /// The text in question, shortened to 40 characters.
        found: String,
        /// The required form.
        expected: &'static str,
    },
    /// A position is not valid.
    #[error("line {line}: {error}")]
    Position {
        /// The line.
        line: u64,
        /// The cause.
        #[source]
        error: SfenError,
    },
    /// The positions are more than the caller allows.
    #[error("line {line}: more than {limit} positions")]
    TooManyPositions {
        /// The line that reaches one position too many.
        line: u64,
        /// The largest number of positions.
        limit: usize,
    },
    /// A position is listed that no earlier line has reached, or for the second time.
    #[error("line {line}: no earlier line reaches the position, or it is listed twice")]
    Unreached {
        /// The line.
        line: u64,
    },
    /// The attacker's move is not legal.
    #[error("line {line}: {m} is not a legal move")]
    IllegalMove {
        /// The line.
        line: u64,
        /// The move.
        m: Move,
    },
    /// The attacker's move gives no check.
    #[error("line {line}: {m} does not give check")]
    NoCheck {
        /// The line.
        line: u64,
        /// The move.
        m: Move,
    },
    /// The defender can still move when the plies of a mate are used up.
    #[error("line {line}: the stated plies are used up, but {reply} answers the check")]
    NotMated {
        /// The line.
        line: u64,
        /// A legal reply.
        reply: Move,
    },
    /// The number of plies does not fall on the way to a position.
    #[error("line {line}: a mate within {found} plies, expected one within {most}")]
    TooManyPlies {
        /// The line of the position, or the line that reaches it after it was listed.
        line: u64,
        /// The number of plies stated for the position.
        found: u32,
        /// The largest number of plies that the line before it allows.
        most: u32,
    },
    /// A check has no legal reply in a proof of no mate.
    #[error("line {line}: no legal reply to the check {check}, found {found:?}")]
    Unanswered {
        /// The line.
        line: u64,
        /// The check.
        check: Move,
        /// The move that the line states as reply.
        found: Option<Move>,
    },
    /// A proof of no mate answers a move that is no check, or the same check twice.
    #[error("line {line}: {replies} replies, but the position has {checks} checks")]
    SurplusReplies {
        /// The line.
        line: u64,
        /// The number of stated replies.
        replies: usize,
        /// The number of checks.
        checks: usize,
    },
    /// The certificate ends, but positions that it has reached are not listed.
    #[error("line {line}: {missing} positions were reached, but are not listed, such as {example}")]
    Unproven {
        /// The last line.
        line: u64,
        /// The number of positions.
        missing: usize,
        /// One of them, as SFEN without move number.
        example: String,
    },
    /// The last line states another number of positions than the certificate has.
    #[error("line {line}: the certificate has {found} positions, but states {stated}")]
    WrongCount {
        /// The last line.
        line: u64,
        /// The stated number.
        stated: u64,
        /// The number of positions listed.
        found: u64,
    },
}

impl CertificateError {
    /// Returns the line of the fault, counted from 1.
    pub fn line(&self) -> u64 {
        match *self {
            Self::Io { line, .. }
            | Self::LineTooLong { line, .. }
            | Self::Syntax { line, .. }
            | Self::Position { line, .. }
            | Self::TooManyPositions { line, .. }
            | Self::Unreached { line }
            | Self::IllegalMove { line, .. }
            | Self::NoCheck { line, .. }
            | Self::NotMated { line, .. }
            | Self::TooManyPlies { line, .. }
            | Self::Unanswered { line, .. }
            | Self::SurplusReplies { line, .. }
            | Self::Unproven { line, .. }
            | Self::WrongCount { line, .. } => line,
        }
    }

    pub(super) fn syntax(line: u64, found: &str, expected: &'static str) -> Self {
        Self::Syntax { line, found: found.chars().take(40).collect(), expected }
    }
}

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
