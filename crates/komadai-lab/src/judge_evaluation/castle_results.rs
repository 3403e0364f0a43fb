//! The worth of castles by the results of games that start from them, beside the scores of those
//! starts: a judge of the castle suite from another source than static opinions.

use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use clap::Args;
use komadai::data::records::{PackedSfenValue, PsvReader};
use komadai::kifu::Tolerance;
use komadai_testdata::castles::{self, Template};

use crate::judge_evaluation::castle_start::{SCALE_CP, Start, squares};
use crate::logistic::{Centred, Fit};
use crate::statistics::pearson;

/// Strength of the pull to zero, which makes the sum of all castles determined.
const RIDGE: f64 = 0.01;

/// Options of `castles`.
#[derive(Debug, Args)]
pub(crate) struct CastleResults {
    /// Files of records (`.psv`), whole games in their order.
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

impl CastleResults {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let templates: Vec<Template> = castles::templates().collect();
        let armies: Vec<Vec<char>> = templates.iter().map(|army| squares(army.ranks)).collect();
        let mut starts = Vec::new();
        for file in &self.files {
            let mut before = None;
            let name = || file.display().to_string();
            for record in PsvReader::open(file, Tolerance::Strict).with_context(name)? {
                let record: PackedSfenValue = record.with_context(name)?;
                if before.is_none_or(|ply: u16| ply.checked_add(1) != Some(record.ply)) {
                    starts.extend(Start::of(&record, &armies)?);
                }
                before = Some(record.ply);
            }
        }
        ensure!(starts.len() > 100, "found {} games from castles, too few", starts.len());
        let count = templates.len();
        let fit = |value: fn(&Start) -> f64| {
            let rows = starts.iter().map(|start| (terms(start, count), value(start)));
            Fit::new(count + 1, RIDGE, &rows.collect::<Vec<_>>()).centred(count)
        };
        let (results, scores) = (fit(|start| start.result), fit(|start| start.expected));
        let centipawns = |value: f64| SCALE_CP * value;

        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by(|&a, &b| results.values[b].total_cmp(&results.values[a]));
        println!(
            "{} games from castles; by results (95 %), by scores, in centipawns",
            starts.len()
        );
        for index in order {
            let [value, error, score] =
                [results.values[index], 1.96 * results.errors[index], scores.values[index]]
                    .map(centipawns);
            println!("{value:+5.0} ±{error:3.0} {score:+5.0}  {}", templates[index].name);
        }
        let pairs: Vec<_> = (0..count).map(|i| (results.values[i], scores.values[i])).collect();
        let spread = |fit: &Centred| {
            centipawns((fit.values.iter().map(|v| v * v).sum::<f64>() / count as f64).sqrt())
        };
        println!(
            "standard deviation by results {:.0}, by scores {:.0}; correlation {:.2}",
            spread(&results),
            spread(&scores),
            pearson(&pairs)
        );
        report_suite(&templates, &results.values, &scores.values);
        Ok(())
    }
}

/// Prints how many pairs of the suite have the order of these values, and the others.
fn report_suite(templates: &[Template], results: &[f64], scores: &[f64]) {
    let of = |values: &[f64], name: &str| {
        templates.iter().position(|army| army.name == name).map_or(0.0, |index| values[index])
    };
    let (mut all, mut right) = (0, [0, 0]);
    for pair in castles::pairs() {
        let (better, worse) =
            (pair.castles[pair.judged.better], pair.castles[1 - pair.judged.better]);
        let [by_results, by_scores] =
            [results, scores].map(|values| SCALE_CP * (of(values, better) - of(values, worse)));
        all += 1;
        right[0] += usize::from(by_results > 0.0);
        right[1] += usize::from(by_scores > 0.0);
        if by_results <= 0.0 {
            println!("{by_results:+5.0} {by_scores:+5.0}  {}", pair.judged.name);
        }
    }
    println!(
        "of {all} pairs of the suite in its order: {} by results, {} by scores",
        right[0], right[1]
    );
}

/// Returns the terms of a start: its castles, and the turn as the last one.
fn terms(start: &Start, count: usize) -> Vec<f64> {
    let mut terms = vec![0.0; count + 1];
    terms[start.castles[0]] += 1.0;
    terms[start.castles[1]] -= 1.0;
    terms[count] = if start.black_to_move { 1.0 } else { -1.0 };
    terms
}
