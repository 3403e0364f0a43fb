//! One game of self-play.

use std::sync::atomic::{AtomicBool, Ordering};

use komadai_core::{
    Analysis, Bound, Color, Move, PackedError, PackedSfen, Position, Score, SplitMix64,
};
use komadai_eval::Evaluator;
use komadai_search::{AlphaBeta, LogisticMoves, SearchOptions, Searcher as _};

use super::end::SelfPlayEnd;
use super::judge::Judge;
use super::options::SelfPlayOptions;
use super::start::{StartKind, start};
use crate::label::search_label;
use crate::records::{PackedSfenValue, RecordResult};

/// Number of moves among which a varied move is chosen.
const VARIETY_LINES: usize = 4;

/// A position of a self-play game and the result of its search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SelfPlayPosition {
    /// The position.
    pub position: PackedSfen,
    /// The side to move.
    pub side: Color,
    /// The score for the side to move in centipawns; of mates, ±(32,000 − plies). It is always a
    /// value, never a bound: that of the last finished iteration, if the search was cut off.
    pub score: i16,
    /// The best move, which is not always the one that was played.
    pub best_move: Move,
    /// The move number, from 1.
    pub ply: u16,
}

/// A self-play game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SelfPlayGame {
    /// The kind of its start.
    pub start: StartKind,
    /// Its positions after the random moves, in order.
    pub positions: Vec<SelfPlayPosition>,
    /// Its winner; `None` for a draw.
    pub winner: Option<Color>,
    /// Its end.
    pub end: SelfPlayEnd,
    /// The nodes of all its searches.
    pub nodes: u64,
}

impl SelfPlayGame {
    /// Returns the records of its positions, as [`Dataset`](crate::Dataset) writes them.
    pub(crate) fn records(&self) -> impl Iterator<Item = PackedSfenValue> {
        self.positions.iter().map(|found| {
            let result = match self.winner {
                None => RecordResult::Draw,
                Some(winner) if winner == found.side => RecordResult::Win,
                Some(_) => RecordResult::Loss,
            };
            let SelfPlayPosition { position, score, best_move, ply, .. } = *found;
            PackedSfenValue { position, score, best_move: Some(best_move), ply, result }
        })
    }
}

/// A player that plays games against itself.
///
/// Both sides share the tables, which are emptied before each game, so that a game depends on its
/// seed and the options alone.
///
/// # Examples
///
/// ```
/// use std::sync::atomic::AtomicBool;
///
/// use komadai_eval::Material;
/// use komadai_data::{SelfPlayOptions, SelfPlayer};
///
/// let options = SelfPlayOptions { nodes: 50, ..SelfPlayOptions::default() };
/// let mut player = SelfPlayer::new(Material, options);
/// let game = player.play(1, &AtomicBool::new(false)).expect("nothing stops it");
/// assert!(game.positions.len() > 10);
/// let first = game.positions[0].position.to_setup()?;
/// assert_eq!(first.side, game.positions[0].side);
/// # Ok::<(), komadai_core::PackedError>(())
/// ```
#[derive(Debug)]
pub struct SelfPlayer<E> {
    search: AlphaBeta<E>,
    options: SelfPlayOptions,
    model: LogisticMoves,
}

impl<E: Evaluator> SelfPlayer<E> {
    /// Returns a player with this evaluation.
    pub fn new(evaluator: E, options: SelfPlayOptions) -> Self {
        let search = SearchOptions { hash_mib: options.hash_mib, ..SearchOptions::default() };
        let search = AlphaBeta::new(evaluator, search);
        let options = options.times(search.scale());
        Self { search, options, model: LogisticMoves::default() }
    }

    /// Plays the game of a seed; `None` if `stop` is set before its end.
    pub fn play(&mut self, seed: u64, stop: &AtomicBool) -> Option<SelfPlayGame> {
        let mut random = SplitMix64::new(SplitMix64::mix(seed));
        self.search.new_game();
        let (start, mut position) = loop {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            if let Some(found) = self.start(&mut random) {
                break found;
            }
        };
        let first_ply = position.ply();
        let mut judge = Judge::new(self.options.clone());
        let (mut positions, mut nodes) = (Vec::new(), 0);
        let (winner, end) = loop {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            let side = position.side();
            if let Some(over) = judge.before_move(&position) {
                break over;
            }
            let varied = position.ply() < first_ply + self.options.variety_plies
                && self.options.variety_one_in > 0
                && random.below(u64::from(self.options.variety_one_in)) == 0;
            let (analysis, score) = self.analyse(&position, varied);
            nodes += analysis.nodes;
            let (Some(best), Some(score)) = (analysis.best_move(), score) else {
                break no_move(side, &analysis);
            };
            let Ok(packed) = pack(&position) else { break (None, SelfPlayEnd::MaxPlies) };
            positions.push(SelfPlayPosition {
                position: packed,
                side,
                score: score.raw().clamp(-32_000, 32_000) as i16,
                best_move: best,
                ply: position.ply().min(u32::from(u16::MAX)) as u16,
            });
            if let Some(over) = judge.after_search(side, score.raw()) {
                break over;
            }
            let m = if varied { self.vary(&analysis, best, &mut random) } else { best };
            position.do_move(m);
        };
        Some(SelfPlayGame { start, positions, winner, end, nodes })
    }

    /// Returns a start that is not lopsided; `None` for one that is, or has no legal moves.
    fn start(&mut self, random: &mut SplitMix64) -> Option<(StartKind, Position)> {
        let (kind, position) = start(&self.options, &self.model, random)?;
        let score = self.analyse(&position, false).1?;
        let most = match kind {
            StartKind::Handicap => self.options.decided_cp,
            _ => self.options.lopsided_cp,
        };
        (score.raw().abs() <= most).then_some((kind, position))
    }

    fn analyse(&mut self, position: &Position, varied: bool) -> (Analysis, Option<Score>) {
        let lines = if varied { VARIETY_LINES } else { 1 };
        if self.search.options().multi_pv != lines {
            let options = SearchOptions { multi_pv: lines, ..self.search.options().clone() };
            self.search.set_options(options);
        }
        search_label(&mut self.search, position, self.options.nodes)
    }

    /// Returns one of the moves whose scores are near the best one.
    fn vary(&self, analysis: &Analysis, best: Move, random: &mut SplitMix64) -> Move {
        let score = |line: &komadai_core::Line| line.score.raw();
        let least = analysis.lines.first().map_or(0, score) - self.options.variety_cp;
        let near: Vec<Move> = analysis
            .lines
            .iter()
            .filter(|line| score(line) >= least && line.bound == Bound::Exact)
            .filter_map(|line| line.pv.first().copied())
            .collect();
        near.get(random.below(near.len() as u64) as usize).copied().unwrap_or(best)
    }
}

/// Packs a position. Positions with all pieces and both kings always fit.
fn pack(position: &Position) -> Result<PackedSfen, PackedError> {
    PackedSfen::of(position)
}

/// Returns the winner and the end where a search finds no move: a declaration or checkmate.
fn no_move(side: Color, analysis: &Analysis) -> (Option<Color>, SelfPlayEnd) {
    match analysis.score() {
        Some(score) if score.raw() > 0 => (Some(side), SelfPlayEnd::Declaration),
        _ => (Some(!side), SelfPlayEnd::Checkmate),
    }
}
