//! The results of every position in a file, from which an interrupted run continues.

use std::fs::OpenOptions;
use std::io::{BufRead as _, BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use komadai::search::QuiescenceClasses;
use komadai_base::file::{LockedFile, open_locked};

use crate::quiescence_study::measure::{Found, Measured, Setting};

/// The longest line in bytes; one search has at most some 20.
const MAX_LINE: u64 = 1 << 16;

/// The file `positions.csv`: a comment with the setting, the names of the columns, and a line for
/// each position.
#[derive(Debug)]
pub(crate) struct WorkingFile {
    path: PathBuf,
    file: LockedFile,
    lines: usize,
}

impl WorkingFile {
    /// Opens the file in a folder, or creates it. Passes the positions that it has to `each`; the
    /// next line is written after the last complete one.
    ///
    /// # Errors
    ///
    /// If the file belongs to a study with another `head`, or is damaged.
    pub(crate) fn open(
        folder: &Path,
        head: &str,
        setting: &Setting,
        mut each: impl FnMut(Measured),
    ) -> anyhow::Result<Self> {
        let path = folder.join("positions.csv");
        let cannot_use = || format!("cannot use {}", path.display());
        let options = OpenOptions::new().read(true).write(true).create(true).clone();
        let mut file = open_locked(&options, &path, "study").with_context(cannot_use)?;
        let head = format!("# {head}\n{}\n", columns(setting));
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
                let measured = parse(text, setting)
                    .with_context(|| format!("line {} of {}", lines + 3, path.display()))?;
                each(measured);
                lines += 1;
                whole += read as u64;
            }
            file.set_len(whole).with_context(cannot_use)?;
        }
        file.seek(SeekFrom::Start(whole)).with_context(cannot_use)?;
        if whole == 0 {
            file.write_all(head.as_bytes()).with_context(cannot_use)?;
        }
        Ok(Self { path, file, lines })
    }

    /// The number of positions that the file had when it was opened.
    pub(crate) fn lines(&self) -> usize {
        self.lines
    }

    pub(crate) fn append(&mut self, measured: &Measured) -> anyhow::Result<()> {
        let line = to_line(measured);
        self.file
            .write_all(line.as_bytes())
            .with_context(|| format!("cannot write {}", self.path.display()))
    }
}

fn columns(setting: &Setting) -> String {
    let mut text = "game,progress,best".to_owned();
    for depth in &setting.depths.0 {
        text += &format!(",reference {depth},nodes");
        for method in &setting.methods {
            text += &format!(",{method} {depth},nodes");
        }
    }
    text
}

/// Writes a position: its game, its progress, the classes of the best move (`-` for none), and for
/// each search value and nodes.
fn to_line(measured: &Measured) -> String {
    let Measured { game, progress, best, found } = measured;
    let best = best.map_or_else(|| "-".to_owned(), |best| best.bits().to_string());
    let mut line = format!("{game},{progress},{best}");
    for found in found {
        line += &format!(",{},{}", found.value, found.nodes);
    }
    line + "\n"
}

fn parse(line: &str, setting: &Setting) -> anyhow::Result<Measured> {
    let mut cells = line.split(',');
    let mut cell = || cells.next().context("found the end of the line");
    let game = cell()?.parse()?;
    let progress = cell()?.parse()?;
    ensure!(progress <= 15, "found progress {progress}, expected at most 15");
    let best = match cell()? {
        "-" => None,
        bits => Some(QuiescenceClasses::from_bits(bits.parse()?).context("found unknown classes")?),
    };
    let mut found = Vec::with_capacity(setting.searches());
    for _ in 0..setting.searches() {
        found.push(Found { value: cell()?.parse()?, nodes: cell()?.parse()? });
    }
    if let Some(cell) = cells.next() {
        bail!("found {cell:?} after the last column");
    }
    Ok(Measured { game, progress, best, found })
}
