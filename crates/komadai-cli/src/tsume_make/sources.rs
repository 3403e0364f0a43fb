//! Positions of which problems may become.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use komadai::Position;
use komadai::compose::RandomPositions;
use komadai::kifu::training::PsvReader;
use komadai::kifu::{RecordFiles, RecordFilesOptions, Tolerance};

/// A position to make a problem of.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) position: Position,
    /// Number of the game it is from.
    pub(super) game: u64,
}

/// Smallest score of a position with a mate in training records: mate scores are 32000 less the plies.
const MATE_SCORE: i16 = 31_000;

/// Number of positions before the end of a game that may be mates.
const LAST_POSITIONS: usize = 30;

type Candidates = Box<dyn Iterator<Item = anyhow::Result<Candidate>>>;

/// Returns the positions of all files, or random ones of a seed.
pub(super) fn sources(paths: &[PathBuf], random: Option<u64>) -> Candidates {
    if let Some(seed) = random {
        let positions = (0..).zip(RandomPositions::new(seed));
        return Box::new(positions.map(|(game, position)| Ok(Candidate { position, game })));
    }
    let mut games = 0;
    let mut last = None;
    let files = paths.to_vec().into_iter().enumerate();
    let candidates = files.flat_map(|(file, path)| {
        let of_file = if path.extension().is_some_and(|ending| ending == "psv") {
            training_records(path)
        } else {
            game_records(&path)
        };
        of_file.map(move |candidate| (file, candidate))
    });
    // Games are numbered through all files.
    Box::new(candidates.map(move |(file, candidate)| {
        let candidate = candidate?;
        if last.replace((file, candidate.game)) != Some((file, candidate.game)) {
            games += 1;
        }
        Ok(Candidate { game: games, ..candidate })
    }))
}

/// Returns the positions of training records whose score is a mate. A move number that does not grow begins a game.
fn training_records(path: PathBuf) -> Candidates {
    let name = path.display().to_string();
    let records = match PsvReader::open(&path, Tolerance::Strict).with_context(|| name.clone()) {
        Ok(records) => records,
        Err(error) => return Box::new(std::iter::once(Err(error))),
    };
    let (mut game, mut last) = (0, 0);
    Box::new(records.filter_map(move |record| {
        let record = match record.with_context(|| name.clone()) {
            Ok(record) => record,
            Err(error) => return Some(Err(error)),
        };
        game += u64::from(record.ply <= last);
        last = record.ply;
        if record.score < MATE_SCORE {
            return None;
        }
        let position = record.unpack().with_context(|| name.clone());
        Some(position.map(|position| Candidate { position, game }))
    }))
}

/// Returns the last positions of each game, in the order of the game. Games with faults are passed over.
fn game_records(path: &Path) -> Candidates {
    let files = RecordFiles::open(path, RecordFilesOptions::default());
    let games = (0..).zip(files).filter_map(|(game, found)| Some((game, found.record.ok()?)));
    Box::new(games.flat_map(|(game, record)| {
        let positions: Vec<Position> = match record.positions() {
            Ok(positions) => positions.map(|at| at.without_history()).collect(),
            Err(_) => Vec::new(),
        };
        let skipped = positions.len().saturating_sub(LAST_POSITIONS);
        let last = positions.into_iter().skip(skipped);
        last.map(move |position| Ok(Candidate { position, game }))
    }))
}
