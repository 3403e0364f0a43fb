//! The files that a tool reads.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::damage::{Damage, OnDamage};
use super::error::ToolError;
use super::fault::Fault;
use super::input::{Input, PART, unfinished_shards};
use super::origin::Origin;
use super::verification::contents;
use super::watch::Watch;
use crate::dataset::{LOCK, MANIFEST, Manifest};

/// The files that a tool reads, in their order.
///
/// A folder stands for the files that its `manifest.json` names, and for the unfinished file of a
/// generator that is running or was killed. A file has records in any format that is read, which
/// its content tells: see [`TrainingFormat`](crate::records::TrainingFormat). The note of its
/// origin beside it, if there is one, states its content.
///
/// Tools and trainers get all records in the format of YaneuraOu (PSV). Records of HCPE have the
/// move number 0, because theirs is unknown; best moves of games are the moves that were played.
///
/// # Examples
///
/// ```
/// use komadai_data::tools::{OnDamage, Sources, ToolError};
///
/// let folder = tempfile::tempdir()?;
/// let error = Sources::find(&[folder.path().to_owned()], OnDamage::Refuse).unwrap_err();
/// assert!(matches!(error, ToolError::NoManifest { .. }));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Sources {
    inputs: Vec<Input>,
    damage: Damage,
    on_damage: OnDamage,
    /// The first folder in which no record has been written yet.
    empty: Option<PathBuf>,
    /// The paths that were given.
    paths: Vec<PathBuf>,
}

impl Sources {
    /// Finds the files. Reads manifests and lengths, and no more than the start of each file, except
    /// for files of games, whose records are counted.
    ///
    /// # Errors
    ///
    /// Returns [`ToolError::NoManifest`] for a folder without a manifest, [`ToolError::Dataset`]
    /// and [`ToolError::Note`] for a manifest or a note of origin that cannot be understood or is
    /// of another version, [`ToolError::Empty`] for a folder or a file without records,
    /// [`ToolError::Twice`] for a file that is found twice, [`ToolError::Io`] if the system
    /// refuses, and [`ToolError::Damaged`] for a file that is of another format or cut off or that
    /// a manifest contradicts, if damage is refused.
    pub fn find(paths: &[PathBuf], on_damage: OnDamage) -> Result<Self, ToolError> {
        let mut sources = Self::find_even_empty(paths, on_damage)?;
        match sources.empty.take() {
            Some(path) => Err(ToolError::Empty { path }),
            None => Ok(sources),
        }
    }

    /// Finds the files as [`find`](Self::find), but accepts folders of a generator that has not
    /// written a record yet, whether it is running or was killed.
    ///
    /// # Errors
    ///
    /// The other errors of [`find`](Self::find).
    pub fn find_even_empty(paths: &[PathBuf], on_damage: OnDamage) -> Result<Self, ToolError> {
        let (inputs, damage) = (Vec::new(), Damage::default());
        let paths = paths.to_vec();
        let mut sources = Self { inputs, damage, on_damage, empty: None, paths: paths.clone() };
        for (source, path) in paths.iter().enumerate() {
            let before = sources.inputs.len();
            if path.is_dir() {
                sources.add_folder(path)?;
            } else {
                sources.add_file(path)?;
            }
            sources.inputs[before..].iter_mut().for_each(|input| input.source = source);
        }
        let mut seen = BTreeSet::new();
        for input in &sources.inputs {
            // A file that cannot be resolved is reported when it is read.
            if let Ok(place) = fs::canonicalize(&input.path)
                && !seen.insert(place)
            {
                return Err(ToolError::Twice { path: input.path.clone() });
            }
        }
        Ok(sources)
    }

    /// Compares the content of all files with what their manifests and notes state.
    ///
    /// # Errors
    ///
    /// Returns [`ToolError::Damaged`] for a file with another content, if damage is refused;
    /// otherwise such a file is no longer among the inputs. Returns [`ToolError::Stopped`] if the
    /// end was requested.
    pub fn verified(mut self, watch: &mut Watch<'_>) -> Result<Self, ToolError> {
        let contents = contents(&self.inputs, watch)?;
        let mut kept = Vec::new();
        for (mut input, content) in std::mem::take(&mut self.inputs).into_iter().zip(contents) {
            if let Some(fault) = content.fault {
                self.damage.add(self.on_damage, &input.path, None, fault)?;
            }
            if content.sha256.is_some() {
                input.sha256 = content.sha256;
                kept.push(input);
            }
        }
        self.inputs = kept;
        Ok(self)
    }

