//! Ranges of the games of a run, which several machines play for one folder of data.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use komadai_eval::Evaluator;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::dataset::{Run, hex};
use crate::generate::generate;
use crate::records::{PackedSfenValue, RecordFault};
use crate::selfplay::SelfPlayGame;

/// Number of bytes of a record.
const BYTES: usize = PackedSfenValue::BYTES;

/// A range of the games of a run: the part of one machine, where many make the data of one folder.
///
/// A game follows from its seed, which follows from its number. So the same program makes the same
/// records of a range again, with any number of threads, and the records of all ranges in their
/// order are those that one machine would have made. Random moves at the start are chosen with
/// [`f32::exp`], whose last bit may be another one on other systems; then games differ, and are as
/// good.
///
/// # Examples
///
/// ```
/// use std::num::NonZero;
/// use std::sync::atomic::AtomicBool;
///
/// use komadai_eval::Material;
/// use komadai_data::{Dataset, GameRange, Run, SelfPlayOptions};
///
/// let options = SelfPlayOptions { nodes: 50, ..SelfPlayOptions::default() };
/// let run = Run::new("material", options, 1);
/// let folder = tempfile::tempdir()?;
/// let mut data = Dataset::open(folder.path(), run.clone())?;
/// for first in [0, 2] {
///     let range = GameRange { run: run.clone(), first, games: 2 };
///     // On one machine:
///     let (threads, stop) = (NonZero::<usize>::MIN, AtomicBool::new(false));
///     let played = range.play(&Material, threads, &stop, &mut |_| {}).expect("nothing stops it");
///     let (records, report) = (played.records().to_vec(), played.report().clone());
///     // On another one, which has got both:
///     data.add_range(&range.verify(records, report)?)?;
/// }
/// assert_eq!(data.finish()?.games(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameRange {
    /// The conditions of the games.
    pub run: Run,
    /// The number of the first game, from 0.
    pub first: u64,
    /// Number of games.
    pub games: u64,
}

/// The facts about the records of a range, by which other machines check them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RangeReport {
    /// Numbers of positions of the games that have any, in their order.
    pub lengths: Vec<u32>,
    /// The SHA-256 of the records in hexadecimal digits.
    pub sha256: String,
}

/// The records of a range, and the facts about them, which agree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayedRange {
    records: Vec<u8>,
    report: RangeReport,
}

/// The reason why records are not those of a range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RangeFault {
    /// The file is too short or too long.
    #[error("found {found} bytes, expected {expected}")]
    Size {
        /// The number of bytes.
        found: u64,
        /// The number that follows from the report.
        expected: u64,
    },
    /// The report has more games than the range.
    #[error("found {found} games, expected at most {expected}")]
    Games {
        /// The number of games in the report.
        found: u64,
        /// The number of games of the range.
        expected: u64,
    },
    /// The bytes are others.
    #[error("found SHA-256 {found}, expected {expected}")]
    Hash {
        /// The hash of the bytes.
        found: String,
        /// The hash of the report.
        expected: String,
    },
    /// The bytes are those of the report, but no records.
    #[error("record {number}: {fault}")]
    Record {
        /// The number of the record, from 1.
        number: u64,
        /// The fault.
        fault: RecordFault,
    },
}

impl GameRange {
    /// Plays the games; `None` if `stop` is set before the end. `on_game` sees each game, in their
    /// order.
    pub fn play<V: Evaluator>(
        &self,
        evaluator: &V,
        threads: NonZero<usize>,
        stop: &AtomicBool,
        on_game: &mut (dyn FnMut(&SelfPlayGame) + Send),
    ) -> Option<PlayedRange> {
        let (mut played, mut records, mut lengths) = (0, Vec::new(), Vec::new());
        let first = self.run.game_seed(0, self.first);
        let seed = |game| (game < self.games).then(|| first.wrapping_add(game));
        let add = &mut |game: SelfPlayGame| {
            on_game(&game);
            played += 1;
            if !game.positions.is_empty() {
                lengths.push(game.positions.len() as u32);
                records.extend(game.records().flat_map(|record| record.to_bytes()));
            }
            Ok::<_, std::convert::Infallible>(ControlFlow::Continue(()))
        };
        let Ok(()) = generate(evaluator, &self.run.options, threads, &seed, stop, add);
        let sha256 = hex(&Sha256::digest(&records));
        (played == self.games)
            .then_some(PlayedRange { records, report: RangeReport { lengths, sha256 } })
    }

    /// Checks records that come from elsewhere.
    ///
    /// # Errors
    ///
    /// Returns the first difference between the report, the records and the range.
    pub fn verify(&self, records: Vec<u8>, report: RangeReport) -> Result<PlayedRange, RangeFault> {
        let (found, expected) = (report.lengths.len() as u64, self.games);
        if found > expected {
            return Err(RangeFault::Games { found, expected });
        }
        let (found, expected) = (records.len() as u64, report.bytes());
        if found != expected {
            return Err(RangeFault::Size { found, expected });
        }
        let (found, expected) = (hex(&Sha256::digest(&records)), &report.sha256);
        if found != *expected {
            return Err(RangeFault::Hash { found, expected: expected.clone() });
        }
        for (number, record) in (1..).zip(records.as_chunks().0) {
            PackedSfenValue::from_bytes(record)
                .map_err(|fault| RangeFault::Record { number, fault })?;
        }
        Ok(PlayedRange { records, report })
    }
}

impl RangeReport {
    /// Returns the number of positions of all games.
    pub fn positions(&self) -> u64 {
        self.lengths.iter().map(|&length| u64::from(length)).sum()
    }

    /// Returns the number of bytes of the records.
    pub fn bytes(&self) -> u64 {
        self.positions() * BYTES as u64
    }
}

impl PlayedRange {
    /// Returns the records of the positions, as in a file in the format of YaneuraOu.
    pub fn records(&self) -> &[u8] {
        &self.records
    }

    /// Returns the facts by which the records can be checked.
    pub fn report(&self) -> &RangeReport {
        &self.report
    }

    /// Returns the bytes of each game.
    pub(crate) fn games(&self) -> impl Iterator<Item = &[u8]> {
        self.report.lengths.iter().scan(&self.records[..], |rest, &length| {
            let (game, others) = rest.split_at_checked(length as usize * BYTES)?;
            *rest = others;
            Some(game)
        })
    }
}
