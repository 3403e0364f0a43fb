//! Trains a network on files of positions: a compact one, or with `--half-kp` as the first argument one that
//! YaneuraOu reads.

use std::fs::{self, File};
use std::io::{BufReader, Read as _};
use std::num::NonZero;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use komadai_base::file::open_regular;
use komadai_eval::{Classical, Evaluator, Material};
use komadai_nnue::Nnue;
use komadai_train::network::{Trainer, TrainingBase, TrainingOptions, TrainingSet};

fn main() -> anyhow::Result<()> {
    let mut options = TrainingOptions::default();
    let (mut threads, mut output, mut files) = (1, None, Vec::new());
    let mut checkpoint = None;
    let mut description = "an example".to_owned();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().context("a value is missing");
        match argument.as_str() {
            "--base" => {
                options.base = match value()?.as_str() {
                    "material" => TrainingBase::Material,
                    "classical" => TrainingBase::Classical,
                    other => bail!("found the base {other}, expected material or classical"),
                }
            }
            "--scale" => options.score_scale = value()?.parse()?,
            "--half-kp" => options = TrainingOptions::half_kp(),
            "--width" => options.width = value()?.parse()?,
            "--classes" => options.classes = value()?.parse()?,
            "--epochs" => options.epochs = value()?.parse()?,
            "--batch" => options.batch = value()?.parse()?,
            "--rate" => options.learning_rate[0] = value()?.parse()?,
            "--decay" => options.decay = value()?.parse()?,
            "--shared-decay" => options.shared_decay = value()?.parse()?,
            "--seed" => options.seed = value()?.parse()?,
            "--interval" => options.interval = value()?.parse()?,
            "--patience" => options.patience = value()?.parse()?,
            "--result" => options.result_share = value()?.parse()?,
            "--description" => description = value()?,
            "--threads" => threads = value()?.parse()?,
            "--checkpoint" => checkpoint = Some(PathBuf::from(value()?)),
            "--output" => output = Some(value()?),
            file => files.push(file.to_owned()),
        }
    }
    let mut set = TrainingSet::new();
    for path in files {
        let file = open_regular(&path).context(path)?;
        // The last record of a file that grows may be incomplete.
        let whole = file.metadata()?.len() / 40 * 40;
        set.read(BufReader::new(file).take(whole))?;
    }
    println!(
        "{} records of {} games: {} to train with, {} held out",
        set.records(),
        set.games(),
        set.training(),
        set.held_out()
    );
    judge("material", &Material, &set, &options);
    judge("classical", &Classical::default(), &set, &options);
    let held_out = set.clone();
    let threads = NonZero::new(threads).context("no threads")?;
    let mut trainer = Trainer::new(options.clone(), set)?.with_threads(threads);
    if let Some(path) = checkpoint.as_ref().filter(|path| path.exists()) {
        trainer = trainer.resume(path)?;
    }
    while let Some(point) = trainer.advance() {
        println!(
            "{:9} positions, epoch {:5.2}, rate {:.6}: loss {:.5}, held out {:.5}",
            point.positions,
            point.epoch,
            point.learning_rate,
            point.training_loss,
            point.held_out_loss
        );
        checkpoint.iter().try_for_each(|path| trainer.save(path))?;
    }
    let network = trainer.network(description)?;
    judge("network", &Nnue::new(network.clone()), &held_out, &options);
    if let Some(path) = output {
        network.write(File::create(&path)?)?;
        fs::write(format!("{path}.svg"), trainer.report().to_svg())?;
    }
    Ok(())
}

fn judge<E: Evaluator>(name: &str, evaluator: &E, set: &TrainingSet, options: &TrainingOptions) {
    let judgement = set.judge(evaluator, options);
    println!(
        "{name}: loss {:.5}, with factor {:.2} {:.5}, correlation {:.4}",
        judgement.loss, judgement.best_factor, judgement.best_loss, judgement.correlation
    );
}
