//! The training of networks.

use std::fs;
use std::io::Write as _;
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};
use komadai::eval::{Classical, Evaluator, Material};
use komadai::nnue::{Network, Nnue};
use komadai::train::network::{Trainer, TrainingBase, TrainingError, TrainingOptions, TrainingSet};
use komadai_base::file::with_ending;
use komadai_console::{
    bad_usage, describe, grouped, interrupted, note, stdout, stop_on_interrupt, threads,
    write_file, write_file_with,
};

use super::records::{GameArgs, OutputArgs};

/// Train a network on quiet positions of self-play, whole games in their order.
///
/// A twentieth of the games is held out, by which the network is judged. After each measurement of
/// the loss the state is saved in OUT.training; Ctrl-C ends the work, and the same command
/// continues, also after a crash. A loss that is no finite number ends the work, too, and nothing
/// is written. OUT.svg is the curve of the loss.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  komadai train network network.nnue data --width 128\n  \
                  komadai train network nn.bin data --kind half-kp\n\n\
                  Exit codes: 0 done, 1 failed, 2 bad usage, 130 stopped by Ctrl-C.")]
pub(super) struct Options {
    /// File to write.
    out: PathBuf,
    #[command(flatten)]
    data: GameArgs,
    /// Kind of the network.
    #[arg(long, value_enum, default_value_t)]
    kind: Kind,
    /// Evaluation to which a compact network adds.
    #[arg(long, value_enum, default_value_t)]
    base: Base,
    /// Outputs of the first layer of a compact network, a multiple of 32 [default: 128].
    #[arg(long, value_name = "OUTPUTS")]
    width: Option<usize>,
    /// Classes of progress of a compact network, each with an output layer of its own [default: 1].
    #[arg(long)]
    classes: Option<usize>,
    /// Number of times that each position is seen. The default depends on the kind.
    #[arg(long)]
    epochs: Option<u32>,
    /// Positions of a step. The default depends on the kind.
    #[arg(long, value_name = "POSITIONS")]
    batch: Option<usize>,
    /// Learning rate at the start. The default depends on the kind.
    #[arg(long)]
    rate: Option<f32>,
    /// Share by which weights of a piece with a zone of the king shrink in a step, for a learning
    /// rate of 1; those that all zones share shrink by a third of it. Less is better for more data.
    /// The default depends on the kind.
    #[arg(long, value_name = "SHARE", value_parser = decay)]
    decay: Option<f32>,
    /// Share of the game's result in the target, from 0 to 1. The score of the search has the rest.
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    result_share: f32,
    /// Centipawns whose expected result is 0.73.
    #[arg(long, value_name = "CP")]
    scale: Option<f32>,
    /// Positions between two measurements of the loss [default: a million, or an eighth of an epoch
    /// if that is more].
    #[arg(long, value_name = "POSITIONS", value_parser = clap::value_parser!(u64).range(1..))]
    interval: Option<u64>,
    /// Number of measurements without a new best loss that ends the training; 0 for none.
    #[arg(long, value_name = "N")]
    patience: Option<u32>,
    /// Network of the same shape to start from, in place of random weights.
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,
    /// Seed of the initial weights and of the order of positions.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of threads, which changes no result; by default the number of processors.
    #[arg(long)]
    threads: Option<NonZero<usize>>,
    /// Text in the file about the origin of the network.
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
    #[command(flatten)]
    output: OutputArgs,
}

/// The kind of a network.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// The format of this project: nine zones of the king, one hidden layer.
    #[default]
    Compact,
    /// HalfKP 256x2-32-32, the format of YaneuraOu.
    HalfKp,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
enum Base {
    /// The material balance.
    #[default]
    Material,
    /// The embedded evaluation.
    Classical,
}

