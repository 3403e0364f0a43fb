//! Matches between two sets of parameters.

use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;
use komadai::eval::Classical;
use komadai::prelude::*;
use komadai::search::{AlphaBeta, SearchOptions};
use komadai_testdata::openings;
use rayon::prelude::*;

use crate::evaluators::evaluation;
use crate::tune_evaluation::game::play;

/// Options of `match`.
#[derive(Debug, Args)]
pub(crate) struct Versus {
    /// File with the parameters of the first player, or `hand-set`.
    first: PathBuf,
    /// File with the parameters of the second player [default: the built-in ones].
    second: Option<PathBuf>,
    /// Number of games; each opening is played with both colours.
    #[arg(long, default_value_t = 400)]
    games: usize,
    /// Number of nodes per move.
    #[arg(long, default_value_t = 3_000)]
    nodes: u64,
}

impl Versus {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let openings: Vec<_> = openings::sfens().collect();
        ensure!(
            self.games <= 2 * openings.len(),
            "found --games {}, expected at most {}",
            self.games,
            2 * openings.len()
        );
        let first = evaluation(Some(&self.first))?;
        let second = evaluation(self.second.as_deref())?;
        let results: Vec<f64> = (0..self.games)
            .into_par_iter()
            .map_init(
                || (searcher(&first), searcher(&second)),
                |(first, second), game| {
                    let color = Color::ALL[game % 2];
                    points(first, second, color, openings[game / 2], self.nodes)
                },
            )
            .collect();
        let wins = results.iter().filter(|&&points| points == 1.0).count();
        let draws = results.iter().filter(|&&points| points == 0.5).count();
        println!("{wins} won, {draws} drawn, {} lost", results.len() - wins - draws);
        let (elo, margin) = elo(&results);
        println!("Elo {elo:+.0} ± {margin:.0} (95 %)");
        Ok(())
    }
}

/// Returns the points of the first player with `color`.
fn points<'a>(
    first: &'a mut dyn Searcher,
    second: &'a mut dyn Searcher,
    color: Color,
    opening: &str,
    nodes: u64,
) -> f64 {
    let start = Position::from_sfen(opening).expect("the bundled openings are positions");
    let players = match color {
        Color::Black => [first, second],
        Color::White => [second, first],
    };
    match play(players, start, nodes, &mut |_, _| {}) {
        Some(winner) if winner == color => 1.0,
        Some(_) => 0.0,
        None => 0.5,
    }
}

/// Creates a player.
pub(crate) fn searcher(evaluator: &Classical) -> AlphaBeta<Classical> {
    let options = SearchOptions { hash_mib: 8, ..SearchOptions::default() };
    AlphaBeta::new(evaluator.clone(), options)
}

/// Returns the difference in Elo and half the width of its 95 % confidence interval.
fn elo(results: &[f64]) -> (f64, f64) {
    let count = results.len() as f64;
    let mean = results.iter().sum::<f64>() / count;
    let variance = results.iter().map(|points| (points - mean).powi(2)).sum::<f64>() / count;
    let error = 1.96 * (variance / count).sqrt();
    let elo = |mean: f64| -400.0 * (1.0 / mean.clamp(0.001, 0.999) - 1.0).log10();
    (elo(mean), (elo(mean + error) - elo(mean - error)) / 2.0)
}
