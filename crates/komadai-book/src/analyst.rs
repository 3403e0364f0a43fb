//! The seam between a book and whatever judges its positions.

use std::path::Path;

use komadai_core::{Analysis, Budget, Position};

/// Judges one position at a time: an engine in this process, one behind USI, or a person.
///
/// The book does not know which. Whatever [`analyse`](Self::analyse) returns is logged with the
/// analyst's [`identity`](Self::identity), so that evaluations of different engines, whose scales
/// differ, are never mistaken for each other.
///
/// # Examples
///
/// An analyst that plays the first legal move and calls every position even:
///
/// ```
/// use komadai_book::{Analyst, AnalystError, AnalystId};
/// use komadai_core::{Analysis, Bound, Budget, Line, Position, Score};
/// use komadai_movegen::{MoveList, generate_legal};
///
/// struct FirstMove;
///
/// impl Analyst for FirstMove {
///     fn identity(&self) -> AnalystId {
///         AnalystId::new("first move", "1")
///     }
///
///     fn analyse(&mut self, position: &Position, _: &Budget) -> Result<Analysis, AnalystError> {
///         let mut moves = MoveList::new();
///         generate_legal(position, &mut moves);
///         let line = |&m| Line { score: Score::ZERO, bound: Bound::Exact, pv: [m].into_iter().collect() };
///         Ok(Analysis { lines: moves.first().map(line).into_iter().collect(), ..Analysis::default() })
///     }
/// }
///
/// let analysis = FirstMove.analyse(&Position::hirate(), &Budget::nodes(1))?;
/// assert!(analysis.best_move().is_some());
/// # Ok::<(), AnalystError>(())
/// ```
pub trait Analyst: Send {
    /// Who judges; stored with every evaluation.
    fn identity(&self) -> AnalystId;

    /// Judges `position` within `budget`.
    ///
    /// Scores are for the side to move. Running out of budget is no error: the analysis is then
    /// what was found by that time, with `completed` unset, and has no lines if that was nothing.
    /// A position without a legal move has no lines either.
    ///
    /// # Errors
    ///
    /// [`AnalystError`] when the analyst itself fails, not when the position is hard.
    fn analyse(&mut self, position: &Position, budget: &Budget) -> Result<Analysis, AnalystError>;

    /// Forgets what earlier positions have taught, such as a transposition table, so that the next
    /// answer depends on its position and budget alone.
    ///
    /// An analyst that learns nothing need not do anything.
    fn forget(&mut self) {}
}

/// Analysts of different kinds can work side by side.
impl<A: Analyst + ?Sized> Analyst for Box<A> {
    fn identity(&self) -> AnalystId {
        (**self).identity()
    }

    fn analyse(&mut self, position: &Position, budget: &Budget) -> Result<Analysis, AnalystError> {
        (**self).analyse(position, budget)
    }

    fn forget(&mut self) {
        (**self).forget();
    }
}

/// Who made an evaluation: an engine's name, version and the options that change its judgement.
///
/// Two evaluations are comparable if their identities are equal.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct AnalystId {
    /// The engine's name.
    pub name: String,
    /// Its version; empty if not known.
    pub version: String,
    /// The options that matter, such as `EvalFile=nn.bin Threads=1`; empty if none do.
    pub options: String,
}

impl AnalystId {
    /// An engine with nothing special set.
    #[must_use]
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self { name: name.into(), version: version.into(), options: String::new() }
    }

    /// Whoever made the values of a book that does not say it: `imported from` and the file's name.
    #[must_use]
    pub fn imported_from(file: impl AsRef<Path>) -> Self {
        let file = file.as_ref();
        let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
        Self::new(format!("imported from {name}"), "")
    }

    /// The same engine with these options.
    #[must_use]
    pub fn with_options(mut self, options: impl Into<String>) -> Self {
        self.options = options.into();
        self
    }
}

impl core::fmt::Display for AnalystId {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.name)?;
        if !self.version.is_empty() {
            write!(f, " {}", self.version)?;
        }
        if !self.options.is_empty() {
            write!(f, " ({})", self.options)?;
        }
        Ok(())
    }
}

/// Why an analyst gave no analysis.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AnalystError {
    /// The engine does not run, or has stopped running.
    #[error("engine {engine} is gone: {reason}")]
    Gone {
        /// The engine's name.
        engine: String,
        /// What is known about why.
        reason: String,
    },
    /// The engine answered something that makes no sense here.
    #[error("engine {engine} answered {answer:?}, expected {expected}")]
    BadAnswer {
        /// The engine's name.
        engine: String,
        /// The answer, shortened.
        answer: String,
        /// What was due.
        expected: &'static str,
    },
    /// The engine did not answer in time.
    #[error("engine {engine} did not answer within {waited_ms} ms")]
    Silent {
        /// The engine's name.
        engine: String,
        /// How long the caller waited, in milliseconds.
        waited_ms: u64,
    },
    /// The engine found no line in a position that has legal moves.
    #[error("engine {engine} found no line in {position}, which has legal moves")]
    NoLine {
        /// The engine's name.
        engine: String,
        /// The position as SFEN.
        position: String,
    },
}
