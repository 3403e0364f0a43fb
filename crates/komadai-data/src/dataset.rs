//! A folder of training data: files of positions, and a manifest of their origin.

mod error;
mod hash;
mod manifest;
mod shard;

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use komadai_base::atomic_file::write_atomically;
use komadai_base::file::{LockedFile, open_locked};

pub use self::error::DatasetError;
pub use self::hash::file_sha256;
pub(crate) use self::hash::{hex, reader_sha256};
use self::manifest::RunNumber;
pub use self::manifest::{Manifest, Run, Shard};
use self::shard::OpenShard;
use crate::range::PlayedRange;
use crate::selfplay::SelfPlayGame;

/// The name of the manifest in the folder.
pub(crate) const MANIFEST: &str = "manifest.json";
/// The name of the file that a writer locks.
pub(crate) const LOCK: &str = "lock";
/// The largest number of positions of a file, 40 MB. A file ends with the game that reaches it.
const SHARD_POSITIONS: u64 = 1_000_000;

/// A folder of training data that is being written by one process.
///
/// The positions are in files `00000.psv`, `00001.psv` and so on, in the format of YaneuraOu (40
/// bytes a position), whole games in their order. The file that is being written has the ending
/// `.part`. The manifest, `manifest.json`, states for each file its run, counts and SHA-256, and
/// for each run its options.
///
/// Games are appended whole, so that a process that is killed loses its unfinished games alone; the
/// next process completes the `.part` file, and starts a file of its own.
///
/// # Examples
///
/// ```
/// use std::sync::atomic::AtomicBool;
///
/// use komadai_eval::Material;
/// use komadai_data::{Dataset, Run, SelfPlayOptions, SelfPlayer};
///
/// let folder = tempfile::tempdir()?;
/// let options = SelfPlayOptions { nodes: 50, ..SelfPlayOptions::default() };
/// let run = Run::new("material", options.clone(), 1);
/// let mut data = Dataset::open(folder.path(), run)?;
/// let mut player = SelfPlayer::new(Material, options);
/// let game = player.play(data.game_seed(0), &AtomicBool::new(false)).expect("nothing stops it");
/// data.add(&game)?;
/// let manifest = data.finish()?;
/// assert_eq!(manifest.positions(), game.positions.len() as u64);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Dataset {
    folder: PathBuf,
    manifest: Manifest,
    run: RunNumber,
    shard: Option<OpenShard>,
    /// Number of positions that complete a file.
    shard_positions: u64,
    /// Held while the folder is being written.
    _lock: LockedFile,
}

impl Dataset {
    /// Opens a folder for another run, or creates it. Completes a file that a killed process has
    /// left.
    ///
    /// # Errors
    ///
    /// Returns [`DatasetError::Busy`] if another process writes into the folder,
    /// [`DatasetError::Manifest`] for a manifest that cannot be read or is of another version, and
    /// [`DatasetError::Io`] if the system refuses.
    pub fn open(folder: &Path, run: Run) -> Result<Self, DatasetError> {
        fs::create_dir_all(folder).map_err(|error| DatasetError::io(folder, error))?;
        let lock = lock(folder)?;
        let mut manifest = Manifest::read(&folder.join(MANIFEST))?;
        let number = manifest.add_run(run);
        let mut data = Self {
            folder: folder.to_owned(),
            manifest,
            run: number,
            shard: None,
            shard_positions: SHARD_POSITIONS,
            _lock: lock,
        };
        data.recover()?;
        data.write_manifest()?;
        Ok(data)
    }

