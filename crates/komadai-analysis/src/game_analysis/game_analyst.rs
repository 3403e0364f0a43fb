//! The analyst of games: its workers, and the work on each position.

use std::fmt;
use std::num::NonZero;
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use komadai_core::{
    Analysis, Analyst, AnalystError, AnalystId, Budget, Color, Move, Position, Score,
};
use komadai_kifu::{Record, ReplayError};
use komadai_search::SearchOptions;
use komadai_usi::EngineConfig;

use super::game_result::GameAnalysis;
use super::ply_analysis::PlyAnalysis;
use super::workers::{Positions, Work};
use crate::analysis_memory::{AnalysisMemory, RememberingAnalyst};
use crate::search_analyst::{Memory, SearchAnalyst};
use crate::usi_analyst::UsiAnalyst;

/// Size of the transposition table of a worker in MiB.
const HASH_MIB: usize = 32;

/// Nodes of the mate solver for each of its two questions about a position.
const MATE_NODES: u64 = 20_000;

/// Largest number of attempts of an engine process at one position.
const ATTEMPTS: NonZero<u32> = NonZero::new(3).expect("3 is not 0");

/// The effort for each position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Effort {
    /// [About](Budget::about) a number of nodes: a search of the embedded searcher ends with the
    /// iteration that reaches it, so that its value is exact. These analyses are always the same.
    /// An engine process gets the number itself.
    Nodes(u64),
    /// A time, without that of the mate solver.
    Time(Duration),
    /// A nominal depth in plies.
    Depth(u32),
}

/// The progress of an analysis, after each position.
#[derive(Debug, Clone, Copy)]
pub struct GameProgress<'a> {
    /// Positions analysed so far.
    pub done: usize,
    /// Positions in all.
    pub total: usize,
    /// The position just analysed. Its move is not judged yet.
    pub ply: &'a PlyAnalysis,
}

/// Analyses games with several workers, each on a thread of its own.
///
/// Each position of the game is analysed from the last to the first in small blocks, so that the
/// table of a worker helps with the positions before. The mate solver is asked about mates and
/// threats of mate. Then every move is judged by the loss of winning probability against the best
/// one; [`Judgement`](super::Judgement) has the limits. With an effort in nodes the result does not
/// depend on the number of workers.
///
/// [`embedded`](Self::embedded) uses the searcher of this library, [`usi`](Self::usi) engine
/// processes, and [`new`](Self::new) any [`Analyst`]. The result has no texts for readers:
/// [`annotate`](GameAnalysis::annotate) writes comments into the record, and `komadai-report` makes
/// pages. For single positions the analysts themselves are enough.
///
/// # Examples
///
/// ```
/// use std::num::NonZero;
///
/// use komadai_core::Color;
/// use komadai_analysis::game_analysis::{GameAnalyst, Judgement};
/// use komadai_kifu::{Tolerance, parse_usi_games};
///
/// // The bishop takes a pawn that a silver defends.
/// let game = "startpos moves 7g7f 3c3d 8h3c+ 2b3c";
/// let record = parse_usi_games(game, Tolerance::Strict)?.records.remove(0);
/// let mut analyst = GameAnalyst::embedded(NonZero::new(2).expect("2 is not 0")).with_nodes(2_000);
/// let analysis = analyst.analyse(&record, |progress| {
///     println!("{}/{}", progress.done, progress.total);
/// })?;
/// assert_eq!(analysis.plies[2].judgement, Some(Judgement::Blunder));
/// assert_eq!(analysis.summary(Color::Black).blunders, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct GameAnalyst {
    pub(super) workers: Vec<Box<dyn Analyst>>,
    /// The effort for each position.
    pub effort: Effort,
    /// Number of nodes of the mate solver for each question: mate, and threat of mate. 0 for no
    /// mate solver; the default is 20,000.
    pub mate_nodes: u64,
    /// Number of nodes of the mate solver for each question for a two-move threat (二手スキ), and at
    /// most `mate_nodes` for each of its first moves. 0, the default, asks none.
    pub two_move_nodes: u64,
    /// The moves to analyse, counted from 1. Numbers beyond the game are ignored.
    pub plies: RangeInclusive<usize>,
    /// A flag that ends an analysis with the positions finished so far.
    pub stop: Arc<AtomicBool>,
}

impl fmt::Debug for GameAnalyst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GameAnalyst")
            .field("workers", &self.workers.len())
            .field("effort", &self.effort)
            .field("mate_nodes", &self.mate_nodes)
            .field("two_move_nodes", &self.two_move_nodes)
            .field("plies", &self.plies)
            .finish_non_exhaustive()
    }
}

impl GameAnalyst {
    /// The nodes for each position without another effort.
    pub const DEFAULT_NODES: u64 = 250_000;

    /// Creates an analyst of games from analysts of positions, one for each worker.
    ///
    /// An analyst receives each position with the moves before it, and is asked to
    /// [forget](Analyst::forget) before each block. A position at which it fails is reported as
    /// failed, and the analysis continues. Without any analyst nothing is analysed.
    pub fn new(workers: Vec<Box<dyn Analyst>>) -> Self {
        Self {
            workers,
            effort: Effort::Nodes(Self::DEFAULT_NODES),
            mate_nodes: MATE_NODES,
            two_move_nodes: 0,
            plies: 1..=usize::MAX,
            stop: Arc::default(),
        }
    }

    /// Creates an analyst of games with the searcher of the embedded player, once for each worker.
    pub fn embedded(workers: NonZero<usize>) -> Self {
        let worker = |_| Box::new(EmbeddedAnalyst::new()) as Box<dyn Analyst>;
        Self::new((0..workers.get()).map(worker).collect())
    }

