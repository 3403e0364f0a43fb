//! One player: book, then mate, then search.

use std::path::PathBuf;
use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use komadai_core::{Analysis, Bound, Budget, Line, Move, Position, Pv, Score};
use komadai_eval::Classical;
use komadai_movegen::{CheckClass, DeclarationReport, MateReport, MateSolver, MoveGen};
use komadai_search::{AlphaBeta, SearchOptions, Searcher, Techniques, TranspositionTable};
use komadai_tsume::DfPn;
use komadai_usi::BestMove;

use crate::machine::affordable_mib;
use crate::mate_search::{MateLook, MateLooker};
use crate::opening_book::{OpeningBook, OpeningBookError};
use crate::settings::Settings;
use crate::switches::switches;
use komadai_core::SplitMix64;

/// A player of shogi: asks the book first, then the mate solver, then searches.
///
/// # Examples
///
/// ```
/// use komadai_core::{Budget, Position};
/// use komadai_engine::{Player, Question, Settings, Source};
/// use komadai_usi::BestMove;
///
/// let mut settings = Settings::default();
/// settings.hash_mib = 16;
/// let mut player = Player::new(settings)?;
///
/// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")?;
/// let choice = player.choose(&Question::new(&position, Budget::nodes(1_000)), &mut |_| {});
/// assert_eq!(choice.best, BestMove::Move { best: "G*5b".parse()?, ponder: None });
/// assert_eq!(choice.source, Source::Mate);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Player {
    settings: Settings,
    searcher: AlphaBeta<Classical>,
    solver: DfPn,
    book: Option<OpeningBook>,
    /// Why the book is not asked any more.
    book_fault: Option<OpeningBookError>,
    random: SplitMix64,
    /// Whether nothing has been searched since everything was forgotten.
    is_fresh: bool,
    /// What the machine did not have the memory for.
    shortage: Vec<String>,
}

/// What a player is asked.
#[derive(Debug, Clone)]
pub struct Question<'a> {
    /// The position, with the game that led to it.
    pub position: &'a Position,
    /// The moves to choose among; all, if empty.
    pub among: &'a [Move],
    /// What may be spent. Its stop flag is set once a mate has been found beside a search on several
    /// threads.
    pub budget: Budget,
    /// How long the choice will probably take, where that is less than until the deadline.
    pub expected: Option<Duration>,
    /// What a draw is worth to the side to move, in centipawns; as the settings say, if `None`.
    pub draw_value: Option<i32>,
    /// Whether a move is wanted, or thoughts.
    pub aim: Aim,
}

/// What a question is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Aim {
    /// A move: book and mate solver may answer.
    #[default]
    Play,
    /// An analysis: only the search answers.
    Analyse,
}

/// What a player chooses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// What to play.
    pub best: BestMove,
    /// Why: the lines that led to the choice, if there are any. The nodes are those of mate solver
    /// and search together.
    pub analysis: Analysis,
    /// Who chose.
    pub source: Source,
}

/// Who made a choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Source {
    /// The rules: there was nothing to choose, or a win to declare.
    Rules,
    /// The book, among this many moves.
    Book {
        /// How many moves were good enough.
        choices: usize,
    },
    /// The mate solver.
    Mate,
    /// The search.
    Search,
}

impl<'a> Question<'a> {
    /// Which move to play.
    #[must_use]
    pub fn new(position: &'a Position, budget: Budget) -> Self {
        let (among, aim) = (&[][..], Aim::Play);
        Self { position, among, budget, expected: None, draw_value: None, aim }
    }
}

impl Player {
    /// A player with these settings.
    ///
    /// # Errors
    ///
    /// When the book cannot be read.
    pub fn new(settings: Settings) -> Result<Self, OpeningBookError> {
        let mut player = Self::without_book(settings);
        player.book = load_book(&player.settings)?;
        Ok(player)
    }

    fn without_book(settings: Settings) -> Self {
        let mut shortage = Vec::new();
        let hash_mib = bounded("USI_Hash", settings.hash_mib, 0, &mut shortage);
        let threads = bearable_threads(settings.threads, &mut shortage);
        let searcher =
            AlphaBeta::new(Classical::default(), settings.search_options(hash_mib, threads));
        let mate_mib = bounded("MateHash", settings.mate_hash_mib, 0, &mut shortage);
        let solver = DfPn::new(settings.solver_options(mate_mib));
        let random = SplitMix64::new(settings.seed);
        Self {
            settings,
            searcher,
            solver,
            book: None,
            book_fault: None,
            random,
            is_fresh: true,
            shortage,
        }
    }

