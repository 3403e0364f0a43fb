//! `book refresh --calibrate`: a sample of the book, analysed by the new engine.

use std::io::Write as _;

use anyhow::{Context as _, ensure};
use komadai::book::BatchEnd;
use komadai::book::calibration::{
    Calibration, CalibrationOptions, CalibrationRun, CalibrationSample, Stratum,
};
use komadai::core::{Analyst as _, AnalystId};
use komadai_base::text::printable;
use komadai_console::{Progress, bad_usage, interrupted, print_json, stdout, stop_on_interrupt};
use serde_json::{Value, json};

use super::refresh::{self, Options, draw, old_engine, scale_json};
use crate::book::files::source::open_store;

/// Nodes per position without `--nodes`; as many as those of `book grow`.
const NODES: u64 = 200_000;

/// Runs `book refresh`, with a calibration or without.
pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    match options.calibrate {
        Some(positions) => calibrate(options, positions),
        None => refresh::run(options),
    }
}

fn calibrate(options: &Options, positions: usize) -> anyhow::Result<()> {
    let plans = options.enqueue || options.out.is_some() || options.frontier;
    if plans || options.first.is_some() {
        return Err(bad_usage(
            "--calibrate: found --enqueue, --out, --frontier or --first, expected a command of its own for the plan",
        ));
    }
    let nodes = options.nodes.unwrap_or(NODES);
    if nodes == 0 || positions == 0 {
        return Err(bad_usage("--calibrate and --nodes: expected at least 1"));
    }
    let store = open_store(&options.store)?;
    let stop = stop_on_interrupt()?;
    let mut analysts = options.analysts.start()?;
    let new = analysts.first().context("no analyst has been started")?.identity();
    let path = options.store.display();
    let old = old_engine(options, &store, Some(&new))?;
    let old = old.with_context(|| format!("{path}: no values of an old engine"))?;
    ensure!(old != new, "{path}: the values of \"{old}\" are those of the new engine itself");
    let settings = CalibrationOptions { positions, nodes, seed: options.seed };
    let sample = CalibrationSample::draw(&store, &old, &new, &settings)?;
    let mut progress = Progress::new("analysing", sample.waiting().len(), options.json);
    let run = sample.analyse(&store, &mut analysts, &stop, |position, result| {
        progress.tick(String::new);
        if let Err(error) = result {
            progress.print(&format!("warning: {position}: {error}"));
        }
    })?;
    progress.finish();
    let found = sample.compare(&store, &old, &new)?;
    let report = Report { old, new, sample, run, found };
    if let Some(path) = &options.plot {
        let names = [report.old.to_string(), report.new.to_string()];
        draw(path, &report.found.pairs, report.found.scale.as_ref(), &names)?;
    }
    if options.json {
        print_json(&report.to_json())?;
    } else {
        report.print()?;
    }
    let left = report.sample.waiting().len() - report.run.analysed - report.run.failures;
    if report.run.end == BatchEnd::Stopped && left > 0 {
        return Err(interrupted(format_args!(
            "stopped; {left} positions are left, the same command continues"
        )));
    }
    ensure!(
        report.run.failures == 0 || report.run.analysed > 0,
        "{}: the engine failed at all {} positions that it tried",
        options.store.display(),
        report.run.failures
    );
    Ok(())
}

/// The result of a calibration.
struct Report {
    old: AnalystId,
    new: AnalystId,
    sample: CalibrationSample,
    run: CalibrationRun,
    found: Calibration,
}

impl Report {
    fn known(&self) -> usize {
        self.sample.strata().iter().map(|stratum| stratum.known).sum()
    }

    fn print(&self) -> anyhow::Result<()> {
        let Self { old, new, sample, run, found } = self;
        let mut out = stdout();
        writeln!(out, "old engine: {}", printable(&old.to_string()))?;
        writeln!(out, "new engine: {}", printable(&new.to_string()))?;
        writeln!(
            out,
            "{} positions: {} analysed before, {} now, {} failed",
            sample.positions().len(),
            self.known(),
            run.analysed,
            run.failures
        )?;
        writeln!(out, "{:>14} {:>10} {:>8}", "old value", "positions", "sampled")?;
        for stratum in sample.strata() {
            let Stratum { positions, sampled, .. } = stratum;
            writeln!(out, "{:>14} {positions:>10} {sampled:>8}", range(stratum))?;
        }
        match &found.scale {
            Some(scale) => writeln!(
                out,
                "robust: new = {:.1} + {:.3} × old, spread {:.1}, from {} moves, correlation {:.3}",
                scale.robust.intercept,
                scale.robust.slope,
                scale.robust.spread,
                scale.pairs,
                scale.correlation
            )?,
            None => writeln!(
                out,
                "no scale: both engines have values of {} moves, expected at least three different values",
                found.pairs.len()
            )?,
        }
        if let Some(interval) = &found.interval {
            let ([low, high], [lower, upper]) = (interval.slope, interval.intercept);
            writeln!(
                out,
                "95 % intervals: slope {low:.3} to {high:.3}, offset {lower:.1} to {upper:.1}"
            )?;
        }
        Ok(())
    }

    fn to_json(&self) -> Value {
        let strata: Vec<Value> = self
            .sample
            .strata()
            .iter()
            .map(|stratum| {
                json!({
                    "least": stratum.least,
                    "below": stratum.below,
                    "positions": stratum.positions,
                    "sampled": stratum.sampled,
                    "known": stratum.known,
                })
            })
            .collect();
        json!({
            "old": self.old.to_string(),
            "new": self.new.to_string(),
            "positions": self.sample.positions().len(),
            "known": self.known(),
            "analysed": self.run.analysed,
            "failures": self.run.failures,
            "is_complete": self.run.end == BatchEnd::Done,
            "strata": strata,
            "scale": self.found.scale.as_ref().map(scale_json),
            "interval": self.found.interval.map(|interval| json!({
                "slope": interval.slope,
                "intercept": interval.intercept,
            })),
        })
    }
}

/// Returns the range of a stratum: `100…299`.
fn range(stratum: &Stratum) -> String {
    match (stratum.least, stratum.below) {
        (None, None) => "all".to_owned(),
        (None, Some(below)) => format!("up to {}", below - 1),
        (Some(least), None) => format!("{least} or more"),
        (Some(least), Some(below)) => format!("{least} to {}", below - 1),
    }
}
