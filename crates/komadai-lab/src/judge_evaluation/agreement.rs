//! Agreement of the static value with judges on positions of real games.

use std::path::PathBuf;

use clap::Args;
use komadai::eval::Evaluator as _;

use crate::judge_evaluation::evaluators::{Evaluation, centipawns};
use crate::judge_evaluation::judge::JudgeKind;
use crate::judge_evaluation::judged;
use komadai_study::statistics::{pearson, spearman};

/// Smallest value of a judge whose sign counts, in centipawns.
const DECIDED_CP: f64 = 100.0;

/// Largest value that enters the correlation of values, in centipawns; larger ones are decided
/// games.
const MOST_CP: f64 = 3_000.0;

/// Options of `agreement`.
#[derive(Debug, Args)]
pub(crate) struct Agreement {
    /// Table of positions that `positions` has written.
    positions: PathBuf,
    #[command(flatten)]
    evaluation: Evaluation,
}

impl Agreement {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let evaluator = self.evaluation.load()?;
        let judged = judged::read(&self.positions)?;
        println!("judge      positions  same sign       rank   value  expectation");
        for judge in JudgeKind::OTHERS.into_iter().chain([JudgeKind::Komadai]) {
            let pairs: Vec<(f64, f64)> = judged
                .iter()
                .filter_map(|row| {
                    let own = centipawns(evaluator.evaluate_position(&row.position));
                    Some((f64::from(own), f64::from(row.value(judge)?) / judge.scale()))
                })
                .collect();
            if pairs.is_empty() {
                continue;
            }
            let decided = pairs.iter().filter(|pair| pair.1.abs() >= DECIDED_CP);
            let (count, same) = decided.fold((0, 0), |(count, same), pair| {
                (count + 1, same + usize::from(pair.0 * pair.1 > 0.0))
            });
            let bounded: Vec<_> =
                pairs.iter().copied().filter(|pair| pair.1.abs() <= MOST_CP).collect();
            let expected: Vec<_> =
                pairs.iter().map(|pair| (expectation(pair.0), expectation(pair.1))).collect();
            println!(
                "{:<10} {:>9}  {same:>4} of {count:>4}  {:>6.4}  {:>6.4}  {:>6.4}",
                judge.name(),
                pairs.len(),
                spearman(&pairs),
                pearson(&bounded),
                pearson(&expected)
            );
        }
        Ok(())
    }
}

/// Returns the expected points of a game with this value in centipawns.
fn expectation(value: f64) -> f64 {
    1.0 / (1.0 + (-value / 600.0).exp())
}