    /// Changes the settings. What they leave as it is keeps what it has learned.
    ///
    /// # Errors
    ///
    /// When the book cannot be read; there is none then, and the other settings hold.
    pub fn set_settings(&mut self, settings: Settings) -> Result<(), OpeningBookError> {
        self.shortage.clear();
        let in_use = self.searcher.table().mib();
        let resized = settings.hash_mib != self.settings.hash_mib;
        let hash_mib = match resized {
            true => bounded("USI_Hash", settings.hash_mib, in_use, &mut self.shortage),
            false => self.searcher.options().hash_mib,
        };
        let threads = match settings.threads != self.settings.threads {
            true => bearable_threads(settings.threads, &mut self.shortage),
            false => self.searcher.options().threads,
        };
        self.searcher.set_options(settings.search_options(hash_mib, threads));
        let mate_mib = settings.mate_hash_mib;
        if (mate_mib, settings.shortest_mate)
            != (self.settings.mate_hash_mib, self.settings.shortest_mate)
        {
            let in_use = self.solver.memory_bytes() >> 20;
            let mib = bounded("MateHash", mate_mib, in_use, &mut self.shortage);
            self.solver = DfPn::new(settings.solver_options(mib));
        }
        if settings.seed != self.settings.seed {
            self.random = SplitMix64::new(settings.seed);
        }
        let has_book = self.book.as_ref().map(OpeningBook::path) == settings.book_path().as_deref()
            && self.book.as_ref().is_none_or(|book| book.reading() == settings.book_reading);
        self.settings = settings;
        let had_fault = self.book_fault.take().is_some();
        if !has_book || had_fault {
            self.book = None;
            self.book = load_book(&self.settings)?;
        }
        Ok(())
    }

    /// The settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The book, if there is one.
    #[must_use]
    pub fn book(&self) -> Option<&OpeningBook> {
        self.book.as_ref()
    }

    /// What has gone wrong with the book since the settings were set, as a file that is searched may
    /// turn out to be damaged or in the wrong order. The book is not asked any more then.
    #[must_use]
    pub fn book_fault(&self) -> Option<&OpeningBookError> {
        self.book_fault.as_ref()
    }

    /// What the search knows.
    #[must_use]
    pub fn table(&self) -> &TranspositionTable {
        self.searcher.table()
    }

    /// In words, what the settings ask for that this machine does not have: memory, cores.
    #[must_use]
    pub fn shortage(&self) -> &[String] {
        &self.shortage
    }

    /// In words, what is used: threads, memory, and which techniques are not as usual.
    #[must_use]
    pub fn summary(&self) -> String {
        let SearchOptions { hash_mib, threads, techniques, .. } = self.searcher.options();
        let mate_mib = self.solver.memory_bytes().div_ceil(1 << 20);
        let mut text = format!("threads {threads}, hash {hash_mib} MiB, mate hash {mate_mib} MiB");
        for (name, technique) in switches() {
            let is_used = techniques.contains(technique);
            if is_used != Techniques::default().contains(technique) {
                text += &format!(", {name} {is_used}");
            }
        }
        text
    }

    /// Forgets the last game. Costs nothing if there was none.
    pub fn new_game(&mut self) {
        if !self.is_fresh {
            self.searcher.new_game();
            self.is_fresh = true;
        }
    }

    /// Chooses a move.
    ///
    /// `progress` hears what the search finds, iteration by iteration. A budget in nodes includes
    /// those of the mate solver, and leads to the same choice every time; even the smallest budget
    /// leads to a legal move.
    pub fn choose(
        &mut self,
        question: &Question<'_>,
        progress: &mut dyn FnMut(&Analysis),
    ) -> Choice {
        let position = question.position;
        if !position.has_legal_move() {
            return Choice::by_rule(BestMove::Resign);
        }
        let among: Vec<Move> =
            question.among.iter().copied().filter(|&m| position.is_legal(m)).collect();
        let declaration = position.declaration(self.settings.declaration);
        if declaration.wins() && among.is_empty() {
            return Choice::by_rule(declare(&declaration));
        }
        if question.aim == Aim::Analyse || !among.is_empty() {
            return self.search_choice(question, &among, progress);
        }
        if let Some(choice) = self.book_choice(position) {
            return choice;
        }
        let threads = self.searcher.options().threads;
        match (self.settings.multi_pv, threads, question.budget.nodes) {
            // Beside the search there is no saying how many nodes are whose.
            (0 | 1, 2.., None) => self.choose_beside_solver(question, threads, progress),
            (0 | 1, ..) => self.choose_after_solver(question, progress),
            _ => self.search_choice(question, &among, progress),
        }
    }

