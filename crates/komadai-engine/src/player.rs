//! The player: book, then mate solver, then search.

mod mate_plan;
pub(crate) mod mate_lines;
mod mates;

use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use komadai_core::{Analysis, Budget, Move, Position, Score, SplitMix64};
use komadai_movegen::{DeclarationReport, MateSolver, MoveGen};
use komadai_search::{Quiescence, SearchOptions, SearchRequest, Searcher, Techniques};
use komadai_usi::BestMove;

use crate::evaluation::{Evaluation, EvaluationError, LoadedEvaluation};
use crate::machine::{affordable_hash_mib, usable_threads};
use crate::mate_search::MateSearch;
use crate::multi_ponder::{MultiPonder, RANKING_NODES, Slice};
use crate::opening_book::{OpeningBook, OpeningBookError};
use crate::parts::Parts;
use crate::request::{Aim, Choice, MoveRequest, MoveSource};
use crate::search_mode::SearcherKind;
use crate::settings::Settings;
use crate::usi_options::switches;

use mate_plan::MatePlan;

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
    searcher: Box<dyn Searcher>,
    kind: SearcherKind,
    /// The options that the searcher has.
    options: SearchOptions,
    solver: Box<dyn MateSolver + Send>,
    /// The mate that is being played out.
    plan: MatePlan,
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
}

impl Player {
    /// Returns a player with these settings and the [parts](Parts) of the embedded player.
    ///
    /// # Errors
    ///
    /// If book or evaluation cannot be read.
    pub fn new(settings: Settings) -> Result<Self, PlayerError> {
        Self::with_parts(Parts::default(), settings)
    }

    /// Returns a player with these parts and settings.
    ///
    /// # Errors
    ///
    /// If book or evaluation cannot be read.
    pub fn with_parts(parts: Parts, settings: Settings) -> Result<Self, PlayerError> {
        let mut player = Self::despite_book(parts, settings)?;
        player.book_fault.take().map_or(Ok(player), |fault| Err(fault.into()))
    }

    /// Returns a player with these parts and settings. If the book cannot be read, the player has
    /// none, and [`book_fault`](Self::book_fault) is the reason: without its book a player is as
    /// strong as before, while with another evaluation it would be a different one.
    pub(crate) fn despite_book(parts: Parts, settings: Settings) -> Result<Self, EvaluationError> {
        let mut evaluation = LoadedEvaluation::default();
        if parts.has_evaluations {
            evaluation =
                evaluation.renewed(settings.evaluation_source(), settings.eval_reading())?;
        }
        let mut player = Self::without_book(parts, settings, evaluation);
        player.load_books();
        Ok(player)
    }

    fn without_book(parts: Parts, settings: Settings, evaluation: LoadedEvaluation) -> Self {
        let mut shortage = Vec::new();
        let hash_mib = affordable_hash_mib("USI_Hash", settings.hash_mib, 0, &mut shortage);
        let threads = usable_threads(settings.threads, &mut shortage);
        let options = settings.search_options(hash_mib, threads);
        let kind = settings.searcher_kind(&evaluation.evaluation);
        let searcher = parts.searcher(&kind, options.clone());
        let mate_mib = affordable_hash_mib("MateHash", settings.mate_hash_mib, 0, &mut shortage);
        add_refusal(&*searcher, &options, &mut shortage);
        let solver = parts.solver(&settings.solver_options(mate_mib));
        let random = SplitMix64::new(settings.seed);
        Self {
            parts,
            settings,
            evaluation,
            searcher,
            kind,
            options,
            solver,
            plan: MatePlan::default(),
            lends_memory: false,
            books: Vec::new(),
            book_fault: None,
            random,
            is_fresh: true,
            shortage,
        }
    }

    /// Changes the settings. Parts whose settings stay the same keep what they have learned. The
    /// file of the evaluation is read again if it has changed.
    ///
    /// # Errors
    ///
    /// If the evaluation cannot be read. Nothing has changed then: the player keeps its old
    /// evaluation and all its settings. If the book cannot be read. The player then has no book;
    /// the other settings are in force.
    pub fn set_settings(&mut self, settings: Settings) -> Result<(), PlayerError> {
        self.set_settings_despite_book(settings)?;
        self.book_fault.take().map_or(Ok(()), |fault| Err(fault.into()))
    }

