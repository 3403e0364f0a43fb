//! The manifest of training data: the runs that made them, and their files.

use std::io::ErrorKind;
use std::path::Path;

use komadai_base::file::read_text;
use komadai_core::SplitMix64;
use komadai_search::bench::SIGNATURE;
use serde::{Deserialize, Serialize};

use super::error::DatasetError;
use crate::selfplay::SelfPlayOptions;

/// The version of the format, in the manifest.
const FORMAT: &str = "komadai training data 1";

/// Largest size of a manifest.
const MOST_BYTES: u64 = 1 << 30;

/// The origin of training data, as `manifest.json` states it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    format: String,
    runs: Vec<Run>,
    shards: Vec<Shard>,
}

/// The conditions of one run of the generator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// The version of komadai.
    pub version: String,
    /// The number of nodes of the bench of its search, which changes with every change of the
    /// search.
    pub signature: u64,
    /// The evaluation, by name and hash.
    pub evaluation: String,
    /// The conditions of the games.
    pub options: SelfPlayOptions,
    /// The seed from which the seeds of its games follow.
    pub seed: u64,
}

impl Run {
    /// Returns a run of this version.
    pub fn new(evaluation: impl Into<String>, options: SelfPlayOptions, seed: u64) -> Self {
        let version = env!("CARGO_PKG_VERSION").to_owned();
        Self { version, signature: SIGNATURE, evaluation: evaluation.into(), options, seed }
    }

    /// Returns the seed of a game, if the run has this number in its folder.
    pub(crate) fn game_seed(&self, number: usize, game: u64) -> u64 {
        SplitMix64::mix(self.seed).wrapping_add((number as u64) << 40).wrapping_add(game)
    }
}

/// A file of positions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shard {
    /// The name of the file in the folder.
    pub file: String,
    /// The run that made it, counted from 0.
    pub run: usize,
    /// Number of its games.
    pub games: u64,
    /// Number of its positions.
    pub positions: u64,
    /// Its SHA-256 in hexadecimal digits.
    pub sha256: String,
}

/// The number of a run in its manifest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RunNumber(usize);

impl RunNumber {
    /// Returns the run before, or this one if it is the first.
    pub(super) fn before(self) -> Self {
        Self(self.0.saturating_sub(1))
    }

    /// Returns the number, from 0.
    pub(super) fn index(self) -> usize {
        self.0
    }
}

impl Manifest {
    /// Returns the files, in their order.
    pub fn shards(&self) -> &[Shard] {
        &self.shards
    }

    /// Returns the runs, in their order.
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// Returns the number of positions of all files.
    pub fn positions(&self) -> u64 {
        self.shards.iter().map(|shard| shard.positions).sum()
    }

    /// Returns the number of games of all files.
    pub fn games(&self) -> u64 {
        self.shards.iter().map(|shard| shard.games).sum()
    }

    /// Reads a manifest. One that does not exist is empty.
    ///
    /// # Errors
    ///
    /// Returns [`DatasetError::Manifest`] for a file that is no manifest or of another version, and
    /// [`DatasetError::Io`] if the system refuses.
    pub fn read(path: &Path) -> Result<Self, DatasetError> {
        let fault = |reason| DatasetError::Manifest { path: path.to_owned(), reason };
        match read_text(path, MOST_BYTES) {
            Ok(text) => {
                let manifest: Self =
                    serde_json::from_str(&text).map_err(|error| fault(error.to_string()))?;
                if manifest.format != FORMAT {
                    let found = &manifest.format;
                    return Err(fault(format!("found format {found:?}, expected {FORMAT:?}")));
                }
                Ok(manifest)
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                Ok(Self { format: FORMAT.to_owned(), runs: Vec::new(), shards: Vec::new() })
            }
            Err(error) => Err(DatasetError::io(path, error)),
        }
    }

    pub(super) fn to_json(&self) -> String {
        // Numbers, strings and lists always have a text.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    pub(super) fn add_run(&mut self, run: Run) -> RunNumber {
        self.runs.push(run);
        RunNumber(self.runs.len() - 1)
    }

    pub(super) fn add_shard(&mut self, shard: Shard) {
        self.shards.push(shard);
    }

    pub(super) fn remove_last_shard(&mut self) {
        self.shards.pop();
    }

    /// Returns the seed of a game, which no other game of any run has.
    pub(super) fn game_seed(&self, run: RunNumber, game: u64) -> u64 {
        self.runs.get(run.0).map_or(0, |conditions| conditions.game_seed(run.0, game))
    }
}
