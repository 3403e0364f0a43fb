//! What the book is made from: games and other books.

use std::collections::HashSet;
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{BufReader, Read as _};
use std::path::Path;

use anyhow::{Context as _, bail};
use komadai::book::{
    AnalystId, BookError, BookFile, BookFileError, BookRecord, Change, DbReader, Fingerprint,
    Input, KnownMove, Seeder, Store, StoreError,
};
use komadai::kifu::{GameReader, KifuError, Skipped, Tolerance, parse_usi_games};
use komadai_testdata::games;

use crate::input_files::{InputFiles, better_source, lower_extension};
use crate::options::Options;
use crate::working_input;

/// How many faults of a file are printed.
const PRINTED_FAULTS: usize = 5;

/// What was read in this run.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct InputCounts {
    /// The number of games.
    pub games: u64,
    /// The number of files and other sources.
    pub sources: usize,
    /// The number of sources that had been read before.
    pub known: usize,
    /// The number of faults skipped.
    pub skipped: u64,
}

/// Reads these files into the book, or else the bundled games if there is nothing to go on with. What has
/// been read before is passed over.
///
/// Each book is one step, and so are all games together, of which only what is frequent counts: a source
/// has been read and its games are counted, or neither, whenever the process ends.
pub(crate) fn read_inputs(
    options: &Options,
    files: &InputFiles,
    store: &Store,
) -> anyhow::Result<InputCounts> {
    let mut reader = Reader {
        options,
        store,
        known: store.inputs()?.iter().map(|input| input.fingerprint).collect(),
        seeder: Seeder::new(options.seed()),
        games: Vec::new(),
        counts: InputCounts { skipped: files.skipped, ..InputCounts::default() },
    };
    if options.inputs.is_empty() && store.is_empty()? {
        reader.read_bundled_games()?;
    }
    files.paths.iter().try_for_each(|path| reader.read_file(path))?;
    reader.finish()
}

struct Reader<'a> {
    options: &'a Options,
    store: &'a Store,
    /// The fingerprints of what has been read, now and before.
    known: HashSet<u64>,
    seeder: Seeder,
    /// Where games came from.
    games: Vec<Input>,
    counts: InputCounts,
}

impl Reader<'_> {
    fn read_bundled_games(&mut self) -> anyhow::Result<()> {
        let mut fingerprint = Fingerprint::new();
        for game in games::tournament() {
            fingerprint.add(game.moves.as_bytes());
            let line = format!("startpos moves {}", game.moves);
            for record in parse_usi_games(line, Tolerance::Strict)?.records {
                self.seeder.add(&record)?;
            }
        }
        let (fingerprint, games) = (fingerprint.number(), self.seeder.games());
        self.note_games(Input { fingerprint, games, name: "bundled tournament games".to_owned() });
        Ok(())
    }

    fn read_file(&mut self, named: &Path) -> anyhow::Result<()> {
        let better = better_source(named);
        if let Some(better) = &better {
            self.options.say(format_args!("reading {}, which knows more", better.display()));
        }
        let path = better.as_deref().unwrap_or(named);
        let extension = lower_extension(path);
        if extension == "kbook" {
            return self.read_working_book(path);
        }
        let fingerprint = fingerprint_of(path)?;
        if !self.is_new(fingerprint, path) {
            return Ok(());
        }
        let input = Input { fingerprint, games: 0, name: path.display().to_string() };
        match extension.as_str() {
            "db" | "ybb" | "bin" | "sbk" => self.read_book(path, &input)?,
            "log" => self.read_log(path)?,
            _ => {
                let games = self.read_games(path)?;
                self.note_games(Input { games, ..input });
                return Ok(());
            }
        }
        self.counts.sources += 1;
        Ok(())
    }

    /// Whether a source has not been read before; if it has, that is told.
    fn is_new(&mut self, fingerprint: u64, path: &Path) -> bool {
        let is_new = self.known.insert(fingerprint);
        if !is_new {
            self.options.say(format_args!("{}: read before", path.display()));
            self.counts.known += 1;
        }
        is_new
    }

    fn note_games(&mut self, input: Input) {
        self.counts.games += input.games;
        self.counts.sources += 1;
        self.games.push(input);
    }

    /// Takes over what the games have in common.
    fn finish(self) -> anyhow::Result<InputCounts> {
        let Self { options, store, seeder, games, counts, .. } = self;
        let mut moves = seeder.moves().peekable();
        // Games that left no move may be read again with other options.
        if moves.peek().is_some() {
            let moves = moves.map(|seeded| {
                let (position, m, games) = (seeded.position, seeded.m, seeded.games);
                Change::Move(KnownMove { position, m, ponder: None, games })
            });
            store.merge_all(games.into_iter().map(Change::Input).chain(moves))?;
        }
        if store.is_empty()? {
            match counts.games {
                0 => bail!("nothing to begin with: no game and no book in what was named"),
                games => bail!(
                    "nothing to begin with: --max-ply {} and --min-games {} leave no move of {games} games",
                    options.max_ply,
                    options.min_games
                ),
            }
        }
        Ok(counts)
    }

    fn read_games(&mut self, path: &Path) -> anyhow::Result<u64> {
        let fault = |error: KifuError| in_file(path, Some(error.line()), error.column(), &error);
        let mut games = GameReader::new(open(path)?, self.options.tolerance()).map_err(fault)?;
        let before = self.seeder.games();
        for record in games.by_ref() {
            let record = record.map_err(fault)?;
            // A lenient reader has told of fouls already, a strict one has stopped there.
            let _ = self.seeder.add(&record);
        }
        self.counts.skipped += games.skipped().count();
        warn_of(path, games.skipped());
        Ok(self.seeder.games() - before)
    }

    /// Reads a book file; its values are analyses by whoever made it.
    fn read_book(&mut self, path: &Path, input: &Input) -> anyhow::Result<()> {
        let mut changes = Vec::new();
        if lower_extension(path) == "db" {
            let mut book = DbReader::new(open(path)?, self.options.tolerance());
            for record in book.by_ref() {
                let fault = |error: BookError| in_file(path, error.line(), error.column(), &error);
                self.take_record(path, &record.map_err(fault)?, &mut changes)?;
            }
            self.counts.skipped += book.skipped().count();
            warn_of(path, book.skipped());
        } else {
            let fault = |error: BookFileError| in_file(path, None, None, &error);
            let mut book = BookFile::open(path, self.options.tolerance()).map_err(fault)?;
            for record in book.by_ref() {
                self.take_record(path, &record.map_err(fault)?, &mut changes)?;
            }
            self.counts.skipped += book.skipped();
            for line in book.skipped_lines().lines().take(PRINTED_FAULTS) {
                eprintln!("warning: {}: {line}", path.display());
            }
        }
        self.store.merge_input(input, &changes)?;
        Ok(())
    }

    fn take_record(
        &mut self,
        path: &Path,
        record: &BookRecord,
        changes: &mut Vec<Change>,
    ) -> anyhow::Result<()> {
        // Asking for a position tells whether a book can hold it.
        match self.store.position(&record.position) {
            Err(StoreError::Entry(error)) => {
                self.options.pass_over(in_file(path, None, None, &error))?;
                self.counts.skipped += 1;
            }
            Err(error) => return Err(error.into()),
            Ok(_) => {
                let analyst = AnalystId::new(format!("imported from {}", path.display()), "");
                changes.extend(Change::of_record(record, &analyst));
            }
        }
        Ok(())
    }

    fn read_log(&mut self, path: &Path) -> anyhow::Result<()> {
        let name = path.display().to_string();
        let fault = |error| match error {
            StoreError::Text(error) => in_file(path, error.line(), error.column(), &error),
            error => error.into(),
        };
        let import = self.store.import_log(open(path)?, &name, self.options.tolerance());
        if let Some(import) = import.map_err(fault)? {
            self.counts.skipped += import.skipped.count();
            warn_of(path, &import.skipped);
        }
        Ok(())
    }

    fn read_working_book(&mut self, path: &Path) -> anyhow::Result<()> {
        let real = |path| fs::canonicalize(path).ok();
        if real(path) == real(self.store.path()) {
            self.options.say(format_args!("{}: the book itself", path.display()));
            return Ok(());
        }
        let other = Store::open_to_read(path)?;
        // The file changes whenever it is opened, what is in it does not.
        let fingerprint = other.fingerprint()?.number();
        if self.is_new(fingerprint, path) {
            let input = Input { fingerprint, games: 0, name: path.display().to_string() };
            self.store.merge_input(&input, &working_input::changes_of(&other)?)?;
            self.counts.sources += 1;
        }
        Ok(())
    }
}

