//! Openings of matches: those of a file, or the bundled short ones.

use std::path::Path;

use anyhow::{Context as _, ensure};
use komadai::kifu::{Record, RecordFiles, Tolerance};
use komadai::matches::Opening;

/// Reads the openings of a file: USI, one a line, with comments and with the settings that BookMiner
/// writes after a comma (`, book_extend_ply=20`); or the moves of records of any other format, also
/// in archives and folders.
pub(crate) fn read(path: &Path) -> anyhow::Result<Vec<Opening>> {
    let openings = RecordFiles::open(path, Tolerance::Strict)
        .map(|found| {
            let place = || found.place.to_string();
            opening_of(&found.record.with_context(place)?).with_context(place)
        })
        .collect::<anyhow::Result<Vec<_>>>()?;
    ensure!(!openings.is_empty(), "{} contains no opening", path.display());
    Ok(openings)
}

fn opening_of(record: &Record) -> anyhow::Result<Opening> {
    Ok(Opening::from_usi(&record.to_usi().to_string())?)
}

/// The start position, and first moves with one reply, from which books grow: short, because a book
/// begins with the first move.
const SHORT_OPENINGS: &str = include_str!("../../data/short_openings.usi");

/// Returns the 50 bundled openings of at most two plies.
pub(crate) fn bundled_short() -> anyhow::Result<Vec<Opening>> {
    SHORT_OPENINGS.lines().map(|line| Ok(Opening::from_usi(line)?)).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn settings_and_comments_after_a_line_are_no_part_of_the_opening() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("openings.usi");
        let read = |text: &str| {
            std::fs::write(&path, text).unwrap();
            super::read(&path)
        };
        let start = "startpos moves 7g7f 3c3d";
        let plain = read(start).unwrap();
        for after in [" , book_extend_ply=20, eval_limit=400", ",game_ply_limit=200", " # even"] {
            let found = read(&format!("# openings\n\n{start}{after}\n")).unwrap();
            assert_eq!(format!("{found:?}"), format!("{plain:?}"), "{after}");
        }
        let error = read(&format!("{start}\nstartpos moves 7g7e, eval_limit=400\n")).unwrap_err();
        let error = format!("{error:#}");
        assert!(error.contains("openings.usi") && error.contains("line 2"), "{error}");
        assert!(read(", book_extend_ply=20\n").is_err());
        assert!(read("# nothing\n").is_err());
    }
}
