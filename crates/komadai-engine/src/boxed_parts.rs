//! Parts of a player that functions make, behind pointers.

use std::fmt;
use std::sync::Arc;

use komadai_eval::Evaluator;
use komadai_movegen::MateSolver;
use komadai_search::{SearchOptions, Searcher};
use komadai_tsume::{DfPn, DfPnOptions};

use crate::parts::{PlayerParts, StandardParts};
use crate::search_mode::{SearcherKind, searcher_of};

type MakeSearcher = dyn Fn(&SearcherKind, SearchOptions) -> Box<dyn Searcher> + Send + Sync;
type MakeSolver = dyn Fn(&DfPnOptions) -> Box<dyn MateSolver + Send> + Send + Sync;

/// The [standard parts](crate::StandardParts), or others in place of some.
///
/// Searcher and solver are behind pointers, so that all such parts have one type. A search takes so long
/// that the call does not matter.
///
/// # Examples
///
/// ```
/// use komadai_core::{Budget, Position};
/// use komadai_engine::{BoxedParts, MoveRequest, Player, Settings};
/// use komadai_eval::Material;
/// use komadai_movegen::MateInOne;
///
/// let mut settings = Settings::default();
/// settings.hash_mib = 1;
/// let parts = BoxedParts::default().with_evaluator(Material).with_solver(|_| MateInOne);
/// let mut player = Player::with_parts(parts, settings)?;
/// let position = Position::from_sfen("4k4/9/9/9/4r4/9/9/9/4R2K1 b - 1")?;
/// let choice = player.choose(&MoveRequest::new(&position, Budget::nodes(1_000)), &mut |_| {});
/// assert_eq!(choice.analysis.best_move(), Some("5i5e".parse()?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct BoxedParts {
    searcher: Arc<MakeSearcher>,
    has_kinds: bool,
    has_evaluations: bool,
    solver: Arc<MakeSolver>,
}

impl Default for BoxedParts {
    /// Returns the standard parts.
    fn default() -> Self {
        Self {
            searcher: Arc::new(|kind, options| StandardParts.searcher_of(kind, options)),
            has_kinds: true,
            has_evaluations: true,
            solver: Arc::new(|&options| Box::new(DfPn::new(options))),
        }
    }
}

impl BoxedParts {
    /// Returns the same parts with the searches of the standard parts and this evaluator, in place of any
    /// [`Evaluation`](crate::Evaluation). All searchers share the evaluator.
    #[must_use]
    pub fn with_evaluator<E: Evaluator + 'static>(self, evaluator: E) -> Self {
        let evaluator = Arc::new(evaluator);
        let make =
            move |kind: &SearcherKind, options| searcher_of(Arc::clone(&evaluator), kind, options);
        let searcher = Arc::new(make);
        Self { searcher, has_kinds: true, has_evaluations: false, ..self }
    }

    /// Returns the same parts with the searchers that `make` returns, whatever the search mode is. A player
    /// makes one and then hands new options to [`Searcher::set_options`].
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

    /// Returns the same parts with the mate solvers that `make` returns. A player makes a solver for each
    /// change of its options.
    #[must_use]
    pub fn with_solver<M: MateSolver + Send + 'static>(
        self,
        make: impl Fn(&DfPnOptions) -> M + Send + Sync + 'static,
    ) -> Self {
        Self { solver: Arc::new(move |options| Box::new(make(options))), ..self }
    }
}

impl PlayerParts for BoxedParts {
    type Searcher = Box<dyn Searcher>;
    type Solver = Box<dyn MateSolver + Send>;

    fn searcher(&self, options: SearchOptions) -> Box<dyn Searcher> {
        (self.searcher)(&SearcherKind::default(), options)
    }

    fn searcher_of(&self, kind: &SearcherKind, options: SearchOptions) -> Box<dyn Searcher> {
        (self.searcher)(kind, options)
    }

    fn has_kinds(&self) -> bool {
        self.has_kinds
    }

    fn has_evaluations(&self) -> bool {
        self.has_evaluations
    }

    fn solver(&self, options: DfPnOptions) -> Box<dyn MateSolver + Send> {
        (self.solver)(&options)
    }
}

impl fmt::Debug for BoxedParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BoxedParts").finish_non_exhaustive()
    }
}