    /// Returns the data with another number of positions that completes a file.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::sync::atomic::AtomicBool;
    ///
    /// use komadai_data::{Dataset, Run, SelfPlayOptions, SelfPlayer};
    /// use komadai_eval::Material;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let options = SelfPlayOptions { nodes: 30, ..SelfPlayOptions::default() };
    /// let run = Run::new("material", options.clone(), 1);
    /// let mut data = Dataset::open(folder.path(), run)?.with_shard_positions(1);
    /// let mut player = SelfPlayer::new(Material, options);
    /// for game in 0..2 {
    ///     let played = player.play(data.game_seed(game), &AtomicBool::new(false));
    ///     data.add(&played.expect("nothing stops it"))?;
    /// }
    /// assert_eq!(data.finish()?.shards().len(), 2, "a file a game");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_shard_positions(mut self, positions: u64) -> Self {
        self.shard_positions = positions;
        self
    }

    /// Returns the seed of a game of this run: different for each run and game.
    pub fn game_seed(&self, game: u64) -> u64 {
        self.manifest.game_seed(self.run, game)
    }

    /// Returns the manifest, without the file that is being written.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Returns the number of all positions in the folder.
    pub fn positions(&self) -> u64 {
        self.manifest.positions() + self.shard.as_ref().map_or(0, OpenShard::positions)
    }

    /// Appends a game.
    ///
    /// # Errors
    ///
    /// Returns [`DatasetError::Io`] if the system refuses, as on a full disk. The file then ends
    /// with the game before, and the call may be repeated.
    pub fn add(&mut self, game: &SelfPlayGame) -> Result<(), DatasetError> {
        let records: Vec<u8> = game.records().flat_map(|record| record.to_bytes()).collect();
        self.add_records(&records)
    }

    /// Appends the games of a range that another machine may have played. The folder should have
    /// one run, that of the range, and get its ranges in their order.
    ///
    /// # Errors
    ///
    /// As [`add`](Self::add); some of the games are in the folder then.
    pub fn add_range(&mut self, range: &PlayedRange) -> Result<(), DatasetError> {
        range.games().try_for_each(|records| self.add_records(records))
    }

    /// Appends the records of a game.
    fn add_records(&mut self, records: &[u8]) -> Result<(), DatasetError> {
        if records.is_empty() {
            return Ok(());
        }
        // Not after the game, which must not be appended again if this fails.
        if self.shard.as_ref().is_some_and(|shard| shard.positions() >= self.shard_positions) {
            self.close_shard(self.run)?;
        }
        let shard = match &mut self.shard {
            Some(shard) => shard,
            none => none.insert(OpenShard::create(&self.folder, self.manifest.shards().len())?),
        };
        shard.add(records)
    }

    /// Completes the last file and returns the manifest.
    ///
    /// # Errors
    ///
    /// Returns [`DatasetError::Io`] if the system refuses; the `.part` file remains then, and the
    /// next [`open`](Self::open) completes it.
    pub fn finish(mut self) -> Result<Manifest, DatasetError> {
        self.close_shard(self.run)?;
        Ok(self.manifest)
    }

    /// Completes the file of a process that was killed. It belongs to the run before this one.
    fn recover(&mut self) -> Result<(), DatasetError> {
        if let Some(last) = self.manifest.shards().last() {
            shard::complete(&self.folder, &last.file)?;
        }
        self.shard = OpenShard::recover(&self.folder, self.manifest.shards().len())?;
        self.close_shard(self.run.before())
    }

    fn close_shard(&mut self, run: RunNumber) -> Result<(), DatasetError> {
        let Some(shard) = &self.shard else { return Ok(()) };
        shard.sync()?;
        let entry = shard.entry(run);
        let name = entry.file.clone();
        // The manifest comes first: a file that it states is completed by the next process if this
        // one is killed.
        self.manifest.add_shard(entry);
        if let Err(error) = self.write_manifest() {
            self.manifest.remove_last_shard();
            return Err(error);
        }
        self.shard = None;
        shard::complete(&self.folder, &name)
    }

    fn write_manifest(&self) -> Result<(), DatasetError> {
        let path = self.folder.join(MANIFEST);
        let text = self.manifest.to_json();
        write_atomically(&path, |out| out.write_all(text.as_bytes()))
            .map_err(|error| DatasetError::io(&path, error))
    }
}

fn lock(folder: &Path) -> Result<LockedFile, DatasetError> {
    let path = folder.join(LOCK);
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    open_locked(&options, &path, "run").map_err(|error| match error.kind() {
        io::ErrorKind::WouldBlock => DatasetError::Busy { folder: folder.to_owned() },
        _ => DatasetError::io(&path, error),
    })
}