    /// Returns the sources if one version has made all scores whose origin is known.
    ///
    /// # Errors
    ///
    /// Returns [`ToolError::Mixed`] with two files and their versions otherwise.
    pub fn of_one_version(self) -> Result<Self, ToolError> {
        let mut versions = Vec::new();
        for input in &self.inputs {
            versions.extend(input.versions.iter().map(|version| (input, version)));
        }
        let Some(&(first, version)) = versions.first() else { return Ok(self) };
        match versions.iter().find(|(_, other)| *other != version) {
            None => Ok(self),
            Some((second, other)) => Err(ToolError::Mixed {
                first: first.path.clone(),
                first_version: Box::new(version.clone()),
                second: second.path.clone(),
                second_version: Box::new((*other).clone()),
            }),
        }
    }

    /// Returns the files.
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// Returns the paths that were given.
    pub(super) fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// Returns the number of records of all files.
    pub fn records(&self) -> u64 {
        self.inputs.iter().map(Input::records).sum()
    }

    /// Returns the damage that was found and skipped before the first record was read.
    pub fn damage(&self) -> &Damage {
        &self.damage
    }

    /// Returns the treatment of damage.
    pub fn on_damage(&self) -> OnDamage {
        self.on_damage
    }

    /// Refuses an output that is one of the inputs.
    pub(super) fn refuse(&self, output: &Path) -> Result<(), ToolError> {
        // An output that does not exist is no input.
        let Ok(place) = fs::canonicalize(output) else { return Ok(()) };
        let is_it = |input: &Input| fs::canonicalize(&input.path).is_ok_and(|path| path == place);
        match self.inputs.iter().any(is_it) {
            true => Err(ToolError::OutputIsInput { path: output.to_owned() }),
            false => Ok(()),
        }
    }

    /// Returns the sources with all damage skipped, and with the damage of their contents.
    pub(super) fn examined(&self, watch: &mut Watch<'_>) -> Result<Self, ToolError> {
        let mut sources = Self { on_damage: OnDamage::Skip, ..self.clone() };
        for (input, content) in self.inputs.iter().zip(contents(&self.inputs, watch)?) {
            if let Some(fault) = content.fault {
                sources.damage.add(OnDamage::Skip, &input.path, None, fault)?;
            }
        }
        Ok(sources)
    }

    fn add_folder(&mut self, folder: &Path) -> Result<(), ToolError> {
        let path = folder.join(MANIFEST);
        if !path.exists() {
            // A generator locks the folder before it writes the manifest.
            if folder.join(LOCK).exists() {
                self.empty.get_or_insert_with(|| folder.to_owned());
                return Ok(());
            }
            return Err(ToolError::NoManifest { folder: folder.to_owned() });
        }
        let manifest = Manifest::read(&path)?;
        let before = self.inputs.len() + self.damage.total() as usize;
        for shard in manifest.shards() {
            let mut path = folder.join(&shard.file);
            // A process was killed before it gave a complete file its name.
            let part = folder.join(format!("{}.{PART}", shard.file));
            if !path.exists() && part.exists() {
                path = part;
            }
            if !path.exists() {
                self.damage.add(self.on_damage, &path, None, Fault::Missing)?;
                continue;
            }
            let (input, fault) = Input::find(&path)?;
            let fault = fault.or_else(|| {
                let (found, expected) = (input.records, shard.positions);
                (found != expected).then_some(Fault::Length { found, expected })
            });
            self.add(input.with_shard(shard, manifest.runs().get(shard.run)), fault)?;
        }
        let is_named = |path: &PathBuf| self.inputs.iter().any(|input| input.path == *path);
        let parts = unfinished_shards(folder)?;
        let parts: Vec<PathBuf> = parts.into_iter().filter(|path| !is_named(path)).collect();
        for path in parts {
            let (input, fault) = Input::find(&path)?;
            if input.records > 0 {
                self.add(input.with_run(manifest.runs().last()), fault)?;
            }
        }
        if before == self.inputs.len() + self.damage.total() as usize {
            self.empty.get_or_insert_with(|| folder.to_owned());
        }
        Ok(())
    }

    fn add_file(&mut self, path: &Path) -> Result<(), ToolError> {
        let (input, fault) = Input::find(path)?;
        if input.records == 0 && fault.is_none() {
            return Err(ToolError::Empty { path: path.to_owned() });
        }
        let input = input.with_origin(Origin::read_of(path)?);
        let fault = fault.or_else(|| {
            let (found, expected) = (input.records, input.stated.as_ref()?.records);
            (found != expected).then_some(Fault::Length { found, expected })
        });
        self.add(input, fault)
    }

    /// Adds a file. One of another format has no records to read.
    fn add(&mut self, input: Input, fault: Option<Fault>) -> Result<(), ToolError> {
        let is_foreign = matches!(fault, Some(Fault::Format { .. }));
        if let Some(fault) = fault {
            let cut = matches!(fault, Fault::Truncated { .. }).then(|| input.place(input.records));
            self.damage.add(self.on_damage, &input.path, cut, fault)?;
        }
        if !is_foreign {
            self.inputs.push(input);
        }
        Ok(())
    }
}
