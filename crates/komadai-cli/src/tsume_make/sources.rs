//! Positions that may become problems.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use komadai::Position;
use komadai::data::records::{PackedSfenValue, PsvReader, TrainingError};
use komadai::kifu::{Record, RecordFiles, RecordFilesOptions, ReplayError, Tolerance};
use komadai::movegen::MoveGen as _;
use komadai::problems::RandomPositions;

use crate::arguments::faults::print_failure;

/// The positions of one game; at most one becomes a problem.
pub(super) type Candidates = Vec<Position>;

/// Smallest score of a position with a mate in training records: mate scores are 32000 less the
/// plies.
const MATE_SCORE: i16 = 31_000;

/// Number of positions before the end of a game that may be mates.
const LAST_POSITIONS: usize = 30;

/// Number of files with errors that are printed.
const LISTED_FILES: u64 = 20;

type Games<'a> = Box<dyn Iterator<Item = anyhow::Result<Candidates>> + 'a>;

/// Returns the positions of all games of the files, or random ones of a seed, each a game of its
/// own.
pub(super) fn sources(paths: &[PathBuf], random: Option<u64>) -> Games<'_> {
    if let Some(seed) = random {
        return Box::new(RandomPositions::new(seed).map(|position| Ok(vec![position])));
    }
    Box::new(paths.iter().flat_map(|path| {
        if path.extension().is_some_and(|ending| ending == "psv") {
            training_records(path)
        } else {
            game_records(path)
        }
    }))
}

/// Returns the positions of training records whose score is a mate. A move number that does not
/// grow begins a game.
fn training_records(path: &Path) -> Games<'static> {
    let name = path.display().to_string();
    let mut records = match PsvReader::open(path, Tolerance::Strict).with_context(|| name.clone()) {
        Ok(records) => records.peekable(),
        Err(error) => return Box::new(std::iter::once(Err(error))),
    };
    Box::new(std::iter::from_fn(move || {
        let mut least = records.peek()?.as_ref().map_or(0, |record| record.ply);
        let mut mates = Vec::new();
        let is_same_game = |record: &Result<PackedSfenValue, TrainingError>, least| {
            record.as_ref().map_or(true, |record| record.ply >= least)
        };
        while let Some(record) = records.next_if(|record| is_same_game(record, least)) {
            let record = match record.with_context(|| name.clone()) {
                Ok(record) => record,
                Err(error) => return Some(Err(error)),
            };
            least = record.ply.saturating_add(1);
            if record.score >= MATE_SCORE {
                match record.unpack().with_context(|| name.clone()) {
                    Ok(position) => mates.push(position),
                    Err(error) => return Some(Err(error)),
                }
            }
        }
        Some(Ok(mates))
    }))
}

/// Returns the last positions of each game, and those after each move that the loser had left.
/// Games with faults are passed over; files that cannot be read are named.
fn game_records(path: &Path) -> Games<'static> {
    let files = RecordFiles::open(path, RecordFilesOptions::default());
    let mut failed = 0;
    let records = files.filter_map(move |found| match found.record {
        Ok(record) => Some(record),
        Err(error) => {
            failed += 1;
            if failed <= LISTED_FILES {
                print_failure(&found.place, error);
            }
            None
        }
    });
    Box::new(records.filter_map(|record| last_positions(&record).ok()).map(Ok))
}

fn last_positions(record: &Record) -> Result<Candidates, ReplayError> {
    let mut positions = Vec::new();
    let last = record.replay(|position, _| {
        positions.push(position.without_history());
        ControlFlow::Continue(())
    })?;
    let skipped = positions.len().saturating_sub(LAST_POSITIONS);
    positions.drain(..skipped);
    positions.extend(last.legal_moves().into_iter().map(|m| last.after(m).without_history()));
    Ok(positions)
}
