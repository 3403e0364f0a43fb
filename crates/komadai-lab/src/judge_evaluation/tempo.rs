//! The value of the turn (tempo): the same position with either side to move.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::Args;
use komadai::eval::Evaluator as _;
use komadai::prelude::*;

use crate::judge_evaluation::evaluators::{Evaluation, centipawns};
use crate::judge_evaluation::judge::JudgeKind;
use crate::judge_evaluation::judged::{self, PARTS};
use crate::judge_evaluation::opinions::{Opinions, Questions};
use komadai_study::statistics::median;

/// Largest value that counts, in centipawns; larger ones are decided games.
const MOST_CP: f64 = 1_500.0;

/// Options of `tempo`.
#[derive(Debug, Args)]
pub(crate) struct Tempo {
    /// Table of positions that `positions` has written.
    positions: PathBuf,
    /// Number of positions of each part of a game.
    #[arg(long, default_value_t = 60)]
    count: usize,
    #[command(flatten)]
    questions: Questions,
    #[command(flatten)]
    evaluation: Evaluation,
}

impl Tempo {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let evaluator = self.evaluation.load()?;
        let judged = judged::read(&self.positions)?;
        let parts = PARTS.map(|part| {
            let inside = judged.iter().filter(|row| part.contains(&row.position.ply()));
            inside.filter_map(|row| both_turns(&row.position)).take(self.count).collect::<Vec<_>>()
        });
        let sfens: BTreeSet<String> =
            parts.iter().flatten().flatten().map(ToString::to_string).collect();
        let opinions = self.questions.ask(&sfens)?;
        println!("from move  positions  static  yaneuraou  fairy  gps (medians in centipawns)");
        for (range, part) in PARTS.iter().zip(&parts) {
            let fixed = part.iter().map(|turns| {
                turns.iter().map(|p| f64::from(centipawns(evaluator.evaluate_position(p)))).sum()
            });
            let fixed = median(fixed.map(|sum: f64| sum / 2.0).collect());
            let [yaneuraou, fairy, gps] = JudgeKind::OTHERS.map(|judge| {
                let values = part.iter().filter_map(|turns| value(&opinions, judge, turns));
                let values: Vec<f64> = values.collect();
                // A judge that was not asked has no opinion.
                if values.is_empty() { "-".to_owned() } else { format!("{:.0}", median(values)) }
            });
            println!(
                "{:>9}  {:>9}  {fixed:>6.0}  {yaneuraou:>9}  {fairy:>5}  {gps:>3}",
                range.start,
                part.len()
            );
        }
        Ok(())
    }
}

/// Returns the position with either side to move, unless one of them would be in check.
fn both_turns(position: &Position) -> Option<[Position; 2]> {
    let mut setup = position.to_setup();
    setup.side = !setup.side;
    let other = Position::from_setup(&setup).ok()?;
    (!position.in_check() && !other.in_check()).then(|| [position.without_history(), other])
}

/// Returns the value of the turn by a judge: the mean of both values, each for its side to move.
fn value(opinions: &Opinions, judge: JudgeKind, turns: &[Position; 2]) -> Option<f64> {
    let [a, b] = turns.each_ref().map(|position| {
        let value = opinions.get(judge, &position.to_string())?.value;
        Some(f64::from(value) / judge.scale()).filter(|value| value.abs() <= MOST_CP)
    });
    Some((a? + b?) / 2.0)
}
