//! `book import`: games, books and logs into a working book.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, ensure};
use clap::{Args, ValueEnum};
use komadai::book::{
    BookSource, Change, Fingerprint, GameListReader, Input, InputKind, Merged, SeedOptions,
    SeedSides, Seeder, Store, find_inputs, log_beside,
};
use komadai::kifu::{GameReader, Record};

use crate::counted::counted;
use crate::output::imported_from;
use crate::source::{tolerance, warn_of_faults, warn_of_source};

/// Adds games, books and text logs to a working book, each input exactly once.
///
/// Games are records in CSA or lists in USI, one a line, with BookMiner's options (`game_ply_limit` is
/// obeyed; `book_extend_ply` and `eval_limit` are for growing, and only counted here); they give moves, and in
/// how many games each was made. Books (.db, .ybb, .bin, .sbk) also give values, which are logged as imported
/// from the file. Text logs keep who judged. Folders are searched; a .log beside a .db is read in its place.
/// What has been read before, under whatever name, is passed over.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    book import seed.kbook floodgate/2025/ --min-rating 3800 --min-games 5 --max-ply 40\n  \
    book import grown.kbook user_book1.db old/book.log")]
pub(crate) struct Options {
    /// The working book; a new one is made if there is no file.
    store: PathBuf,
    /// Files, and folders of them.
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// The first move of each game that is taken.
    #[arg(long, default_value_t = 1)]
    min_ply: u32,
    /// The last move of each game that is taken.
    #[arg(long, default_value_t = 24)]
    max_ply: u32,
    /// Whose moves are taken; of draws and of games without a known result the winner has none.
    #[arg(long, value_enum, default_value_t = Sides::Both)]
    sides: Sides,
    /// What both players must be rated at least, as floodgate's records say; games that do not say it are
    /// left out.
    #[arg(long)]
    min_rating: Option<u32>,
    /// In how many games, of all that are read now, a move must have been made.
    #[arg(long, default_value_t = 1)]
    min_games: u32,
    /// In how many of a hundred games that came through the position a move must have been made.
    #[arg(long, default_value_t = 0)]
    min_share_percent: u32,
    /// Refuse faulty input instead of skipping and counting its faults.
    #[arg(long)]
    strict: bool,
}

/// Whose moves are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Sides {
    /// Both players'.
    Both,
    /// The winner's.
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

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let found = find_inputs(&options.inputs, tolerance(options.strict))?;
    found.passed_over.iter().for_each(|fault| eprintln!("warning: {fault}"));
    ensure!(!found.files.is_empty(), "no game, book or log in what was named");
    let inputs = found
        .files
        .into_iter()
        .map(best_source)
        .map(|path| InputKind::of_file(&path).map(|kind| (kind, path)));
    // What cannot be read at all is known before anything has changed.
    let inputs = inputs.collect::<Result<Vec<_>, _>>()?;
    let store = Store::open_or_create(&options.store)?;
    let mut import = Import {
        options,
        known: store.inputs()?.iter().map(|input| input.fingerprint).collect(),
        store: &store,
        seeder: Seeder::new(options.seed()),
        games: Vec::new(),
        unused_options: 0,
    };
    for (kind, path) in &inputs {
        import.read(*kind, path)?;
    }
    import.finish_games()
}

/// The log beside a book, which knows more than the book.
fn best_source(path: PathBuf) -> PathBuf {
    let Some(log) = log_beside(&path) else { return path };
    eprintln!("reading {}, which knows more than {}", log.display(), path.display());
    log
}

struct Import<'a> {
    options: &'a Options,
    store: &'a Store,
    /// The fingerprints of what has been read.
    known: Vec<u64>,
    /// All games: how frequent a move is, they say together.
    seeder: Seeder,
    games: Vec<Input>,
    /// Games with options that only growing has a use for.
    unused_options: u64,
}

