//! What the book is made from: games and other books.

use std::ffi::OsStr;
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{BufReader, Read as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use komadai::book::{
    AnalystId, Book, BookError, DbReader, Fingerprint, Input, LOG_HEADER, LogReader, Seeder,
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

/// Reads everything named, or else the bundled games if there is no book to go on with. What `known`
/// has read before is passed over.
pub(crate) fn read_inputs(options: &Options, known: &Book) -> anyhow::Result<(Book, InputCounts)> {
    let mut reader = Reader {
        options,
        known,
        seeder: Seeder::new(options.seed()),
        books: Book::new(),
        games: Vec::new(),
        counts: InputCounts::default(),
    };
    if options.inputs.is_empty() && known.is_empty() {
        reader.read_bundled_games()?;
    }
    for path in reader.files_of(&options.inputs)? {
        reader.read_file(&path)?;
    }
    let Reader { seeder, mut books, games, counts, .. } = reader;
    let seed = seeder.into_book();
    if known.is_empty() && books.is_empty() && seed.is_empty() {
        match counts.games {
            0 => bail!("nothing to begin with: no game and no book in what was named"),
            games => bail!(
                "nothing to begin with: --max-ply {} and --min-games {} leave no move of {games} games",
                options.max_ply,
                options.min_games
            ),
        }
    }
    // Games that left no move may be read again with other options.
    if !seed.is_empty() {
        games.into_iter().for_each(|input| books.add_input(input));
    }
    books.merge(&seed)?;
    Ok((books, counts))
}

struct Reader<'a> {
    options: &'a Options,
    known: &'a Book,
    seeder: Seeder,
    /// The books read, and where they came from.
    books: Book,
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
        let path = &self.best_source(named);
        let fingerprint = fingerprint_of(path)?;
        let is_known = |input: &Input| input.fingerprint == fingerprint;
        let mut inputs = self.known.inputs().iter().chain(self.books.inputs()).chain(&self.games);
        if inputs.any(is_known) {
            self.options.say(format_args!("{}: read before", path.display()));
            self.counts.known += 1;
            return Ok(());
        }
        let name = path.display().to_string();
        match lower_extension(path).as_str() {
            "db" => self.read_db(path)?,
            "log" => self.read_log(path)?,
            _ => {
                let games = self.read_games(path)?;
                self.note_games(Input { fingerprint, games, name });
                return Ok(());
            }
        }
        self.counts.sources += 1;
        self.books.add_input(Input { fingerprint, games: 0, name });
        Ok(())
    }

    /// The log beside a book, which knows more than the book, if there is one.
    fn best_source(&self, path: &Path) -> PathBuf {
        let log = path.with_extension("log");
        if lower_extension(path) == "db" && is_log(&log) {
            self.options.say(format_args!("reading {}, which knows more", log.display()));
            return log;
        }
        path.to_owned()
    }

    fn note_games(&mut self, input: Input) {
        self.counts.games += input.games;
        self.counts.sources += 1;
        self.games.push(input);
    }

    /// Tells of something that is passed over; strict reading refuses it.
    fn pass_over(&mut self, fault: anyhow::Error) -> anyhow::Result<()> {
        if self.options.strict {
            return Err(fault);
        }
        self.counts.skipped += 1;
        eprintln!("warning: {fault:#}");
        Ok(())
    }

    /// The files named, and the records and books in the folders named, in the order of their names.
    fn files_of(&mut self, named: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for path in named {
            if kind_of(path)?.is_dir() {
                self.find_files(path, &mut Vec::new(), &mut files)?;
            } else {
                files.push(path.clone());
            }
        }
        Ok(files)
    }

    /// Adds the records and books in a folder. `above` are the folders on the way here, none of which
    /// is entered again: links may lead back.
    fn find_files(
        &mut self,
        folder: &Path,
        above: &mut Vec<PathBuf>,
        files: &mut Vec<PathBuf>,
    ) -> anyhow::Result<()> {
        let cannot_read = || format!("cannot read {}", folder.display());
        let real = fs::canonicalize(folder).with_context(cannot_read)?;
        if above.contains(&real) {
            return Ok(());
        }
        let entries = fs::read_dir(folder).with_context(cannot_read)?;
        let inside = entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>();
        let mut inside = inside.with_context(cannot_read)?;
        inside.sort();
        above.push(real);
        for path in inside {
            match kind_of(&path) {
                Ok(kind) if kind.is_dir() => self.find_files(&path, above, files)?,
                Ok(_) if is_wanted(&path) => files.push(path),
                Ok(_) => {}
                Err(fault) => self.pass_over(fault)?,
            }
        }
        above.pop();
        Ok(())
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

fn kind_of(path: &Path) -> anyhow::Result<fs::FileType> {
    let data = fs::metadata(path).with_context(|| format!("cannot read {}", path.display()))?;
    Ok(data.file_type())
}

/// Whether a file in a folder is read: a record, a list of games, a book, or the log of a book without
/// a book beside it.
fn is_wanted(path: &Path) -> bool {
    match lower_extension(path).as_str() {
        "csa" | "sfen" | "usi" | "txt" | "db" => true,
        "log" => is_log(path) && !path.with_extension("db").exists(),
        _ => false,
    }
}

fn lower_extension(path: &Path) -> String {
    path.extension().and_then(OsStr::to_str).unwrap_or_default().to_ascii_lowercase()
}

/// Whether the file begins as the log of a book does.
fn is_log(path: &Path) -> bool {
    let Ok(file) = File::open(path) else { return false };
    let mut beginning = Vec::new();
    let read = file.take(LOG_HEADER.len() as u64).read_to_end(&mut beginning);
    read.is_ok() && beginning == LOG_HEADER.as_bytes()
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
