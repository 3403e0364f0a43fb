//! One match that measures many changes.
//!
//! Each pair of games draws at random which changes are made, and which of the two players has
//! each of them; the other player and the rest are as usual. Every game then informs about several
//! changes, and a regression tells them apart (a factorial experiment without interactions).
//!
//! Source of the method: R. Plackett and J. Burman, "The design of optimum multifactorial
//! experiments", Biometrika 33(4), 1946.

pub(super) mod record;

use std::num::NonZero;
use std::path::Path;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use anyhow::{Context as _, ensure};
use komadai::engine::Settings;

use crate::arena::{settings, threads};
use crate::tune_search::change::Change;
use crate::tune_search::factorial::record::{Owner, Record, Row};
use crate::tune_search::terms::Terms;

/// Number of pairs between two reports.
const REPORTED_PAIRS: usize = 10;

/// A match with several changes.
pub(super) struct Factorial<'a> {
    pub(super) changes: &'a [Change],
    /// The part of the changes that a pair of games makes, in percent.
    pub(super) share: u64,
    /// The largest number of games.
    pub(super) games: usize,
    /// Seed of the openings, of the random moves after them and of the drawing of changes.
    pub(super) seed: u64,
    /// File with the results, from which the match continues.
    pub(super) record: Option<&'a Path>,
    pub(super) terms: &'a Terms,
    /// Tells whether enough has been played.
    pub(super) is_decided: &'a (dyn Fn(&Record) -> bool + Sync),
    /// Writes what is known so far.
    pub(super) report: &'a (dyn Fn(&Record) -> anyhow::Result<String> + Sync),
}

impl Factorial<'_> {
    /// Plays the games that are not in the record, and returns it.
    pub(super) fn play(&self) -> anyhow::Result<Record> {
        ensure!(self.games >= 2 && self.games.is_multiple_of(2), "games are played in pairs");
        let record = Record::start(self.conditions(), self.changes.len(), self.record)?;
        let has_ended = AtomicBool::new((self.is_decided)(&record));
        let record = Mutex::new(record);
        let concurrency = threads(self.terms.concurrency)
            .min(NonZero::new(self.games / 2).expect("there is a pair of games"));
        thread::scope(|scope| {
            let workers: Vec<_> = (0..concurrency.get())
                .map(|_| scope.spawn(|| self.work(&record, &has_ended)))
                .collect();
            workers.into_iter().try_for_each(|worker| worker.join().expect("no worker panics"))
        })?;
        Ok(record.into_inner().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns what determines the games: a record of other conditions is not continued.
    fn conditions(&self) -> String {
        let changes: Vec<_> = self.changes.iter().map(ToString::to_string).collect();
        let share = match self.share {
            100 => String::new(),
            share => format!(", {share} % of them at a time"),
        };
        format!("{}{share}; {}, seed {}", changes.join(" "), self.terms, self.seed)
    }

    /// Plays one pair after another until the match has ended.
    fn work(&self, record: &Mutex<Record>, has_ended: &AtomicBool) -> anyhow::Result<()> {
        while !has_ended.load(Ordering::Relaxed) {
            let next = record.lock().unwrap_or_else(PoisonError::into_inner).take(self.games / 2);
            let Some(pair) = next else { break };
            let row =
                self.play_pair(pair).inspect_err(|_| has_ended.store(true, Ordering::Relaxed))?;
            let mut record = record.lock().unwrap_or_else(PoisonError::into_inner);
            record.add(row)?;
            let played = record.rows().len();
            if played.is_multiple_of(REPORTED_PAIRS) {
                eprintln!("{} games\n{}", 2 * played, (self.report)(&record)?);
            }
            if (self.is_decided)(&record) {
                has_ended.store(true, Ordering::Relaxed);
            }
        }
        Ok(())
    }

    /// Plays the pair of games with this number.
    fn play_pair(&self, pair: usize) -> anyhow::Result<Row> {
        let owners = record::drawn(self.changes.len(), self.share, self.seed, pair);
        let player = |own: Owner| -> anyhow::Result<Settings> {
            let mut player = settings(16);
            for (change, _) in self.changes.iter().zip(&owners).filter(|(_, owner)| **owner == own)
            {
                change.make(&mut player.parameters)?;
                player.techniques ^= change.switched();
            }
            Ok(player)
        };
        let (one, other) = (player(Owner::First)?, player(Owner::Second)?);
        let alone = Terms { concurrency: 1, ..self.terms.clone() };
        // Far apart: the random moves of a match are seeded by numbers that follow its seed.
        let seed = self.seed.wrapping_mul(1 << 32).wrapping_add(16 * pair as u64);
        let counts = alone.play([&one, &other], 2, seed)?.counts();
        let half_points = counts.iter().position(|&count| count == 1);
        let half_points = half_points.context("the pair of games was not finished")?;
        Ok(Row { pair, owners, half_points })
    }
}