    fn choose_after_solver(
        &mut self,
        question: &Question<'_>,
        progress: &mut dyn FnMut(&Analysis),
    ) -> Choice {
        let look = self.parts().0.before(question);
        if let Some(choice) = self.mate_choice(&look) {
            return choice;
        }
        let mut rest = question.clone();
        rest.budget.nodes = rest.budget.nodes.map(|nodes| nodes.saturating_sub(look.nodes));
        let mut choice = self.search_choice(&rest, &[], &mut |analysis| {
            progress(&Analysis { nodes: analysis.nodes + look.nodes, ..analysis.clone() });
        });
        choice.analysis.nodes += look.nodes;
        choice
    }

    fn choose_beside_solver(
        &mut self,
        question: &Question<'_>,
        threads: usize,
        progress: &mut dyn FnMut(&Analysis),
    ) -> Choice {
        let stop = question.budget.stop.clone().unwrap_or_default();
        let mut stoppable = question.clone();
        stoppable.budget.stop = Some(Arc::clone(&stop));
        let (mut looker, mut seeker) = self.parts();
        let search = || seeker.choose(&stoppable, &[], progress);
        let (mut choice, look) = looker.beside(question, threads, &stop, search);
        let found = choice.analysis.score().and_then(Score::mate_plies).filter(|&plies| plies > 0);
        let is_shorter = |line: &Pv| found.is_none_or(|plies| line.len() < plies as usize);
        let nodes = choice.analysis.nodes + look.nodes;
        if look.line.as_ref().is_some_and(is_shorter)
            && let Some(mate) = self.mate_choice(&look)
        {
            choice = mate;
        }
        choice.analysis.nodes = nodes;
        choice
    }

    /// Looks for a forced mate.
    pub fn find_mate(&mut self, position: &Position, budget: &Budget) -> MateReport {
        self.solver.solve(position, budget, CheckClass::All)
    }

    fn book_choice(&mut self, position: &Position) -> Option<Choice> {
        let book = self.book.as_ref().filter(|_| self.book_fault.is_none())?;
        let found = match book.choose(position, &self.settings.book_policy, &mut self.random) {
            Ok(found) => found?,
            Err(fault) => {
                self.book_fault = Some(fault);
                return None;
            }
        };
        let best = BestMove::Move { best: found.m, ponder: reply(&self.settings, found.ponder) };
        let source = Source::Book { choices: found.choices };
        Some(Choice { best, analysis: found.analysis, source })
    }

    fn mate_choice(&self, look: &MateLook) -> Option<Choice> {
        let line = look.line.as_ref()?;
        let best = *line.first()?;
        let ponder = reply(&self.settings, line.get(1).copied());
        let analysis = mate_analysis(line, look.nodes, look.time);
        Some(Choice { best: BestMove::Move { best, ponder }, analysis, source: Source::Mate })
    }

    fn search_choice(
        &mut self,
        question: &Question<'_>,
        among: &[Move],
        progress: &mut dyn FnMut(&Analysis),
    ) -> Choice {
        self.parts().1.choose(question, among, progress)
    }

    /// What looks for a mate and what searches, apart, so that they can work beside each other.
    fn parts(&mut self) -> (MateLooker<'_, DfPn>, Seeker<'_>) {
        self.is_fresh = false;
        let Self { settings, solver, searcher, .. } = self;
        let looker =
            MateLooker { solver, nodes: settings.mate_nodes, max_moves: settings.max_moves };
        (looker, Seeker { settings, searcher })
    }
}

/// What a player searches with.
struct Seeker<'a> {
    settings: &'a Settings,
    searcher: &'a mut AlphaBeta<Classical>,
}

impl Seeker<'_> {
    fn choose(
        &mut self,
        question: &Question<'_>,
        among: &[Move],
        progress: &mut dyn FnMut(&Analysis),
    ) -> Choice {
        let Question { position, budget, .. } = question;
        let by_settings = || self.settings.draw.value(position.side(), None);
        self.set_draw_value(question.draw_value.unwrap_or_else(by_settings));
        let analysis = if among.is_empty() {
            self.searcher.search(position, budget, progress)
        } else {
            self.searcher.search_among(position, among, budget, progress)
        };
        let best = match (analysis.lines.first(), analysis.best_move()) {
            (Some(line), _) if line.score.raw() <= -self.settings.resign_value => BestMove::Resign,
            (Some(line), Some(best)) => {
                BestMove::Move { best, ponder: reply(self.settings, line.pv.get(1).copied()) }
            }
            // A line without a move is a declaration's, which goes before any choice of moves.
            _ => declare(&position.declaration(self.settings.declaration)),
        };
        Choice { best, analysis, source: Source::Search }
    }

    /// Costs nothing, and nothing that has been learned.
    fn set_draw_value(&mut self, draw_value: i32) {
        if self.searcher.options().draw_value != draw_value {
            let options = SearchOptions { draw_value, ..self.searcher.options().clone() };
            self.searcher.set_options(options);
        }
    }
}

