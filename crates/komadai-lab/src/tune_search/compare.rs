//! Matches between changed parameters and the defaults, one or several changes at a time.

use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use clap::Args;
use komadai::matches::{Sprt, SprtVerdict};

use crate::arena::elo;
use crate::tune_search::change::{self, Change};
use crate::tune_search::factorial::Factorial;
use crate::tune_search::factorial::record::Record;
use crate::tune_search::terms::Terms;

/// Options of `compare`.
#[derive(Debug, Args)]
pub(crate) struct Compare {
    /// The changes, each of one or several parameters by the names of `Parameters`, such as
    /// `reduction_slope=450,late_base=5`. More than one change: each is measured while the others
    /// are on and off at random.
    #[arg(required = true, value_name = "NAME=VALUE,…")]
    changes: Vec<Change>,
    /// Largest number of games.
    #[arg(long, default_value_t = 400)]
    games: usize,
    /// Seed of the openings, of the random moves after them and of the drawing of changes.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Stop when a sequential test decides whether the only change gains ELO0 or ELO1.
    #[arg(long, value_name = "ELO0,ELO1", value_parser = read_sprt, allow_hyphen_values = true)]
    sprt: Option<Sprt>,
    /// File with the results, from which the match continues.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    #[command(flatten)]
    terms: Terms,
}

fn read_sprt(text: &str) -> anyhow::Result<Sprt> {
    let (low, high) = text.split_once(',').context("expected two numbers, such as 0,15")?;
    Ok(Sprt::new(low.trim().parse()?, high.trim().parse()?)?)
}

impl Compare {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        change::disjoint(&self.changes)?;
        ensure!(self.sprt.is_none() || self.changes.len() == 1, "--sprt judges a single change");
        let factorial = Factorial {
            changes: &self.changes,
            share: 100,
            games: self.games,
            seed: self.seed,
            record: self.record.as_deref(),
            terms: &self.terms,
            is_decided: &|record| self.is_decided(record),
            report: &|record| self.report(record),
        };
        print!("{}", self.report(&factorial.play()?)?);
        Ok(())
    }

    fn is_decided(&self, record: &Record) -> bool {
        let verdict = self.sprt.map(|test| test.verdict(&record.pairs()));
        verdict.is_some_and(|verdict| verdict != SprtVerdict::Undecided)
    }

    fn report(&self, record: &Record) -> anyhow::Result<String> {
        if self.changes.len() > 1 {
            let effects = record.effects();
            let lines = self.changes.iter().zip(effects);
            return Ok(lines.map(|(change, effect)| format!("Elo {effect}  {change}\n")).collect());
        }
        let pairs = record.pairs();
        let mut text = format!("Elo {}", elo(&pairs).context("no pair of games was finished")?);
        if let Some(test) = self.sprt {
            let ((low, high), llr) = (test.bounds(), test.llr(&pairs));
            text += &format!("; LLR {llr:.2} [{low:.2}, {high:.2}]");
        }
        Ok(text + "\n")
    }
}
