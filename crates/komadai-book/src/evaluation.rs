//! What someone, at some time, took a move to be worth.

use komadai_core::{Bound, Score};

/// One evaluation of a move: its value, and where that comes from.
///
/// A book keeps every evaluation of a move, so that none is lost when an engine changes; which of
/// them counts is a [`ValuePolicy`]'s matter. A move without any is simply unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Evaluation {
    /// The value for the side that makes the move.
    pub score: Score,
    /// Whether the value is exact.
    pub bound: Bound,
    /// The number of plies looked ahead, 0 where it is not known.
    pub depth: u16,
    /// The number of nodes visited, 0 where it is not known.
    pub nodes: u64,
    /// The time taken in milliseconds, 0 where it is not known.
    pub time_ms: u32,
    /// Who evaluated: an index into the book's [`analysts`](crate::Book::analysts).
    pub analyst: AnalystIndex,
    /// How the value came about.
    pub source: Source,
    /// When, in seconds since the beginning of 1970 (UTC), 0 where it is not known.
    pub when: u64,
}

const _: () = assert!(size_of::<Evaluation>() <= 32);

/// Names one analyst of a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AnalystIndex(pub(crate) u16);

impl AnalystIndex {
    /// The place in the book's [`analysts`](crate::Book::analysts).
    #[must_use]
    pub fn index(self) -> usize {
        self.0.into()
    }
}

/// How an evaluation came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Source {
    /// The position was analysed, and this move begins one of the lines found.
    Search,
    /// The position after the move was analysed, and its value negated.
    Successor,
    /// It was read from a book that says no more about it.
    Import,
}

/// Which of a move's evaluations counts.
///
/// Exact values go before bounds: of a move with both, only the exact ones are considered.
///
/// # Examples
///
/// ```
/// use komadai_book::{AnalystId, Book, Evaluation, Source, ValuePolicy};
/// use komadai_core::{Bound, Position, Score};
///
/// let mut book = Book::new();
/// let analyst = book.analyst(&AnalystId::new("engine", "1"));
/// let (start, m) = (Position::hirate(), "7g7f".parse()?);
/// for (cp, nodes) in [(40, 1_000_000), (25, 1_000)] {
///     book.log(&start, m, Evaluation {
///         score: Score::cp(cp),
///         nodes,
///         bound: Bound::Exact,
///         depth: 0,
///         time_ms: 0,
///         analyst,
///         source: Source::Search,
///         when: 0,
///     })?;
/// }
/// let score = |book: &Book| book.entry(&start).and_then(|entry| entry.find(m)?.score());
/// assert_eq!(score(&book), Some(Score::cp(25)));
/// book.set_policy(ValuePolicy::MostNodes);
/// assert_eq!(score(&book), Some(Score::cp(40)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum ValuePolicy {
    /// The one that was logged last.
    #[default]
    Newest,
    /// The one with the most nodes; of several, the one logged last.
    MostNodes,
    /// The last one of this analyst; where it has none, the last of all.
    Prefer(AnalystIndex),
}

impl ValuePolicy {
    /// The evaluation that counts, of a log in the order of logging.
    #[must_use]
    pub fn choose<'l>(&self, log: &'l [Evaluation]) -> Option<&'l Evaluation> {
        let is_exact = |evaluation: &&Evaluation| evaluation.bound == Bound::Exact;
        let has_exact = log.iter().any(|evaluation| is_exact(&evaluation));
        let candidates = || log.iter().filter(move |e| is_exact(e) || !has_exact);
        match self {
            Self::Newest => candidates().next_back(),
            Self::MostNodes => candidates().max_by_key(|evaluation| evaluation.nodes),
            Self::Prefer(analyst) => candidates()
                .rfind(|evaluation| evaluation.analyst == *analyst)
                .or_else(|| candidates().next_back()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evaluation(cp: i32, bound: Bound, nodes: u64, analyst: u16) -> Evaluation {
        Evaluation {
            score: Score::cp(cp),
            bound,
            depth: 1,
            nodes,
            time_ms: 0,
            analyst: AnalystIndex(analyst),
            source: Source::Search,
            when: 0,
        }
    }

    #[test]
    fn each_policy_chooses_as_it_says() {
        let log = [
            evaluation(1, Bound::Exact, 100, 0),
            evaluation(2, Bound::Exact, 100, 1),
            evaluation(3, Bound::Exact, 10, 2),
            evaluation(4, Bound::Lower, 1_000, 1),
        ];
        let chosen = |policy: ValuePolicy, log: &[Evaluation]| {
            policy.choose(log).map(|evaluation| evaluation.score.raw())
        };
        assert_eq!(chosen(ValuePolicy::Newest, &log), Some(3));
        assert_eq!(chosen(ValuePolicy::MostNodes, &log), Some(2));
        assert_eq!(chosen(ValuePolicy::Prefer(AnalystIndex(1)), &log), Some(2));
        assert_eq!(chosen(ValuePolicy::Prefer(AnalystIndex(9)), &log), Some(3));
        assert_eq!(chosen(ValuePolicy::Newest, &log[3..]), Some(4));
        assert_eq!(chosen(ValuePolicy::Newest, &[]), None);
    }
}
