//! The parts of a player: searcher, mate solver and opening of books.

use std::fmt;
use std::sync::Arc;

use komadai_bookfile::{BookOpener, open_book};
use komadai_eval::Evaluator;
use komadai_movegen::MateSolver;
use komadai_search::bench::BenchReport;
use komadai_search::{AlphaBeta, SearchOptions, Searcher};
use komadai_tsume::{DfPn, DfPnOptions};

use crate::evaluation::Evaluation;
use crate::search_mode::{SearcherKind, inner_solver, searcher_of};

type MakeSearcher = dyn Fn(&SearcherKind, SearchOptions) -> Box<dyn Searcher> + Send + Sync;
type MakeSolver = dyn Fn(&DfPnOptions) -> Box<dyn MateSolver + Send> + Send + Sync;

/// Makes the searcher and the mate solver of a [`Player`](crate::Player), and opens its books.
///
/// The default are the parts of the embedded player: a search of any
/// [`SearchMode`](crate::SearchMode) with any [`Evaluation`](crate::Evaluation), the df-pn solver,
/// and book files of every exchange format. Each can be replaced.
///
/// A player needs functions rather than a searcher and a solver, because it makes them more than
/// once: a [`UsiEngine`](crate::UsiEngine) makes its player when the GUI sends `isready`, on a
/// thread of its own, and makes another one after a crash. The mate solver is made again whenever
/// its options change. The searcher is made once for each [`SearcherKind`]; it then receives new
/// options through [`Searcher::set_options`], such as another `USI_Hash`, and keeps what it has
/// learned.
///
/// Searcher and solver are behind pointers, so that a player has one type. A search takes so long
/// that the call does not matter, and programs that use the player do not compile the search once
/// more.
///
/// # Examples
///
/// Another evaluation, and a solver that finds mates in one only:
///
/// ```
/// use komadai_core::{Budget, Position};
/// use komadai_engine::{MoveRequest, Parts, Player, Settings};
/// use komadai_eval::Material;
/// use komadai_movegen::MateInOne;
///
/// let settings = Settings { hash_mib: 1, ..Settings::default() };
/// let parts = Parts::default().with_evaluator(Material).with_solver(|_| MateInOne);
/// let mut player = Player::with_parts(parts, settings)?;
/// let position = Position::from_sfen("4k4/9/9/9/4r4/9/9/9/4R2K1 b - 1")?;
/// let choice = player.choose(&MoveRequest::new(&position, Budget::nodes(1_000)), &mut |_| {});
/// assert_eq!(choice.analysis.best_move(), Some("5i5e".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A searcher of another kind:
///
/// ```
/// use komadai_core::{Analysis, Budget, Line, Move, Position, Score};
/// use komadai_engine::{MoveRequest, Parts, Player, Settings};
/// use komadai_movegen::MoveGen;
/// use komadai_search::{SearchRequest, Searcher};
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
/// let parts = Parts::default().with_searcher(|_| FirstMove);
/// let mut player = Player::with_parts(parts, Settings::default())?;
/// let position = Position::hirate();
/// let choice = player.choose(&MoveRequest::new(&position, Budget::nodes(1)), &mut |_| {});
/// assert_eq!(choice.analysis.best_move(), position.legal_moves().first().copied());
/// # Ok::<(), komadai_engine::PlayerError>(())
/// ```
#[derive(Clone)]
pub struct Parts {
    searcher: Arc<MakeSearcher>,
    /// True if the searcher heeds mode, strength and seed of its kind.
    pub(crate) has_kinds: bool,
    /// True if the searcher heeds the evaluation of its kind.
    pub(crate) has_evaluations: bool,
    solver: Arc<MakeSolver>,
    pub(crate) open_book: BookOpener,
}

impl Default for Parts {
    /// Returns the parts of the embedded player.
    fn default() -> Self {
        Self {
            searcher: Arc::new(|kind, options| {
                searcher_of(Arc::new(kind.evaluation.evaluator()), kind, options)
            }),
            has_kinds: true,
            has_evaluations: true,
            solver: Arc::new(|&options| Box::new(DfPn::new(options))),
            open_book,
        }
    }
}

