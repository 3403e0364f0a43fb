//! Labelled moves: the features of the predictor, and the length of the mate that the move
//! threatens.

use std::collections::HashSet;
use std::fmt;

use komadai::core::SplitMix64;
use komadai::eval::{CheckFeatures, ThreatmateFeatures};
use komadai::movegen::MateResult;
use komadai::prelude::*;
use komadai::tsume::{DfPn, DfPnOptions, threatmate};
use rayon::prelude::*;

use crate::recorded_games::Game;

/// Number of moves at the beginning of a game that are not used; threatmates are rare there.
const SKIPPED_MOVES: usize = 30;

/// Number of features of both sets.
pub(super) const FEATURES: usize = ThreatmateFeatures::COUNT + CheckFeatures::COUNT;

/// A labelled move.
#[derive(Debug, Clone)]
pub(super) struct Sample {
    /// Those of `ThreatmateFeatures`, then those of `CheckFeatures`.
    pub(super) features: Box<[f32; FEATURES]>,
    /// The length of the mate in plies; `None` if the move is no threatmate.
    pub(super) mate: Option<usize>,
    /// The game, for intervals that respect that moves of one game are alike.
    pub(super) game: u64,
}

/// The labelled moves of all games.
#[derive(Debug, Default)]
pub(super) struct Labelled {
    /// The threatmates of the other games, and twice as many other moves.
    pub(super) train: Vec<Sample>,
    /// The same of the held-out games.
    pub(super) test: Vec<Sample>,
    /// All moves played in the held-out games.
    pub(super) played: Vec<Sample>,
    games: usize,
    /// Labelled moves played, threatmates among them, and moves at which the solver gave up.
    moves: u64,
    threatmates: u64,
    undecided: u64,
    siblings: u64,
}

impl Labelled {
    /// Labels the moves of the games, each game once.
    pub(super) fn of(games: &[Game], mate_nodes: u64, seed: u64) -> Self {
        let mut seen = HashSet::new();
        let once: Vec<&Game> = games.iter().filter(|game| seen.insert(game.hash())).collect();
        let parts: Vec<Self> = once
            .par_iter()
            .map_init(
                || DfPn::new(DfPnOptions { hash_mib: 4, ..DfPnOptions::default() }),
                |solver, game| Collector::new(solver, mate_nodes, game, seed).collect(game),
            )
            .collect();
        parts.into_iter().fold(Self { games: once.len(), ..Self::default() }, |mut all, part| {
            all.train.extend(part.train);
            all.test.extend(part.test);
            all.played.extend(part.played);
            all.moves += part.moves;
            all.threatmates += part.threatmates;
            all.undecided += part.undecided;
            all.siblings += part.siblings;
            all
        })
    }
}

impl fmt::Display for Labelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} games, {} moves labelled, of which {} are threatmates (1 in {:.1}); the solver \
             gave up at {}",
            self.games,
            self.moves,
            self.threatmates,
            self.moves as f64 / self.threatmates.max(1) as f64,
            self.undecided,
        )?;
        writeln!(f, "{} other legal moves of the same positions", self.siblings)?;
        for (name, samples) in [("training", &self.train), ("held out", &self.test)] {
            let yes = samples.iter().filter(|sample| sample.mate.is_some()).count();
            writeln!(f, "{name}: {yes} threatmates, {} other moves", samples.len() - yes)?;
        }
        Ok(())
    }
}

/// Labels the moves of one game with the mate solver.
struct Collector<'s> {
    solver: &'s mut DfPn,
    budget: Budget,
    random: SplitMix64,
    game: u64,
    undecided: u64,
}

impl<'s> Collector<'s> {
    fn new(solver: &'s mut DfPn, nodes: u64, game: &Game, seed: u64) -> Self {
        let hash = game.hash();
        let random = SplitMix64::new(SplitMix64::mix(seed ^ hash));
        Self { solver, budget: Budget::nodes(nodes), random, game: hash, undecided: 0 }
    }

    fn collect(mut self, game: &Game) -> Labelled {
        let (mut threatmates, mut others, mut before) = (Vec::new(), Vec::new(), Vec::new());
        let mut played = Vec::new();
        let mut position = game.start.clone();
        for (index, &m) in game.moves.iter().enumerate() {
            let made = position.ply();
            let earlier = position.clone();
            position.do_move(m);
            debug_assert_eq!(position.ply(), made + 1);
            if index < SKIPPED_MOVES {
                continue;
            }
            let Some(sample) = self.label(&position) else { continue };
            played.push(sample.clone());
            if sample.mate.is_some() {
                threatmates.push(sample);
                before.push((earlier, m));
            } else {
                others.push(sample);
            }
        }
        let counts = Labelled {
            moves: played.len() as u64,
            threatmates: threatmates.len() as u64,
            ..Labelled::default()
        };
        let mut siblings: Vec<Sample> = before
            .iter()
            .filter_map(|(position, played)| self.another_move(position, *played))
            .collect();
        let sibling_count = siblings.len() as u64;
        self.shuffle(&mut others);
        // Exactly two other moves for each threatmate. A game that has fewer gives up threatmates.
        others.truncate(2 * threatmates.len() - siblings.len());
        let most = (others.len() + siblings.len()) / 2;
        self.shuffle(&mut threatmates);
        threatmates.truncate(most);
        others.append(&mut siblings);
        others.truncate(2 * threatmates.len());
        threatmates.append(&mut others);
        let undecided = self.undecided;
        let counts = Labelled { undecided, siblings: sibling_count, ..counts };
        match game.is_held_out() {
            true => Labelled { test: threatmates, played, ..counts },
            false => Labelled { train: threatmates, ..counts },
        }
    }

    /// Returns a random legal move that can be labelled and is no threatmate, if there is one.
    fn another_move(&mut self, before: &Position, played: Move) -> Option<Sample> {
        let mut moves: Vec<Move> = before.legal_moves().iter().copied().collect();
        moves.retain(|&m| m != played);
        self.shuffle(&mut moves);
        moves.into_iter().find_map(|m| {
            let sample = self.label(&before.after(m))?;
            sample.mate.is_none().then_some(sample)
        })
    }

    /// Labels the last move: it is a threatmate if its player mates after a pass of the opponent.
    fn label(&mut self, position: &Position) -> Option<Sample> {
        let cheap = ThreatmateFeatures::of(position)?;
        let checks = CheckFeatures::of(position)?;
        let threat = threatmate::find(self.solver, position, &self.budget)?;
        let mate = match threat.result {
            MateResult::Mate { line, .. } => Some(line.len()),
            MateResult::NoMate => None,
            _ => {
                self.undecided += 1;
                None
            }
        };
        let mut features = Box::new([0.0; FEATURES]);
        let (first, second) = features.split_at_mut(ThreatmateFeatures::COUNT);
        first.copy_from_slice(&cheap.to_array());
        second.copy_from_slice(&checks.to_array());
        Some(Sample { features, mate, game: self.game })
    }

    fn shuffle<T>(&mut self, list: &mut [T]) {
        for first in 0..list.len() {
            let rest = (list.len() - first) as u64;
            list.swap(first, first + self.random.below(rest) as usize);
        }
    }
}
