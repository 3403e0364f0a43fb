//! Fits the prediction of mates (詰み予測): labels positions of games with the mate solver, runs a
//! logistic regression on the features of `MatePrediction`, and compares it with one on the numbers
//! of checks alone.
//!
//! ```text
//! cargo run --release -p komadai-lab -- fit-mate-prediction --games 400
//! ```

mod questions;
mod samples;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::ensure;
use clap::Args;
use komadai::eval::MateFeatures;
use komadai_base::atomic_file;

use crate::game_sources;
use crate::logistic::Fit;
use crate::prediction_quality::{Rates, Scored, print_intervals};
use samples::{Labelled, Sample};

/// Fit the prediction of mates and report its accuracy on held-out games.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    fit-mate-prediction --games 400\n  \
    fit-mate-prediction floodgate.7z selfplay.psv --rust coefficients.rs\n\n\
    FILES are records of games (KIF, CSA, USI, …) or training data in the order of their games\n\
    (PSV, HCPE, a folder of `komadai train generate`, …); without any, the bundled games are taken.\n\
    One game in six, chosen by its moves, is test data.")]
pub(crate) struct Arguments {
    /// Records of games, or training data.
    files: Vec<PathBuf>,
    /// Number of self-play games in addition, played to mate; without FILES 400.
    #[arg(long)]
    games: Option<u64>,
    /// About the nodes per move in these games.
    #[arg(long, default_value_t = 500)]
    play_nodes: u64,
    /// Maximum number of nodes of the mate solver per position; a mate not found counts as none.
    #[arg(long, default_value_t = 2_000)]
    mate_nodes: u64,
    /// Write the coefficients as a module of `komadai-eval`.
    #[arg(long, value_name = "FILE")]
    rust: Option<PathBuf>,
}

/// Ridge penalty: small, but positive, so that a feature that never occurs does not make the system
/// singular.
const RIDGE: f64 = 1e-2;

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut games = game_sources::read(&arguments.files)?;
    let default = if arguments.files.is_empty() { 400 } else { 0 };
    let count = arguments.games.unwrap_or(default);
    games.extend(game_sources::self_played(count, arguments.play_nodes));
    let data = Labelled::of(&games, arguments.mate_nodes);
    println!("{data}");
    let has_both = |samples: &[Sample]| {
        samples.iter().any(|sample| sample.is_mate) && samples.iter().any(|sample| !sample.is_mate)
    };
    ensure!(
        has_both(&data.train) && has_both(&data.test),
        "found no mate in the training or the held-out games, or nothing else; expected more games"
    );
    let checks = Model::fit(MateFeatures::OF_CHECKS, &data.train);
    let all = Model::fit(MateFeatures::COUNT, &data.train);
    for (name, model) in [("numbers of checks", &checks), ("all features", &all)] {
        println!("{name}, {} features:", model.coefficients.len() - 1);
        println!("  training: {}", Rates::of(&model.scored(&data.train)));
        let held_out = model.scored(&data.test);
        println!("  held out: {}", Rates::of(&held_out));
        print_intervals(&held_out);
        questions::print(&held_out, data.test_without_checks);
    }
    if let Some(path) = &arguments.rust {
        write_rust(path, &all)?;
    }
    Ok(())
}

/// Coefficients of the first features.
struct Model {
    coefficients: Vec<f64>,
}

impl Model {
    fn fit(count: usize, samples: &[Sample]) -> Self {
        let row = |sample: &Sample| {
            let terms = sample.features[..count].iter().map(|&term| f64::from(term)).collect();
            (terms, f64::from(u8::from(sample.is_mate)))
        };
        let rows: Vec<(Vec<f64>, f64)> = samples.iter().map(row).collect();
        let fit = Fit::new(count, RIDGE, &rows);
        // As they are printed and shipped.
        let rounded = |weight: &f64| (weight * 1_000.0).round() / 1_000.0;
        Self { coefficients: fit.weights.iter().map(rounded).collect() }
    }

    fn scored(&self, samples: &[Sample]) -> Vec<Scored> {
        let odds = |sample: &Sample| {
            let terms = sample.features.iter().zip(&self.coefficients);
            terms.map(|(&term, weight)| f64::from(term) * weight).sum()
        };
        let score = |sample: &Sample| Scored {
            log_odds: odds(sample),
            is_yes: sample.is_mate,
            game: sample.game,
        };
        samples.iter().map(score).collect()
    }
}

/// Writes the coefficients as the module `mate_prediction/coefficients.rs` of `komadai-eval`.
fn write_rust(path: &Path, model: &Model) -> anyhow::Result<()> {
    let mut text = String::from(
        "//! The coefficients of the prediction, as `komadai-lab fit-mate-prediction --rust` writes them.\n\
         //!\n//! `docs/threatmate.md` has the command, the games and the figures on held-out games.\n\n\
         use super::features::MateFeatures;\n\n/// One for each feature.\n#[rustfmt::skip]\n\
         pub(super) const FITTED: [f32; MateFeatures::COUNT] = [\n",
    );
    for (weight, name) in model.coefficients.iter().zip(MateFeatures::names()) {
        writeln!(text, "    {weight:?}, // {name}")?;
    }
    text.push_str("];\n");
    atomic_file::write(path, text.as_bytes())?;
    println!("{}: written", path.display());
    Ok(())
}
