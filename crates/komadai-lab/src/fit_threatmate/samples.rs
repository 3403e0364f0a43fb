//! Labelled moves: the features of the predictor, and whether the move is a threatmate.

use komadai::core::SplitMix64;
use komadai::eval::{Classical, ThreatmateFeatures};
use komadai::prelude::*;
use komadai::search::{AlphaBeta, SearchOptions};
use komadai::tsume::{DfPn, DfPnOptions, threatmate};
use komadai_testdata::{games, openings};

use crate::games::plies;

/// Number of the first move that is used; threatmates are rare before.
const FIRST_MOVE: u32 = 30;
/// Largest number of moves of a game.
const MAX_PLIES: u32 = 240;

/// A labelled move.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sample {
    pub(crate) features: [f32; ThreatmateFeatures::COUNT],
    pub(crate) is_threatmate: bool,
}

impl Sample {
    /// Returns the features and the result of the regression.
    pub(crate) fn row(&self) -> (Vec<f64>, f64) {
        (self.features.map(f64::from).to_vec(), f64::from(u8::from(self.is_threatmate)))
    }
}

/// The moves of some games.
#[derive(Debug, Default)]
pub(crate) struct Samples {
    /// All moves played.
    pub(crate) played: Vec<Sample>,
    /// The threatmates, the same number of other moves of the same games, and up to the same number
    /// of other legal moves of the same positions.
    pub(crate) balanced: Vec<Sample>,
}

impl Samples {
    pub(crate) fn extend(&mut self, other: Self) {
        self.played.extend(other.played);
        self.balanced.extend(other.balanced);
    }
}

/// A start position and the moves played from it.
#[derive(Debug)]
pub(crate) struct Game {
    start: Position,
    moves: Vec<Move>,
}

/// Returns the bundled games.
pub(crate) fn bundled() -> impl Iterator<Item = Game> {
    games::tournament().map(|game| {
        let moves = plies(game.moves).map(|(_, m)| m).collect();
        Game { start: Position::hirate(), moves }
    })
}

/// Plays games from bundled openings with few nodes per move. Each further game from the same
/// opening gets some more nodes per move, so that it differs.
pub(crate) fn self_played(count: usize, nodes: u64) -> impl Iterator<Item = Game> {
    let options = SearchOptions { hash_mib: 1, ..SearchOptions::default() };
    let evaluator: Classical = Default::default();
    let mut searcher = AlphaBeta::new(evaluator, options);
    let starts: Vec<_> = openings::rows().collect();
    (0..count).map(move |index| {
        let opening = starts[index % starts.len()];
        let budget = Budget::nodes(nodes + 50 * (index / starts.len()) as u64);
        searcher.new_game();
        let start = Position::from_sfen(opening.sfen).expect("openings are positions");
        let mut position = start.clone();
        let mut moves = Vec::new();
        while position.ply() < MAX_PLIES {
            let analysis = searcher.search(&position, &budget, &mut |_| {});
            let Some(m) = analysis.best_move() else { break };
            moves.push(m);
            position.do_move(m);
        }
        Game { start, moves }
    })
}

/// Labels moves with the mate solver.
#[derive(Debug)]
pub(crate) struct Collector {
    solver: DfPn,
    nodes: u64,
    random: SplitMix64,
}

impl Collector {
    pub(crate) fn new(nodes: u64, seed: u64) -> Self {
        let solver = DfPn::new(DfPnOptions { hash_mib: 4, ..DfPnOptions::default() });
        Self { solver, nodes, random: SplitMix64::new(seed) }
    }

    /// Returns the moves of a game that have features.
    pub(crate) fn collect(&mut self, game: &Game) -> Samples {
        let mut samples = Samples::default();
        let mut siblings = Vec::new();
        let mut position = game.start.clone();
        for &m in &game.moves {
            let before = position.clone();
            position.do_move(m);
            if position.ply() <= FIRST_MOVE {
                continue;
            }
            let Some(sample) = self.label(&position) else { continue };
            samples.played.push(sample);
            if sample.is_threatmate {
                siblings.extend(self.another_move(&before));
            }
        }
        let of = |is_threatmate| {
            let fits = move |sample: &&Sample| sample.is_threatmate == is_threatmate;
            samples.played.iter().filter(fits).copied()
        };
        let mut threatmates: Vec<_> = of(true).collect();
        let mut others: Vec<_> = of(false).collect();
        for first in 0..others.len() {
            let rest = (others.len() - first) as u64;
            others.swap(first, first + self.random.below(rest) as usize);
        }
        others.truncate(threatmates.len());
        threatmates.append(&mut others);
        threatmates.append(&mut siblings);
        samples.balanced = threatmates;
        samples
    }

    /// Returns a random legal move that is not a threatmate, if ten attempts find one.
    fn another_move(&mut self, before: &Position) -> Option<Sample> {
        let moves = before.legal_moves();
        (0..10).find_map(|_| {
            let m = moves[self.random.below(moves.len() as u64) as usize];
            let sample = self.label(&before.after(m))?;
            (!sample.is_threatmate).then_some(sample)
        })
    }

    /// Labels the last move: it is a threatmate if its player mates after a pass of the opponent.
    fn label(&mut self, position: &Position) -> Option<Sample> {
        let features = ThreatmateFeatures::of(position)?.to_array();
        let threat = threatmate::find(&mut self.solver, position, &Budget::nodes(self.nodes))?;
        Some(Sample { features, is_threatmate: threat.is_mate() })
    }
}