    /// Changes the settings as [`set_settings`](Self::set_settings) does, but an error of the book
    /// becomes the [`book_fault`](Self::book_fault).
    pub(crate) fn set_settings_despite_book(
        &mut self,
        settings: Settings,
    ) -> Result<(), EvaluationError> {
        if self.parts.has_evaluations {
            let source = settings.evaluation_source();
            self.evaluation = self.evaluation.renewed(source, settings.eval_reading())?;
        }
        self.set_other_settings(settings);
        Ok(())
    }

    /// Changes the settings, which have the evaluation of the present ones. Its file is not looked
    /// at. An error of the book becomes the [`book_fault`](Self::book_fault).
    pub(crate) fn set_other_settings(&mut self, settings: Settings) {
        self.take_memory_back();
        self.shortage.clear();
        let in_use = self.searcher.state().memory_mib;
        let resized = settings.hash_mib != self.settings.hash_mib;
        let hash_mib = match resized {
            true => affordable_hash_mib("USI_Hash", settings.hash_mib, in_use, &mut self.shortage),
            false => self.options.hash_mib,
        };
        let threads = match settings.threads != self.settings.threads {
            true => usable_threads(settings.threads, &mut self.shortage),
            false => self.options.threads,
        };
        let kind = settings.searcher_kind(&self.evaluation.evaluation);
        self.set_searcher(kind, settings.search_options(hash_mib, threads));
        if resized {
            add_refusal(&*self.searcher, &self.options, &mut self.shortage);
        }
        let mate_mib = settings.mate_hash_mib;
        if (mate_mib, settings.shortest_mate)
            != (self.settings.mate_hash_mib, self.settings.shortest_mate)
        {
            let in_use = self.solver.memory_bytes() >> 20;
            let mib = affordable_hash_mib("MateHash", mate_mib, in_use, &mut self.shortage);
            self.solver = self.parts.solver(&settings.solver_options(mib));
        }
        if settings.seed != self.settings.seed {
            self.random = SplitMix64::new(settings.seed);
        }
        let paths: Vec<&Path> = self.books.iter().map(OpeningBook::path).collect();
        let has_books = paths == settings.book_paths()
            && self.books.iter().all(|book| book.reading() == settings.book_reading);
        self.settings = settings;
        let had_fault = self.book_fault.take().is_some();
        if !has_books || had_fault {
            // The old books are closed before the new ones are read: they may not fit into memory
            // together.
            self.books.clear();
            self.load_books();
        }
    }

    fn load_books(&mut self) {
        for path in self.settings.book_paths() {
            match OpeningBook::open_with(self.parts.open_book, &path, self.settings.book_reading) {
                Ok(book) => self.books.push(book),
                Err(fault) => {
                    self.book_fault.get_or_insert(fault);
                }
            }
        }
    }

    /// Hands the options to the searcher, or makes another one if its kind changes.
    fn set_searcher(&mut self, kind: SearcherKind, options: SearchOptions) {
        self.options = options.clone();
        let is_heeded = self.parts.has_kinds || self.parts.has_evaluations;
        if kind == self.kind || !is_heeded {
            self.searcher.set_options(options);
            return;
        }
        // The old searcher returns its memory first: both may not fit.
        self.searcher.set_options(SearchOptions { hash_mib: 1, ..options.clone() });
        self.searcher = self.parts.searcher(&kind, options);
        (self.kind, self.is_fresh) = (kind, true);
    }

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

    /// The books, in the order in which they are asked.
    pub fn books(&self) -> &[OpeningBook] {
        &self.books
    }

    /// The first error of a book since the settings were set. A file that is probed on disk may
    /// turn out to be damaged or out of order, also when it is read again for new settings. After
    /// an error a book is not used any more.
    pub fn book_fault(&self) -> Option<&OpeningBookError> {
        self.book_fault.as_ref()
    }