impl Import<'_> {
    fn read(&mut self, kind: InputKind, path: &Path) -> anyhow::Result<()> {
        let fingerprint = Fingerprint::of_file(path)?.number();
        if self.known.contains(&fingerprint) {
            eprintln!("{}: read before", path.display());
            return Ok(());
        }
        let mut input = Input { fingerprint, games: 0, name: path.display().to_string() };
        match kind {
            InputKind::Games => {
                let before = self.seeder.games();
                self.read_games(path)?;
                input.games = self.seeder.games() - before;
                self.games.push(input);
            }
            InputKind::Book(_) => self.read_book(&input, path)?,
            InputKind::Log => {
                crate::log::import(self.store, path, self.options.strict)?;
            }
            other => return Err(anyhow!("{}: {other:?} cannot be imported", path.display())),
        }
        self.known.push(fingerprint);
        Ok(())
    }

    fn read_book(&self, input: &Input, path: &Path) -> anyhow::Result<()> {
        let tolerance = tolerance(self.options.strict);
        let mut source = BookSource::open(path, tolerance)?;
        let analyst = imported_from(path);
        let records = counted("importing", source.by_ref());
        let imported = self.store.import_records(input, &analyst, records, tolerance)?;
        warn_of_source(&source);
        let Some(import) = imported else { return Ok(()) };
        warn_of_faults(path, import.refused.count(), &import.refused);
        tell(path, import.merged);
        for (what, count) in import.lost.kinds().filter(|&(_, count)| count > 0) {
            println!("  left out, as a working book has no place for it: {what}: {count}");
        }
        Ok(())
    }

    fn read_games(&mut self, path: &Path) -> anyhow::Result<()> {
        let in_file = || path.display().to_string();
        let tolerance = tolerance(self.options.strict);
        let open = || anyhow::Ok(BufReader::new(File::open(path).with_context(in_file)?));
        let games = GameReader::new(open()?, tolerance).with_context(in_file)?;
        match games {
            GameReader::Csa(mut games) => {
                for record in games.by_ref() {
                    self.add(path, &record.with_context(in_file)?, u32::MAX)?;
                }
                warn_of_faults(path, games.skipped().count(), games.skipped());
            }
            _ => {
                let mut games = GameListReader::new(open()?, tolerance);
                for game in games.by_ref() {
                    let game = game.with_context(in_file)?;
                    let is_for_growing =
                        game.options.book_extend_ply.is_some() || game.options.eval_limit.is_some();
                    self.unused_options += u64::from(is_for_growing);
                    let last = game.options.game_ply_limit.unwrap_or(u32::MAX);
                    self.add(path, &game.record, last)?;
                }
                warn_of_faults(path, games.skipped().count(), games.skipped());
                let options = games.skipped_options();
                warn_of_faults(path, options.count(), options);
            }
        }
        Ok(())
    }

    fn add(&mut self, path: &Path, record: &Record, last: u32) -> anyhow::Result<()> {
        let taken = self.seeder.add_until(record, last);
        // A lenient reader has told of what breaks a rule already.
        match self.options.strict {
            true => taken.with_context(|| path.display().to_string()),
            false => Ok(()),
        }
    }

    /// Adds the moves of all games together with the note that they have been read.
    fn finish_games(self) -> anyhow::Result<()> {
        if self.unused_options > 0 {
            eprintln!(
                "note: {} games say book_extend_ply or eval_limit, which is for growing, not done here",
                self.unused_options
            );
        }
        if self.games.is_empty() {
            return Ok(());
        }
        let (games, left_out) = (self.seeder.games(), self.seeder.left_out());
        let mut changes: Vec<Change> = self.seeder.moves().map(Change::from).collect();
        if changes.is_empty() {
            // They may be read again with other options.
            eprintln!(
                "warning: the options leave no move of {games} games; they count as not read"
            );
            return Ok(());
        }
        changes.extend(self.games.into_iter().map(Change::Input));
        let merged = self.store.merge_batch(&changes)?;
        println!("{games} games, {left_out} of them left out for rating or result");
        tell(self.store.path(), merged);
        Ok(())
    }
}

fn tell(path: &Path, merged: Merged) {
    println!(
        "{}: {} positions, {} moves, {} evaluations are new",
        path.display(),
        merged.positions,
        merged.moves,
        merged.evaluations
    );
}
