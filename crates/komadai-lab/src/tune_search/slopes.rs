//! The slopes of the error of short searches along all parameters at once.
//!
//! Each sample moves every parameter up or down at random, searches a position with these numbers
//! and with their mirror image, and compares the errors of both searches. A parameter moves
//! independently of the others, so that the mean of the differences, with its signs, is its slope,
//! and every sample informs about every parameter (the random perturbations of SPSA, without steps).
//!
//! Source: J. Spall, "Multivariate stochastic approximation using a simultaneous perturbation
//! gradient approximation", IEEE Transactions on Automatic Control 37(3), 1992.

use std::collections::HashSet;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Context as _, ensure};
use clap::Args;
use komadai::core::{Move, SplitMix64};
use komadai::engine::Evaluation;
use komadai::search::{Parameter, Parameters};
use komadai_base::atomic_file;
use komadai_base::file::{open_regular_with, read_text};

use crate::arena::threads;
use crate::tune_search::change::Change;
use crate::tune_search::judged::{self, Judged, chance, search};
use crate::tune_search::terms::named;
use crate::tune_search::tuned::Tuned;

/// Options of `slopes`.
#[derive(Debug, Args)]
pub(crate) struct Slopes {
    /// Positions with the moves and values of long searches, as of `errors`.
    positions: PathBuf,
    /// Numbers around which the parameters move, in place of the defaults.
    #[arg(value_name = "NAME=VALUE,…")]
    centre: Option<Change>,
    /// Half the distance between the two values of a parameter, as a share of its range; at least
    /// one.
    #[arg(long, default_value_t = 0.1)]
    perturbation: f64,
    /// Number of samples of each position; 0 to report those in the record.
    #[arg(long, default_value_t = 10)]
    rounds: usize,
    /// Nodes of each search.
    #[arg(long, default_value_t = 100_000)]
    nodes: u64,
    /// Number of searches at the same time; 0 for one per processor.
    #[arg(long, default_value_t = 0)]
    concurrency: usize,
    /// A network in place of the bundled one.
    #[arg(long, value_name = "FILE")]
    network: Option<PathBuf>,
    /// File with the samples, from which the measurement continues.
    #[arg(long, value_name = "FILE")]
    record: PathBuf,
}

/// The move and value of a search.
type Answer = (Move, i32);

/// The answers of two searches of a position, by mirrored numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Sample {
    number: usize,
    up: Answer,
    down: Answer,
}

impl Sample {
    fn line(self) -> String {
        let Self { number, up, down } = self;
        format!("{number} {} {} {} {}\n", up.0, up.1, down.0, down.1)
    }
}