impl Parts {
    /// Returns the parts with an alpha-beta search by this evaluator, and without other search
    /// modes: programs that need no tree search compile none.
    ///
    /// The evaluator is cloned for each searcher. Large weights are shared by an evaluator behind
    /// an [`Arc`], which is an [`Evaluator`] itself.
    pub fn alpha_beta<E: Evaluator + Clone + 'static>(evaluator: E) -> Self {
        Self::default().with_searcher(move |options| {
            let mut searcher = AlphaBeta::new(evaluator.clone(), options.clone());
            searcher.set_mate_solver(Some(inner_solver()));
            searcher
        })
    }

    /// Returns the same parts with the searches of the embedded player and this evaluator, in place
    /// of any [`Evaluation`](crate::Evaluation). All searchers share the evaluator.
    ///
    /// A player with it reads no network, and a USI engine has neither the options `EvalFile`,
    /// `EvalDir` and `FV_SCALE` nor the command `e`.
    #[must_use]
    pub fn with_evaluator<E: Evaluator + 'static>(self, evaluator: E) -> Self {
        let evaluator = Arc::new(evaluator);
        let make =
            move |kind: &SearcherKind, options| searcher_of(Arc::clone(&evaluator), kind, options);
        let searcher = Arc::new(make);
        Self { searcher, has_kinds: true, has_evaluations: false, ..self }
    }

    /// Returns the same parts with this evaluation in place of that of the settings: for networks
    /// that come from elsewhere than a file. Unlike [`with_evaluator`](Self::with_evaluator) it
    /// compiles no further search.
    ///
    /// A player with it reads no network, and a USI engine has neither the options `EvalFile`,
    /// `EvalDir` and `FV_SCALE` nor the command `e`.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::{Budget, Position};
    /// use komadai_engine::{Evaluation, MoveRequest, Parts, Player, Settings};
    ///
    /// let parts = Parts::default().with_evaluation(&Evaluation::Material);
    /// let mut player = Player::with_parts(parts, Settings { hash_mib: 1, ..Settings::default() })?;
    /// let position = Position::from_sfen("4k4/9/9/9/4r4/9/9/9/4R2K1 b - 1")?;
    /// let choice = player.choose(&MoveRequest::new(&position, Budget::nodes(1_000)), &mut |_| {});
    /// assert_eq!(choice.analysis.best_move(), Some("5i5e".parse()?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_evaluation(self, evaluation: &Evaluation) -> Self {
        let evaluator = Arc::new(evaluation.evaluator());
        let make =
            move |kind: &SearcherKind, options| searcher_of(Arc::clone(&evaluator), kind, options);
        Self { searcher: Arc::new(make), has_kinds: true, has_evaluations: false, ..self }
    }

    /// Returns the same parts with the searchers that `make` returns, whatever the search mode is.
    /// A player makes one and then hands new options to [`Searcher::set_options`].
    ///
    /// A USI engine with it does not have the options `SearchMode` and `SkillLevel` either.
    #[must_use]
    pub fn with_searcher<S: Searcher + 'static>(
        self,
        make: impl Fn(&SearchOptions) -> S + Send + Sync + 'static,
    ) -> Self {
        let make =
            move |_: &SearcherKind, options| -> Box<dyn Searcher> { Box::new(make(&options)) };
        let searcher = Arc::new(make);
        Self { searcher, has_kinds: false, has_evaluations: false, ..self }
    }

    /// Returns the same parts with the mate solvers that `make` returns. A player makes a solver
    /// for each change of its options.
    #[must_use]
    pub fn with_solver<M: MateSolver + Send + 'static>(
        self,
        make: impl Fn(&DfPnOptions) -> M + Send + Sync + 'static,
    ) -> Self {
        Self { solver: Arc::new(move |options| Box::new(make(options))), ..self }
    }

    /// Returns the same parts with this function for opening books, such as
    /// `komadai_book::open_book`, which knows working books, too.
    #[must_use]
    pub fn with_books(self, open_book: BookOpener) -> Self {
        Self { open_book, ..self }
    }

    /// Makes a searcher of this kind, without anything learned.
    pub fn searcher(&self, kind: &SearcherKind, options: SearchOptions) -> Box<dyn Searcher> {
        (self.searcher)(kind, options)
    }

    /// Makes a mate solver with these options.
    pub fn solver(&self, options: &DfPnOptions) -> Box<dyn MateSolver + Send> {
        (self.solver)(options)
    }
}

impl fmt::Debug for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Parts").finish_non_exhaustive()
    }
}

/// Returns the searcher of the embedded player with default settings: alpha-beta with the
/// [bundled network](crate::Evaluation::default).
pub fn standard_searcher(options: SearchOptions) -> Box<dyn Searcher> {
    Parts::default().searcher(&SearcherKind::default(), options)
}

/// Searches a fixed list of positions with the bundled network; see
/// [`komadai_search::bench::bench`].
pub fn standard_bench(options: &SearchOptions, depth: u32) -> BenchReport {
    // The type of the standard searchers, which are compiled anyway.
    let evaluator = Arc::new(Evaluation::default().evaluator());
    komadai_search::bench::bench_searcher(&mut AlphaBeta::new(evaluator, options.clone()), depth)
}
