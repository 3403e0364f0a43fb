//! A file of positions while it is written.

use std::fs::{self, File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use komadai_base::atomic_file::Draft;
use komadai_base::file::open_regular_with;
use sha2::{Digest as _, Sha256};

use super::error::DatasetError;
use super::hash::hex;
use super::manifest::{RunNumber, Shard};
use crate::records::PackedSfenValue;

/// The ending of a file that is being written.
const PART: &str = "part";
/// Number of bytes of a record.
const BYTES: usize = PackedSfenValue::BYTES;

/// A file of positions that ends with a whole game. Its name has the ending `.part`.
#[derive(Debug)]
pub(super) struct OpenShard {
    /// The name without the ending.
    name: String,
    path: PathBuf,
    file: File,
    hash: Sha256,
    games: u64,
    positions: u64,
}

impl OpenShard {
    /// Creates an empty file with a number that no file has, from `number` on.
    pub(super) fn create(folder: &Path, number: usize) -> Result<Self, DatasetError> {
        let mut names = (number..).map(shard_name);
        let name = names.find(|name| !folder.join(name).exists()).unwrap_or_default();
        let path = part_path(folder, &name);
        let file = File::create(&path).map_err(|error| DatasetError::io(&path, error))?;
        Ok(Self { name, path, file, hash: Sha256::new(), games: 0, positions: 0 })
    }

    /// Opens the file of a process that was killed, without a torn record at its end; `None` if
    /// there is none, or an empty one, which is deleted.
    pub(super) fn recover(folder: &Path, number: usize) -> Result<Option<Self>, DatasetError> {
        let mut names = (number..).map(shard_name);
        let name = names.find(|name| !folder.join(name).exists()).unwrap_or_default();
        let path = part_path(folder, &name);
        if !path.exists() {
            return Ok(None);
        }
        let io = |error| DatasetError::io(&path, error);
        let mut file =
            open_regular_with(OpenOptions::new().read(true).append(true), &path).map_err(io)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(io)?;
        // A crash of the system may leave zeros behind the last record.
        let plies: Vec<u16> = bytes.as_chunks().0.iter().map_while(ply).collect();
        let positions = plies.len() as u64;
        if positions == 0 {
            fs::remove_file(&path).map_err(io)?;
            return Ok(None);
        }
        file.set_len(positions * BYTES as u64).map_err(io)?;
        let starts = plies.windows(2).filter(|pair| pair[1] != pair[0].wrapping_add(1));
        let games = starts.count() as u64 + 1;
        let hash = Sha256::new_with_prefix(&bytes[..plies.len() * BYTES]);
        Ok(Some(Self { name, path, file, hash, games, positions }))
    }

    /// Returns the number of positions.
    pub(super) fn positions(&self) -> u64 {
        self.positions
    }

    /// Appends the records of a game in one piece.
    pub(super) fn add(&mut self, records: &[u8]) -> Result<(), DatasetError> {
        if let Err(error) = self.file.write_all(records) {
            // Without this, a later game would follow the torn one.
            let _ = self.file.set_len(self.positions * BYTES as u64);
            let _ = self.file.seek(SeekFrom::End(0));
            return Err(DatasetError::io(&self.path, error));
        }
        self.hash.update(records);
        self.games += 1;
        self.positions += (records.len() / BYTES) as u64;
        Ok(())
    }

    /// Makes the content of the file durable.
    pub(super) fn sync(&self) -> Result<(), DatasetError> {
        self.file.sync_all().map_err(|error| DatasetError::io(&self.path, error))
    }

    /// Returns the entry of the manifest.
    pub(super) fn entry(&self, run: RunNumber) -> Shard {
        let sha256 = hex(&self.hash.clone().finalize());
        let Self { name, games, positions, .. } = self;
        let (file, games, positions) = (name.clone(), *games, *positions);
        Shard { file, run: run.index(), games, positions, sha256 }
    }
}

/// Gives a file that the manifest states its final name, unless it has it already.
pub(super) fn complete(folder: &Path, name: &str) -> Result<(), DatasetError> {
    let (part, path) = (part_path(folder, name), folder.join(name));
    if path.exists() || !part.exists() {
        return Ok(());
    }
    let named = Draft::with_name(&path, part).keep_partial().commit();
    named.map_err(|error| DatasetError::io(&path, error))
}

/// Returns the move number of a record; `None` for a damaged one.
fn ply(bytes: &[u8; BYTES]) -> Option<u16> {
    let record = PackedSfenValue::from_bytes(bytes).ok()?;
    (record.ply > 0).then_some(record.ply)
}

fn shard_name(number: usize) -> String {
    format!("{number:05}.psv")
}

fn part_path(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.{PART}"))
}
