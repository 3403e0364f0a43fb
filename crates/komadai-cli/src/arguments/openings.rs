//! Openings of matches: those of a file, or the bundled ones.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, ensure};
use komadai::kifu::{KifuFormat, Record, RecordFiles, RecordFilesOptions, Tolerance};
use komadai::matches::Opening;

use crate::bundled;

/// Reads the openings of a file: USI, one a line, where a `#` starts a comment; or the moves of records of any
/// other format, also in archives and folders.
pub(crate) fn read(path: &Path) -> anyhow::Result<Vec<Opening>> {
    if path.is_dir() {
        return read_records(path);
    }
    let cannot_read = || format!("cannot read {}", path.display());
    let bytes = fs::read(path).with_context(cannot_read)?;
    let is_archive = bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"\x1f\x8b");
    if is_archive || KifuFormat::detect(&bytes).is_some_and(|format| format != KifuFormat::Usi) {
        return read_records(path);
    }
    read_lines(path, &String::from_utf8(bytes).with_context(cannot_read)?)
}

fn read_records(path: &Path) -> anyhow::Result<Vec<Opening>> {
    let options = RecordFilesOptions::default().with_tolerance(Tolerance::Strict);
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
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if !line.is_empty() {
            let place = || format!("{}, line {number}", path.display());
            openings.push(Opening::from_usi(line).with_context(place)?);
        }
    }
    ensure!(!openings.is_empty(), "{} contains no opening", path.display());
    Ok(openings)
}

/// Returns the 200 bundled openings.
pub(crate) fn bundled() -> anyhow::Result<Vec<Opening>> {
    bundled::openings().map(|line| Ok(Opening::from_usi(line)?)).collect()
}
