//! Matches between changed parameters and the defaults, one or several changes at a time.
//!
//! With several changes each pair of games draws at random which of them the first player has; the
//! second player has the others. Every game then informs about every change, and a regression
//! tells the changes apart (a factorial experiment of two levels without interactions).
//!
//! Source of the method: R. Plackett and J. Burman, "The design of optimum multifactorial
//! experiments", Biometrika 33(4), 1946.

mod record;

use std::num::NonZero;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use anyhow::{Context as _, ensure};
use clap::Args;
use komadai::engine::Settings;
use komadai::matches::{Sprt, SprtVerdict};

use crate::arena::{elo, settings, threads};
use crate::tune_search::change::{self, Change};
use crate::tune_search::compare::record::{Record, Row};
use crate::tune_search::terms::Terms;

/// Number of pairs between two reports.
const REPORTED_PAIRS: usize = 10;

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
        ensure!(self.games >= 2 && self.games.is_multiple_of(2), "games are played in pairs");
        ensure!(self.sprt.is_none() || self.changes.len() == 1, "--sprt judges a single change");
        let record = Record::start(self.conditions(), self.changes.len(), self.record.as_deref())?;
        let has_ended = AtomicBool::new(self.is_decided(&record));
        let record = Mutex::new(record);
        let concurrency = threads(self.terms.concurrency)
            .min(NonZero::new(self.games / 2).expect("there is a pair of games"));
        thread::scope(|scope| {
            let workers: Vec<_> = (0..concurrency.get())
                .map(|_| scope.spawn(|| self.work(&record, &has_ended)))
                .collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("no worker panics"))
        })?;
        let record = record.into_inner().unwrap_or_else(PoisonError::into_inner);
        print!("{}", self.report(&record)?);
        Ok(())
    }

    /// Returns what determines the games: a record of other conditions is not continued.
    fn conditions(&self) -> String {
        let changes: Vec<_> = self.changes.iter().map(ToString::to_string).collect();
        format!("{}; {}, seed {}", changes.join(" "), self.terms, self.seed)
    }

    /// Plays one pair after another until the match has ended.
    fn work(&self, record: &Mutex<Record>, has_ended: &AtomicBool) -> anyhow::Result<()> {
        while !has_ended.load(Ordering::Relaxed) {
            let next = record.lock().unwrap_or_else(PoisonError::into_inner).take(self.games / 2);
            let Some(pair) = next else { break };
            let row = self.play(pair).inspect_err(|_| has_ended.store(true, Ordering::Relaxed))?;
            let mut record = record.lock().unwrap_or_else(PoisonError::into_inner);
            record.add(row)?;
            let played = record.rows().len();
            if played.is_multiple_of(REPORTED_PAIRS) {
                eprintln!("{} games\n{}", 2 * played, self.report(&record)?);
            }
            if self.is_decided(&record) {
                has_ended.store(true, Ordering::Relaxed);
            }
        }
        Ok(())
    }

    /// Plays the pair of games with this number.
    fn play(&self, pair: usize) -> anyhow::Result<Row> {
        let first = record::drawn(self.changes.len(), self.seed, pair);
        let player = |has: &dyn Fn(bool) -> bool| -> anyhow::Result<Settings> {
            let mut player = settings(16);
            for (change, _) in
                self.changes.iter().zip(&first).filter(|&(_, &of_first)| has(of_first))
            {
                change.make(&mut player.parameters)?;
            }
            Ok(player)
        };
        let (one, other) = (player(&|of_first| of_first)?, player(&|of_first| !of_first)?);
        let alone = Terms { concurrency: 1, ..self.terms.clone() };
        // Far apart: the random moves of a match are seeded by numbers that follow its seed.
        let seed = self.seed.wrapping_mul(1 << 32).wrapping_add(16 * pair as u64);
        let counts = alone.play([&one, &other], 2, seed)?.counts();
        let half_points = counts.iter().position(|&count| count == 1);
        let half_points = half_points.context("the pair of games was not finished")?;
        Ok(Row { pair, first, half_points })
    }

    fn is_decided(&self, record: &Record) -> bool {
        let verdict = self.sprt.map(|test| test.verdict(&record.pairs()));
        verdict.is_some_and(|verdict| verdict != SprtVerdict::Undecided)
    }

    fn report(&self, record: &Record) -> anyhow::Result<String> {
        if self.changes.len() > 1 {
            let effects = record.effects();
            let lines = self.changes.iter().zip(effects).map(|(change, effect)| {
                let (low, high) = (effect.elo - effect.margin, effect.elo + effect.margin);
                format!("Elo {:+.0} [{low:+.0}, {high:+.0}]  {change}\n", effect.elo)
            });
            return Ok(lines.collect());
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
