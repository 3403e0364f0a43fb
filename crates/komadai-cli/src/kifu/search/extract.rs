//! The records of games that were found, in a file or in a folder.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use komadai::kifu::text::{TextEncoding, TextForm};
use komadai::kifu::{GameWriteError, GameWriter, KifuFormat};
use komadai_base::atomic_file::AtomicFile;
use komadai_console::{bad_usage, check_is_new, create_folder, note};

use super::found::{FoundGame, place};
use crate::arguments::record::format_of;

/// The place of the records.
pub(super) enum Extract {
    /// A file, which appears when it is complete.
    File { path: PathBuf, writer: Box<GameWriter<AtomicFile>> },
    /// A folder with a file for each game.
    Folder { path: PathBuf, is_forced: bool, games: u64 },
}

impl Extract {
    pub(super) fn new(path: &Path, is_forced: bool) -> anyhow::Result<Self> {
        let path = path.to_owned();
        if path.is_dir() || path.extension().is_none() {
            create_folder(&path)?;
            return Ok(Self::Folder { path, is_forced, games: 0 });
        }
        let format = format_of(&path).ok_or_else(|| {
            let ending = path.extension().unwrap_or_default().to_string_lossy();
            bad_usage(format_args!(
                "--to {}: found the ending {ending:?}, expected a folder, .csa, .kif, .kifu, .ki2, .ki2u, .jkf, .usen, .usi or .sfen",
                path.display()
            ))
        })?;
        check_is_new(&path, is_forced)?;
        let file = AtomicFile::create(&path).with_context(|| cannot_write(&path))?;
        let form = TextForm::new(TextEncoding::of_path(&path, format));
        Ok(Self::File { writer: Box::new(GameWriter::new(file, format, form)), path })
    }

    pub(super) fn write(&mut self, found: &FoundGame) -> anyhow::Result<()> {
        let Some(record) = &found.record else { return Ok(()) };
        match self {
            Self::File { path, writer } => match writer.write(record) {
                Ok(_) => Ok(()),
                Err(GameWriteError::SecondGame { .. }) => anyhow::bail!(
                    "{}: the format holds one game, and several are found; a folder, .csa and .usi take them",
                    path.display()
                ),
                Err(error) => Err(error).with_context(|| place(&found.game.place)),
            },
            Self::Folder { path, is_forced, games } => {
                *games += 1;
                let stem = found.game.place.path.file_stem().unwrap_or_default().to_string_lossy();
                let ending = KifuFormat::Csa.extension();
                let file = path.join(format!("{games:06}-{stem}.{ending}"));
                ensure!(
                    *is_forced || !file.exists(),
                    "{} exists; --force replaces it",
                    file.display()
                );
                record.save(&file).with_context(|| cannot_write(&file))?;
                Ok(())
            }
        }
    }

    /// Makes the file appear.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        match self {
            Self::File { path, writer } => {
                if writer.games() == 0 {
                    note!("{}: not written, as no game was found", path.display());
                    return Ok(());
                }
                writer.into_inner().commit().with_context(|| cannot_write(&path))
            }
            Self::Folder { .. } => Ok(()),
        }
    }
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}
