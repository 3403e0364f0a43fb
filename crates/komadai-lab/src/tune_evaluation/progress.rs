//! Fits the evaluation with the phase of the game by each measure of progress, and compares the
//! losses.
//!
//! The learned measure is a logistic regression of the share of the game that is over, by moves,
//! on all other measures.

use anyhow::ensure;
use clap::Args;
use komadai::data::records::PackedSfenValue;
use komadai::data::tools::Watch;
use komadai::eval::{Progress, ProgressMeasure};
use komadai::prelude::Position;

use crate::logistic;
use crate::tune_evaluation::fit::{GamePhase, Regression};
use komadai_study::statistics::{Mean, bootstrap, pearson};

/// Options of `progress`.
#[derive(Debug, Args)]
pub(crate) struct Comparison {
    #[command(flatten)]
    regression: Regression,
    /// Measures to compare with the phase of `Classical`: danger, promoted, hands, near, centroid or
    /// learned.
    #[arg(long, value_delimiter = ',', value_parser = Measure::parse,
          default_value = "danger,promoted,hands,near,centroid,learned")]
    measures: Vec<Measure>,
}

/// A measure of progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Measure {
    /// The phase with which `Classical` plays.
    Classical,
    Of(ProgressMeasure),
    Learned,
}

/// Samples of this number of neighbours count as one in the intervals, because those of one game
/// are similar.
const BLOCK: usize = 100;

/// One move in this number is used for the learned measure.
const EVERY: u16 = 7;

impl Comparison {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let stages = self.stages()?;
        let learned = Learned::fit(&stages);
        println!("learned: {learned}");
        let mut rows: Vec<(Measure, f64, Vec<f64>)> = Vec::new();
        let others = self.measures.iter().filter(|&&measure| measure != Measure::Classical);
        for &measure in [Measure::Classical].iter().chain(others) {
            println!("\n{}:", measure.name());
            let fitted = self.regression.fit(&self.regression.data(&measure.phase(&learned))?)?;
            rows.push((measure, fitted.after, fitted.losses));
        }
        println!(
            "\n| progress by | correlation with moves | loss | less that of the first, ·10⁻⁵ |"
        );
        println!("|---|---|---|---|");
        let first = rows[0].2.clone();
        for (measure, loss, losses) in &rows {
            let correlation = correlation(*measure, &learned, &stages);
            let Mean { mean, low, high } = difference(losses, &first);
            println!(
                "| {} | {correlation} | {loss:.5} | {mean:+.1} [{low:+.1}, {high:+.1}] |",
                measure.name(),
            );
        }
        Ok(())
    }

    /// Reads some positions with the shares of their games that are over.
    fn stages(&self) -> anyhow::Result<Vec<Stage>> {
        let (mut stages, mut game) = (Vec::new(), Vec::new());
        let mut end_game = |game: &mut Vec<(Position, u16)>| {
            let last = game.last().map_or(1, |(_, ply)| *ply).max(1);
            let all = game.drain(..);
            stages.extend(all.map(|(position, ply)| Stage::new(&position, ply, last)));
        };
        let mut last = 0;
        self.regression.sources()?.read(
            "moves",
            &mut Watch::none(),
            |_, record: &PackedSfenValue| Ok(record.unpack()?),
            |found| {
                let ply = found.record.ply;
                if ply <= last {
                    end_game(&mut game);
                }
                // The last position of a game is always kept: it has the length.
                game.pop_if(|(_, ply)| !ply.is_multiple_of(EVERY));
                last = ply;
                game.push((found.value, ply));
                Ok(())
            },
        )?;
        end_game(&mut game);
        ensure!(stages.len() >= 100, "found {} positions, expected at least 100", stages.len());
        Ok(stages)
    }
}

impl Measure {
    fn parse(name: &str) -> Result<Self, String> {
        let known = ProgressMeasure::ALL.into_iter().find(|measure| measure.name() == name);
        match known {
            Some(measure) => Ok(Self::Of(measure)),
            None if name == "learned" => Ok(Self::Learned),
            None => {
                let names = ProgressMeasure::ALL.map(ProgressMeasure::name).join(", ");
                Err(format!("found {name:?}, expected {names} or learned"))
            }
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Classical => "the phase of Classical",
            Self::Of(measure) => measure.name(),
            Self::Learned => "learned",
        }
    }

    fn phase(self, learned: &Learned) -> Option<GamePhase> {
        match self {
            Self::Classical => None,
            Self::Of(measure) => Some(Box::new(move |position| Progress::by(measure, position))),
            Self::Learned => {
                let learned = learned.clone();
                Some(Box::new(move |position| learned.of(&terms(position))))
            }
        }
    }
}

