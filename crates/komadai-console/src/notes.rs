//! Warnings and notes about input files.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;

use komadai::book::store::{FileImport, FileOutcome, ImportEvent};
use komadai::book::{FileKind, GrowEvent, InputFile};
use komadai::bookfile::BookFormat;

use crate::note;

/// Maximum number of faults of a file that are printed.
const MAX_FAULTS: usize = 5;

/// Maximum number of files read before that are named.
const MAX_FILES: usize = 5;

/// Prints the number of faults and the first of them, a line each.
pub fn warn_of_faults(path: &Path, count: u64, faults: impl Display) {
    if count == 0 {
        return;
    }
    note!("warning: {}: {count} faults skipped", path.display());
    let faults = faults.to_string();
    for fault in faults.lines().take(MAX_FAULTS) {
        note!("warning:   {fault}");
    }
    if count > MAX_FAULTS as u64 {
        note!("warning:   …");
    }
}

/// Prints the number of moves of a book that no line of play reaches.
pub fn warn_of_unreached(path: &Path, format: Option<BookFormat>, unreached: u64) {
    if unreached > 0 {
        let what = if format == Some(BookFormat::Sbk) { "states" } else { "moves" };
        note!(
            "warning: {}: {unreached} {what} skipped: not reachable from the start position or a \
             handicap position",
            path.display()
        );
    }
}

/// Prints warnings about the faults and unreached moves of an imported file.
pub fn warn_of_import(file: &InputFile, import: &FileImport) {
    let format = match file.kind {
        FileKind::Book(format) => Some(format),
        _ => None,
    };
    warn_of_faults(&file.path, import.faults, import.first_faults.join("\n"));
    warn_of_unreached(&file.path, format, import.unreached);
}

/// Notes about the files that are read or skipped.
#[derive(Debug, Default)]
pub struct FileNotes {
    read_before: usize,
}

impl FileNotes {
    /// Returns the note about an event, if there is one. Of many files read before, only the first
    /// are named.
    pub fn note(&mut self, event: &ImportEvent<'_>) -> Option<String> {
        match event {
            ImportEvent::Started(InputFile { path, stands_for: Some(named), .. }) => Some(format!(
                "reading {}, which contains more than {}",
                path.display(),
                named.display()
            )),
            ImportEvent::Done(file, import) => match import.outcome {
                FileOutcome::ReadBefore => {
                    self.read_before += 1;
                    (self.read_before <= MAX_FILES)
                        .then(|| format!("{}: read before", file.path.display()))
                }
                FileOutcome::Itself => Some(format!("{}: the book itself", file.path.display())),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the note about the files read before that were not named.
    pub fn rest(&self) -> Option<String> {
        let more = self.read_before.checked_sub(MAX_FILES).filter(|more| *more > 0)?;
        Some(format!("and {more} more, read before"))
    }
}

/// Returns the warning or note about an event of a growing book, in lines; empty if there is none.
pub fn grow_notes(event: &GrowEvent<'_>) -> Vec<String> {
    match event {
        GrowEvent::Failed { position, reason } => vec![format!("warning: {position}: {reason}")],
        GrowEvent::Dismissed { analyst, reason } => {
            vec![format!("warning: analyst {analyst} gets no more positions: {reason}")]
        }
        GrowEvent::OthersWait { jobs } => {
            waiting_jobs(jobs).map(|line| format!("note: {line}")).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns a line for each engine that jobs name and wait for.
pub fn waiting_jobs(jobs: &BTreeMap<String, u64>) -> impl Iterator<Item = String> {
    let named = jobs.iter().filter(|(engine, _)| !engine.is_empty());
    named.map(|(engine, count)| format!("jobs waiting for the engine {engine:?}: {count}"))
}

/// Returns the note about positions that were passed over, as a line of a report.
pub fn passed_over(positions: usize) -> Option<String> {
    (positions > 0).then(|| format!("{positions} positions passed over: a book cannot hold them"))
}

/// Returns the warning about moves of games that were left out, if there are any.
pub fn left_out(file: &InputFile, import: &FileImport) -> Option<String> {
    let (path, moves) = (file.path.display(), import.lost.moves);
    (moves > 0).then(|| {
        format!("warning: {path}: {moves} moves left out: a book cannot hold the positions there")
    })
}
