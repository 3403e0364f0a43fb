//! The player: book, then mate solver, then search.

mod mate_plan;
mod pondered_depths;
mod main_search;
mod preparation;
mod resources;
mod books;
pub(crate) mod mate_lines;
mod mates;
mod pondering;

use std::fmt;
use std::sync::Arc;

use komadai_core::{Analysis, Move, Score, SplitMix64};
use komadai_movegen::{MateSolver, MoveGen};
use komadai_search::{SearchOptions, Searcher, Techniques, TesujiTable};
use komadai_usi::BestMove;

use crate::evaluation::{Evaluation, EvaluationError, LoadedEvaluation};
use crate::mate_search::MateSearch;
use crate::opening_book::{OpeningBook, OpeningBookError};
use crate::parts::Parts;
use crate::preset_options::PresetConflict;
use crate::request::{Aim, Choice, MoveRequest};
use crate::search_mode::SearcherKind;
use crate::settings::Settings;
use crate::tesuji_file::TesujiError;

use main_search::{MainSearch, declare};
use mate_plan::MatePlan;
use pondered_depths::PonderedDepths;

/// A shogi player: it probes the book first, then runs the mate solver, then searches.
///
/// This is the part for programs that want moves: a bot, an app, a study. The same position, budget
/// of nodes and settings on one thread give the same answer. A player keeps what it has learned
/// from one move to the next; [`new_game`](Player::new_game) forgets it.
///
/// It has no clock: the budget of each [`MoveRequest`] limits the search.
/// [`GamePlayer`](crate::GamePlayer) adds the management of time for games, and
/// [`UsiEngine`](crate::UsiEngine) the protocol with a thread of its own. For values of positions
/// without a move to be played, `SearchAnalyst` in `komadai-analysis` is the lighter way.
///
/// [`new`](Player::new) makes a player with the search and the evaluation of the settings and the
/// df-pn mate solver. [`with_parts`](Player::with_parts) takes any
/// [`Evaluator`](komadai_eval::Evaluator), [`Searcher`] and [`MateSolver`].
///
/// # Examples
///
/// ```
/// use komadai_core::{Budget, Position};
/// use komadai_engine::{MoveRequest, MoveSource, Player, Settings};
/// use komadai_usi::BestMove;
///
/// let mut settings = Settings::default();
/// settings.hash_mib = 16;
/// let mut player = Player::new(settings)?;
///
/// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")?;
/// let choice = player.choose(&MoveRequest::new(&position, Budget::nodes(1_000)), &mut |_| {});
/// assert_eq!(choice.best, BestMove::Move { best: "G*5b".parse()?, ponder: None });
/// assert_eq!(choice.source, MoveSource::Mate);
///
/// player.set_settings(Settings { mate_nodes: 0, ..player.settings().clone() })?;
/// player.new_game();
/// let choice = player.choose(&MoveRequest::new(&position, Budget::nodes(1_000)), &mut |_| {});
/// assert_eq!(choice.source, MoveSource::Search);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Player {
    parts: Parts,
    settings: Settings,
    evaluation: LoadedEvaluation,
    /// The table of `TesujiFile`.
    tesuji: Option<Arc<TesujiTable>>,
    searcher: Box<dyn Searcher>,
    kind: SearcherKind,
    /// The options that the searcher has.
    options: SearchOptions,
    solver: Box<dyn MateSolver + Send>,
    /// The mate that is being played out.
    plan: MatePlan,
    /// The searches that the next one may continue.
    pondered: PonderedDepths,
    /// The number of nodes of the last search for a move.
    own_nodes: u64,
    /// True while the solver has the memory of the searcher.
    lends_memory: bool,
    /// The books in the order in which they are asked, without those that failed.
    books: Vec<OpeningBook>,
    /// The first error of a book, which is not used any more.
    book_fault: Option<OpeningBookError>,
    random: SplitMix64,
    /// True if nothing has been searched since the memory of the searcher was cleared.
    is_fresh: bool,
    /// Messages about resources that the machine lacks.
    shortage: Vec<String>,
}