/// The reply to ponder on, if that is wanted.
fn reply(settings: &Settings, reply: Option<Move>) -> Option<Move> {
    reply.filter(|_| settings.ponders)
}

impl Choice {
    fn by_rule(best: BestMove) -> Self {
        let analysis = Analysis { completed: true, ..Analysis::default() };
        Self { best, analysis, source: Source::Rules }
    }
}

/// How to claim a win: by a move under the try rule, else by declaring it.
fn declare(declaration: &DeclarationReport) -> BestMove {
    match declaration.try_move {
        Some(best) => BestMove::Move { best, ponder: None },
        None if declaration.wins() => BestMove::Win,
        None => BestMove::Resign,
    }
}

/// A mate as an analysis of its position.
pub(crate) fn mate_analysis(line: &Pv, nodes: u64, time: Duration) -> Analysis {
    let plies = u32::try_from(line.len()).unwrap_or(u32::MAX);
    let score = Score::mate_in(plies);
    Analysis {
        depth: plies,
        seldepth: plies,
        nodes,
        time,
        lines: vec![Line { score, bound: Bound::Exact, pv: line.clone() }],
        completed: true,
    }
}

fn load_book(settings: &Settings) -> Result<Option<OpeningBook>, OpeningBookError> {
    let open = |path: PathBuf| OpeningBook::open(&path, settings.book_reading);
    settings.book_path().map(open).transpose()
}

/// The memory to ask for, which is less than wanted if the machine does not have it.
fn bounded(name: &str, wanted: usize, in_use: usize, shortage: &mut Vec<String>) -> usize {
    match affordable_mib(in_use) {
        Some(affordable) if affordable < wanted => {
            shortage.push(format!("{name}: {affordable} MiB, this machine has no {wanted} free"));
            affordable
        }
        _ => wanted,
    }
}

/// The threads to search with: more than eight for a core only get into each other's way.
fn bearable_threads(wanted: usize, shortage: &mut Vec<String>) -> usize {
    let cores = available_parallelism().map_or(1, usize::from);
    let most = cores.saturating_mul(8);
    if wanted > most {
        shortage.push(format!("Threads: {most}, this machine has no {wanted}, but {cores} cores"));
    }
    wanted.clamp(1, most)
}

#[cfg(test)]
mod tests {
    use komadai_core::Color;

    use super::*;
    use crate::draw_value::DrawPolicy;

    fn player(change: impl FnOnce(&mut Settings)) -> Player {
        let mut settings = Settings { hash_mib: 1, mate_hash_mib: 1, ..Settings::default() };
        change(&mut settings);
        Player::new(settings).expect("no book can fail")
    }

    #[test]
    fn a_draw_is_worth_what_the_settings_or_the_question_say() {
        let draw = DrawPolicy { black: 30, white: -70, by_clock: false };
        let mut player = player(|settings| settings.draw = draw);
        let mut position = Position::hirate();
        for (side, value, next) in [(Color::Black, 30, "7g7f"), (Color::White, -70, "3c3d")] {
            assert_eq!(position.side(), side);
            let question = Question::new(&position, Budget::nodes(100));
            player.choose(&question, &mut |_| {});
            assert_eq!(player.searcher.options().draw_value, value);
            let question = Question { draw_value: Some(5), ..question };
            player.choose(&question, &mut |_| {});
            assert_eq!(player.searcher.options().draw_value, 5);
            position.do_move(next.parse().expect("a move"));
        }
    }

    #[test]
    fn threads_are_passed_on_as_far_as_there_are_cores() {
        assert_eq!(player(|settings| settings.threads = 2).searcher.options().threads, 2);
        let mut player = player(|settings| settings.threads = 1_000_000);
        let threads = player.searcher.options().threads;
        assert!((8..1_000_000).contains(&threads));
        assert!(player.shortage()[0].starts_with(&format!("Threads: {threads}, ")));
        // What is asked for once is said once.
        let settings = player.settings().clone();
        player.set_settings(settings).expect("no book can fail");
        assert!(player.shortage().is_empty());
        assert_eq!(player.searcher.options().threads, threads);
    }

    #[test]
    fn with_several_threads_a_mate_is_found_as_well() {
        let sfen = "7gk/9/6P1+P/9/9/9/9/9/9 b GSP2r2b2g3s4n4l15p 1";
        let position = Position::from_sfen(sfen).expect("a position");
        for threads in [1, 2] {
            let mut player = player(|settings| settings.threads = threads);
            let question = Question::new(&position, Budget::unlimited());
            let choice = player.choose(&question, &mut |_| {});
            assert_eq!(choice.source, Source::Mate);
            assert!(choice.analysis.score().is_some_and(Score::is_mate));
        }
    }
}
