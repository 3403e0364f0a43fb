//! Game records on the command line: one game of a file, and the format of a file to write.

use std::path::Path;

use anyhow::bail;
use komadai::kifu::{KifuFormat, Record, RecordFiles, RecordFilesOptions};
use komadai_console::note;

use super::faults::{failure, print_faults};

/// Reads the game with this number, from 1, in a file, an archive or a folder of records; without a
/// number the first one, with a note if there are others. Faults are skipped and counted on
/// standard error. Returns the number of moves that were left out as well.
pub(crate) fn read_game(path: &Path, number: Option<usize>) -> anyhow::Result<(Record, u64)> {
    let mut files = RecordFiles::open(path, RecordFilesOptions::default());
    let records = files.by_ref().map(|found| match found.record {
        Ok(record) => Ok(record),
        Err(error) => bail!("{}", failure(&found.place, error)),
    });
    let record = nth(records, path, number.unwrap_or(1));
    let skipped = files.into_skipped();
    // Also without a game: the faults tell why.
    print_faults(&skipped);
    let record = record?;
    if number.is_none() && has_second_game(path) {
        note!("{}: the first of several games; --game N chooses another", path.display());
    }
    Ok((record, skipped.lost_moves()))
}

/// Checks for a second game. A reading of its own, because the faults of that game are not those of
/// the first.
fn has_second_game(path: &Path) -> bool {
    let games = RecordFiles::open(path, RecordFilesOptions::default());
    games.filter(|found| found.record.is_ok()).nth(1).is_some()
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

/// Returns the format that the ending of a file stands for.
pub(crate) fn format_of(path: &Path) -> Option<KifuFormat> {
    KifuFormat::of_extension(path.extension()?.to_str()?)
}
