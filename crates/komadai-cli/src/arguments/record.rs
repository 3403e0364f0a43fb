//! One game of a file on the command line.

use std::path::Path;

use anyhow::bail;
use komadai::kifu::{Record, RecordFiles, RecordFilesOptions};

use super::faults::{failure, print_faults};

/// Reads the game with this number, from 1, in a file, an archive or a folder of records. Faults are skipped
/// and counted on standard error. Returns the number of moves that were left out as well.
pub(crate) fn read_game(path: &Path, number: usize) -> anyhow::Result<(Record, u64)> {
    let mut files = RecordFiles::open(path, RecordFilesOptions::default());
    let records = files.by_ref().map(|found| match found.record {
        Ok(record) => Ok(record),
        Err(error) => bail!("{}", failure(&found.place, error)),
    });
    let record = nth(records, path, number);
    let skipped = files.into_skipped();
    // Also without a game: the faults tell why.
    print_faults(&skipped);
    Ok((record?, skipped.lost_moves()))
}

fn nth(
    records: impl Iterator<Item = anyhow::Result<Record>>,
    path: &Path,
    number: usize,
) -> anyhow::Result<Record> {
    let mut count = 0;
    for record in records {
        let record = record?;
        count += 1;
        if count == number {
            return Ok(record);
        }
    }
    match count {
        0 => bail!("{} has no game", path.display()),
        _ => bail!("{}: there is no game {number} of {count}", path.display()),
    }
}
