//! The kind of search of a player.

use core::fmt;
use core::str::FromStr;
use std::sync::Arc;

use komadai_eval::Evaluator;
use komadai_movegen::MateSolver;
use komadai_search::hybrid::{ChoiceRules, Hybrid};
use komadai_search::monte_carlo::{MonteCarlo, MonteCarloOptions, Skill, Skilled};
use komadai_search::selective::{AbcOptions, RealizationOptions, Selective};
use komadai_search::{AlphaBeta, SearchOptions, Searcher, TesujiTable};
use komadai_tsume::{DfPn, DfPnOptions, Results};

use crate::evaluation::Evaluation;

/// The kind of search (`SearchMode`).
///
/// [`Display`](fmt::Display) and [`FromStr`] use the names of the USI option.
///
/// # Examples
///
/// ```
/// use komadai_engine::SearchMode;
///
/// assert_eq!("MonteCarlo".parse(), Ok(SearchMode::MonteCarlo));
/// assert_eq!(SearchMode::default().to_string(), "AlphaBeta");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum SearchMode {
    /// Alpha-beta.
    #[default]
    AlphaBeta,
    /// Monte Carlo tree search.
    MonteCarlo,
    /// Both at the same time; see [`komadai_search::hybrid`].
    Both,
    /// Search by realization probability; see [`komadai_search::selective`].
    RealizationProbability,
    /// Alpha-beta-conspiracy search; see [`komadai_search::selective`].
    Abc,
}

impl SearchMode {
    /// All modes of a build for small size (`--cfg komadai_small`).
    #[cfg(komadai_small)]
    pub const ALL: [Self; 1] = [Self::AlphaBeta];

    /// All modes.
    #[cfg(not(komadai_small))]
    pub const ALL: [Self; 5] =
        [Self::AlphaBeta, Self::MonteCarlo, Self::Both, Self::RealizationProbability, Self::Abc];

    /// Returns the name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::AlphaBeta => "AlphaBeta",
            Self::MonteCarlo => "MonteCarlo",
            Self::Both => "Both",
            Self::RealizationProbability => "RealizationProbability",
            Self::Abc => "Abc",
        }
    }
}

impl fmt::Display for SearchMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// An error in the name of a search mode.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "found search mode {found:?}, expected AlphaBeta, MonteCarlo, Both, RealizationProbability or Abc"
)]
pub struct UnknownSearchMode {
    /// The beginning of the text.
    pub found: String,
}

impl FromStr for SearchMode {
    type Err = UnknownSearchMode;

    fn from_str(text: &str) -> Result<Self, UnknownSearchMode> {
        let mode = Self::ALL.into_iter().find(|mode| mode.name() == text);
        mode.ok_or_else(|| UnknownSearchMode { found: text.chars().take(32).collect() })
    }
}

/// The kind of a searcher: what a player makes another searcher for.
///
/// # Examples
///
/// ```
/// use komadai_engine::{Parts, SearchMode, SearcherKind};
/// use komadai_search::{SearchOptions, Searcher};
///
/// let mut kind = SearcherKind::default();
/// kind.mode = SearchMode::MonteCarlo;
/// let searcher = Parts::default().searcher(&kind, SearchOptions::default());
/// assert!(searcher.state().root_visits.is_some());
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SearcherKind {
    /// The kind of search.
    pub mode: SearchMode,
    /// The strength below the full one; it implies a tree search, whatever the mode is.
    pub skill: Option<Skill>,
    /// The settings of the tree search, but for those of all searches and the seed. A level has its
    /// own.
    pub tree: MonteCarloOptions,
    /// The thresholds of the choice between the moves of two searches.
    pub rules: ChoiceRules,
    /// The settings of the search by realization probability, but for those of all searches.
    pub realization: RealizationOptions,
    /// The settings of ABC, but for those of all searches.
    pub abc: AbcOptions,
    /// The seed of a search with random choices.
    pub seed: u64,
    /// The sequences of moves of
    /// [`TESUJI_EXTENSION`](komadai_search::Techniques::TESUJI_EXTENSION) in place of the bundled
    /// ones. Alpha-beta alone uses it.
    pub tesuji: Option<Arc<TesujiTable>>,
    /// The evaluation. Parts with an evaluator of their own ignore it.
    pub evaluation: Evaluation,
}