/// A position as the learned measure sees it, and the share of its game that is over.
struct Stage {
    terms: Vec<f64>,
    share: f64,
}

impl Stage {
    fn new(position: &Position, ply: u16, last: u16) -> Self {
        Self { terms: terms(position), share: f64::from(ply) / f64::from(last) }
    }
}

/// The measures in their order, and a constant.
fn terms(position: &Position) -> Vec<f64> {
    let measures = ProgressMeasure::ALL.into_iter();
    measures.map(|measure| f64::from(Progress::by(measure, position))).chain([1.0]).collect()
}

/// A measure that is fitted to the share of the game that is over.
#[derive(Debug, Clone)]
struct Learned {
    weights: Vec<f64>,
}

/// Ridge penalty: small, but positive, so that a term that never occurs does not make the system
/// singular.
const RIDGE: f64 = 1.0;

impl Learned {
    fn fit(stages: &[Stage]) -> Self {
        let rows: Vec<(Vec<f64>, f64)> =
            stages.iter().map(|stage| (stage.terms.clone(), stage.share)).collect();
        Self { weights: logistic::Fit::new(ProgressMeasure::ALL.len() + 1, RIDGE, &rows).weights }
    }

    fn of(&self, terms: &[f64]) -> f32 {
        let sum: f64 = self.weights.iter().zip(terms).map(|(weight, term)| weight * term).sum();
        (1.0 / (1.0 + (-sum).exp())) as f32
    }
}

impl std::fmt::Display for Learned {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names = ProgressMeasure::ALL.map(ProgressMeasure::name).into_iter().chain(["constant"]);
        for (index, (name, weight)) in names.zip(&self.weights).enumerate() {
            write!(f, "{}{name} {weight:.2}", if index > 0 { ", " } else { "" })?;
        }
        Ok(())
    }
}

/// Returns the correlation of a measure with the share of the game that is over.
fn correlation(measure: Measure, learned: &Learned, stages: &[Stage]) -> String {
    let value = |stage: &Stage| match measure {
        Measure::Classical => None,
        Measure::Of(of) => {
            let place = ProgressMeasure::ALL.iter().position(|known| *known == of)?;
            Some(stage.terms[place])
        }
        Measure::Learned => Some(f64::from(learned.of(&stage.terms))),
    };
    let pairs: Option<Vec<(f64, f64)>> =
        stages.iter().map(|stage| Some((value(stage)?, stage.share))).collect();
    pairs.map_or("-".to_owned(), |pairs| format!("{:.2}", pearson(&pairs)))
}

/// Returns the mean difference of losses in hundred thousandths, with its interval from blocks of
/// neighbours.
fn difference(losses: &[f64], first: &[f64]) -> Mean {
    let differences: Vec<f64> =
        losses.iter().zip(first).map(|(loss, first)| (loss - first) * 1e5).collect();
    let mean = |block: &[f64]| block.iter().sum::<f64>() / block.len() as f64;
    bootstrap(&differences.chunks(BLOCK).map(mean).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read() {
        assert_eq!(Measure::parse("hands"), Ok(Measure::Of(ProgressMeasure::Hands)));
        assert_eq!(Measure::parse("learned"), Ok(Measure::Learned));
        let error = Measure::parse("moves").unwrap_err();
        assert!(error.contains("\"moves\"") && error.contains("centroid or learned"), "{error}");
    }

    /// The share of a game follows a planted measure, which the fit finds again.
    #[test]
    fn a_planted_measure_is_learned() {
        let stages: Vec<Stage> = komadai_testdata::games::tournament()
            .take(8)
            .flat_map(|game| crate::games::plies(game.moves))
            .map(|(position, _)| {
                let terms = terms(&position);
                let share = 1.0 / (1.0 + (2.0 - 3.0 * terms[2] - terms[4]).exp());
                Stage { terms, share }
            })
            .collect();
        let learned = Learned::fit(&stages);
        let errors: Vec<f64> = (stages.iter())
            .map(|stage| (f64::from(learned.of(&stage.terms)) - stage.share).abs())
            .collect();
        let mean = errors.iter().sum::<f64>() / errors.len() as f64;
        assert!(mean < 0.03 && errors.iter().all(|error| *error < 0.15), "{mean}: {learned}");
        assert!(learned.weights[2] > learned.weights[0], "{learned}");
        let found = correlation(Measure::Learned, &learned, &stages);
        assert!(found.as_str() >= "0.98", "{found}");
        assert_eq!(correlation(Measure::Classical, &learned, &stages), "-");
    }

    #[test]
    fn differences_are_in_hundred_thousandths() {
        let found = difference(&[0.00002; 300], &[0.00001; 300]);
        assert!((found.mean - 1.0).abs() < 1e-9 && (found.high - 1.0).abs() < 1e-9);
    }
}
