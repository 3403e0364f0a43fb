//! Fits the weights of the move-probability model to the bundled games.
//!
//! ```text
//! cargo run --release -p komadai-lab -- fit-moves
//! ```

use clap::Args;
use komadai::movegen::{MoveList, generate_useful};
use komadai::search::LogisticMoves;
use komadai_testdata::games;

use crate::games::plies;

const COUNT: usize = LogisticMoves::FEATURES.len();

/// Fit the weights of the move-probability model. They are printed in the order of
/// `LogisticMoves::FEATURES`.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  fit-moves --passes 60\n\nOne game in four is kept for the test."
)]
pub(crate) struct Arguments {
    /// Number of passes over all positions.
    #[arg(long, default_value_t = 100)]
    passes: usize,
    /// Strength of the ridge regularisation, which pulls weights to zero.
    #[arg(long, default_value_t = 1e-4)]
    ridge: f64,
}

/// The features of the moves of a position, and the index of the played move.
struct Choice {
    moves: Vec<[f32; COUNT]>,
    played: usize,
}

/// Returns the positions of a game with several moves, where the played move is a useful one.
fn choices(moves: &str) -> Vec<Choice> {
    let mut choices = Vec::new();
    for (position, played) in plies(moves) {
        let mut list = MoveList::new();
        generate_useful(&position, &mut list);
        if let Some(index) = list.iter().position(|&m| m == played)
            && list.len() > 1
        {
            let features = |&m| LogisticMoves::features(&position, m);
            choices.push(Choice { moves: list.iter().map(features).collect(), played: index });
        }
    }
    choices
}

fn scores(choice: &Choice, weights: &[f64; COUNT]) -> Vec<f64> {
    let score = |x: &[f32; COUNT]| x.iter().zip(weights).map(|(&x, w)| f64::from(x) * w).sum();
    choice.moves.iter().map(score).collect()
}

fn probabilities(choice: &Choice, weights: &[f64; COUNT]) -> Vec<f64> {
    let scores = scores(choice, weights);
    let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let powers: Vec<f64> = scores.iter().map(|score| (score - most).exp()).collect();
    let sum: f64 = powers.iter().sum();
    powers.into_iter().map(|power| power / sum).collect()
}

/// Returns the weights of greatest likelihood, by gradient ascent with a step size for each weight
/// (D. Kingma and J. Ba, "Adam: a method for stochastic optimization", ICLR 2015).
fn fit(choices: &[Choice], passes: usize, ridge: f64) -> [f64; COUNT] {
    // The decay rates are those of the paper; batch size and rate are untuned.
    const BATCH: usize = 256;
    const RATE: f64 = 0.02;
    const FIRST: f64 = 0.9;
    const SECOND: f64 = 0.999;
    let mut weights = [0.0; COUNT];
    let (mut mean, mut square) = ([0.0; COUNT], [0.0; COUNT]);
    let mut steps = 0;
    for pass in 0..passes {
        let rate = RATE * (1.0 - pass as f64 / passes as f64);
        for batch in choices.chunks(BATCH) {
            let mut gradient = weights.map(|w| -ridge * w);
            for choice in batch {
                let chances = probabilities(choice, &weights);
                for (index, (x, chance)) in choice.moves.iter().zip(chances).enumerate() {
                    let error = f64::from(u8::from(index == choice.played)) - chance;
                    for (slope, &x) in gradient.iter_mut().zip(x) {
                        *slope += error * f64::from(x) / batch.len() as f64;
                    }
                }
            }
            steps += 1;
            let grown = |decay: f64| 1.0 - decay.powi(steps);
            for i in 0..COUNT {
                mean[i] = FIRST * mean[i] + (1.0 - FIRST) * gradient[i];
                square[i] = SECOND * square[i] + (1.0 - SECOND) * gradient[i] * gradient[i];
                let size: f64 = (square[i] / grown(SECOND)).sqrt() + 1e-8;
                weights[i] += rate * mean[i] / grown(FIRST) / size;
            }
        }
    }
    weights
}

/// Prints the share of positions whose played move is among the most probable, and the log-loss.
fn report(name: &str, choices: &[Choice], weights: &[f64; COUNT]) {
    let (mut first, mut three, mut fifth, mut loss) = (0, 0, 0, 0.0);
    for choice in choices {
        let chances = probabilities(choice, weights);
        let played = chances[choice.played];
        let better = chances.iter().filter(|&&chance| chance >= played).count() - 1;
        first += usize::from(better == 0);
        three += usize::from(better < 3);
        fifth += usize::from(better < choice.moves.len().div_ceil(5));
        loss -= played.ln();
    }
    let share = |count: usize| count as f64 / choices.len() as f64;
    println!(
        "{name}: {} positions, {:.1} moves each, first {:.4}, first three {:.4}, first fifth {:.4}, \
         log-loss {:.4}",
        choices.len(),
        share(choices.iter().map(|choice| choice.moves.len()).sum()),
        share(first),
        share(three),
        share(fifth),
        loss / choices.len() as f64,
    );
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let (mut train, mut test) = (Vec::new(), Vec::new());
    for (index, game) in games::tournament().enumerate() {
        if index % 4 == 0 { &mut test } else { &mut train }.extend(choices(game.moves));
    }
    report("test, all moves alike", &test, &[0.0; COUNT]);
    let weights = fit(&train, arguments.passes, arguments.ridge);
    report("train", &train, &weights);
    report("test", &test, &weights);
    for (weight, name) in weights.iter().zip(LogisticMoves::FEATURES) {
        println!("{weight:>7.3}, // {name}");
    }
    Ok(())
}
