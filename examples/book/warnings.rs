//! What is told of books and games besides what comes of them.

use std::fmt::Display;
use std::path::Path;

use komadai::book::{BookFormat, FileImport, FileOutcome, ImportEvent, InputFile, InputKind};

/// How many faults of a file are told.
const TOLD_FAULTS: usize = 5;

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
pub(crate) fn note(event: &ImportEvent<'_>) -> Option<String> {
    match event {
        ImportEvent::Begun(InputFile { path, stands_for: Some(named), .. }) => {
            Some(format!("reading {}, which knows more than {}", path.display(), named.display()))
        }
        ImportEvent::Done(file, import) => match import.outcome {
            FileOutcome::ReadBefore => Some(format!("{}: read before", file.path.display())),
            FileOutcome::Itself => Some(format!("{}: the book itself", file.path.display())),
            _ => None,
        },
        _ => None,
    }
}
