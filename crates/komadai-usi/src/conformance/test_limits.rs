//! The limits of the checks.

use std::time::Duration;

/// The limits of the searches of a conformance report, and the waits for their answers.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use komadai_usi::conformance::TestLimits;
///
/// // A slow engine: fewer nodes, more time.
/// let limits = TestLimits { nodes: 100, wait: Duration::from_secs(60), ..TestLimits::default() };
/// assert_eq!(limits.margin, Duration::from_secs(1));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TestLimits {
    /// Nodes of a search. 2,000 by default.
    pub nodes: u64,
    /// Depth of a search in plies. 2 by default.
    pub depth: u32,
    /// Time of a search under a clock. 500 ms by default.
    pub time: Duration,
    /// The part of a search without an end that is watched before `stop` or `ponderhit`. 300 ms by
    /// default.
    pub hold: Duration,
    /// Tolerated delay of an answer beyond the time of its search. 1 s by default.
    pub margin: Duration,
    /// Maximum wait for the answer to a search without a time, and to `stop`. 10 s by default.
    pub wait: Duration,
    /// Maximum time from `quit`, or from the end of the input, to the exit. 5 s by default, after
    /// which ShogiHome kills an engine.
    pub exit: Duration,
}

impl Default for TestLimits {
    fn default() -> Self {
        Self {
            nodes: 2_000,
            depth: 2,
            time: Duration::from_millis(500),
            hold: Duration::from_millis(300),
            margin: Duration::from_secs(1),
            wait: Duration::from_secs(10),
            exit: Duration::from_secs(5),
        }
    }
}