pub(super) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let mut wanted = options.training().map_err(|error| bad_usage(describe(&error)))?;
    options.output.check(&options.out)?;
    let start = options
        .start
        .as_ref()
        .map(|path| Network::open(path).with_context(|| path.display().to_string()));
    let start = start.transpose()?;
    let stop = stop_on_interrupt()?;
    let set = options.data.read(TrainingSet::new(), &stop, TrainingSet::read)?;
    writeln!(
        stdout(),
        "{} records of {} games: {} quiet positions to train with, {} held out",
        grouped(set.records()),
        grouped(set.games()),
        grouped(set.training() as u64),
        grouped(set.held_out() as u64),
    )?;
    let eighth = set.training() as u64 / 8;
    wanted.interval = options.interval.unwrap_or(wanted.interval.max(eighth));
    let material = judge("material", &Material, &set, &wanted)?;
    let classical = judge("classical", &Classical::default(), &set, &wanted)?;
    let held_out = set.without_training();
    let mut trainer = Trainer::new(wanted.clone(), set)?.with_threads(threads(options.threads));
    if let Some(network) = &start {
        trainer = trainer.with_network(network)?;
    }
    let state = options.state_path();
    if state.exists() {
        trainer = trainer.resume(&state)?;
        note!("continues {}", state.display());
    }
    while let Some(point) = trainer.advance() {
        if point.is_finite() {
            trainer.save(&state)?;
        }
        note!(
            "epoch {:.2}: {} positions, loss {:.5}, held out {:.5}",
            point.epoch,
            grouped(point.positions),
            point.training_loss,
            point.held_out_loss,
        );
        if stop.load(Ordering::Relaxed) {
            return Err(interrupted("stopped; the same command continues"));
        }
    }
    let network = trainer.network(options.description(&wanted)).inspect_err(|error| {
        // The training would diverge again from the state before.
        if matches!(error, TrainingError::Diverged { .. }) {
            let _ = fs::remove_file(&state);
        }
    })?;
    let trained = judge("network", &Nnue::new(network.clone()), &held_out, &wanted)?;
    writeln!(stdout(), "{}", verdict(trained, material, classical))?;
    write_file_with(&options.out, |out| network.write(out))?;
    write_file(&with_ending(&options.out, ".svg"), trainer.report().to_svg())?;
    // The network is complete; a state that stays does no harm.
    let _ = fs::remove_file(&state);
    writeln!(stdout(), "{}: {}", options.out.display(), network.architecture())?;
    Ok(ExitCode::SUCCESS)
}

/// Reads a share of `--decay`; with the largest learning rate, 100 still leaves most of a weight.
fn decay(text: &str) -> Result<f32, String> {
    let share: f32 = text.parse().map_err(|error| format!("{error}"))?;
    if (0.0..=100.0).contains(&share) {
        Ok(share)
    } else {
        Err("expected a number from 0 to 100".to_owned())
    }
}

/// Prints the agreement of an evaluation with the held-out games.
fn judge<E: Evaluator>(
    name: &str,
    evaluator: &E,
    set: &TrainingSet,
    options: &TrainingOptions,
) -> anyhow::Result<f64> {
    let found = set.judge(evaluator, options);
    writeln!(
        stdout(),
        "{name}: loss {:.5}, with the best factor ({:.2}) {:.5}; correlation with the scores {:.4}",
        found.loss,
        found.best_factor,
        found.best_loss,
        found.correlation,
    )?;
    Ok(found.best_loss)
}

/// Returns the losses in words. Losses with the best factors are compared: a factor changes no move.
fn verdict(network: f64, material: f64, classical: f64) -> String {
    let words = match (network < material, network < classical) {
        (true, true) => "better than both: a match shows what that is worth in games",
        (true, false) => {
            "better than the material balance, worse than the classical evaluation: more data help"
        }
        (false, _) => "worse than the material balance: far too few data, or a wrong setting",
    };
    format!(
        "loss with the best factor, less is better: network {network:.5}, material {material:.5}, \
         classical {classical:.5}. The network is {words}."
    )
}

impl Options {
    fn training(&self) -> anyhow::Result<TrainingOptions> {
        let mut options = match self.kind {
            Kind::Compact => TrainingOptions::default(),
            Kind::HalfKp => TrainingOptions::half_kp(),
        };
        if self.kind == Kind::HalfKp {
            if self.width.is_some() || self.classes.is_some() || self.base != Base::Material {
                bail!("--width, --classes and --base are options of compact networks");
            }
            if self.start.is_some() {
                bail!("--start is an option of compact networks");
            }
        }
        options.base = match self.base {
            Base::Material => TrainingBase::Material,
            Base::Classical => TrainingBase::Classical,
        };
        options.width = self.width.unwrap_or(options.width);
        options.classes = self.classes.unwrap_or(options.classes);
        options.epochs = self.epochs.unwrap_or(options.epochs);
        options.batch = self.batch.unwrap_or(options.batch);
        options.learning_rate[0] = self.rate.unwrap_or(options.learning_rate[0]);
        if let Some(decay) = self.decay {
            (options.decay, options.shared_decay) = (decay, decay / 3.0);
        }
        options.result_share = self.result_share;
        options.score_scale = self.scale.unwrap_or(options.score_scale);
        options.patience = self.patience.unwrap_or(options.patience);
        options.seed = self.seed;
        options.interval = self.interval.unwrap_or(options.interval);
        options.check()?;
        Ok(options)
    }

    /// The file of the interrupted training.
    fn state_path(&self) -> PathBuf {
        with_ending(&self.out, ".training")
    }

    fn description(&self, options: &TrainingOptions) -> String {
        self.description.clone().unwrap_or_else(|| {
            format!(
                "komadai {}, {} epochs, result share {}, seed {}",
                env!("CARGO_PKG_VERSION"),
                options.epochs,
                options.result_share,
                options.seed,
            )
        })
    }
}
