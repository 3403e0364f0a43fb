//! The files that are read: those named, and those in folders named.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use komadai::book::LOG_HEADER;

use crate::options::Options;

/// The files to read.
#[derive(Debug, Default)]
pub(crate) struct InputFiles {
    /// Their paths, those of a folder in the order of their names.
    pub paths: Vec<PathBuf>,
    /// How many faults were skipped on the way.
    pub skipped: u64,
}

impl InputFiles {
    /// Finds everything that is named.
    pub(crate) fn find(options: &Options) -> anyhow::Result<Self> {
        let mut found = Self::default();
        for path in &options.inputs {
            if kind_of(path)?.is_dir() {
                found.add_folder(path, &mut Vec::new(), options)?;
            } else {
                found.paths.push(path.clone());
            }
        }
        Ok(found)
    }

    /// Adds the records and books in a folder. `above` are the folders on the way here, none of which
    /// is entered again: links may lead back.
    fn add_folder(
        &mut self,
        folder: &Path,
        above: &mut Vec<PathBuf>,
        options: &Options,
    ) -> anyhow::Result<()> {
        let cannot_read = || format!("cannot read {}", folder.display());
        let real = fs::canonicalize(folder).with_context(cannot_read)?;
        if above.contains(&real) {
            return Ok(());
        }
        let entries = fs::read_dir(folder).with_context(cannot_read)?;
        let inside = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>();
        let mut inside = inside.with_context(cannot_read)?;
        inside.sort();
        above.push(real);
        for path in inside {
            match kind_of(&path) {
                Ok(kind) if kind.is_dir() => self.add_folder(&path, above, options)?,
                Ok(_) if is_wanted(&path) => self.paths.push(path),
                Ok(_) => {}
                Err(fault) => {
                    options.pass_over(fault)?;
                    self.skipped += 1;
                }
            }
        }
        above.pop();
        Ok(())
    }
}

/// What knows more than a `.db` book, if it lies beside it: the working book from which it was written,
/// or a log.
pub(crate) fn better_source(path: &Path) -> Option<PathBuf> {
    let (working, log) = (path.with_extension("kbook"), path.with_extension("log"));
    match lower_extension(path).as_str() {
        "db" if working.exists() => Some(working),
        "db" if is_log(&log) => Some(log),
        _ => None,
    }
}

/// The ending of a name in small letters.
pub(crate) fn lower_extension(path: &Path) -> String {
    path.extension().and_then(OsStr::to_str).unwrap_or_default().to_ascii_lowercase()
}

/// Whether a file in a folder is read: a record, a list of games, a book, or what knows more than a book
/// without a book beside it. The name of Apery's books, `.bin`, says too little.
fn is_wanted(path: &Path) -> bool {
    let is_alone = || !path.with_extension("db").exists();
    match lower_extension(path).as_str() {
        "csa" | "sfen" | "usi" | "txt" | "db" | "ybb" | "sbk" => true,
        "kbook" => is_alone(),
        "log" => is_log(path) && is_alone(),
        _ => false,
    }
}

/// Whether the file begins as the log of a book does.
fn is_log(path: &Path) -> bool {
    let Ok(file) = File::open(path) else { return false };
    let mut beginning = Vec::new();
    let read = file.take(LOG_HEADER.len() as u64).read_to_end(&mut beginning);
    read.is_ok() && beginning == LOG_HEADER.as_bytes()
}

fn kind_of(path: &Path) -> anyhow::Result<fs::FileType> {
    let data = fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(data.file_type())
}
