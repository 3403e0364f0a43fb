//! Openings of matches: those of a file, or the bundled ones.

use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, ensure};
use komadai::kifu::record_files::is_archive;
use komadai::kifu::{KifuFormat, Record, RecordFiles, RecordFilesOptions, Tolerance};
use komadai::matches::Opening;
use komadai_base::file::{open_regular, read_bounded};
use komadai_base::text::without_mark;

/// Largest size of a file of openings that is no archive. A million openings of forty moves have
/// 200 MB.
const MAX_BYTES: u64 = 1 << 30;

/// Reads the openings of a file: USI, one a line, where a `#` starts a comment and a comma the
/// settings that BookMiner writes after a line (`, book_extend_ply=20`); or the moves of records of
/// any other format, also in archives and folders.
pub(crate) fn read(path: &Path) -> anyhow::Result<Vec<Opening>> {
    if path.is_dir() {
        return read_records(path);
    }
    let cannot_read = || format!("cannot read {}", path.display());
    let mut head = Vec::new();
    open_regular(path)
        .and_then(|file| file.take(4).read_to_end(&mut head))
        .with_context(cannot_read)?;
    if is_archive(&head) {
        return read_records(path);
    }
    let bytes = read_bounded(path, MAX_BYTES).with_context(cannot_read)?;
    if KifuFormat::detect(&bytes).is_some_and(|format| format != KifuFormat::Usi) {
        return read_records(path);
    }
    read_lines(path, &String::from_utf8(bytes).with_context(cannot_read)?)
}

fn read_records(path: &Path) -> anyhow::Result<Vec<Opening>> {
    let options =
        RecordFilesOptions { tolerance: Tolerance::Strict, ..RecordFilesOptions::default() };
    let openings = RecordFiles::open(path, options)
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

fn read_lines(path: &Path, text: &str) -> anyhow::Result<Vec<Opening>> {
    let mut openings = Vec::new();
    for (number, line) in (1..).zip(without_mark(text).lines()) {
        let line = line.split(['#', ',']).next().unwrap_or_default().trim();
        if !line.is_empty() {
            let place = || format!("{}, line {number}", path.display());
            openings.push(Opening::from_usi(line).with_context(place)?);
        }
    }
    ensure!(!openings.is_empty(), "{} contains no opening", path.display());
    Ok(openings)
}

/// Balanced openings of 16 to 30 plies, which an engine holds to be within 100 centipawns of even.
const OPENINGS: &str = include_str!("../../data/openings.usi");

/// The start position, and first moves with one reply, from which books grow: short, because a book
/// begins with the first move.
const SHORT_OPENINGS: &str = include_str!("../../data/short_openings.usi");

/// Returns the 200 bundled openings.
pub(crate) fn bundled() -> anyhow::Result<Vec<Opening>> {
    lines_of(OPENINGS)
}

/// Returns the 50 bundled openings of at most two plies.
pub(crate) fn bundled_short() -> anyhow::Result<Vec<Opening>> {
    lines_of(SHORT_OPENINGS)
}

fn lines_of(text: &str) -> anyhow::Result<Vec<Opening>> {
    text.lines().map(|line| Ok(Opening::from_usi(line)?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_and_comments_after_a_line_are_no_part_of_the_opening() {
        let read = |text: &str| read_lines(Path::new("openings.usi"), text);
        let start = "startpos moves 7g7f 3c3d";
        let plain = read(start).unwrap();
        for after in [" , book_extend_ply=20, eval_limit=400", ",game_ply_limit=200", " # even"] {
            let found = read(&format!("# openings\n\n{start}{after}\n")).unwrap();
            assert_eq!(format!("{found:?}"), format!("{plain:?}"), "{after}");
        }
        let error = read(&format!("{start}\nstartpos moves 7g7e, eval_limit=400\n")).unwrap_err();
        assert_eq!(error.to_string(), "openings.usi, line 2");
        assert!(read(", book_extend_ply=20\n").is_err());
    }
}
