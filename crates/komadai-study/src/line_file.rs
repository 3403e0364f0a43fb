//! A line for each position in a file, from which an interrupted run continues.

use std::fs::OpenOptions;
use std::io::{BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use komadai_base::file::{LockedFile, open_locked};

/// The longest line in bytes.
const MAX_LINE: u64 = 1 << 16;

/// A head, which tells studies apart, and lines that are appended.
#[derive(Debug)]
pub struct LineFile {
    path: PathBuf,
    file: LockedFile,
    lines: usize,
}

impl LineFile {
    /// Opens the file, or creates it. `head` is whole lines. Passes the other lines that it has to
    /// `each`; the next line is written after the last complete one.
    ///
    /// # Errors
    ///
    /// If the file begins with another head, or if `each` refuses a line.
    pub fn open(
        path: &Path,
        head: &str,
        mut each: impl FnMut(&str) -> anyhow::Result<()>,
    ) -> anyhow::Result<Self> {
        let cannot_use = || format!("cannot use {}", path.display());
        let options = OpenOptions::new().read(true).write(true).create(true).clone();
        let mut file = open_locked(&options, path, "study").with_context(cannot_use)?;
        let mut lines = 0;
        let mut whole = 0;
        if file.metadata()?.len() > 0 {
            let mut reader = BufReader::new(&*file);
            let mut found = vec![0; head.len()];
            let is_same = reader.read_exact(&mut found).is_ok() && found == head.as_bytes();
            ensure!(
                is_same,
                "{} belongs to another study; expected another folder, or the same arguments",
                path.display()
            );
            whole = head.len() as u64;
            let mut line = String::new();
            loop {
                line.clear();
                let read = (&mut reader).take(MAX_LINE).read_line(&mut line)?;
                // The last line may be incomplete: it is written again.
                let Some(text) = line.strip_suffix('\n') else { break };
                let number = head.lines().count() + lines + 1;
                each(text).with_context(|| format!("line {number} of {}", path.display()))?;
                lines += 1;
                whole += read as u64;
            }
            file.set_len(whole).with_context(cannot_use)?;
        }
        file.seek(SeekFrom::Start(whole)).with_context(cannot_use)?;
        if whole == 0 {
            file.write_all(head.as_bytes()).with_context(cannot_use)?;
        }
        Ok(Self { path: path.to_owned(), file, lines })
    }

    /// The number of lines that the file had when it was opened, without the head.
    pub fn lines(&self) -> usize {
        self.lines
    }

    /// Appends a line, which ends with a line break.
    ///
    /// # Errors
    ///
    /// Returns the error of the file system.
    pub fn append(&mut self, line: &str) -> anyhow::Result<()> {
        let cannot_write = || format!("cannot write {}", self.path.display());
        self.file.write_all(line.as_bytes()).with_context(cannot_write)
    }
}