/// An error in a file that a player needs.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PlayerError {
    /// The book cannot be read.
    #[error(transparent)]
    Book(#[from] OpeningBookError),
    /// The evaluation cannot be read.
    #[error(transparent)]
    Evaluation(#[from] EvaluationError),
    /// The sequences of moves cannot be read.
    #[error(transparent)]
    Tesuji(#[from] TesujiError),
    /// A setting contradicts the preset.
    #[error(transparent)]
    Preset(#[from] PresetConflict),
}

impl Player {
    /// The settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The evaluation. For parts with an evaluator of their own it is without meaning.
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation.evaluation
    }

    /// Returns lines of text about the network, none for the embedded evaluation.
    pub(crate) fn evaluation_summary(&self) -> Vec<String> {
        self.evaluation.summary()
    }

    /// Returns a line of text about a table of tesuji, if there is one.
    pub(crate) fn tesuji_summary(&self) -> Option<String> {
        let table = self.tesuji.as_ref()?;
        let is_used = self.kind.is_alpha_beta()
            && self.options.techniques.contains(Techniques::TESUJI_EXTENSION);
        let note = if is_used { "" } else { ", without effect: see TesujiFile" };
        Some(format!("tesuji: {} sequences{note}", table.len()))
    }

    /// The searcher.
    pub fn searcher(&self) -> &dyn Searcher {
        &*self.searcher
    }

    /// Clears everything learned from the last game. Does nothing if nothing has been searched
    /// since.
    pub fn new_game(&mut self) {
        self.plan.clear();
        self.pondered.clear();
        self.own_nodes = 0;
        if !self.is_fresh {
            self.searcher.new_game();
            self.is_fresh = true;
        }
    }

    /// Chooses a move.
    ///
    /// `progress` is called with the result of each iteration of the search. A budget in nodes
    /// includes the nodes of the mate solver, and on one thread leads to the same choice every
    /// time. Even the smallest budget leads to a legal move.
    pub fn choose(
        &mut self,
        request: &MoveRequest<'_>,
        progress: &mut dyn FnMut(&Analysis),
    ) -> Choice {
        self.take_memory_back();
        let position = request.position;
        self.pondered.retain(position);
        if !position.has_legal_move() {
            return Choice::by_rule(BestMove::Resign);
        }
        let among: Vec<Move> =
            request.among.iter().copied().filter(|&m| position.is_legal(m)).collect();
        let declaration = position.declaration(self.settings.declaration);
        // Among some moves a declaration is none of them, while the move of a try may be one.
        let is_among = declaration.try_move.is_some_and(|m| among.contains(&m));
        if declaration.wins() && (among.is_empty() || is_among) {
            return Choice::by_rule(declare(&declaration));
        }
        if request.aim == Aim::Analyse || !among.is_empty() {
            return self.search_choice(request, &among, progress);
        }
        if let Some(choice) = self.planned_choice(request) {
            return choice;
        }
        if let Some(choice) = self.book_choice(request) {
            return choice;
        }
        let threads = self.options.threads;
        let choice = match (self.settings.multi_pv, threads, request.budget.nodes) {
            // Not with a budget in nodes: two searches that run at the same time cannot share it
            // in a repeatable way.
            (0 | 1, 2.., None) => self.choose_beside_solver(request, threads, progress),
            (0 | 1, ..) => self.choose_after_solver(request, progress),
            _ => self.search_choice(request, &among, progress),
        };
        self.own_nodes = choice.analysis.nodes;
        choice
    }

    fn choose_after_solver(
        &mut self,
        request: &MoveRequest<'_>,
        progress: &mut dyn FnMut(&Analysis),
    ) -> Choice {
        let mate = self.split().0.before_search(request);
        if let Some(choice) = self.mate_choice(request.position, &mate) {
            return choice;
        }
        let mut rest = request.clone();
        rest.budget = rest.budget.less(mate.nodes);
        let mut choice = self.search_choice(&rest, &[], &mut |analysis| {
            progress(&Analysis { nodes: analysis.nodes + mate.nodes, ..analysis.clone() });
        });
        choice.analysis.nodes += mate.nodes;
        choice
    }

    fn choose_beside_solver(
        &mut self,
        request: &MoveRequest<'_>,
        threads: usize,
        progress: &mut dyn FnMut(&Analysis),
    ) -> Choice {
        let stop = request.budget.stop.clone().unwrap_or_default();
        let mut stoppable = request.clone();
        stoppable.budget.stop = Some(Arc::clone(&stop));
        let (mut mate_search, mut main_search) = self.split();
        let search = || main_search.choose(&stoppable, &[], progress);
        let (mut choice, mate) = mate_search.beside_search(request, threads, &stop, search);
        let found = choice.analysis.score().and_then(Score::mate_plies).filter(|&plies| plies > 0);
        let is_shorter = found.is_none_or(|plies| mate.within < plies.unsigned_abs());
        let nodes = choice.analysis.nodes + mate.nodes;
        if is_shorter && let Some(by_mate) = self.mate_choice(request.position, &mate) {
            choice = by_mate;
        }
        choice.analysis.nodes = nodes;
        choice
    }

    fn search_choice(
        &mut self,
        request: &MoveRequest<'_>,
        among: &[Move],
        progress: &mut dyn FnMut(&Analysis),
    ) -> Choice {
        self.split().1.choose(request, among, progress)
    }

    /// Borrows mate solver and searcher separately, because they can run at the same time.
    fn split(&mut self) -> (MateSearch<'_>, MainSearch<'_>) {
        self.is_fresh = false;
        let Self { settings, solver, searcher, options, pondered, .. } = self;
        // Long mates do not fit a low level of strength.
        let nodes = if self.kind.skill.is_some() { 0 } else { settings.mate_nodes };
        let mate_search =
            MateSearch { solver: &mut **solver, nodes, max_moves: settings.max_moves };
        (mate_search, MainSearch { settings, searcher: &mut **searcher, pondered, options })
    }
}

/// Shows the settings and the book; the parts may have no representation.
impl fmt::Debug for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Player")
            .field("settings", &self.settings)
            .field("options", &self.options)
            .field("books", &self.books)
            .field("is_fresh", &self.is_fresh)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use komadai_core::{Budget, Color, Position};
    use komadai_eval::Classical;

    use super::*;
    use crate::draw_value::DrawPolicy;
    use crate::request::MoveSource;

    pub(super) fn player(change: impl FnOnce(&mut Settings)) -> Player {
        let mut settings = Settings { hash_mib: 1, mate_hash_mib: 1, ..Settings::default() };
        change(&mut settings);
        Player::with_parts(Parts::alpha_beta(Classical::default()), settings)
            .expect("no book can fail")
    }

    #[test]
    fn the_value_of_a_draw_is_that_of_settings_or_request() {
        let draw = DrawPolicy { black: 30, white: -70, by_clock: false };
        let mut player = player(|settings| settings.draw = draw);
        let mut position = Position::hirate();
        for (side, value, next) in [(Color::Black, 30, "7g7f"), (Color::White, -70, "3c3d")] {
            assert_eq!(position.side(), side);
            let request = MoveRequest::new(&position, Budget::nodes(100));
            player.choose(&request, &mut |_| {});
            assert_eq!(player.options.draw_value, value);
            let request = MoveRequest { draw_value: Some(5), ..request };
            player.choose(&request, &mut |_| {});
            assert_eq!(player.options.draw_value, 5);
            position.do_move(next.parse().expect("a move"));
        }
    }

    #[test]
    fn with_several_threads_a_mate_is_found_as_well() {
        let sfen = "7gk/9/6P1+P/9/9/9/9/9/9 b GSP2r2b2g3s4n4l15p 1";
        let position = Position::from_sfen(sfen).expect("a position");
        for threads in [1, 2] {
            let mut player = player(|settings| settings.threads = threads);
            let request = MoveRequest::new(&position, Budget::unlimited());
            let choice = player.choose(&request, &mut |_| {});
            assert_eq!(choice.source, MoveSource::Mate);
            assert!(choice.analysis.score().is_some_and(Score::is_mate));
        }
    }
}
