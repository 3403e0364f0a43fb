//! The calibration of a new engine: its values for a sample of a book beside those of an old one.
//!
//! The two scales are only known from moves that both engines have valued. Most positions of a book
//! are nearly even, so a sample drawn at random tells little about the slope. The sample here takes
//! equally many positions from each stratum of values, as far as the book has them.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use komadai_bookfile::position_key::{PositionKey, turn};
use komadai_core::{
    Analysis, Analyst, AnalystError, AnalystId, Bound, Budget, Color, Move, Position, SplitMix64,
};

use crate::analyse_all::{BatchEnd, analyse_all};
use crate::clock::seconds_since_1970;
use crate::files::fingerprint::Fingerprint;
use crate::logged_analysis::{LoggedAnalysis, Source};
use crate::refresh::{ScaleInterval, ScaleShift, ValuePair, fit_scale, robust_interval};
use crate::store::{LogEntry, Store, StoreError};

/// The limits between strata, in centipawns for the side to move.
const LIMITS: [i32; 6] = [-600, -300, -100, 100, 300, 600];

/// The number of failures in a row after which no further position is analysed.
const MOST_FAILURES_IN_A_ROW: usize = 5;

/// Settings of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CalibrationOptions {
    /// Number of positions of the sample.
    pub positions: usize,
    /// About the number of nodes of each analysis, see [`Budget::about`].
    pub nodes: u64,
    /// Seed of the choice within each stratum.
    pub seed: u64,
}

/// The positions of a book whose values lie in one range.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Stratum {
    /// The lowest value, in centipawns for the side to move; `None` for the lowest stratum.
    pub least: Option<i32>,
    /// The value above the highest one; `None` for the highest stratum.
    pub below: Option<i32>,
    /// Number of positions of the book.
    pub positions: usize,
    /// Number of these positions in the sample.
    pub sampled: usize,
    /// Number of positions of the sample that the new engine had analysed before.
    pub known: usize,
}

/// A sample of the positions that an old engine has valued, stratified by these values.
///
/// The sample depends on the values of the old engine, the number of positions and the seed alone.
/// It therefore stays the same while the new engine analyses it, and an interrupted calibration
/// continues where it ended.
#[derive(Debug, Clone)]
pub struct CalibrationSample {
    strata: Vec<Stratum>,
    positions: Vec<Position>,
    /// The positions that the new engine has not analysed.
    waiting: Vec<Position>,
    options: CalibrationOptions,
}

/// The end of the analyses of a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct CalibrationRun {
    /// Number of positions that were analysed.
    pub analysed: usize,
    /// Number of positions at which the analyst failed.
    pub failures: usize,
    /// The end: [`BatchEnd::Stopped`] if positions are left because of the stop flag, or because
    /// five analyses in a row failed.
    pub end: BatchEnd,
}

/// The relation of two engines by a sample.
#[derive(Debug, Clone, PartialEq)]
pub struct Calibration {
    /// The values of both engines for the moves of the sample.
    pub pairs: Vec<ValuePair>,
    /// The lines through them; `None` if there are too few different values.
    pub scale: Option<ScaleShift>,
    /// The 95 % intervals of the robust line, by resampling of the positions.
    pub interval: Option<ScaleInterval>,
}

/// A position that may be drawn.
struct Candidate {
    stratum: usize,
    rank: u64,
    key: PositionKey,
    side: Color,
    ply: u32,
    is_known: bool,
}