    /// The searcher.
    pub fn searcher(&self) -> &dyn Searcher {
        &*self.searcher
    }

    /// Messages about resources (memory, processor cores) that the settings ask for and the machine
    /// lacks, one for each.
    pub(crate) fn shortage(&self) -> &[String] {
        &self.shortage
    }

    /// Returns a line of text with the resources in use (threads, memory), and the techniques, the
    /// search mode and the quiescence search that differ from the default.
    pub fn summary(&self) -> String {
        let SearchOptions { threads, techniques, quiescence, .. } = &self.options;
        let hash_mib = granted_mib(&*self.searcher, &self.options);
        let mate_mib = self.solver.memory_bytes().div_ceil(1 << 20);
        let mut text = format!("threads {threads}, hash {hash_mib} MiB, mate hash {mate_mib} MiB");
        for (name, technique) in switches() {
            let is_used = techniques.contains(technique);
            if is_used != Techniques::default().contains(technique) {
                text += &format!(", {name} {is_used}");
            }
        }
        if self.parts.has_kinds {
            match self.settings.skill_level {
                0 if self.kind.is_alpha_beta() => {}
                0 => text += &format!(", SearchMode {}", self.kind.mode),
                level => text += &format!(", SkillLevel {level}"),
            }
        }
        if *quiescence != Quiescence::default() {
            text += &format!(", Quiescence {quiescence}");
        }
        text
    }

    /// Gets the memory of the searcher from the system, so that the first move is not late.
    pub fn warm_up(&mut self) {
        self.searcher.warm_up();
    }

    /// Clears everything learned from the last game. Does nothing if nothing has been searched
    /// since.
    pub fn new_game(&mut self) {
        self.plan.clear();
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
        match (self.settings.multi_pv, threads, request.budget.nodes) {
            // Not with a budget in nodes: two searches that run at the same time cannot share it
            // in a repeatable way.
            (0 | 1, 2.., None) => self.choose_beside_solver(request, threads, progress),
            (0 | 1, ..) => self.choose_after_solver(request, progress),
            _ => self.search_choice(request, &among, progress),
        }
    }

