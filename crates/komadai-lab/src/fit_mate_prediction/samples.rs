//! Labelled positions: the features of the prediction, and whether the side to move has a mate.

use std::collections::HashSet;
use std::fmt;

use komadai::eval::MateFeatures;
use komadai::movegen::{CheckClass, MateResult, MateSolver as _};
use komadai::prelude::*;
use komadai::tsume::{DfPn, DfPnOptions};
use rayon::prelude::*;

use crate::recorded_games::Game;

/// Number of positions at the beginning of a game that are not used; mates are rare there.
const SKIPPED: usize = 30;

/// A labelled position in which the side to move has a check.
#[derive(Debug, Clone)]
pub(super) struct Sample {
    pub(super) features: Box<[f32; MateFeatures::COUNT]>,
    pub(super) is_mate: bool,
    pub(super) game: u64,
}

/// The labelled positions of all games.
#[derive(Debug, Default)]
pub(super) struct Labelled {
    pub(super) train: Vec<Sample>,
    pub(super) test: Vec<Sample>,
    /// Positions of the held-out games without a check, which need no prediction.
    pub(super) test_without_checks: usize,
    games: usize,
    positions: usize,
    /// Positions at which the solver gave up; they count as no mates.
    undecided: usize,
}

impl Labelled {
    /// Labels the positions of the games, each game once.
    pub(super) fn of(games: &[Game], mate_nodes: u64) -> Self {
        let mut seen = HashSet::new();
        let once: Vec<&Game> = games.iter().filter(|game| seen.insert(game.hash())).collect();
        let parts: Vec<Self> = once
            .par_iter()
            .map_init(
                || DfPn::new(DfPnOptions { hash_mib: 4, ..DfPnOptions::default() }),
                |solver, game| Self::of_game(game, solver, &Budget::nodes(mate_nodes)),
            )
            .collect();
        parts.into_iter().fold(Self { games: once.len(), ..Self::default() }, |mut all, part| {
            all.train.extend(part.train);
            all.test.extend(part.test);
            all.test_without_checks += part.test_without_checks;
            all.positions += part.positions;
            all.undecided += part.undecided;
            all
        })
    }

    fn of_game(game: &Game, solver: &mut DfPn, budget: &Budget) -> Self {
        let mut found = Self::default();
        let mut samples = Vec::new();
        let mut without_checks = 0;
        let mut position = game.start.clone();
        for (index, &m) in game.moves.iter().enumerate() {
            if index >= SKIPPED {
                found.positions += 1;
                match MateFeatures::of(&position) {
                    None => without_checks += 1,
                    Some(features) => {
                        let result = solver.solve(&position, budget, CheckClass::All).result;
                        let is_decided =
                            matches!(result, MateResult::Mate { .. } | MateResult::NoMate);
                        found.undecided += usize::from(!is_decided);
                        samples.push(Sample {
                            features: Box::new(features.to_array()),
                            is_mate: matches!(result, MateResult::Mate { .. }),
                            game: game.hash(),
                        });
                    }
                }
            }
            position.do_move(m);
        }
        if game.is_held_out() {
            (found.test, found.test_without_checks) = (samples, without_checks);
        } else {
            found.train = samples;
        }
        found
    }
}

impl fmt::Display for Labelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { games, positions, undecided, train, test, .. } = self;
        writeln!(
            f,
            "{games} games, {positions} positions, in {} of them the side to move has a check; the \
             solver gave up at {undecided}",
            train.len() + test.len(),
        )?;
        for (name, samples) in [("training", train), ("held out", test)] {
            let mates = samples.iter().filter(|sample| sample.is_mate).count();
            writeln!(f, "{name}: {mates} mates, {} other positions", samples.len() - mates)?;
        }
        Ok(())
    }
}