/// Prints the first faults that were skipped, and how many there are.
fn warn_of<E: Located>(path: &Path, skipped: &Skipped<E>) {
    for fault in skipped.first().iter().take(PRINTED_FAULTS) {
        let (line, column) = fault.place();
        eprintln!("warning: {:#}", in_file(path, line, column, fault));
    }
    if skipped.count() > PRINTED_FAULTS as u64 {
        eprintln!("warning: {}: {} faults skipped in all", path.display(), skipped.count());
    }
}

/// A fault with a place.
trait Located: Display {
    /// Line and column.
    fn place(&self) -> (Option<u64>, Option<usize>);
}

impl Located for KifuError {
    fn place(&self) -> (Option<u64>, Option<usize>) {
        (Some(self.line()), self.column())
    }
}

impl Located for BookError {
    fn place(&self) -> (Option<u64>, Option<usize>) {
        (self.line(), self.column())
    }
}

/// A fault as compilers write it: `file:line:column: what is wrong`.
fn in_file(
    path: &Path,
    line: Option<u64>,
    column: Option<usize>,
    fault: &dyn Display,
) -> anyhow::Error {
    let (text, path) = (fault.to_string(), path.display());
    let place = match (line, column) {
        (Some(line), Some(column)) => format!("line {line}, column {column}: "),
        (Some(line), None) => format!("line {line}: "),
        (None, _) => String::new(),
    };
    let what = text.strip_prefix(&place).unwrap_or(&text);
    match (line, column) {
        (Some(line), Some(column)) => anyhow::anyhow!("{path}:{line}:{column}: {what}"),
        (Some(line), None) => anyhow::anyhow!("{path}:{line}: {what}"),
        (None, _) => anyhow::anyhow!("{path}: {what}"),
    }
}

fn open(path: &Path) -> anyhow::Result<BufReader<File>> {
    let file = File::open(path).with_context(|| format!("cannot open {}", path.display()))?;
    Ok(BufReader::new(file))
}

fn fingerprint_of(path: &Path) -> anyhow::Result<u64> {
    let mut fingerprint = Fingerprint::new();
    let mut file = open(path)?;
    let mut buffer = vec![0; 1 << 16];
    loop {
        let read =
            file.read(&mut buffer).with_context(|| format!("cannot read {}", path.display()))?;
        if read == 0 {
            return Ok(fingerprint.number());
        }
        fingerprint.add(&buffer[..read]);
    }
}
