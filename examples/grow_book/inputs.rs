//! What the book is made from: games and other books.

use std::ffi::OsStr;
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{BufReader, Read as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use komadai::book::{
    AnalystId, Book, BookError, DbReader, Fingerprint, Input, LogReader, LoggedBook, Seeder,
};
use komadai::kifu::{GameReader, KifuError, Skipped, Tolerance, parse_usi_games};
use komadai_testdata::games;

use crate::options::Options;

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

/// Reads everything named, or else the bundled games, into the book.
pub(crate) fn read_inputs(options: &Options, book: &mut LoggedBook) -> anyhow::Result<InputCounts> {
    let mut reader = Reader {
        options,
        seeder: Seeder::new(options.seed()),
        books: Book::new(),
        counts: InputCounts::default(),
    };
    if options.inputs.is_empty() && book.book().is_empty() {
        reader.read_bundled_games()?;
    }
    for path in files_of(&options.inputs)? {
        reader.read_file(&path, book.book())?;
    }
    let Reader { seeder, mut books, counts, .. } = reader;
    books.merge(&seeder.into_book())?;
    book.merge(&books)?;
    if book.book().is_empty() {
        bail!("nothing to begin with: no game and no book in what was named");
    }
    Ok(counts)
}

struct Reader<'o> {
    options: &'o Options,
    seeder: Seeder,
    /// The books read, and what has been read in all.
    books: Book,
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
        self.note(Input { fingerprint, games, name: "bundled tournament games".to_owned() });
        Ok(())
    }

    fn read_file(&mut self, path: &Path, known: &Book) -> anyhow::Result<()> {
        let fingerprint = fingerprint_of(path)?;
        let is_known = |input: &Input| input.fingerprint == fingerprint;
        if known.inputs().iter().chain(self.books.inputs()).any(is_known) {
            self.options.say(format_args!("{}: read before", path.display()));
            self.counts.known += 1;
            return Ok(());
        }
        let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
        let games = match extension.to_ascii_lowercase().as_str() {
            "db" => self.read_db(path).map(|()| 0),
            "log" => self.read_log(path).map(|()| 0),
            _ => self.read_games(path),
        }?;
        self.note(Input { fingerprint, games, name: path.display().to_string() });
        Ok(())
    }

    fn note(&mut self, input: Input) {
        self.counts.games += input.games;
        self.counts.sources += 1;
        self.books.add_input(input);
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

    fn read_db(&mut self, path: &Path) -> anyhow::Result<()> {
        let log = path.with_extension("log");
        if log.exists() {
            self.options.say(format_args!("reading {}, which knows more", log.display()));
            return self.read_log(&log);
        }
        let mut read = Book::new();
        let analyst = AnalystId::new(path.display().to_string(), "");
        let import = DbReader::new(open(path)?, self.options.tolerance())
            .read_into_as(&mut read, &analyst)
            .map_err(|error| in_file(path, error.line(), error.column(), &error))?;
        self.counts.skipped += import.skipped.count();
        warn_of(path, &import.skipped);
        self.books.merge(&read)?;
        Ok(())
    }

    fn read_log(&mut self, path: &Path) -> anyhow::Result<()> {
        let mut read = Book::new();
        let import = LogReader::new(open(path)?, self.options.tolerance())
            .read_into(&mut read)
            .map_err(|error| in_file(path, error.line(), error.column(), &error))?;
        self.counts.skipped += import.skipped.count();
        warn_of(path, &import.skipped);
        self.books.merge(&read)?;
        Ok(())
    }
}

/// Prints the first faults that were skipped, and how many there are.
pub(crate) fn warn_of<E: Located>(path: &Path, skipped: &Skipped<E>) {
    for fault in skipped.first().iter().take(PRINTED_FAULTS) {
        let (line, column) = fault.place();
        eprintln!("warning: {:#}", in_file(path, line, column, fault));
    }
    if skipped.count() > PRINTED_FAULTS as u64 {
        eprintln!("warning: {}: {} faults skipped in all", path.display(), skipped.count());
    }
}

/// A fault with a place.
pub(crate) trait Located: Display {
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

/// The files named, and the records and books in the folders named, in the order of their names.
fn files_of(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        let cannot_read = || format!("cannot read {}", path.display());
        if !fs::metadata(path).with_context(cannot_read)?.is_dir() {
            files.push(path.clone());
            continue;
        }
        let entries = fs::read_dir(path).with_context(cannot_read)?;
        let mut inside = entries
            .map(|entry| Ok(entry?.path()))
            .collect::<std::io::Result<Vec<_>>>()
            .with_context(cannot_read)?;
        inside.sort();
        inside.retain(|path| path.is_dir() || has_known_extension(path));
        files.extend(files_of(&inside)?);
    }
    Ok(files)
}

fn has_known_extension(path: &Path) -> bool {
    let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    ["csa", "sfen", "usi", "txt", "db"].contains(&extension.to_ascii_lowercase().as_str())
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
