//! The results of a match with several changes, in memory and in a file.

use std::fmt::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use komadai::core::SplitMix64;
use komadai::matches::Pentanomial;
use komadai_base::atomic_file;
use komadai_base::file::read_text;

use crate::logistic::Fit;

/// Elo for a unit of the logit.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// The player that has a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    First,
    Second,
    Neither,
}

impl Owner {
    /// The term of the change in the regression.
    fn term(self) -> f64 {
        match self {
            Self::First => 1.0,
            Self::Second => -1.0,
            Self::Neither => 0.0,
        }
    }

    /// The character in the file.
    fn character(self) -> char {
        match self {
            Self::First => '+',
            Self::Second => '-',
            Self::Neither => '0',
        }
    }

    fn read(character: char) -> Option<Self> {
        let all = [Self::First, Self::Second, Self::Neither];
        all.into_iter().find(|owner| owner.character() == character)
    }
}

/// The result of a pair of games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) pair: usize,
    /// The player that had each change.
    pub(crate) owners: Vec<Owner>,
    /// Half points of the first player, from 0 to 4.
    pub(crate) half_points: usize,
}

/// The gain by a change, with half of its 95 % interval.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Effect {
    pub(crate) elo: f64,
    pub(crate) margin: f64,
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { elo, margin } = *self;
        write!(f, "{elo:+.0} [{:+.0}, {:+.0}]", elo - margin, elo + margin)
    }
}

/// The pairs played so far, under the same conditions.
#[derive(Debug)]
pub(crate) struct Record {
    conditions: String,
    rows: Vec<Row>,
    /// The next pair to be looked at.
    next: usize,
    file: Option<PathBuf>,
}

/// Returns the players that have each of some changes in a pair, of which `share` percent are made.
/// The first player always has the only one.
pub(crate) fn drawn(changes: usize, share: u64, seed: u64, pair: usize) -> Vec<Owner> {
    let mut random = SplitMix64::new(seed.wrapping_mul(1 << 32).wrapping_add(pair as u64));
    let mut owner = || match () {
        () if changes == 1 => Owner::First,
        () if share < 100 && random.below(100) >= share => Owner::Neither,
        () if random.below(2) == 0 => Owner::First,
        () => Owner::Second,
    };
    (0..changes).map(|_| owner()).collect()
}

impl Record {
    /// Returns the record in the file, or an empty one if there is none.
    pub(crate) fn start(
        conditions: String,
        changes: usize,
        file: Option<&Path>,
    ) -> anyhow::Result<Self> {
        let mut record = Self { conditions, rows: Vec::new(), next: 0, file: None };
        record.file = file.map(Path::to_owned);
        let Some(file) = file.filter(|file| file.exists()) else { return Ok(record) };
        let text = read_text(file, u64::MAX)?;
        let mut lines = text.lines();
        let found = lines.next().unwrap_or_default();
        ensure!(
            found == record.conditions,
            "{}: the record of other games: {found}; these are: {}",
            file.display(),
            record.conditions
        );
        for (number, line) in (2..).zip(lines) {
            let row = read_row(line).filter(|row| row.owners.len() == changes);
            let row = row.with_context(|| format!("{}:{number}: {line}", file.display()))?;
            ensure!(record.rows.iter().all(|r| r.pair != row.pair), "pair {} twice", row.pair);
            record.rows.push(row);
        }
        Ok(record)
    }

    pub(crate) fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Returns the number of a pair to be played, if there is one left below `pairs`.
    pub(crate) fn take(&mut self, pairs: usize) -> Option<usize> {
        while self.rows.iter().any(|row| row.pair == self.next) {
            self.next += 1;
        }
        let pair = self.next;
        self.next += 1;
        (pair < pairs).then_some(pair)
    }

    /// Adds a result and saves the record.
    pub(crate) fn add(&mut self, row: Row) -> anyhow::Result<()> {
        self.rows.push(row);
        let Some(file) = &self.file else { return Ok(()) };
        let mut text = format!("{}\n", self.conditions);
        for Row { pair, owners, half_points } in &self.rows {
            let owners: String = owners.iter().map(|owner| owner.character()).collect();
            writeln!(text, "{pair} {owners} {half_points}")?;
        }
        Ok(atomic_file::write(file, text)?)
    }

    /// Returns the counts of pairs from the first player's point of view.
    pub(crate) fn pairs(&self) -> Pentanomial {
        let mut pairs = Pentanomial::default();
        self.rows.iter().for_each(|row| pairs.add(row.half_points));
        pairs
    }

    /// Returns the gain by each change, from a logistic regression of the results of pairs. With
    /// hardly more pairs than changes, the margins are infinite.
    pub(crate) fn effects(&self) -> Vec<Effect> {
        let count = self.rows.first().map_or(0, |row| row.owners.len());
        let rows: Vec<_> = self.rows.iter().map(terms).collect();
        // As if half a pair more had shown nothing: without it a few equal results have no maximum.
        let fit = Fit::new(count, 0.5, &rows);
        // A pair is the mean of two games of one opening: its results vary less than those of one
        // game, by a factor that the residuals tell.
        // One pair more, won against an equal player: a few equal results do not mean that all are.
        let (mut found, mut expected) = (0.25, 0.25);
        for (terms, result) in &rows {
            let mean = fit.expected(terms);
            found += (result - mean).powi(2);
            expected += mean * (1.0 - mean);
        }
        // The fit follows its own rows: as many of them as there are changes tell nothing.
        let free = rows.len() as f64 - count as f64;
        let spread = if free < count as f64 {
            f64::INFINITY
        } else {
            (found / expected.max(1e-9) * rows.len() as f64 / free).sqrt()
        };
        let effect = |index| Effect {
            elo: ELO * fit.weights[index],
            margin: 1.96 * ELO * spread * fit.error(index),
        };
        (0..count).map(effect).collect()
    }
}