    /// Creates an analyst of games with a USI engine, one process for each worker.
    ///
    /// A process that crashes, hangs or sends an invalid answer is started again and receives the
    /// position again, three times in all; then the position is reported as failed, and the
    /// analysis continues with the next one.
    ///
    /// # Errors
    ///
    /// If a process does not start, or lacks one of the options.
    pub fn usi(config: &EngineConfig, workers: NonZero<usize>) -> Result<Self, AnalystError> {
        let pool = UsiAnalyst::launch_pool(config, workers)?;
        let boxed = pool.into_iter().map(|mut worker| {
            (worker.attempts, worker.sends_game) = (ATTEMPTS, true);
            Box::new(worker) as Box<dyn Analyst>
        });
        Ok(Self::new(boxed.collect()))
    }

    /// Returns the analyst with a memory: positions that it has analysed deeply enough are taken from
    /// there, and others are added.
    #[must_use]
    pub fn with_memory(self, memory: &Arc<AnalysisMemory>) -> Self {
        let remembering = |analyst| {
            let memory = Arc::clone(memory);
            Box::new(RememberingAnalyst { analyst, memory }) as Box<dyn Analyst>
        };
        Self { workers: self.workers.into_iter().map(remembering).collect(), ..self }
    }

    /// Returns the analyst with this number of nodes for each position.
    #[must_use]
    pub fn with_nodes(self, nodes: u64) -> Self {
        Self { effort: Effort::Nodes(nodes), ..self }
    }

    /// Analyses the main line of a record. `progress` is called on the calling thread after each
    /// position, in the order in which they are finished.
    ///
    /// An illegal move ends the analysis before it: [`GameAnalysis::illegal`].
    ///
    /// # Errors
    ///
    /// If the start is not a legal position.
    ///
    /// # Panics
    ///
    /// Panics if an analyst does.
    pub fn analyse(
        &mut self,
        record: &Record,
        mut progress: impl FnMut(&GameProgress<'_>),
    ) -> Result<GameAnalysis, ReplayError> {
        let start = Position::from_setup_leniently(&record.setup)?;
        let (moves, illegal) = legal_moves(record);
        let first = self.plies.start().saturating_sub(1).min(moves.len());
        let last = (*self.plies.end()).min(moves.len());
        let mut plies: Vec<PlyAnalysis> = (first..=last)
            .map(|made| {
                let side = if made % 2 == 0 { start.side() } else { !start.side() };
                let played = moves.get(made).copied().filter(|_| made < last);
                PlyAnalysis::unknown(made + 1, side, played)
            })
            .collect();
        let total = plies.len();
        let mut done = 0;
        if total > 0 {
            let positions = Positions { start: &start, moves: &moves, first, last };
            let work = self.work();
            positions.analyse(&mut self.workers, &work, |made, found| {
                let ply = &mut plies[made - first];
                found.enter(ply);
                withdraw_impossible_mate(ply, &start);
                done += 1;
                progress(&GameProgress { done, total, ply });
            });
        }
        let first = self.workers.first();
        let analyst = first.map(|worker| worker.identity()).unwrap_or_default();
        let scale = first.map_or(1.0, |worker| worker.scale());
        let mut analysis =
            GameAnalysis { analyst, scale, plies, illegal, is_stopped: done < total };
        analysis.judge();
        Ok(analysis)
    }

    /// Returns the work on each position.
    pub(super) fn work(&self) -> Work {
        let budget = Budget { stop: Some(Arc::clone(&self.stop)), ..Budget::unlimited() };
        let (budget, time) = match self.effort {
            Effort::Nodes(nodes) => {
                (Budget { stop: Some(Arc::clone(&self.stop)), ..Budget::about(nodes) }, None)
            }
            Effort::Depth(depth) => (Budget { depth: Some(depth), ..budget }, None),
            Effort::Time(time) => (budget, Some(time)),
        };
        Work { budget, time, mate_nodes: self.mate_nodes, two_move_nodes: self.two_move_nodes }
    }

    /// Sets the stop flag.
    pub fn stop(&self) {
        // Relaxed: the flag carries no data.
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// A searcher that keeps its memory from one position to the next until it is told to forget.
struct EmbeddedAnalyst(SearchAnalyst);

impl EmbeddedAnalyst {
    fn new() -> Self {
        let options = SearchOptions { hash_mib: HASH_MIB, ..SearchOptions::default() };
        Self(SearchAnalyst::standard(options, Memory::Kept))
    }
}

impl Analyst for EmbeddedAnalyst {
    fn identity(&self) -> AnalystId {
        self.0.identity()
    }

    fn analyse(&mut self, position: &Position, budget: &Budget) -> Result<Analysis, AnalystError> {
        self.0.analyse(position, budget)
    }

    fn scale(&self) -> f64 {
        self.0.scale()
    }

    fn set_lines(&mut self, lines: Option<NonZero<u16>>) -> Result<(), AnalystError> {
        self.0.set_lines(lines)
    }

    fn forget(&mut self) {
        self.0.clear();
    }
}

/// Removes the value of a mate of a side without a king, as in problems. A search takes the lack of
/// moves for that mate, and the position has no other value.
fn withdraw_impossible_mate(ply: &mut PlyAnalysis, start: &Position) {
    let Some(score) = ply.black_score().filter(|score| score.is_mate()) else { return };
    let mated = if score < Score::ZERO { Color::Black } else { Color::White };
    if start.king_square(mated).is_none() {
        ply.score = None;
    }
}

/// Returns the moves before the first illegal one, and the error about that one.
fn legal_moves(record: &Record) -> (Vec<Move>, Option<ReplayError>) {
    let mut moves = Vec::with_capacity(record.moves.len());
    let replayed = record.replay(|_, played| {
        moves.push(played.m);
        ControlFlow::Continue(())
    });
    (moves, replayed.err())
}