    /// Ponders on `count` replies. The last move of the request's position is the expected one.
    /// `progress` is called with reports on the position after that one, `on_round` whenever
    /// all have had a share of the time. `None` if no move has led to the position.
    pub(crate) fn ponder_on_several(
        &mut self,
        request: &MoveRequest<'_>,
        count: usize,
        progress: &mut dyn FnMut(&Analysis),
        on_round: &mut dyn FnMut(&MultiPonder),
    ) -> Option<MultiPonder> {
        let expected = request.position.moves().last().flatten()?;
        let mut before = request.position.clone();
        before.undo_move();
        self.take_memory_back();
        let start = Instant::now();
        let ranking = self.rank_replies(&before, request, count);
        let unit = self.searcher.scale();
        let mut ponder = MultiPonder::new(&before, expected, count, &ranking, unit);
        let mut search = |slice: Slice<'_>| {
            let mut of_slice = MoveRequest::new(slice.position, slice.budget);
            (of_slice.aim, of_slice.draw_value) = (Aim::Analyse, request.draw_value);
            self.search_choice(&of_slice, &[], &mut |analysis| {
                // Iterations that only repeat those of the slice before are not reported.
                if let Some((nodes, depth)) = slice.expected
                    && analysis.depth > depth
                {
                    let nodes = analysis.nodes + nodes;
                    progress(&Analysis { nodes, time: start.elapsed(), ..analysis.clone() });
                }
            })
        };
        ponder.run(&request.budget, &mut search, on_round);
        Some(ponder)
    }

    /// Values the replies in the position before the expected one by a short search.
    fn rank_replies(
        &mut self,
        before: &Position,
        request: &MoveRequest<'_>,
        count: usize,
    ) -> Analysis {
        // Of a small budget the replies themselves need most.
        let nodes = request.budget.nodes.map_or(RANKING_NODES, |all| RANKING_NODES.min(all / 10));
        let budget = Budget { nodes: Some(nodes), ..request.budget.clone() };
        let mut ranking = MoveRequest::new(before, budget);
        (ranking.aim, ranking.draw_value) = (Aim::Analyse, request.draw_value.map(|value| -value));
        let multi_pv = std::mem::replace(&mut self.options.multi_pv, count);
        self.searcher.set_options(self.options.clone());
        let analysis = self.search_choice(&ranking, &[], &mut |_| {}).analysis;
        self.options.multi_pv = multi_pv;
        self.searcher.set_options(self.options.clone());
        analysis
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

    fn book_choice(&mut self, request: &MoveRequest<'_>) -> Option<Choice> {
        let draw = Score::cp(draw_value(&self.settings, request));
        let policy = &self.settings.book_policy;
        let mut found = None;
        let (random, fault) = (&mut self.random, &mut self.book_fault);
        self.books.retain(|book| {
            if found.is_none() {
                match book.choose(request.position, policy, draw, random) {
                    Ok(chosen) => found = chosen,
                    Err(error) => {
                        fault.get_or_insert(error);
                        return false;
                    }
                }
            }
            true
        });
        let found = found?;
        let best = BestMove::Move { best: found.m, ponder: reply(&self.settings, found.ponder) };
        let source = MoveSource::Book { choices: found.choices };
        Some(Choice { best, analysis: found.analysis, source })
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
        let Self { settings, solver, searcher, options, .. } = self;
        // Long mates do not fit a low level of strength.
        let nodes = if self.kind.skill.is_some() { 0 } else { settings.mate_nodes };
        let mate_search =
            MateSearch { solver: &mut **solver, nodes, max_moves: settings.max_moves };
        (mate_search, MainSearch { settings, searcher: &mut **searcher, options })
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

/// The searcher of a player with its options.
struct MainSearch<'a> {
    settings: &'a Settings,
    searcher: &'a mut dyn Searcher,
    options: &'a mut SearchOptions,
}

impl MainSearch<'_> {
    fn choose(
        &mut self,
        request: &MoveRequest<'_>,
        among: &[Move],
        progress: &mut dyn FnMut(&Analysis),
    ) -> Choice {
        let MoveRequest { position, budget, .. } = request;
        self.set_draw_value(draw_value(self.settings, request));
        let mut lines = ReportedLines::default();
        let mut watch = |analysis: &Analysis| {
            lines.add(analysis);
            progress(analysis);
        };
        let among = (!among.is_empty()).then_some(among);
        let mut analysis =
            self.searcher.run(&SearchRequest { position, among, budget }, &mut watch);
        if let Some(line) = analysis.lines.first_mut()
            && let &[best] = &line.pv[..]
        {
            // The limit has ended the search just after this move had failed high.
            let reply = self.searcher.expected_reply(position, best);
            line.pv.extend(reply.or_else(|| lines.reply_to(position, best)));
        }
        let best = match (analysis.lines.first(), analysis.best_move()) {
            (Some(line), _) if line.score.raw() <= -self.settings.resign_value => BestMove::Resign,
            (Some(line), Some(best)) => {
                BestMove::Move { best, ponder: reply(self.settings, line.pv.get(1).copied()) }
            }
            // A line without a move is that of a declaration.
            _ => declare(&position.declaration(self.settings.declaration)),
        };
        Choice { best, analysis, source: MoveSource::Search }
    }

    /// Sets the value of a draw. The searcher keeps what it has learned.
    fn set_draw_value(&mut self, draw_value: i32) {
        if self.options.draw_value != draw_value {
            self.options.draw_value = draw_value;
            self.searcher.set_options(self.options.clone());
        }
    }
}

/// Returns the memory of a searcher in MiB: what the system has granted, which may be less than
/// what the options ask for. A searcher without a figure has what was asked for.
fn granted_mib(searcher: &dyn Searcher, options: &SearchOptions) -> usize {
    match searcher.state().memory_mib {
        0 => options.hash_mib,
        granted => granted.min(options.hash_mib),
    }
}

