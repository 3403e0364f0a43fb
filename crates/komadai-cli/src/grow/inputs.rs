//! What the book is made from: the bundled games, or what was named.

use anyhow::bail;
use komadai::book::store::{Change, ImportEvent, ImportOptions, Store};
use komadai::book::{Fingerprint, Input, InputFiles, Seeder, find_inputs};
use komadai::kifu::{Tolerance, parse_usi_games};
use komadai_testdata::games;

use crate::options::Options;
use crate::warnings::{FileNotes, warn_of_import};

/// What was read in this run.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct InputCounts {
    /// The number of games.
    pub games: u64,
    /// The number of faults skipped.
    pub skipped: u64,
}

/// Finds the files that were named.
pub(crate) fn find(options: &Options) -> anyhow::Result<InputFiles> {
    let found = find_inputs(&options.inputs, options.tolerance())?;
    found.passed_over.iter().for_each(|fault| eprintln!("warning: {fault}"));
    Ok(found)
}

/// Reads these files into the book, or else the bundled games if there is nothing to go on with.
pub(crate) fn read(
    options: &Options,
    found: &InputFiles,
    store: &Store,
) -> anyhow::Result<InputCounts> {
    if options.inputs.is_empty() && store.is_empty()? {
        let games = read_bundled_games(options, store)?;
        check(options, store, games)?;
        return Ok(InputCounts { games, skipped: 0 });
    }
    let wanted = ImportOptions { seed: options.seed(), tolerance: options.tolerance() };
    let mut notes = FileNotes::default();
    let read = store.import_files(&found.files, &wanted, &mut |event| {
        notes.hear(&event).iter().for_each(|note| options.say(format_args!("{note}")));
        if let ImportEvent::Done(file, import) = event {
            warn_of_import(file, import);
        }
    })?;
    notes.rest().iter().for_each(|note| options.say(format_args!("{note}")));
    check(options, store, read.games)?;
    Ok(InputCounts { games: read.games, skipped: read.faults + found.passed_over.len() as u64 })
}

fn read_bundled_games(options: &Options, store: &Store) -> anyhow::Result<u64> {
    let (mut seeder, mut fingerprint) = (Seeder::new(options.seed()), Fingerprint::new());
    for game in games::tournament() {
        fingerprint.add(game.moves.as_bytes());
        let line = format!("startpos moves {}", game.moves);
        for record in parse_usi_games(line, Tolerance::Strict)?.records {
            seeder.add(&record)?;
        }
    }
    let (fingerprint, games) = (fingerprint.number(), seeder.games());
    let input = Input { fingerprint, games, name: "bundled tournament games".to_owned() };
    let mut moves = seeder.moves().map(Change::from).peekable();
    if moves.peek().is_some() {
        store.merge_all([Change::Input(input)].into_iter().chain(moves))?;
    }
    Ok(games)
}

/// Refuses a book without anything in it.
fn check(options: &Options, store: &Store, games: u64) -> anyhow::Result<()> {
    match (store.is_empty()?, games) {
        (false, _) => Ok(()),
        (true, 0) => bail!("nothing to begin with: no game and no book in what was named"),
        (true, games) => bail!(
            "nothing to begin with: --max-ply {} and --min-games {} leave no move of {games} games",
            options.max_ply,
            options.min_games
        ),
    }
}
