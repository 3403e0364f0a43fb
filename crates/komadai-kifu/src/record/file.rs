//! A record as a file.

use std::ffi::OsStr;
use std::io;
use std::path::Path;

use komadai_base::atomic_file;
use komadai_base::reading::Tolerance;

use crate::error::KifuError;
use crate::game_writer::{GameWriteError, GameWriter};
use crate::kifu_format::KifuFormat;
use crate::loss::Loss;
use crate::record::Record;
use crate::record_reader::GameReader;
use crate::text::{TextEncoding, TextForm};

/// The reason why [`Record::save`] cannot write a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SaveError {
    /// The name of the file has no ending that names a format.
    #[error(
        "found the ending {found:?}, expected .csa, .kif, .kifu, .ki2, .ki2u, .jkf, .usen, .usi or .sfen"
    )]
    Ending {
        /// The ending, empty if there is none.
        found: String,
    },
    /// The format or the encoding cannot express the game.
    #[error(transparent)]
    Game(#[from] GameWriteError),
    /// The file cannot be written. The old one of its name is unchanged.
    #[error("cannot write the file")]
    Io(#[source] io::Error),
}

impl Record {
    /// Reads the first game of a file, strictly. The text decides its format and encoding.
    ///
    /// [`GameReader::open`] reads all games, and faulty ones leniently; `RecordFiles` reads
    /// archives and folders.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_kifu::Record;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let path = folder.path().join("game.csa");
    /// std::fs::write(&path, "PI\n+\n+7776FU\n%TORYO\n")?;
    /// let game = Record::open(&path)?;
    /// // Kakinoki's format, in Shift_JIS as its readers expect.
    /// let lost = game.save(folder.path().join("game.kif"))?;
    /// assert!(lost.is_empty());
    /// assert_eq!(Record::open(folder.path().join("game.kif"))?.moves, game.moves);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the file cannot be read, has a fault in its first game, or has no game.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, KifuError> {
        let mut games = GameReader::open(path, Tolerance::Strict)?;
        games.next().unwrap_or(Err(KifuError::NoGame { line: games.line() }))
    }

    /// Writes the game to a file, completely or not at all, and returns what was lost. An existing
    /// file is replaced.
    ///
    /// The ending of the name decides the format, and with it the encoding
    /// ([`TextEncoding::of_path`]).
    ///
    /// # Errors
    ///
    /// If the ending names no format, the game cannot be expressed in the format or its encoding,
    /// or the file cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<Vec<Loss>, SaveError> {
        let path = path.as_ref();
        let ending = path.extension().and_then(OsStr::to_str).unwrap_or_default();
        let format = KifuFormat::of_extension(ending)
            .ok_or_else(|| SaveError::Ending { found: ending.to_owned() })?;
        let form = TextForm::new(TextEncoding::of_path(path, format));
        let mut writer = GameWriter::new(Vec::new(), format, form);
        let lost = writer.write(self)?;
        atomic_file::write(path, writer.into_inner()).map_err(SaveError::Io)?;
        Ok(lost)
    }
}

#[cfg(test)]
mod tests {
    use komadai_core::Setup;

    use super::*;
    use crate::record_move::RecordMove;

    #[test]
    fn the_ending_decides_format_and_encoding() {
        let folder = tempfile::tempdir().unwrap();
        let mut game = Record::new(Setup::hirate());
        game.moves.push(RecordMove::new("7g7f".parse().unwrap()));
        let bytes = |name: &str| {
            let path = folder.path().join(name);
            game.save(&path).unwrap();
            assert_eq!(Record::open(&path).unwrap().moves, game.moves, "{name}");
            std::fs::read(path).unwrap()
        };
        let is_utf8 = |name: &str| std::str::from_utf8(&bytes(name)).is_ok();
        assert!(!is_utf8("a.kif") && !is_utf8("a.KI2"));
        assert!(["a.kifu", "a.ki2u", "a.csa", "a.usi", "a.usen"].into_iter().all(is_utf8));
        for (name, found) in [("a.txt", "txt"), ("a", ""), ("a.kif.gz", "gz")] {
            let error = game.save(folder.path().join(name)).unwrap_err();
            assert!(
                error.to_string().starts_with(&format!("found the ending {found:?}")),
                "{error}"
            );
            assert!(!folder.path().join(name).exists());
        }
        assert!(matches!(game.save(folder.path().join("no/a.kif")), Err(SaveError::Io(_))));
    }

    #[test]
    fn a_file_without_a_game_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csa");
        std::fs::write(&path, "").unwrap();
        let error = Record::open(&path).unwrap_err();
        assert!(error.to_string().ends_with("the text ends, expected a game"), "{error}");
        assert!(Record::open(folder.path().join("none.kif")).is_err());
    }
}