/// Adds a message if the system has granted a searcher less memory than the options ask for.
fn add_refusal(searcher: &dyn Searcher, options: &SearchOptions, shortage: &mut Vec<String>) {
    let (granted, wanted) = (granted_mib(searcher, options), options.hash_mib);
    if granted < wanted {
        shortage.push(format!("USI_Hash: {granted} MiB, the system grants no {wanted}"));
    }
}

/// The last reported replies, by the moves that they answer.
#[derive(Debug, Default)]
struct ReportedLines(HashMap<Move, Move>);

impl ReportedLines {
    fn add(&mut self, analysis: &Analysis) {
        for line in &analysis.lines {
            if let &[first, reply, ..] = &line.pv[..] {
                self.0.insert(first, reply);
            }
        }
    }

    fn reply_to(&self, position: &Position, m: Move) -> Option<Move> {
        self.0.get(&m).copied().filter(|&reply| position.after(m).is_legal(reply))
    }
}

/// Returns the value of a draw for the side to move, in centipawns.
fn draw_value(settings: &Settings, request: &MoveRequest<'_>) -> i32 {
    let by_settings = || settings.draw.value(request.position.side(), None);
    request.draw_value.unwrap_or_else(by_settings)
}

/// Returns the reply to ponder on, if the settings ask for one.
fn reply(settings: &Settings, reply: Option<Move>) -> Option<Move> {
    reply.filter(|_| settings.ponders)
}

/// Returns the answer that claims a win: a move under the try rule, otherwise the declaration.
fn declare(declaration: &DeclarationReport) -> BestMove {
    match declaration.try_move {
        Some(best) => BestMove::Move { best, ponder: None },
        None if declaration.wins() => BestMove::Win,
        None => BestMove::Resign,
    }
}

#[cfg(test)]
mod tests {
    use komadai_core::Color;
    use komadai_eval::Classical;
    use komadai_search::SearcherState;

    use super::*;
    use crate::draw_value::DrawPolicy;
    use crate::parts::Parts;