impl CalibrationSample {
    /// Draws a sample of the positions of `store` that `old` has valued.
    ///
    /// Positions whose best exact value is a mate belong to no stratum. A position has been
    /// analysed by `new` if its log has an analysis by exactly this analyst with as many nodes, or
    /// with a mate, which ends a search early.
    ///
    /// Takes time proportional to the log.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    #[expect(clippy::missing_panics_doc, reason = "each key was made of a position")]
    pub fn draw(
        store: &Store,
        old: &AnalystId,
        new: &AnalystId,
        options: &CalibrationOptions,
    ) -> Result<Self, StoreError> {
        let mut candidates = candidates(store, old, new, options)?;
        let mut strata: Vec<Stratum> = (0..=LIMITS.len()).map(empty_stratum).collect();
        for candidate in &candidates {
            strata[candidate.stratum].positions += 1;
        }
        allocate(&mut strata, options.positions);
        // The keys make the order complete.
        candidates.sort_by_key(|candidate| (candidate.stratum, candidate.rank, candidate.key));
        let (mut positions, mut waiting) = (Vec::new(), Vec::new());
        let mut taken = vec![0; strata.len()];
        for candidate in &candidates {
            let stratum = &mut strata[candidate.stratum];
            if taken[candidate.stratum] == stratum.sampled {
                continue;
            }
            taken[candidate.stratum] += 1;
            let position = candidate.key.position(candidate.side, candidate.ply);
            let position = position.expect("the key was made of a position");
            if candidate.is_known {
                stratum.known += 1;
            } else {
                waiting.push(position.clone());
            }
            positions.push(position);
        }
        Ok(Self { strata, positions, waiting, options: *options })
    }

    /// The strata, lowest values first.
    pub fn strata(&self) -> &[Stratum] {
        &self.strata
    }

    /// The positions of the sample, lowest values first.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// The positions that the new engine has not analysed.
    pub fn waiting(&self) -> &[Position] {
        &self.waiting
    }

    /// Analyses the [waiting](Self::waiting) positions and adds each result to the log at once.
    /// Calls `on_result` after each.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn analyse<A: Analyst>(
        &self,
        store: &Store,
        analysts: &mut [A],
        stop: &Arc<AtomicBool>,
        mut on_result: impl FnMut(&Position, &Result<Analysis, AnalystError>),
    ) -> Result<CalibrationRun, StoreError> {
        let mut run = CalibrationRun { analysed: 0, failures: 0, end: BatchEnd::Done };
        let Some(identity) = analysts.first().map(|analyst| analyst.identity()) else {
            return Ok(run);
        };
        let budget =
            Budget { stop: Some(Arc::clone(stop)), ..Budget::about(self.options.nodes.max(1)) };
        let mut error = None;
        let mut failures_in_a_row = 0;
        run.end = analyse_all(analysts, &self.waiting, &budget, |index, result| {
            let position = &self.waiting[index];
            on_result(position, &result);
            let Ok(analysis) = result else {
                run.failures += 1;
                failures_in_a_row += 1;
                if failures_in_a_row == MOST_FAILURES_IN_A_ROW {
                    stop.store(true, Ordering::Relaxed);
                }
                return;
            };
            failures_in_a_row = 0;
            let logged = LoggedAnalysis {
                when: seconds_since_1970(),
                ..LoggedAnalysis::new(position.clone(), analysis, identity.clone())
            };
            match store.merge_batch(&[logged.into()]) {
                Ok(_) => run.analysed += 1,
                // The first error is the cause of the others.
                Err(failed) if error.is_none() => {
                    error = Some(failed);
                    stop.store(true, Ordering::Relaxed);
                }
                Err(_) => {}
            }
        });
        match error {
            Some(error) => Err(error),
            None => Ok(run),
        }
    }

    /// Compares the values of both engines for the moves of the sample.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn compare(
        &self,
        store: &Store,
        old: &AnalystId,
        new: &AnalystId,
    ) -> Result<Calibration, StoreError> {
        let mut groups = Vec::new();
        for position in &self.positions {
            let entries = store.analyses(position)?;
            let analyses = || entries.iter().map(|entry| &entry.analysis);
            let olds = last_values(analyses().filter(|logged| logged.analyst == *old));
            let news = last_values(analyses().filter(|logged| logged.analyst == *new));
            let pair = |(m, &old): (&u16, &i32)| {
                let new = *news.get(m)?;
                Some(ValuePair { old: old.into(), new: new.into() })
            };
            let pairs: Vec<ValuePair> = olds.iter().filter_map(pair).collect();
            if !pairs.is_empty() {
                groups.push(pairs);
            }
        }
        let pairs = groups.concat();
        let scale = fit_scale(&pairs);
        let interval = scale.and_then(|_| robust_interval(&groups, self.options.seed));
        Ok(Calibration { pairs, scale, interval })
    }
}

