//! The outcome of a problem.

/// The answer to a problem.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) verdict: Verdict,
    /// The text for the output, or the place and the reason why the problem could not be read.
    pub(super) text: Result<String, String>,
}

/// The outcome of a problem, for counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Mate,
    NoMate,
    Unknown,
    Refused,
    /// The text is the reason why the whole run has to end.
    Failed,
}
