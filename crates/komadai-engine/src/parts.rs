//! The seam between a player and its parts: the searcher and the mate solver.

use std::sync::Arc;

use komadai_eval::{Classical, Evaluator};
use komadai_movegen::MateSolver;
use komadai_search::bench::BenchReport;
use komadai_search::{AlphaBeta, SearchOptions, Searcher};
use komadai_tsume::{DfPn, DfPnOptions};

use crate::evaluation::Evaluation;
use crate::search_mode::{SearcherKind, inner_solver, searcher_of};

/// Makes the searcher and the mate solver of a [`Player`](crate::Player).
///
/// A player needs them more than once: a [`UsiEngine`](crate::UsiEngine) makes its player when the
/// GUI sends `isready`, on a thread of its own, and makes another one after a crash. The mate
/// solver is made again whenever its options change. The searcher is made once for each
/// [`SearcherKind`]; it then receives new options through [`Searcher::set_options`], such as another
/// `USI_Hash`, and keeps what it has learned.
///
/// [`StandardParts`] are those of the embedded player; [`AlphaBetaParts`] are an alpha-beta search with
/// any [`Evaluator`] and the df-pn solver, and have no other search modes.
///
/// # Examples
///
/// A searcher of another kind, and a solver that finds mates in one only:
///
/// ```
/// use komadai_core::{Analysis, Budget, Line, Move, Position, Score};
/// use komadai_engine::{MoveRequest, Player, PlayerParts, Settings};
/// use komadai_movegen::{MateInOne, MoveGen};
/// use komadai_search::{SearchOptions, SearchRequest, Searcher};
/// use komadai_tsume::DfPnOptions;
///
/// /// Chooses the first legal move.
/// struct FirstMove;
///
/// impl Searcher for FirstMove {
///     fn run(
///         &mut self,
///         request: &SearchRequest<'_>,
///         progress: &mut dyn FnMut(&Analysis),
///     ) -> Analysis {
///         let moves = request.position.legal_moves();
///         let is_allowed = |m: &&Move| request.among.is_none_or(|among| among.contains(*m));
///         let first = moves.iter().find(is_allowed);
///         let line = |&m| Line::exact(Score::ZERO, [m].into_iter().collect());
///         let lines = first.map(line).into_iter().collect();
///         let analysis = Analysis { depth: 1, nodes: 1, lines, completed: true, ..Analysis::default() };
///         progress(&analysis);
///         analysis
///     }
///
///     fn new_game(&mut self) {}
/// }
///
/// #[derive(Clone)]
/// struct Parts;
///
/// impl PlayerParts for Parts {
///     type Searcher = FirstMove;
///     type Solver = MateInOne;
///
///     fn searcher(&self, _: SearchOptions) -> FirstMove {
///         FirstMove
///     }
///
///     fn solver(&self, _: DfPnOptions) -> MateInOne {
///         MateInOne
///     }
/// }
///
/// let mut player = Player::with_parts(Parts, Settings::default())?;
/// let position = Position::hirate();
/// let choice = player.choose(&MoveRequest::new(&position, Budget::nodes(1)), &mut |_| {});
/// assert_eq!(choice.analysis.best_move(), position.legal_moves().first().copied());
/// # Ok::<(), komadai_engine::PlayerError>(())
/// ```
pub trait PlayerParts: Clone + Send + 'static {
    /// The searcher.
    type Searcher: Searcher;

    /// The mate solver.
    type Solver: MateSolver + Send;

    /// Makes a searcher with these options, without anything learned.
    fn searcher(&self, options: SearchOptions) -> Self::Searcher;

    /// Makes a searcher of this kind. The default is [`searcher`](Self::searcher), whatever the kind.
    fn searcher_of(&self, kind: &SearcherKind, options: SearchOptions) -> Self::Searcher {
        let _ = kind;
        self.searcher(options)
    }

    /// Returns whether [`searcher_of`](Self::searcher_of) heeds mode, strength and seed of the kind. If not,
    /// which is the default, a USI engine does not have the options `SearchMode` and `SkillLevel`.
    fn has_kinds(&self) -> bool {
        false
    }

    /// Returns whether [`searcher_of`](Self::searcher_of) heeds the evaluation of the kind. If not, which is
    /// the default, a player reads no network, and a USI engine has neither the options `EvalFile`,
    /// `EvalDir` and `FV_SCALE` nor the command `e`.
    fn has_evaluations(&self) -> bool {
        false
    }

    /// Makes a mate solver with these options.
    fn solver(&self, options: DfPnOptions) -> Self::Solver;
}

