//! The faults of game records, on standard error.

use std::process::ExitCode;

use komadai::kifu::record_files::{FileFault, FilePlace};
use komadai::kifu::{JkfFaultKind, KifuError, RecordFileError, Skipped};
use komadai_console::{describe, note};

/// Number of faults that are printed in full.
const LISTED: usize = 20;

/// Prints the faults that the reading of records has skipped, their number, and the number of moves
/// that were lost.
pub(crate) fn print_faults(skipped: &Skipped<FileFault>) {
    for fault in skipped.first().iter().take(LISTED) {
        match kept(&fault.fault) {
            Some(kept) => note!("warning: {fault}; {kept}"),
            None => note!("skipped: {fault}"),
        }
    }
    match skipped.count().saturating_sub(LISTED as u64) {
        0 => {}
        more => note!("skipped: {more} more faults"),
    }
    if skipped.lost_moves() > 0 {
        let plural = if skipped.lost_moves() == 1 { "" } else { "s" };
        note!("lost: {} move{plural} of games", skipped.lost_moves());
    }
}

/// Returns the words about a part with a fault that was kept nevertheless.
fn kept(fault: &KifuError) -> Option<&'static str> {
    match fault {
        KifuError::IllegalMove { .. } => Some("the move is kept"),
        KifuError::StartPosition { .. } => Some("the position is kept"),
        KifuError::Jkf(fault) => match fault.kind {
            JkfFaultKind::IllegalMove { .. } => Some("the move is kept"),
            JkfFaultKind::StartPosition(_) => Some("the position is kept"),
            _ => None,
        },
        _ => None,
    }
}

/// Prints why a file, or the rest of it, cannot be read.
pub(crate) fn print_failure(place: &FilePlace, error: RecordFileError) {
    note!("{}", failure(place, error));
}

/// Returns the reason why a file cannot be read, with that of the system.
pub(crate) fn failure(place: &FilePlace, error: RecordFileError) -> String {
    format!("{place}: {}", describe(&anyhow::Error::new(error)))
}

/// Returns the exit code after a reading that has left out this number of moves of games.
pub(crate) fn exit_code(lost_moves: u64) -> ExitCode {
    if lost_moves == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
