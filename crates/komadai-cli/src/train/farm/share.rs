//! The names of runs, their kinds of tasks, and the files of their records.

use std::fmt::{self, Display};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context as _, ensure};
use komadai::data::{GameRange, RangeReport, Run};
use komadai_farm::PlannedTask;

/// The name of a run on a queue, which is also that of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RunName(String);

impl FromStr for RunName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_valid = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
        let is_name = (1..=64).contains(&text.len())
            && text.chars().all(is_valid)
            && text.starts_with(|c: char| c.is_ascii_alphanumeric());
        if is_name {
            return Ok(Self(text.to_owned()));
        }
        Err(format!(
            "found the name {text:?}, expected at most 64 of A-Z, a-z, 0-9, _, - and ., a letter or digit first"
        ))
    }
}

impl Display for RunName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl RunName {
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the file of the records of a task.
    ///
    /// Its name has a part of the hash, so that records which differ, because two machines of
    /// different kinds have played them, do not overwrite each other.
    pub(super) fn file(
        &self,
        folder: &Path,
        task: u64,
        report: &RangeReport,
    ) -> anyhow::Result<PathBuf> {
        // The report comes from another machine.
        let hash = report.sha256.get(..16).unwrap_or_default();
        let is_hash = hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
        ensure!(is_hash, "found SHA-256 {:?}, expected 64 hexadecimal digits", report.sha256);
        Ok(folder.join(&self.0).join(format!("{task:06}-{hash}.psv")))
    }
}

/// Returns the kind of the tasks of a run: what a worker must have to play the same games.
pub(super) fn kind(run: &Run) -> String {
    let Run { version, signature, evaluation, .. } = run;
    format!("self-play by komadai {version}, signature {signature}, evaluation {evaluation}")
}

/// Returns the games of a planned task.
pub(super) fn range(task: &PlannedTask) -> anyhow::Result<GameRange> {
    serde_json::from_str(&task.spec)
        .with_context(|| format!("task {} is not one of self-play", task.number))
}
