//! `book import`: games, books and logs for a working book.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::ensure;
use clap::{Args, ValueEnum};
use komadai::book::store::{
    FileImport, FileOutcome, FilesImport, ImportEvent, ImportOptions, Store,
};
use komadai::book::{FileKind, InputError, InputFile, Merged, SeedOptions, SeedSides, find_inputs};
use komadai_console::{Counter, FileNotes, note, print_json, stdout, tolerance, warn_of_import};
use serde_json::{Value, json};

use crate::book::files::output::lost_json;
use crate::book::files::source::without_empty_rest;

/// Add games, books, text logs and other working books to a working book.
///
/// Games are records in CSA, KIF, KI2, JKF or USEN, also in archives (.gz, .zip, .7z), or lists in USI,
/// one game a line, with BookMiner's options (`game_ply_limit` is obeyed; `book_extend_ply` and
/// `eval_limit` concern `book grow --start-positions` and are only counted here). They add the moves that were made with
/// their numbers of games; variations are counted, but not read. Books (.db, .ybb, .bin, .sbk) add
/// moves and values, which are logged as imported from the file. Text logs and working books
/// (.kbook) add evaluations with their engines. Folders are searched; a .kbook or .log beside a .db
/// of the same name is read in its place. Inputs that have been read before, under any name, are
/// skipped.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    komadai book import seed.kbook floodgate/2025/ --min-rating 3800 --min-games 5 --max-ply 40\n  \
    komadai book import grown.kbook user_book1.db old/book.log\n\n\
    Exit codes: 0 done, 1 failed or moves of games were left out, 2 bad usage.")]
pub(crate) struct Options {
    /// Working book; created if it does not exist.
    store: PathBuf,
    /// Files, and folders of files.
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// Number of the first move read from each game.
    #[arg(long, default_value_t = 1)]
    min_ply: u32,
    /// Number of the last move read from each game.
    #[arg(long, default_value_t = 24)]
    max_ply: u32,
    /// Players whose moves are read; a draw or a game without a known result has no winner.
    #[arg(long, value_enum, default_value_t = Sides::Both)]
    sides: Sides,
    /// Minimum rating of both players, as recorded by floodgate; games without ratings are skipped.
    #[arg(long)]
    min_rating: Option<u32>,
    /// Minimum number of games per move, among the games read now.
    #[arg(long, default_value_t = 1)]
    min_games: u32,
    /// Minimum share of a move among the games that reached its position, in per cent.
    #[arg(long, default_value_t = 0)]
    min_share_percent: u32,
    /// Refuse faulty input instead of skipping and counting its faults.
    #[arg(long)]
    strict: bool,
    /// Print one JSON object, and nothing else, on standard output.
    #[arg(long)]
    json: bool,
}

/// The players whose moves are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Sides {
    /// Both players.
    Both,
    /// The winner.
    Winner,
}

impl Options {
    fn seed(&self) -> SeedOptions {
        SeedOptions {
            min_ply: self.min_ply,
            max_ply: self.max_ply,
            sides: match self.sides {
                Sides::Both => SeedSides::Both,
                Sides::Winner => SeedSides::Winner,
            },
            min_rating: self.min_rating,
            min_games: self.min_games,
            min_share_percent: self.min_share_percent,
        }
    }
}

impl Options {
    /// Returns a book that was named itself in place of the working book, if this one is found
    /// beside it.
    fn as_named(&self, file: InputFile) -> Result<InputFile, InputError> {
        let real = |path: &Path| std::fs::canonicalize(path).ok();
        let is_itself = real(&file.path).is_some_and(|path| Some(path) == real(&self.store));
        match file.stands_for {
            Some(path) if is_itself && self.inputs.contains(&path) => {
                Ok(InputFile { kind: FileKind::of_file(&path)?, path, stands_for: None })
            }
            _ => Ok(file),
        }
    }
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let tolerance = tolerance(options.strict);
    let found = find_inputs(&options.inputs, tolerance)?;
    found.skipped.iter().for_each(|fault| note!("warning: {fault}"));
    ensure!(!found.files.is_empty(), "no game, book or log in the inputs, expected at least one");
    let files = found.files.into_iter().map(|file| options.as_named(file));
    let files = files.collect::<Result<Vec<_>, _>>()?;
    let wanted = ImportOptions { seed: options.seed(), tolerance };
    without_empty_rest(&options.store, || {
        let store = Store::open_or_create(&options.store)?;
        import(&store, &files, &wanted, Report::new(options.json))
    })
}

/// The report of an import.
pub(crate) enum Report {
    /// Lines on standard output, one a file; the first fault in printing them, which ends no
    /// import.
    Text(io::Result<()>),
    /// One object at the end, with these files.
    Json(Vec<Value>),
}