/// The positions of the current view that the old engine has valued.
fn candidates(
    store: &Store,
    old: &AnalystId,
    new: &AnalystId,
    options: &CalibrationOptions,
) -> Result<Vec<Candidate>, StoreError> {
    let mut held = HashSet::new();
    for stored in store.records()? {
        if let Ok(key) = PositionKey::try_of(&stored?.record.position) {
            held.insert(key);
        }
    }
    let mut candidates = Vec::new();
    let mut entries = store.log()?.peekable();
    while let Some(entry) = entries.next() {
        let mut of_position = vec![entry?.analysis];
        let Ok(key) = PositionKey::try_of(&of_position[0].position) else { continue };
        // The analyses of a position are consecutive.
        let is_of_key = |next: &Result<LogEntry, StoreError>| {
            let same = |entry: &LogEntry| PositionKey::try_of(&entry.analysis.position) == Ok(key);
            next.as_ref().is_ok_and(same)
        };
        while let Some(Ok(next)) = entries.next_if(is_of_key) {
            of_position.push(next.analysis);
        }
        if !held.contains(&key) {
            continue;
        }
        let by = |id: &AnalystId| {
            let id = id.clone();
            of_position.iter().filter(move |logged| logged.analyst == id)
        };
        let Some(&best) = last_values(by(old)).values().max() else { continue };
        let is_known = by(new).any(|logged| is_enough(logged, options.nodes));
        let position = &of_position[0].position;
        candidates.push(Candidate {
            stratum: LIMITS.partition_point(|&limit| limit <= best),
            rank: rank(&key, options.seed),
            key,
            side: position.side(),
            ply: position.ply(),
            is_known,
        });
    }
    Ok(candidates)
}

/// Returns whether an analysis need not be repeated with this number of nodes.
fn is_enough(logged: &LoggedAnalysis, nodes: u64) -> bool {
    let is_mate = logged.analysis.score().is_some_and(|score| score.to_cp().is_none());
    logged.source == Source::Search && (logged.analysis.nodes >= nodes || is_mate)
}

/// The last exact value of each move in centipawns, by the bits of the move in the orientation with
/// Black to move.
fn last_values<'a>(analyses: impl Iterator<Item = &'a LoggedAnalysis>) -> BTreeMap<u16, i32> {
    let mut values = BTreeMap::new();
    for logged in analyses {
        let side = logged.position.side();
        for line in &logged.analysis.lines {
            let first: Option<Move> = line.pv.first().copied();
            if let (Some(m), Some(cp), Bound::Exact) = (first, line.score.to_cp(), line.bound) {
                let m = turn(m, side);
                values.insert(m.to_bits(), cp);
            }
        }
    }
    values
}

/// The place of a position in a random order.
fn rank(key: &PositionKey, seed: u64) -> u64 {
    let mut fingerprint = Fingerprint::new();
    fingerprint.add(key.as_bytes());
    SplitMix64::mix(fingerprint.number() ^ SplitMix64::mix(seed))
}

fn empty_stratum(number: usize) -> Stratum {
    let least = number.checked_sub(1).map(|before| LIMITS[before]);
    Stratum { least, below: LIMITS.get(number).copied(), ..Stratum::default() }
}

/// Distributes a number of positions equally; what small strata lack goes to the others.
fn allocate(strata: &mut [Stratum], positions: usize) {
    let mut smallest_first: Vec<usize> = (0..strata.len()).collect();
    smallest_first.sort_by_key(|&number| strata[number].positions);
    let mut left = positions;
    for (done, number) in smallest_first.into_iter().enumerate() {
        let share = left.div_ceil(LIMITS.len() + 1 - done);
        let stratum = &mut strata[number];
        stratum.sampled = stratum.positions.min(share);
        left -= stratum.sampled;
    }
}

#[cfg(test)]
mod tests;
