//! The results of every position in a file, from which an interrupted run continues.

use std::path::Path;

use anyhow::{Context as _, bail, ensure};
use komadai::search::QuiescenceClasses;

use crate::line_file::LineFile;
use crate::quiescence::measure::{Found, Measured, Setting};

/// The file `positions.csv`: a comment with the setting, the names of the columns, and a line for
/// each position.
#[derive(Debug)]
pub(crate) struct WorkingFile(LineFile);

impl WorkingFile {
    /// Opens the file in a folder, or creates it. Passes the positions that it has to `each`.
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
        let head = format!("# {head}\n{}\n", columns(setting));
        let file = LineFile::open(&folder.join("positions.csv"), &head, |line| {
            each(parse(line, setting)?);
            Ok(())
        })?;
        Ok(Self(file))
    }

    /// The number of positions that the file had when it was opened.
    pub(crate) fn lines(&self) -> usize {
        self.0.lines()
    }

    pub(crate) fn append(&mut self, measured: &Measured) -> anyhow::Result<()> {
        self.0.append(&to_line(measured))
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