impl Slopes {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let judged = judged::read(&self.positions)?;
        ensure!(
            judged.iter().all(|judged| judged.truth.is_some()),
            "{}: a position has no value; `tune-search errors` finds it",
            self.positions.display()
        );
        let tuned = self.tuned()?;
        let mut samples = self.recorded()?;
        let evaluation = judged::evaluation(self.network.as_deref())?;
        let file = open_regular_with(OpenOptions::new().append(true), &self.record)?;
        let known: HashSet<usize> = samples.iter().map(|sample| sample.number).collect();
        let (next, added) = (AtomicUsize::new(0), Mutex::new((file, Vec::new())));
        let work = || loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= self.rounds * judged.len() {
                return anyhow::Ok(());
            }
            if known.contains(&number) {
                continue;
            }
            let judged = &judged[number % judged.len()];
            let sample = self.sample(number, judged, &evaluation, &tuned)?;
            let mut added = added.lock().unwrap_or_else(PoisonError::into_inner);
            added.0.write_all(sample.line().as_bytes())?;
            added.1.push(sample);
        };
        thread::scope(|scope| {
            let workers: Vec<_> =
                (0..threads(self.concurrency).get()).map(|_| scope.spawn(work)).collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("no worker panics"))
        })?;
        samples.extend(added.into_inner().unwrap_or_else(PoisonError::into_inner).1);
        print!("{}", report(&tuned, self.perturbation, &judged, &samples));
        Ok(())
    }

    /// Returns all parameters, at the numbers from which they move.
    fn tuned(&self) -> anyhow::Result<Vec<Tuned>> {
        let mut parameters = Parameters::default();
        self.centre.iter().try_for_each(|centre| centre.make(&mut parameters))?;
        let at = |parameter: &_| Tuned::at(*parameter, &parameters);
        Ok(Parameters::ALL.iter().map(at).collect())
    }

    /// Returns what determines the samples: a record of other conditions is not continued.
    fn conditions(&self) -> String {
        let centre = self.centre.as_ref().map_or_else(|| "defaults".to_owned(), Change::to_string);
        let network = self.network.as_deref().map_or_else(|| "bundled".to_owned(), named);
        format!(
            "{}; {centre} ± {}, {} nodes, network {network}",
            named(&self.positions),
            self.perturbation,
            self.nodes
        )
    }

    /// Returns the samples in the record, or starts it.
    fn recorded(&self) -> anyhow::Result<Vec<Sample>> {
        let name = self.record.display();
        let conditions = self.conditions();
        if !self.record.exists() {
            atomic_file::write(&self.record, format!("{conditions}\n"))?;
            return Ok(Vec::new());
        }
        let text = read_text(&self.record, u64::MAX)?;
        let (found, rest) = text.split_once('\n').context("the record has no first line")?;
        ensure!(found == conditions, "{name}: other samples: {found}; these are: {conditions}");
        // What follows the last end of a line was being written when the measurement was stopped.
        let whole = rest.rfind('\n').map_or(0, |end| end + 1);
        if whole < rest.len() {
            let end = (found.len() + 1 + whole) as u64;
            open_regular_with(OpenOptions::new().write(true), &self.record)?.set_len(end)?;
        }
        (2..)
            .zip(rest[..whole].lines())
            .map(|(number, line)| {
                read_sample(line).with_context(|| format!("{name}:{number}: {line}"))
            })
            .collect()
    }

    fn sample(
        &self,
        number: usize,
        judged: &Judged,
        evaluation: &Evaluation,
        tuned: &[Tuned],
    ) -> anyhow::Result<Sample> {
        let signs = signs(tuned.len(), number);
        let answer = |direction: f64| {
            let mut parameters = Parameters::default();
            for (tuned, sign) in tuned.iter().zip(&signs) {
                let value = moved(tuned, self.perturbation, direction * sign);
                parameters.set(tuned.parameter.name, value);
            }
            let mut searcher = judged::searcher(evaluation, &parameters);
            let found = search(&mut *searcher, &judged.position, self.nodes);
            found.map(|(m, value, _)| (m, value)).with_context(|| judged.usi.clone())
        };
        Ok(Sample { number, up: answer(1.0)?, down: answer(-1.0)? })
    }
}

/// Returns the number of a parameter above (direction 1) or below (−1) its place; another one than
/// there, unless it is at the end of its range.
fn moved(tuned: &Tuned, perturbation: f64, direction: f64) -> i32 {
    let Parameter { min, max, .. } = tuned.parameter;
    let by = perturbation.max(1.0 / f64::from(max - min));
    tuned.value(tuned.place + direction * by)
}

/// Returns the directions of the parameters in a sample.
fn signs(count: usize, number: usize) -> Vec<f64> {
    let mut random = SplitMix64::new(0x534c_4f50 + number as u64);
    (0..count).map(|_| if random.below(2) == 0 { 1.0 } else { -1.0 }).collect()
}

fn read_sample(line: &str) -> Option<Sample> {
    let mut words = line.split(' ');
    let number = words.next()?.parse().ok()?;
    let mut answer = || Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?));
    let sample = Sample { number, up: answer()?, down: answer()? };
    words.next().is_none().then_some(sample)
}

