//! The faults of game records, on standard error.

use komadai::kifu::Skipped;
use komadai::kifu::record_files::FileFault;
use komadai_console::note;

/// Number of faults that are printed in full.
const LISTED: usize = 20;

/// Prints the faults that the reading of records has skipped, and their number.
pub(crate) fn print_faults(skipped: &Skipped<FileFault>) {
    for fault in skipped.first().iter().take(LISTED) {
        note!("skipped: {fault}");
    }
    match skipped.count().saturating_sub(LISTED as u64) {
        0 => {}
        more => note!("skipped: {more} more faults"),
    }
}
