//! Fits of the probability of moves.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use anyhow::Context as _;
use clap::Args;
use komadai::Position;
use komadai::kifu::{RecordFiles, Tolerance};
use komadai::search::{LogisticMoves, MoveProbability};
use komadai::train::moves::{
    Choice, MoveFitOptions, MoveFitter, MoveJudgement, MoveSet, count_classes,
};
use komadai_console::{grouped, interrupted, note, stdout, stop_on_interrupt, write_file};

use super::records::{GameArgs, STOPPED};

/// Fit models of the probability of moves to the best moves of records.
///
/// The records must be in the order of their games, as before a shuffle: the moves before a
/// position count. One game in twenty is held out, and the models are compared on it.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: komadai train moves softmax.bin data --classes classes.tsv --games games.usi\n\n\
                  Exit codes: 0 done, 1 failed, 2 bad usage."
)]
pub(super) struct Options {
    /// File of the softmax model to write.
    out: PathBuf,
    #[command(flatten)]
    data: GameArgs,
    /// File of the class model to write.
    #[arg(long, value_name = "FILE")]
    classes: Option<PathBuf>,
    /// Games in any format (a file, an archive, a folder) on which the models are compared as well.
    #[arg(long, value_name = "FILE")]
    games: Option<PathBuf>,
    /// Number of passes over all positions.
    #[arg(long, default_value_t = MoveFitOptions::default().epochs,
          value_parser = clap::value_parser!(u32).range(1..))]
    epochs: u32,
    /// Seed of the order of positions.
    #[arg(long, default_value_t = MoveFitOptions::default().seed)]
    seed: u64,
}

pub(super) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let stop = stop_on_interrupt()?;
    let set = options.data.read(MoveSet::new(), &stop, MoveSet::read)?;
    let (games, training, held_out) = (set.games(), set.training(), set.held_out());
    let [games, training_count, held_out_count] =
        [games, training.len() as u64, held_out.len() as u64].map(grouped);
    let mut out = stdout();
    writeln!(out, "{games} games: {training_count} positions to fit, {held_out_count} held out")?;
    anyhow::ensure!(!training.is_empty() && !held_out.is_empty(), "too few games");
    let players = options.games.as_deref().map(read_games).transpose()?;
    let fit =
        MoveFitOptions { epochs: options.epochs, seed: options.seed, ..MoveFitOptions::default() };
    let mut fitter = MoveFitter::new(fit);
    for pass in 1..=options.epochs {
        if stop.load(Ordering::Relaxed) {
            return Err(interrupted(STOPPED));
        }
        let loss = fitter.pass(training);
        anyhow::ensure!(
            loss.is_finite(),
            "the mean loss of pass {pass} is {loss}, expected a finite number"
        );
        note!("pass {pass} of {}: mean log-likelihood {:.4}", options.epochs, -loss);
    }
    let (softmax, classes) = (fitter.model(), count_classes(training));
    write_file(&options.out, softmax.to_bytes())?;
    if let Some(path) = &options.classes {
        write_file(path, classes.to_string())?;
    }
    let models: [(&str, &dyn MoveProbability); 3] =
        [("logistic", &LogisticMoves::default()), ("classes", &classes), ("softmax", &softmax)];
    for (name, choices) in [("held out", Some(held_out)), ("games", players.as_deref())] {
        let Some(choices) = choices else { continue };
        for (model, probability) in models {
            let found = MoveJudgement::of(probability, choices);
            writeln!(
                out,
                "{name}, {model}: log-likelihood {:.4}, first {:.4}, first three {:.4}, {} positions",
                found.log_likelihood(),
                found.top_one(),
                found.top_three(),
                grouped(found.positions),
            )?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the positions of game records, with the moves that were played.
fn read_games(path: &Path) -> anyhow::Result<Vec<Choice>> {
    let mut set = MoveSet::new();
    for found in RecordFiles::open(path, Tolerance::Strict) {
        let name = || found.place.to_string();
        let game = found.record.with_context(name)?;
        let start = Position::from_setup(&game.setup).with_context(name)?;
        let moves: Vec<_> = game.moves.iter().map(|played| played.m).collect();
        set.add_game(&start, &moves).with_context(name)?;
    }
    Ok(set.training().iter().chain(set.held_out()).copied().collect())
}