/// Returns a table of the changes of error and of agreement from the lower to the upper value of
/// each parameter, with 95 % intervals.
fn report(tuned: &[Tuned], by: f64, judged: &[Judged], samples: &[Sample]) -> String {
    let count = samples.len() as f64;
    let difference = |sample: &Sample| {
        let (best, value) = judged[sample.number % judged.len()].truth.expect("all are judged");
        let error = |(_, found): Answer| (chance(found) - chance(value)).abs();
        let hit = |(m, _): Answer| f64::from(u8::from(m == best));
        (error(sample.up) - error(sample.down), hit(sample.up) - hit(sample.down))
    };
    let differences: Vec<_> = samples.iter().map(difference).collect();
    let directions: Vec<_> = samples.iter().map(|s| signs(tuned.len(), s.number)).collect();
    let margin = |part: fn(&(f64, f64)) -> f64| {
        let squares: f64 = differences.iter().map(|both| part(both).powi(2)).sum();
        1.96 * (squares / count / count).sqrt()
    };
    let (errors, hits) = (margin(|both| both.0), 100.0 * margin(|both| both.1));
    let mut text = format!(
        "{count} samples; error of the winning chance ± {errors:.4}, same move ± {hits:.1} %\n\
         | number | values | error | same move |\n|---|---|---|---|\n"
    );
    for (index, tuned) in tuned.iter().enumerate() {
        let mean = |part: fn(&(f64, f64)) -> f64| {
            let signed = differences.iter().zip(&directions);
            signed.map(|(both, signs)| signs[index] * part(both)).sum::<f64>() / count
        };
        let values = [-1.0, 1.0].map(|direction| moved(tuned, by, direction));
        text += &format!(
            "| {} | {} … {} | {:+.4} | {:+.1} % |\n",
            tuned.parameter.name,
            values[0],
            values[1],
            mean(|both| both.0),
            100.0 * mean(|both| both.1)
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_written_and_read() -> anyhow::Result<()> {
        let sample = Sample { number: 7, up: ("7g7f".parse()?, -31), down: ("P*5e".parse()?, 4) };
        assert_eq!(sample.line(), "7 7g7f -31 P*5e 4\n");
        assert_eq!(read_sample("7 7g7f -31 P*5e 4"), Some(sample));
        for damaged in ["", "7 7g7f -31", "7 7g7f -31 P*5e 4 5", "7 7g7f x P*5e 4"] {
            assert_eq!(read_sample(damaged), None, "{damaged}");
        }
        Ok(())
    }

    #[test]
    fn slopes_of_several_parameters_are_told_apart() -> anyhow::Result<()> {
        // The first parameter adds 6 centipawns to the value from its lower to its upper value, the
        // third takes 4 away, and a value too high is an error.
        let judged = judged::read_line("startpos\t7g7f\t0")?;
        let tuned: Vec<_> = Parameters::ALL[..3]
            .iter()
            .map(|parameter| Tuned::at(*parameter, &Parameters::default()))
            .collect();
        let m = "7g7f".parse()?;
        let sample = |number| {
            let signs = signs(3, number);
            let shift = (3.0 * signs[0] - 2.0 * signs[2]) as i32;
            Sample { number, up: (m, 100 + shift), down: (m, 100 - shift) }
        };
        let samples: Vec<_> = (0..2_000).map(sample).collect();
        let text = report(&tuned, 0.1, &[judged], &samples);
        let errors: Vec<f64> = text
            .lines()
            .skip(3)
            .map(|line| line.split('|').nth(3).unwrap_or_default().trim().parse())
            .collect::<Result<_, _>>()?;
        let unit = (chance(101) - chance(99)) / 2.0;
        for (error, expected) in errors.iter().zip([6.0, 0.0, -4.0]) {
            assert!((error - expected * unit).abs() < 0.4 * unit, "{text}");
        }
        Ok(())
    }
}