/// An alpha-beta search with the evaluator `E`, and the df-pn mate solver.
///
/// The evaluator is cloned for each searcher. Large weights are shared by an evaluator behind an
/// [`Arc`](std::sync::Arc), which is an [`Evaluator`] itself.
///
/// # Examples
///
/// ```
/// use komadai_core::{Budget, Position};
/// use komadai_engine::{AlphaBetaParts, MoveRequest, Player, Settings};
/// use komadai_eval::Material;
/// use komadai_usi::BestMove;
///
/// let mut settings = Settings::default();
/// settings.hash_mib = 1;
/// let mut player = Player::with_parts(AlphaBetaParts::new(Material), settings)?;
/// let position = Position::from_sfen("4k4/9/9/9/4r4/9/9/9/4R2K1 b - 1")?;
/// let choice = player.choose(&MoveRequest::new(&position, Budget::nodes(1_000)), &mut |_| {});
/// assert_eq!(choice.best, BestMove::Move { best: "5i5e".parse()?, ponder: None });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct AlphaBetaParts<E = Classical> {
    evaluator: E,
}

impl<E> AlphaBetaParts<E> {
    /// The parts with this evaluator.
    #[must_use]
    pub const fn new(evaluator: E) -> Self {
        Self { evaluator }
    }
}

impl<E: Evaluator + Clone + 'static> PlayerParts for AlphaBetaParts<E> {
    type Searcher = AlphaBeta<E>;
    type Solver = DfPn;

    fn searcher(&self, options: SearchOptions) -> AlphaBeta<E> {
        let mut searcher = AlphaBeta::new(self.evaluator.clone(), options);
        searcher.set_mate_solver(Some(inner_solver()));
        searcher
    }

    fn solver(&self, options: DfPnOptions) -> DfPn {
        DfPn::new(options)
    }
}

/// The parts of the embedded player: a search of any [`SearchMode`](crate::SearchMode) with any
/// [`Evaluation`](crate::Evaluation), and the df-pn mate solver.
///
/// The searcher is behind a pointer. A search takes so long that the call does not matter, and programs
/// that use the player do not compile the search once more.
///
/// # Examples
///
/// ```
/// use komadai_engine::{PlayerParts, StandardParts};
/// use komadai_search::{SearchOptions, Searcher};
///
/// let mut options = SearchOptions::default();
/// options.hash_mib = 1;
/// assert_eq!(StandardParts.searcher(options).state().memory_mib, 1);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct StandardParts;

impl PlayerParts for StandardParts {
    type Searcher = Box<dyn Searcher>;
    type Solver = DfPn;

    fn searcher(&self, options: SearchOptions) -> Box<dyn Searcher> {
        standard_searcher(options)
    }

    fn searcher_of(&self, kind: &SearcherKind, options: SearchOptions) -> Box<dyn Searcher> {
        searcher_of(Arc::new(kind.evaluation.evaluator()), kind, options)
    }

    fn has_kinds(&self) -> bool {
        true
    }

    fn has_evaluations(&self) -> bool {
        true
    }

    fn solver(&self, options: DfPnOptions) -> DfPn {
        DfPn::new(options)
    }
}

/// Returns the searcher of the embedded player with default settings: alpha-beta with the
/// [bundled network](crate::Evaluation::default).
#[must_use]
pub fn standard_searcher(options: SearchOptions) -> Box<dyn Searcher> {
    StandardParts.searcher_of(&SearcherKind::default(), options)
}

/// Searches a fixed list of positions with the bundled network; see
/// [`komadai_search::bench::bench`].
#[must_use]
pub fn standard_bench(options: &SearchOptions, depth: u32) -> BenchReport {
    // The type of the standard searchers, which are compiled anyway.
    let evaluator = Arc::new(Evaluation::default().evaluator());
    komadai_search::bench::bench_searcher(&mut AlphaBeta::new(evaluator, options.clone()), depth)
}