fn terms(row: &Row) -> (Vec<f64>, f64) {
    let terms = row.owners.iter().map(|owner| owner.term()).collect();
    (terms, row.half_points as f64 / 4.0)
}

fn read_row(line: &str) -> Option<Row> {
    let mut words = line.split(' ');
    let pair = words.next()?.parse().ok()?;
    let owners = words.next()?.chars().map(Owner::read).collect::<Option<_>>()?;
    let half_points = words.next()?.parse().ok().filter(|&points| points <= 4)?;
    words.next().is_none().then_some(Row { pair, owners, half_points })
}

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::*;

    fn record(file: Option<&Path>) -> anyhow::Result<Record> {
        Record::start("a=1 b=2; few nodes".to_owned(), 2, file)
    }

    #[test]
    fn a_record_continues_where_it_stopped() -> anyhow::Result<()> {
        let folder = tempfile::tempdir()?;
        let file = folder.path().join("record");
        let mut first = record(Some(&file))?;
        let row = |pair| Row { pair, owners: drawn(2, 50, 1, pair), half_points: pair % 5 };
        for _ in 0..3 {
            let pair = first.take(9).context("a pair")?;
            // The second pair was being played when the match was stopped.
            if pair != 1 {
                first.add(row(pair))?;
            }
        }
        let mut second = record(Some(&file))?;
        assert_eq!(second.rows(), [row(0), row(2)]);
        assert_eq!([(); 4].map(|()| second.take(5)), [Some(1), Some(3), Some(4), None]);
        assert!(Record::start("a=1 b=3; few nodes".to_owned(), 2, Some(&file)).is_err());
        for damaged in ["0 +- 5", "0 + 1", "0 +- 1 2", "x +- 1", "0 +- 1\n0 +0 1"] {
            std::fs::write(&file, format!("a=1 b=2; few nodes\n{damaged}\n"))?;
            assert!(record(Some(&file)).is_err(), "{damaged}");
        }
        Ok(())
    }

    #[test]
    fn a_share_of_the_changes_is_made_by_either_player() {
        for (share, expected) in [(100, [500, 500, 0]), (20, [100, 100, 800])] {
            let owners: Vec<_> = (0..100).flat_map(|pair| drawn(10, share, 5, pair)).collect();
            let all = [Owner::First, Owner::Second, Owner::Neither];
            for (owner, expected) in all.into_iter().zip(expected) {
                let count = owners.iter().filter(|&&found| found == owner).count();
                assert!(count.abs_diff(expected) <= 60, "{share} %: {owner:?} {count}");
            }
        }
        assert_eq!(drawn(1, 20, 5, 0), [Owner::First]);
    }

    #[test]
    fn effects_are_told_apart() -> anyhow::Result<()> {
        // 8,000 games: about 8 Elo, if every pair has both changes.
        for (share, margins) in [(100, 5.0..11.0), (40, 9.0..16.0)] {
            effects_of_two_changes(share, &margins)?;
        }
        Ok(())
    }

    fn effects_of_two_changes(share: u64, margins: &Range<f64>) -> anyhow::Result<()> {
        // Results drawn by a model in which the first change gains 100 and the second loses 50.
        let mut record = record(None)?;
        let mut random = SplitMix64::new(7);
        while let Some(pair) = record.take(4_000) {
            let owners = drawn(2, share, 3, pair);
            let lead = [100.0, -50.0].iter().zip(&owners);
            let lead: f64 = lead.map(|(elo, owner)| elo * owner.term()).sum();
            let chance = 1.0 / (1.0 + (-lead / ELO).exp());
            let half_points = (0..2)
                .map(|_| {
                    2 * usize::from((random.below(1 << 20) as f64) < chance * f64::from(1 << 20))
                })
                .sum();
            record.add(Row { pair, owners, half_points })?;
        }
        for (effect, expected) in record.effects().iter().zip([100.0, -50.0]) {
            assert!((effect.elo - expected).abs() < 1.5 * effect.margin, "{effect:?}");
            assert!(margins.contains(&effect.margin), "{effect:?}");
        }
        record.rows.retain(|row| row.half_points == 2);
        record.rows.truncate(20);
        assert!(record.effects().iter().all(|effect| effect.margin > 10.0));
        record.rows.truncate(3);
        assert!(record.effects().iter().all(|effect| effect.margin == f64::INFINITY));
        Ok(())
    }

    #[test]
    fn intervals_contain_the_truth_even_with_few_pairs_for_each_change() -> anyhow::Result<()> {
        // Coin tosses: no change gains anything. Eight changes in 32 pairs, 100 times.
        let (mut random, mut missed) = (SplitMix64::new(11), 0);
        for seed in 0..100 {
            let mut record = Record::start(String::new(), 8, None)?;
            while let Some(pair) = record.take(32) {
                let half_points = 2 * (random.below(2) + random.below(2)) as usize;
                record.add(Row { pair, owners: drawn(8, 100, seed, pair), half_points })?;
            }
            missed += record.effects().iter().filter(|e| e.elo.abs() > e.margin).count();
        }
        // 40 of 800 are expected.
        assert!((15..70).contains(&missed), "{missed}");
        Ok(())
    }
}