impl SearcherKind {
    /// Returns whether this is alpha-beta at full strength.
    pub(crate) fn is_alpha_beta(&self) -> bool {
        self.mode == SearchMode::AlphaBeta && self.skill.is_none()
    }
}

/// Makes a searcher other than alpha-beta alone. A tree has a mate solver inside, and alpha-beta
/// beside it another.
fn other_searcher<E: Evaluator + 'static>(
    evaluator: Arc<E>,
    kind: &SearcherKind,
    options: SearchOptions,
) -> Box<dyn Searcher> {
    if let Some(skill) = kind.skill {
        // Without a solver: its mates would not fit the level.
        let search = SearchOptions { threads: 1, ..options };
        let tree = MonteCarloOptions { seed: kind.seed, search, ..MonteCarloOptions::modern() };
        return Box::new(Skilled::new(evaluator, tree, skill));
    }
    if cfg!(komadai_small) {
        // No option leads to another mode.
        let kind = SearcherKind { mode: SearchMode::AlphaBeta, ..kind.clone() };
        return searcher_of(evaluator, &kind, options);
    }
    if kind.mode == SearchMode::RealizationProbability {
        let options = RealizationOptions { search: options, ..kind.realization.clone() };
        return with_solver(Selective::realization_probability(evaluator, options));
    }
    if kind.mode == SearchMode::Abc {
        let options = AbcOptions { search: options, ..kind.abc.clone() };
        return with_solver(Selective::abc(evaluator, options));
    }
    let mut tree = MonteCarloOptions { seed: kind.seed, ..kind.tree.clone() };
    if kind.mode == SearchMode::Both {
        let mut both = Hybrid::with_shared(evaluator, options, tree);
        both.set_mate_solvers(inner_solver);
        both.set_rules(kind.rules);
        return Box::new(both);
    }
    tree.search = options;
    let mut tree = MonteCarlo::new(evaluator, tree);
    tree.set_mate_solver(Some(inner_solver()));
    Box::new(tree)
}

/// Returns a selective search with a mate solver.
fn with_solver<E: Evaluator + 'static>(mut search: Selective<E>) -> Box<dyn Searcher> {
    search.set_mate_solver(Some(inner_solver()));
    Box::new(search)
}

/// Makes a searcher of any kind with this evaluator.
///
/// All kinds take it behind the same pointer: alpha-beta is then compiled once, alone and beside a
/// tree.
pub(crate) fn searcher_of<E: Evaluator + 'static>(
    evaluator: Arc<E>,
    kind: &SearcherKind,
    options: SearchOptions,
) -> Box<dyn Searcher> {
    if !kind.is_alpha_beta() {
        return other_searcher(evaluator, kind, options);
    }
    let mut searcher = AlphaBeta::new(evaluator, options);
    searcher.set_mate_solver(Some(inner_solver()));
    if let Some(tesuji) = &kind.tesuji {
        searcher.set_tesuji(TesujiTable::clone(tesuji));
    }
    Box::new(searcher)
}

/// Returns the solver inside a search: that of a tree, and that of
/// [`ANY_MATE_SOLVER`](komadai_search::Techniques::ANY_MATE_SOLVER).
///
/// It keeps its results until the search is over: the same positions come again in later
/// iterations.
pub(crate) fn inner_solver() -> Box<dyn MateSolver + Send> {
    let options = DfPnOptions { hash_mib: 16, results: Results::Kept, ..DfPnOptions::default() };
    Box::new(DfPn::new(options))
}