    fn player(change: impl FnOnce(&mut Settings)) -> Player {
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
    fn threads_are_passed_on_as_far_as_there_are_cores() {
        assert_eq!(player(|settings| settings.threads = 2).options.threads, 2);
        let mut player = player(|settings| settings.threads = 1_000_000);
        let threads = player.options.threads;
        assert!((8..1_000_000).contains(&threads));
        assert!(player.shortage()[0].starts_with(&format!("Threads: {threads}, ")));
        // The same setting again adds no second message.
        let settings = player.settings().clone();
        player.set_settings(settings).expect("no book can fail");
        assert!(player.shortage().is_empty());
        assert_eq!(player.options.threads, threads);
    }

    #[test]
    fn a_player_asked_only_for_mates_lends_the_memory_of_the_search() {
        let mut player = player(|settings| settings.hash_mib = 8);
        let sizes = |player: &Player| {
            (player.searcher.state().memory_mib, player.solver.memory_bytes().div_ceil(1 << 20))
        };
        let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").expect("a position");
        assert_eq!(sizes(&player), (8, 1));
        let soon = Budget { deadline: Some(std::time::Instant::now()), ..Budget::unlimited() };
        player.find_mate(&position, &soon);
        assert_eq!(sizes(&player), (8, 1), "there is no time for it");
        for _ in 0..2 {
            assert!(player.find_mate(&position, &Budget::nodes(1_000)).is_mate());
            assert_eq!(sizes(&player), (1, 8));
        }
        // A search takes its memory back, and keeps it until a new game.
        player.choose(&MoveRequest::new(&Position::hirate(), Budget::nodes(100)), &mut |_| {});
        assert_eq!(sizes(&player), (8, 1));
        player.find_mate(&position, &Budget::nodes(1_000));
        assert_eq!(sizes(&player), (8, 1));
        player.new_game();
        player.find_mate(&position, &Budget::nodes(1_000));
        assert_eq!(sizes(&player), (1, 8));
        // Settings count for the sizes in play.
        let settings = Settings { hash_mib: 4, ..player.settings().clone() };
        player.set_settings(settings).expect("no book can fail");
        assert_eq!(sizes(&player), (4, 1));
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

    /// Returns the nodes after which a search of `position` has finished the iteration of `depth`.
    fn nodes_to_depth(player: &mut Player, position: &Position, depth: u32) -> u64 {
        let budget = Budget { depth: Some(depth), ..Budget::unlimited() };
        let request = MoveRequest { aim: Aim::Analyse, ..MoveRequest::new(position, budget) };
        player.choose(&request, &mut |_| {}).analysis.nodes
    }

    #[test]
    fn a_search_after_any_of_the_replies_pondered_on_starts_deep() {
        let line = "7g7f 3c3d 2g2f 8c8d 2f2e 8d8e 6i7h 4a3b";
        let start = Position::hirate();
        let position =
            line.split(' ').fold(start, |position, m| position.after(m.parse().unwrap()));
        let ponder = |player: &mut Player| {
            let request = MoveRequest::new(&position, Budget::nodes(400_000));
            let (mut reports, mut rounds) = (Vec::new(), 0);
            let ponder = player.ponder_on_several(
                &request,
                3,
                &mut |analysis| reports.push((analysis.depth, analysis.nodes)),
                &mut |_| rounds += 1,
            );
            assert!(rounds > 3 && reports.is_sorted(), "{reports:?}");
            ponder.expect("a move has been made")
        };
        let mut first = player(|settings| settings.hash_mib = 16);
        let ponder_first = ponder(&mut first);
        assert_eq!(first.options.multi_pv, 1);
        assert_eq!(ponder_first.replies.len(), 3);
        assert_eq!(ponder_first.replies[0].position, position);
        // A search looks at its budget now and then only.
        assert!((400_000..410_000).contains(&ponder_first.nodes()), "{}", ponder_first.nodes());
        let (mut after, mut alone) = (0, 0);
        for reply in &ponder_first.replies {
            let depth = reply.depth - 1;
            let mut fresh = player(|settings| settings.hash_mib = 16);
            alone += nodes_to_depth(&mut fresh, &reply.position, depth);
            let mut pondered = player(|settings| settings.hash_mib = 16);
            assert_eq!(ponder(&mut pondered).nodes(), ponder_first.nodes(), "it is repeatable");
            after += nodes_to_depth(&mut pondered, &reply.position, depth);
        }
        // All three reach the depth before their last one soon: not at once, as each iteration is
        // searched again, but with the table. A search alone differs from that in its reductions.
        let text = format!("{after} nodes after pondering, {alone} alone");
        assert!(5 * after < ponder_first.nodes() && 3 * after < 2 * alone, "{text}");
        assert!(
            first
                .ponder_on_several(
                    &MoveRequest::new(&Position::hirate(), Budget::nodes(1)),
                    3,
                    &mut |_| {},
                    &mut |_| {},
                )
                .is_none()
        );
    }

    /// A searcher with this much memory, in MiB.
    struct Granted(usize);

    impl Searcher for Granted {
        fn run(&mut self, _: &SearchRequest<'_>, _: &mut dyn FnMut(&Analysis)) -> Analysis {
            Analysis::default()
        }

        fn new_game(&mut self) {}

        fn state(&self) -> SearcherState {
            SearcherState { memory_mib: self.0, ..SearcherState::default() }
        }
    }

    #[test]
    fn the_memory_is_what_the_system_has_granted() {
        for (granted, wanted, size, message) in [
            (1_023, 4_096, 1_023, Some("USI_Hash: 1023 MiB, the system grants no 4096")),
            (1, 16, 1, Some("USI_Hash: 1 MiB, the system grants no 16")),
            (16, 16, 16, None),
            // Two searchers with half of the memory each, but at least 1 MiB.
            (2, 1, 1, None),
            // Without a figure.
            (0, 64, 64, None),
        ] {
            let options = SearchOptions { hash_mib: wanted, ..SearchOptions::default() };
            let (searcher, mut shortage) = (Granted(granted), Vec::new());
            assert_eq!(granted_mib(&searcher, &options), size);
            add_refusal(&searcher, &options, &mut shortage);
            assert_eq!(shortage.first().map(String::as_str), message);
        }
    }
}
