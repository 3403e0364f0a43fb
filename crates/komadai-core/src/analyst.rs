//! The interface to programs that analyse positions.

use std::num::NonZero;
use std::path::Path;

use crate::analysis::Analysis;
use crate::budget::Budget;
use crate::position::Position;

/// Analyses one position at a time: an engine in this process, a USI engine in another one, or a
/// person.
///
/// A book logs the results of [`analyse`](Self::analyse) with the analyst's
/// [`identity`](Self::identity), because the scales of engines differ: evaluations of different
/// engines must stay distinguishable.
///
/// # Examples
///
/// An analyst that knows one move of one position:
///
/// ```
/// use komadai_core::{Analysis, Analyst, AnalystError, AnalystId, Budget, Line, Position, Score};
///
/// struct PawnFirst;
///
/// impl Analyst for PawnFirst {
///     fn identity(&self) -> AnalystId {
///         AnalystId::new("pawn first", "1")
///     }
///
///     fn analyse(&mut self, position: &Position, _: &Budget) -> Result<Analysis, AnalystError> {
///         let is_start = *position == Position::hirate();
///         let line = Line::exact(Score::ZERO, "7g7f".parse().expect("a move"));
///         let lines = is_start.then_some(line).into_iter().collect();
///         Ok(Analysis { lines, ..Analysis::default() })
///     }
/// }
///
/// let analysis = PawnFirst.analyse(&Position::hirate(), &Budget::nodes(1))?;
/// assert!(analysis.best_move().is_some());
/// # Ok::<(), AnalystError>(())
/// ```
pub trait Analyst: Send {
    /// The identity that is stored with every evaluation.
    fn identity(&self) -> AnalystId;

    /// Analyses `position` within `budget`.
    ///
    /// Scores are for the side to move. An exhausted budget is no error: the analysis contains what
    /// was found by that time, possibly no lines, with `completed` unset. The analysis of a
    /// position without a legal move has no lines either.
    ///
    /// # Errors
    ///
    /// [`AnalystError`] if the analyst itself fails, not if the position is difficult.
    fn analyse(&mut self, position: &Position, budget: &Budget) -> Result<Analysis, AnalystError>;

    /// Sets the number of lines that the next analyses find; `None` for the number that the analyst
    /// has by itself.
    ///
    /// Jobs of a queue state a number of lines. The default does nothing, for analysts that find as
    /// many lines as they will.
    ///
    /// # Errors
    ///
    /// [`AnalystError`] if the analyst cannot find so many.
    fn set_lines(&mut self, lines: Option<NonZero<u16>>) -> Result<(), AnalystError> {
        let _ = lines;
        Ok(())
    }

    /// Returns the size of a centipawn of its scores: how many of them are as much as one of the
    /// bundled network. Probabilities of winning depend on it. The default is 1, because nobody
    /// knows it of an engine that only tells scores.
    fn scale(&self) -> f64 {
        1.0
    }

    /// Clears the state that earlier positions have left, such as a transposition table, so that
    /// the next result depends on its position and budget alone.
    ///
    /// The default does nothing, for analysts without such a state.
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

    fn set_lines(&mut self, lines: Option<NonZero<u16>>) -> Result<(), AnalystError> {
        (**self).set_lines(lines)
    }

    fn scale(&self) -> f64 {
        (**self).scale()
    }

    fn forget(&mut self) {
        (**self).forget();
    }
}

/// The identity of an analyst: an engine's name, version and the options that change its
/// evaluations.
///
/// Evaluations with equal identities are comparable.
///
/// # Examples
///
/// ```
/// use komadai_core::AnalystId;
///
/// let engine = AnalystId { options: "Threads=1".to_owned(), ..AnalystId::new("engine", "2.1") };
/// assert_eq!(engine.to_string(), "engine 2.1 (Threads=1)");
/// // Values of engines with other options are not comparable.
/// assert_ne!(engine, AnalystId::new("engine", "2.1"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AnalystId {
    /// The engine's name.
    pub name: String,
    /// The version; empty if it is not known. That of a USI engine, whose name contains its
    /// version, consists of fingerprints of its default options and its network.
    pub version: String,
    /// The options that affect evaluations, such as `EvalFile=nn.bin Threads=1`; empty if there are
    /// none.
    pub options: String,
}

impl AnalystId {
    /// The identity of an engine with default options.
    pub fn new(name: impl Into<String>, version: impl Into<String>) -> Self {
        Self { name: name.into(), version: version.into(), options: String::new() }
    }

    /// The identity for values of a book file that names no engine: `imported from` and the file's
    /// name.
    pub fn imported_from(file: impl AsRef<Path>) -> Self {
        let file = file.as_ref();
        let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy();
        Self::new(format!("imported from {name}"), "")
    }

    /// Returns whether a text names this analyst: by its name, by name and version, by name and
    /// options, or by name, version and options as they are printed.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::AnalystId;
    ///
    /// let engine = AnalystId { options: "Threads=1".to_owned(), ..AnalystId::new("engine", "2.1") };
    /// assert!(["engine", "engine 2.1", "engine 2.1 (Threads=1)"].iter().all(|text| engine.is_named(text)));
    /// // Books have jobs for USI engines from a time when their identities had no version.
    /// assert!(engine.is_named("engine (Threads=1)"));
    /// assert!(["", "engin", "engine 2", "engine 2.1 ", "Engine"].iter().all(|text| !engine.is_named(text)));
    /// ```
    pub fn is_named(&self, text: &str) -> bool {
        let Self { name, version, options } = self;
        text == name
            || text == format!("{name} {version}")
            || text == format!("{name} ({options})")
            || text == self.to_string()
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

/// The reason why an analyst returned no analysis.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AnalystError {
    /// The engine cannot be started, or has ended.
    #[error("engine {engine} is gone: {reason}")]
    Gone {
        /// The engine's name.
        engine: String,
        /// The known details.
        reason: String,
    },
    /// The answer of the engine is not valid here.
    #[error("engine {engine} answered {answer:?}, expected {expected}{}", stderr_note(.stderr))]
    BadAnswer {
        /// The engine's name.
        engine: String,
        /// The answer, shortened.
        answer: String,
        /// The expected answer.
        expected: &'static str,
        /// The last lines of its standard error in one; empty if there are none.
        stderr: String,
    },
    /// The engine did not answer in time.
    #[error("engine {engine} did not answer within {waited_ms} ms{}", stderr_note(.stderr))]
    Silent {
        /// The engine's name.
        engine: String,
        /// The time that the caller waited, in milliseconds.
        waited_ms: u64,
        /// The last lines of its standard error in one; empty if there are none.
        stderr: String,
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

/// Returns the end of a message about an engine.
fn stderr_note(stderr: &str) -> String {
    match stderr {
        "" => String::new(),
        lines => format!("; on its standard error: {lines}"),
    }
}
