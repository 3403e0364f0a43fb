//! Game records for other programs: all games of a match in the file `games.csa`.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use komadai::analysis::match_records::record_of_game;
use komadai::matches::MatchGame;

/// The file of records. It is rewritten from the log when a match continues.
#[derive(Debug)]
pub(super) struct Records {
    path: PathBuf,
    out: BufWriter<File>,
    names: [String; 2],
    is_first: bool,
}

impl Records {
    /// Creates an empty file in a folder.
    pub(super) fn create(folder: &Path, names: &[String; 2]) -> anyhow::Result<Self> {
        let path = folder.join("games.csa");
        let file =
            File::create(&path).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(Self { path, out: BufWriter::new(file), names: names.clone(), is_first: true })
    }

    /// Appends a game.
    pub(super) fn add(&mut self, played: &MatchGame) -> anyhow::Result<()> {
        let [first, second] = &self.names;
        let text = record_of_game(played, [first, second]).to_csa()?;
        let separator = if std::mem::take(&mut self.is_first) { "" } else { "/\n" };
        write!(self.out, "{separator}{text}").with_context(|| self.cannot_write())
    }

    /// Writes buffered records to the file.
    pub(super) fn flush(&mut self) -> anyhow::Result<()> {
        self.out.flush().with_context(|| self.cannot_write())
    }

    fn cannot_write(&self) -> String {
        format!("cannot write {}", self.path.display())
    }
}
