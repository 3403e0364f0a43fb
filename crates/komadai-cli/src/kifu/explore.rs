//! The moves played from a position with their results: an opening explorer.

mod options;
mod page;
mod table;

use std::path::Path;
use std::process::ExitCode;

use komadai::Position;
use komadai::games::{GameIndex, OpeningTable};
use komadai_console::{interrupted, stop_on_interrupt};

use crate::arguments::faults::exit_code;
use crate::kifu::index::{Build, build};

pub(super) use self::options::Options;

pub(super) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let position = options.position.position()?.unwrap_or_else(Position::hirate);
    if let Some(path) = &options.index {
        show(options, &mut GameIndex::open(path)?, &position)?;
        return Ok(ExitCode::SUCCESS);
    }
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("games.idx");
    let Some(lost) = index_of(options, &path)? else { return Err(interrupted("stopped")) };
    show(options, &mut GameIndex::open(&path)?, &position)?;
    Ok(exit_code(lost))
}

/// Makes an index of the paths. Returns the number of files, games and moves that could not be read;
/// `None` if it was stopped.
fn index_of(options: &Options, path: &Path) -> anyhow::Result<Option<u64>> {
    let built = build(
        path,
        Build {
            roots: options.paths.clone(),
            old: None,
            memory_bytes: 64 << 20,
            jobs: options.jobs,
            names_formations: false,
            stop: stop_on_interrupt()?,
        },
    )?;
    Ok(built.map(|built| built.lost))
}

fn show(options: &Options, index: &mut GameIndex, position: &Position) -> anyhow::Result<()> {
    if let Some(path) = &options.html {
        return page::write(options, index, position, path);
    }
    let table = OpeningTable::of(index, position, options.mirrored)?;
    let shown =
        table::Table { table: &table, position, top: options.top, appearance: options.appearance };
    if options.json { shown.print_json() } else { shown.print() }
}
