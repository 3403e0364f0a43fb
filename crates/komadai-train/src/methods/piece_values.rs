//! TD(λ) on piece values, from nothing.

use std::fmt;

use komadai_core::{Budget, Color, PieceKind, Position, SplitMix64};
use komadai_data::SelfPlayCourse;
use komadai_eval::{Evaluator, from_fn};
use komadai_movegen::MoveGen as _;
use komadai_search::{AlphaBeta, SearchOptions, Searcher as _, Techniques};

use crate::network::target::sigmoid;

use super::td_leaf::temporal_differences;

/// The options of [`PieceValues`].
#[derive(Debug, Clone, PartialEq)]
pub struct PieceValuesOptions {
    /// The share of a difference that reaches the position one ply before.
    pub lambda: f32,
    /// The first step of a value in centipawns.
    pub rate: f32,
    /// The value in centipawns whose expected result is 0.73.
    pub score_scale: f32,
    /// One move in this many is any legal one.
    pub random_one_in: u64,
}

impl Default for PieceValuesOptions {
    fn default() -> Self {
        Self { lambda: 0.9, rate: 100.0, score_scale: 600.0, random_one_in: 8 }
    }
}

/// The values of the thirteen kinds of pieces, learned from zero in games of self-play.
///
/// Each move is the best one of a search of one ply with all captures after it, which knows no
/// piece value but the learned ones. After a game the values of the leaves change by TD(λ). A piece
/// in hand has the value of that on the board.
///
/// Source: D. Beal, M. Smith, "First results from using temporal difference learning in shogi", CG
/// 1998, LNCS 1558.
///
/// # Examples
///
/// ```
/// use komadai_core::PieceKind;
/// use komadai_train::methods::{PieceValues, PieceValuesOptions};
///
/// let mut learned = PieceValues::new(PieceValuesOptions::default(), 1);
/// assert_eq!(learned.value(PieceKind::Rook), 0.0);
/// learned.play();
/// assert_eq!(learned.games(), 1);
/// ```
pub struct PieceValues {
    /// `[kind]`, in centipawns.
    values: [f32; PieceKind::COUNT],
    squares: [f32; PieceKind::COUNT],
    options: PieceValuesOptions,
    course: SelfPlayCourse,
    random: SplitMix64,
    games: u64,
}

impl fmt::Debug for PieceValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { values, games, .. } = self;
        f.debug_struct("PieceValues")
            .field("values", values)
            .field("games", games)
            .finish_non_exhaustive()
    }
}

/// The pieces of each kind that Black has more than White.
type Counts = [f32; PieceKind::COUNT];

/// Returns the differences in pieces, those in hand included. Kings count as nothing.
fn counts(position: &Position) -> Counts {
    let mut counts = [0.0; PieceKind::COUNT];
    for kind in PieceKind::ALL.into_iter().filter(|kind| *kind != PieceKind::King) {
        let of = |color| {
            let board = position.pieces(color, kind).len() as i32;
            board + position.hand(color).count(kind) as i32
        };
        counts[kind.index()] = (of(Color::Black) - of(Color::White)) as f32;
    }
    counts
}

/// Returns the evaluation by these values.
fn evaluator(values: [f32; PieceKind::COUNT]) -> impl Evaluator {
    from_fn(move |position: &Position| {
        let black = total(&values, &counts(position)).round() as i32;
        if position.side() == Color::Black { black } else { -black }
    })
}

fn total(values: &[f32; PieceKind::COUNT], counts: &Counts) -> f32 {
    values.iter().zip(counts).map(|(value, count)| value * count).sum()
}

impl PieceValues {
    /// Returns values of zero.
    pub fn new(options: PieceValuesOptions, seed: u64) -> Self {
        Self {
            values: [0.0; PieceKind::COUNT],
            squares: [1e-9; PieceKind::COUNT],
            options,
            course: SelfPlayCourse::new(seed),
            random: SplitMix64::new(SplitMix64::mix(seed ^ 1)),
            games: 0,
        }
    }

    /// Returns the value of a kind in centipawns; 0 for a king.
    pub fn value(&self, kind: PieceKind) -> f32 {
        self.values[kind.index()]
    }

    /// The number of games played.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Plays a game, and learns from it.
    pub fn play(&mut self) {
        let (leaves, result) = self.game();
        let scale = self.options.score_scale;
        let expected: Vec<f32> =
            leaves.iter().map(|counts| sigmoid(total(&self.values, counts) / scale)).collect();
        let errors = temporal_differences(&expected, result, self.options.lambda);
        let mut sums = [0.0; PieceKind::COUNT];
        for ((counts, expected), error) in leaves.iter().zip(&expected).zip(errors) {
            let factor = error * expected * (1.0 - expected);
            sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += factor * count);
        }
        for ((value, square), sum) in self.values.iter_mut().zip(&mut self.squares).zip(sums) {
            *square += sum * sum;
            *value += self.options.rate * sum / square.sqrt();
        }
        self.games += 1;
    }

    /// Plays a game; returns the leaves and the result for Black.
    fn game(&mut self) -> (Vec<Counts>, f32) {
        let techniques = Techniques::ZERO_WINDOW | Techniques::QUIESCENCE;
        let options = SearchOptions { hash_mib: 1, techniques, ..SearchOptions::default() };
        let mut search = AlphaBeta::new(evaluator(self.values), options);
        let mut leaves = Vec::new();
        loop {
            let position = self.course.position();
            let found = search.search(position, &Budget::depth(1), &mut |_| {});
            if let Some(line) = found.lines.first().filter(|line| !line.score.is_mate()) {
                let mut leaf = position.clone();
                line.pv.iter().for_each(|m| leaf.do_move(*m));
                leaves.push(counts(&leaf));
            }
            let score = found.score().map_or(0, |score| score.raw());
            let mut chosen = found.best_move();
            let moves = position.legal_moves();
            if chosen.is_some() && self.random.below(self.options.random_one_in.max(1)) == 0 {
                chosen = moves.get(self.random.below(moves.len() as u64) as usize).copied();
            }
            if let Some(winner) = self.course.play(chosen, score) {
                self.course.restart();
                return (leaves, winner.map_or(0.5, |winner| f32::from(winner == Color::Black)));
            }
        }
    }
}
