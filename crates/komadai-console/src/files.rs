//! Outputs of programs: files that are written completely or not at all, and folders for them.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::Path;

use anyhow::{Context as _, ensure};
use komadai_base::atomic_file::write_atomically;

use crate::output::Output;

/// Writes a file as [`write_atomically`] does; an error names the file, because one of the system
/// does not.
///
/// # Errors
///
/// Those of [`write_atomically`].
pub fn write_file(path: &Path, content: impl AsRef<[u8]>) -> anyhow::Result<()> {
    write_file_with(path, |out| out.write_all(content.as_ref()))
}

/// Writes a file, as [`write_file`] does, by a function.
///
/// # Errors
///
/// The error of `write`, or those of [`write_atomically`].
pub fn write_file_with<T>(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<T>,
) -> anyhow::Result<T> {
    write_atomically(path, write).with_context(|| format!("cannot write {}", path.display()))
}

/// Writes a text or bytes to a file, or to standard output if the path is `-`.
///
/// # Errors
///
/// Those of [`write_file`] and of [`Output`].
pub fn write_file_or_stdout(path: &Path, content: impl AsRef<[u8]>) -> anyhow::Result<()> {
    match path.to_str() {
        Some("-") => Ok(Output::data().write_all(content.as_ref())?),
        _ => write_file(path, content),
    }
}

/// Creates a folder and those above it.
///
/// # Errors
///
/// Those of [`fs::create_dir_all`].
pub fn create_folder(path: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(path).with_context(|| format!("cannot create {}", path.display()))
}

/// Refuses to write a file that exists, unless `--force` was given.
///
/// # Errors
///
/// Returns an error that names the file and the option.
pub fn check_is_new(path: &Path, is_forced: bool) -> anyhow::Result<()> {
    ensure!(!path.is_dir(), "{} is a folder, expected a file", path.display());
    ensure!(is_forced || !path.exists(), "{} exists; --force replaces it", path.display());
    Ok(())
}
