//! The inputs of the book: the named files, or the bundled games.

use anyhow::bail;
use komadai::book::store::{Change, ImportEvent, ImportOptions, Store};
use komadai::book::{Fingerprint, Input, InputFiles, Seeder, find_inputs};
use komadai::kifu::{Tolerance, parse_usi_games};
use komadai_console::{FileNotes, left_out, note, warn_of_import};

use crate::options::GrowArgs;

/// Counts of what a run has read.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct InputCounts {
    /// Number of games.
    pub(crate) games: u64,
    /// Number of faults skipped.
    pub(crate) skipped: u64,
    /// Number of moves left out because a book cannot hold the positions there.
    pub(crate) left_out_moves: u64,
}

/// Finds the named files.
pub(crate) fn find(options: &GrowArgs) -> anyhow::Result<InputFiles> {
    let found = find_inputs(&options.inputs, options.tolerance())?;
    found.skipped.iter().for_each(|fault| note!("warning: {fault}"));
    Ok(found)
}

/// Reads files into the book, or the bundled games if no file is named and the book is empty.
pub(crate) fn read(
    options: &GrowArgs,
    found: &InputFiles,
    store: &Store,
) -> anyhow::Result<InputCounts> {
    if options.inputs.is_empty() && store.is_empty()? {
        let games = read_bundled_games(options, store)?;
        ensure_not_empty(options, store, games)?;
        return Ok(InputCounts { games, ..InputCounts::default() });
    }
    let wanted = ImportOptions { seed: options.seed(), tolerance: options.tolerance() };
    let mut notes = FileNotes::default();
    let mut left_out_moves = 0;
    let read = store.import_files(&found.files, &wanted, &mut |event| {
        notes.note(&event).iter().for_each(|note| options.print(format_args!("{note}")));
        if let ImportEvent::Done(file, import) = event {
            warn_of_import(file, import);
            left_out(file, import).iter().for_each(|warning| note!("{warning}"));
            left_out_moves += import.lost.moves;
        }
    })?;
    notes.rest().iter().for_each(|note| options.print(format_args!("{note}")));
    ensure_not_empty(options, store, read.games)?;
    let skipped = read.faults + found.skipped.len() as u64;
    Ok(InputCounts { games: read.games, skipped, left_out_moves })
}

fn read_bundled_games(options: &GrowArgs, store: &Store) -> anyhow::Result<u64> {
    let mut seeder = Seeder::new(options.seed());
    let mut fingerprint = Fingerprint::new();
    for line in TOURNAMENT_GAMES.lines() {
        // Books that exist already have the fingerprint of the moves alone.
        let moves = line.strip_prefix("startpos moves ").unwrap_or(line);
        fingerprint.add(moves.as_bytes());
        for record in parse_usi_games(line, Tolerance::Strict)?.records {
            seeder.add(&record)?;
        }
    }
    let fingerprint = fingerprint.number();
    let games = seeder.games();
    let input = Input { fingerprint, games, name: "bundled tournament games".to_owned() };
    let mut moves = seeder.moves().map(Change::from).peekable();
    if moves.peek().is_some() {
        store.merge_all([Change::Input(input)].into_iter().chain(moves))?;
    }
    Ok(games)
}

/// Fails if the book is empty.
fn ensure_not_empty(options: &GrowArgs, store: &Store, games: u64) -> anyhow::Result<()> {
    match (store.is_empty()?, games) {
        (false, _) => Ok(()),
        (true, 0) => bail!("no game and no book in the inputs, expected at least one"),
        (true, games) => bail!(
            "no move to start from: --max-ply {} and --min-games {} leave no move of {games} games",
            options.max_ply,
            options.min_games
        ),
    }
}

/// 77 games of public tournaments and servers between programs, or programs and people, as lines
/// `startpos moves …`.
pub const TOURNAMENT_GAMES: &str = include_str!("../data/tournament_games.usi");
