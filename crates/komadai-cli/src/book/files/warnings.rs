//! What is told of books and games besides what comes of them.

use std::fmt::Display;
use std::path::Path;

use komadai::book::store::{FileImport, FileOutcome, ImportEvent};
use komadai::book::{InputFile, InputKind};
use komadai::bookfile::BookFormat;

/// How many faults of a file are told.
const TOLD_FAULTS: usize = 5;

/// How many of the files that were read before are named.
const TOLD_FILES: usize = 5;

/// Tells how many faults there were, and the first of them, a line each.
pub(crate) fn warn_of_faults(path: &Path, count: u64, faults: impl Display) {
    if count == 0 {
        return;
    }
    eprintln!("warning: {}: {count} faults skipped", path.display());
    let faults = faults.to_string();
    for fault in faults.lines().take(TOLD_FAULTS) {
        eprintln!("warning:   {fault}");
    }
    if count > TOLD_FAULTS as u64 {
        eprintln!("warning:   …");
    }
}

/// Tells what of a book was not come by.
pub(crate) fn warn_of_unreached(path: &Path, format: Option<BookFormat>, unreached: u64) {
    if unreached > 0 {
        let what = if format == Some(BookFormat::Sbk) { "states" } else { "moves" };
        eprintln!(
            "warning: {}: {unreached} {what} left out: no way leads there from the start of the game \
             or a handicap",
            path.display()
        );
    }
}

/// Warns of what was skipped of a file.
pub(crate) fn warn_of_import(file: &InputFile, import: &FileImport) {
    let format = match file.kind {
        InputKind::Book(format) => Some(format),
        _ => None,
    };
    warn_of_faults(&file.path, import.faults, import.first_faults.join("\n"));
    warn_of_unreached(&file.path, format, import.unreached);
}

/// What is worth knowing about which files are read.
#[derive(Debug, Default)]
pub(crate) struct FileNotes {
    read_before: usize,
}

impl FileNotes {
    /// What is to be told now. Of many files that were read before, only the first ones are named.
    pub(crate) fn hear(&mut self, event: &ImportEvent<'_>) -> Option<String> {
        match event {
            ImportEvent::Begun(InputFile { path, stands_for: Some(named), .. }) => Some(format!(
                "reading {}, which knows more than {}",
                path.display(),
                named.display()
            )),
            ImportEvent::Done(file, import) => match import.outcome {
                FileOutcome::ReadBefore => {
                    self.read_before += 1;
                    (self.read_before <= TOLD_FILES)
                        .then(|| format!("{}: read before", file.path.display()))
                }
                FileOutcome::Itself => Some(format!("{}: the book itself", file.path.display())),
                _ => None,
            },
            _ => None,
        }
    }

    /// How many files more there were than were named.
    pub(crate) fn rest(&self) -> Option<String> {
        let more = self.read_before.checked_sub(TOLD_FILES).filter(|more| *more > 0)?;
        Some(format!("and {more} more, read before"))
    }
}
