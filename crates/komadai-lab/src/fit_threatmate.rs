//! Fits the coefficients of the threatmate predictor (詰めろ): takes games from files or plays them,
//! labels their moves with the mate solver, and runs a logistic regression on both sets of features
//! of the predictor.
//!
//! ```text
//! cargo run --release -p komadai-lab -- fit-threatmate --games 400
//! ```

mod ablation;
mod model;
mod network;
mod report;
mod samples;
mod speed;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;

use crate::fit_threatmate::model::{Model, Set};
use crate::fit_threatmate::network::{Network, UNITS};
use crate::fit_threatmate::samples::Labelled;
use crate::fit_threatmate::speed::Predictor;
use crate::game_sources;

/// Fit the coefficients of the threatmate predictor and report its accuracy on held-out games.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    fit-threatmate --games 400\n  \
    fit-threatmate floodgate.7z selfplay.psv --rust coefficients.rs\n\n\
    FILES are records of games (KIF, CSA, USI, …) or training data in the order of their games\n\
    (PSV, HCPE, a folder of `komadai train generate`, …); without any, the bundled games are taken.\n\
    One game in six, chosen by its moves, is test data. To the threatmates of a game come exactly\n\
    twice as many other moves: half of them other legal moves of the same positions where there are\n\
    some, the rest played in the same game.")]
pub(crate) struct Arguments {
    /// Records of games, or training data.
    files: Vec<PathBuf>,
    /// Number of self-play games in addition, played to mate; without FILES 400.
    #[arg(long)]
    games: Option<u64>,
    /// About the nodes per move in these games.
    #[arg(long, default_value_t = 500)]
    play_nodes: u64,
    /// Maximum number of nodes of the mate solver per move; a mate not found counts as none.
    #[arg(long, default_value_t = 2_000)]
    mate_nodes: u64,
    /// Seed for the choice of the other moves.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write the coefficients as a module of `komadai-eval`.
    #[arg(long, value_name = "FILE")]
    rust: Option<PathBuf>,
    /// Leave out the ablation, a fit without each group of features and without each feature.
    #[arg(long)]
    no_ablation: bool,
    /// Fit small networks to the same features as well, for a comparison.
    #[arg(long)]
    networks: bool,
    /// Write the weights of the network on all features as a module of `komadai-eval`.
    #[arg(long, value_name = "FILE", requires = "networks")]
    rust_network: Option<PathBuf>,
    /// Print the time per prediction with these features, for positions of held-out games of the
    /// files, in place of a fit.
    #[arg(long, value_enum)]
    speed: Option<Predictor>,
    /// Number of predictions of that measurement.
    #[arg(long, default_value_t = 4_000_000, requires = "speed")]
    predictions: usize,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let mut games = game_sources::read(&arguments.files)?;
    if let Some(predictor) = arguments.speed {
        speed::report(predictor, arguments.predictions, &games);
        return Ok(());
    }
    let default = if arguments.files.is_empty() { 400 } else { 0 };
    games.extend(game_sources::self_played(
        arguments.games.unwrap_or(default),
        arguments.play_nodes,
    ));
    let data = Labelled::of(&games, arguments.mate_nodes, arguments.seed);
    println!("{data}");
    ensure!(
        !data.train.is_empty() && !data.test.is_empty(),
        "found no threatmate in the training or the held-out games, expected more games"
    );
    let mut fitted = Vec::new();
    for set in [Set::Nine, Set::Cheap, Set::Full] {
        let model = Model::fit(set, &data.train);
        let name = format!("{}, {} features", set.name(), set.features().len());
        report::quality(&name, &model, &data);
        fitted.push(model);
    }
    for set in [Set::Cheap, Set::Full] {
        let Some(model) = fitted.iter().find(|model| model.set == set) else { continue };
        report::by_length(set.name(), model, &data);
        report::reliability(set.name(), model, &data);
        if !arguments.no_ablation {
            ablation::of_groups(set, &data);
            ablation::of_features(model, &data);
        }
        if arguments.networks {
            let name = format!("{}, network of {UNITS} hidden units", set.name());
            let network = Network::<UNITS>::fit(set, &data.train);
            report::quality(&name, &network, &data);
            report::by_length(&name, &network, &data);
            report::reliability(&name, &network, &data);
            if let (Set::Full, Some(path)) = (set, &arguments.rust_network) {
                network.write_rust(path, &data)?;
            }
            report::quality(
                &format!("{}, network of 32 hidden units", set.name()),
                &Network::<32>::fit(set, &data.train),
                &data,
            );
        }
    }
    if let Some(path) = &arguments.rust {
        model::write_rust(path, &fitted, &data)?;
    }
    Ok(())
}