/// Adds files to a working book and prints a report.
pub(crate) fn import(
    store: &Store,
    files: &[InputFile],
    options: &ImportOptions,
    mut report: Report,
) -> anyhow::Result<()> {
    let (mut counter, mut notes) = (None, FileNotes::default());
    let mut faulty = 0;
    let mut has_content = false;
    let read = store.import_files(files, options, &mut |event| {
        notes.note(&event).iter().for_each(|note| note!("{note}"));
        match event {
            ImportEvent::Record(_) => {
                counter.get_or_insert_with(|| Counter::new("importing")).tick();
            }
            ImportEvent::Done(file, import) => {
                counter.take().iter().for_each(Counter::finish);
                warn_of_import(file, import);
                faulty += u64::from(import.faults > 0);
                has_content |= is_read(import);
                report.file(file, import);
            }
            _ => {}
        }
    })?;
    notes.rest().iter().for_each(|note| note!("{note}"));
    report.finish(store, &read)?;
    ensure!(
        has_content || faulty == 0,
        "nothing could be read: {faulty} of the inputs have faults"
    );
    ensure!(
        read.lost_moves == 0,
        "{} moves of games were left out, because a move cannot be made; the others are imported",
        read.lost_moves
    );
    Ok(())
}

/// Returns whether an input had content: games, positions, moves or evaluations, new or read
/// before.
fn is_read(import: &FileImport) -> bool {
    match import.outcome {
        FileOutcome::Games(games) => games > 0,
        FileOutcome::Merged(merged) => merged != Merged::default(),
        _ => true,
    }
}

impl Report {
    /// Creates an empty report.
    pub(crate) fn new(is_json: bool) -> Self {
        if is_json { Self::Json(Vec::new()) } else { Self::Text(Ok(())) }
    }

    fn file(&mut self, file: &InputFile, import: &FileImport) {
        match self {
            Self::Json(files) => files.push(file_json(file, import)),
            Self::Text(printed @ Ok(())) => *printed = print_file(file, import),
            Self::Text(Err(_)) => {}
        }
    }

    fn finish(self, store: &Store, read: &FilesImport) -> io::Result<()> {
        if read.games_for_growing > 0 {
            note!(
                "note: {} games have the options book_extend_ply or eval_limit, which only `book grow --start-positions` uses",
                read.games_for_growing
            );
        }
        if read.variations > 0 {
            let plural = if read.variations == 1 { "" } else { "s" };
            note!("note: {} variation{plural} of games not read", read.variations);
        }
        if read.games > 0 && read.from_games.is_none() {
            note!(
                "warning: the options leave no move of {} games; these count as not read",
                read.games
            );
        }
        match (self, read.from_games) {
            (Self::Json(files), _) => print_json(&to_json(store, files, read)),
            (Self::Text(printed), Some(merged)) => {
                let FilesImport { games, games_skipped, .. } = read;
                printed?;
                writeln!(
                    stdout(),
                    "{games} games, {games_skipped} of them left out for rating or result"
                )?;
                print_merged(store.path(), merged)
            }
            (Self::Text(printed), None) => printed,
        }
    }
}

fn print_file(file: &InputFile, import: &FileImport) -> io::Result<()> {
    if let FileOutcome::Merged(merged) = import.outcome {
        print_merged(&file.path, merged)?;
    }
    if import.jobs_done > 0 {
        writeln!(stdout(), "  jobs of the queue that are done now: {}", import.jobs_done)?;
    }
    for (what, count) in import.lost.kinds().filter(|&(_, count)| count > 0) {
        writeln!(stdout(), "  left out, as a working book has no place for it: {what}: {count}")?;
    }
    Ok(())
}

fn print_merged(path: &Path, merged: Merged) -> io::Result<()> {
    writeln!(
        stdout(),
        "{}: {} positions, {} moves, {} evaluations are new",
        path.display(),
        merged.positions,
        merged.moves,
        merged.evaluations
    )
}

fn to_json(store: &Store, files: Vec<Value>, read: &FilesImport) -> Value {
    json!({
        "store": store.path().display().to_string(),
        "files": files,
        "games": read.games,
        "games_left_out": read.games_skipped,
        "from_games": read.from_games.map(merged_json),
        "faults": read.faults,
        "lost_moves": read.lost_moves,
        "variations_not_read": read.variations,
    })
}

fn file_json(file: &InputFile, import: &FileImport) -> Value {
    let (outcome, games, merged) = match import.outcome {
        FileOutcome::Games(games) => ("games", Some(games), None),
        FileOutcome::Merged(merged) => ("merged", None, Some(merged)),
        FileOutcome::ReadBefore => ("read before", None, None),
        _ => ("the book itself", None, None),
    };
    json!({
        "path": file.path.display().to_string(),
        "outcome": outcome,
        "games": games,
        "merged": merged.map(merged_json),
        "faults": import.faults,
        "unreached": import.unreached,
        "jobs_done": import.jobs_done,
        "lost": lost_json(&import.lost),
    })
}

fn merged_json(merged: Merged) -> Value {
    let Merged { positions, moves, evaluations, .. } = merged;
    json!({ "positions": positions, "moves": moves, "evaluations": evaluations })
}
