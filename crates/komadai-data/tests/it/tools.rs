//! The tools for records: each against a plain computation in memory.

mod convert;
mod deduplicate;
mod filter;
mod import;
mod mix;
mod rescore;
mod shuffle;
mod sources;
mod split;
mod statistics;
mod validate;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use komadai_core::{Position, SplitMix64};
use komadai_data::records::{PackedSfenValue, RecordResult};
use komadai_data::tools::{Existing, OnDamage, Output, Sources, ToolError, Watch};
use komadai_data::{Dataset, Run, SelfPlayOptions, SelfPlayer};
use komadai_eval::Material;
use komadai_movegen::MoveGen as _;

/// A temporary folder for the files of a test.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, records: &[PackedSfenValue]) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, bytes(records)).unwrap();
        path
    }

    fn output(&self, name: &str) -> Output {
        Output::create(&self.path(name), Existing::Refuse).unwrap()
    }

    /// The names of all files.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name();
        let mut names: Vec<String> =
            entries.map(|entry| name(entry).into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn sources(paths: &[&Path]) -> Result<Sources, ToolError> {
    open(paths, OnDamage::Refuse)
}

fn open(paths: &[&Path], on_damage: OnDamage) -> Result<Sources, ToolError> {
    let paths: Vec<PathBuf> = paths.iter().map(|&path| path.to_owned()).collect();
    Sources::find(&paths, on_damage)?.of_one_version()?.verified(&mut Watch::none())
}

fn bytes(records: &[PackedSfenValue]) -> Vec<u8> {
    records.iter().flat_map(PackedSfenValue::to_bytes).collect()
}

fn read(path: &Path) -> Vec<PackedSfenValue> {
    let bytes = fs::read(path).unwrap();
    assert!(bytes.len().is_multiple_of(40));
    let records = bytes.as_chunks::<40>().0.iter();
    records.map(|record| PackedSfenValue::from_bytes(record).unwrap()).collect()
}

/// The records of games of random legal moves.
fn games(count: u64, seed: u64) -> Vec<Vec<PackedSfenValue>> {
    (0..count).map(|game| random_game(&mut SplitMix64::new(SplitMix64::mix(seed ^ game)))).collect()
}

fn random_game(random: &mut SplitMix64) -> Vec<PackedSfenValue> {
    let mut position = Position::hirate();
    let (mut records, winner) = (Vec::new(), random.below(3));
    let length = 30 + random.below(60);
    while u64::from(position.ply()) < length {
        let moves = position.legal_moves();
        let Some(&best) = moves.get(random.below(moves.len() as u64) as usize) else { break };
        let score = random.below(6_000) as i16 - 3_000;
        let result = match (winner, position.ply() % 2) {
            (0, _) => RecordResult::Draw,
            (1, 1) | (2, 0) => RecordResult::Win,
            _ => RecordResult::Loss,
        };
        records.push(PackedSfenValue::new(&position, score, Some(best), result).unwrap());
        position.do_move(best);
    }
    records
}

/// A folder of self-play with several files.
fn generated(folder: &Path, evaluation: &str) {
    let options = SelfPlayOptions { nodes: 30, ..SelfPlayOptions::default() };
    let run = Run::new(evaluation, options.clone(), 7);
    let mut data = Dataset::open(folder, run).unwrap().with_shard_positions(40);
    let mut player = SelfPlayer::new(Material, options);
    for seed in 0..12 {
        data.add(&player.play(seed, &AtomicBool::new(false)).unwrap()).unwrap();
    }
    data.finish().unwrap();
}
