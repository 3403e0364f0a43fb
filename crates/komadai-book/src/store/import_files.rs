//! Taking in files of whatever kind.

use std::collections::HashSet;
use std::fmt::Display;
use std::fs::{self, File};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use komadai_kifu::{GameReader, Record, Tolerance};

use super::{Change, ImportError, Store, StoreError};
use crate::analyst::AnalystId;
use crate::book_source::{BookSource, BookSourceError};
use crate::fingerprint::Fingerprint;
use crate::game_list::GameListReader;
use crate::games::GameError;
use crate::input::Input;
use crate::inputs::{InputFile, InputFileError, InputKind};
use crate::list_error::ListError;
use crate::merge::Merged;
use crate::seed::{SeedOptions, Seeder};
use komadai_bookfile::{ConversionLoss, EntryError};

/// How files are taken in.
#[derive(Debug, Clone, Copy, Default)]
pub struct ImportOptions {
    /// Which moves of games are taken.
    pub seed: SeedOptions,
    /// Whether faulty files are refused.
    pub tolerance: Tolerance,
}

/// What is heard while files are taken in.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum ImportEvent<'e> {
    /// A file is to be read.
    Begun(&'e InputFile),
    /// Another record of a book has been read.
    Record(&'e InputFile),
    /// A file has been read; of games that their moves go into the store once all files are.
    Done(&'e InputFile, &'e FileImport),
}

/// What a file has brought.
#[derive(Debug)]
#[non_exhaustive]
pub struct FileImport {
    /// What came of it.
    pub outcome: FileOutcome,
    /// The number of faults that were skipped; 0 if the import was strict.
    pub faults: u64,
    /// The first of them, a line each.
    pub first_faults: Vec<String>,
    /// What of a book has not been come by: see [`BookFile::unreached`](komadai_bookfile::BookFile::unreached).
    pub unreached: u64,
    /// What a book says and a store has no place for.
    pub lost: ConversionLoss,
}

/// What came of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileOutcome {
    /// So many games were read.
    Games(u64),
    /// What a book or a log says was added; so much of it was new.
    Merged(Merged),
    /// Nothing: the same content has been read before, under whatever name.
    ReadBefore,
    /// Nothing: it is the store itself.
    Itself,
}

/// What files have brought, all together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct FilesImport {
    /// The games that were read.
    pub games: u64,
    /// How many of them were left out for their players' ratings or their result.
    pub games_left_out: u64,
    /// How many of them say how they are to be grown, which an import has no use for: see
    /// [`GameListOptions`](crate::game_list::GameListOptions).
    pub games_for_growing: u64,
    /// What of the games was new; `None` if there were none, or if the options left no move of them:
    /// then they count as not read, and may be read again with other options.
    pub from_games: Option<Merged>,
    /// The faults that were skipped.
    pub faults: u64,
}

/// Why a file cannot be taken in.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileImportError {
    /// The file cannot be read.
    #[error(transparent)]
    Unreadable(#[from] InputFileError),
    /// A book is at fault.
    #[error(transparent)]
    Book(#[from] BookSourceError),
    /// A strict import, and something of a book cannot be part of a store.
    #[error("{}: {error}", path.display())]
    Entry {
        /// The file.
        path: PathBuf,
        /// What it is.
        #[source]
        error: EntryError,
    },
    /// A file of games is at fault.
    #[error("{}: {error}", path.display())]
    Games {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        error: ListError,
    },
    /// A strict import, and a game breaks a rule.
    #[error("{}: game {number}: {error}", path.display())]
    Game {
        /// The file.
        path: PathBuf,
        /// The number of the game in the file, from 1.
        number: u64,
        /// The rule.
        #[source]
        error: GameError,
    },
    /// A log is at fault.
    #[error("{}: {error}", path.display())]
    Log {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        error: StoreError,
    },
    /// The store, or another one that was to be taken in.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// How many faults of a file are told.
const TOLD_FAULTS: usize = 5;

impl Store {
    /// Adds what files of whatever kind say: games, books, logs and working books, each content once.
    ///
    /// Each book is one transaction, and so are all games together, of which only what is frequent
    /// counts: a file has been read and its games are counted, or neither, whenever the process ends.
    /// Values of books that do not name an engine are those of [`AnalystId::imported_from`] the file.
    /// Memory depends on the number of positions of the games, and for books on nothing but some 50
    /// bytes a position.
    ///
    /// [`find_inputs`](crate::inputs::find_inputs) finds the files.
    ///
    /// # Errors
    ///
    /// The first file that cannot be read, in a strict import also the first fault. The files before,
    /// but for those of games, stay read.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_book::InputFile;
    /// use komadai_book::store::{ImportOptions, Store};
    /// use komadai_core::Position;
    ///
    /// let folder = tempfile::tempdir()?;
    /// let list = folder.path().join("list.txt");
    /// std::fs::write(&list, "startpos moves 7g7f 3c3d\nstartpos moves 7g7f 8c8d\n")?;
    /// let store = Store::create(folder.path().join("book.kbook"))?;
    /// let files = [InputFile::find(&list)?];
    /// let read = store.import_files(&files, &ImportOptions::default(), &mut |_| {})?;
    /// assert_eq!((read.games, read.from_games.map(|merged| merged.moves)), (2, Some(3)));
    /// let again = store.import_files(&files, &ImportOptions::default(), &mut |_| {})?;
    /// assert_eq!(again.games, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn import_files(
        &self,
        files: &[InputFile],
        options: &ImportOptions,
        hear: &mut dyn FnMut(ImportEvent<'_>),
    ) -> Result<FilesImport, FileImportError> {
        let mut import = Import {
            store: self,
            options,
            hear,
            known: self.inputs()?.iter().map(|input| input.fingerprint).collect(),
            seeder: Seeder::new(options.seed),
            games: Vec::new(),
            sum: FilesImport::default(),
        };
        for file in files {
            (import.hear)(ImportEvent::Begun(file));
            let done = import.read(file)?;
            import.sum.faults += done.faults;
            (import.hear)(ImportEvent::Done(file, &done));
        }
        Ok(import.finish()?)
    }
}

struct Import<'a> {
    store: &'a Store,
    options: &'a ImportOptions,
    hear: &'a mut dyn FnMut(ImportEvent<'_>),
    /// The fingerprints of what has been read, now and before.
    known: HashSet<u64>,
    /// All games: how frequent a move is, they say together.
    seeder: Seeder,
    /// Where they come from.
    games: Vec<Input>,
    sum: FilesImport,
}

impl Import<'_> {
    fn read(&mut self, file: &InputFile) -> Result<FileImport, FileImportError> {
        if file.kind == InputKind::Store {
            return self.read_store(&file.path);
        }
        let fingerprint = Fingerprint::of_file(&file.path)?.number();
        if !self.known.insert(fingerprint) {
            return Ok(FileImport::new(FileOutcome::ReadBefore));
        }
        let input = Input { fingerprint, games: 0, name: file.path.display().to_string() };
        match file.kind {
            InputKind::Games => self.read_games(input, &file.path),
            InputKind::Log => self.read_log(&input.name, &file.path),
            InputKind::Book(_) | InputKind::Store => self.read_book(&input, file),
        }
    }

    fn read_store(&mut self, path: &Path) -> Result<FileImport, FileImportError> {
        let real = |path| fs::canonicalize(path).ok();
        if real(path) == real(self.store.path()) {
            return Ok(FileImport::new(FileOutcome::Itself));
        }
        // No one changes it meanwhile: it is ours, or it may not be written.
        let other = match Store::open(path) {
            Err(StoreError::ReadOnly { .. }) => Store::open_to_read(path)?,
            opened => opened?,
        };
        let fingerprint = other.fingerprint()?.number();
        let input = Input { fingerprint, games: 0, name: path.display().to_string() };
        self.known.insert(fingerprint);
        let merged = self.store.import_store(&input, &other)?;
        self.known.extend(self.store.inputs()?.iter().map(|input| input.fingerprint));
        Ok(FileImport::new(merged.map_or(FileOutcome::ReadBefore, FileOutcome::Merged)))
    }

    fn read_book(
        &mut self,
        input: &Input,
        file: &InputFile,
    ) -> Result<FileImport, FileImportError> {
        let tolerance = self.options.tolerance;
        let mut source = BookSource::open(&file.path, tolerance)?;
        let analyst = AnalystId::imported_from(&file.path);
        let records = source.by_ref().inspect(|_| (self.hear)(ImportEvent::Record(file)));
        let imported = self.store.import_records(input, &analyst, records, tolerance);
        let imported = imported.map_err(|error| match error {
            ImportError::Records(error) => error.into(),
            ImportError::Store(StoreError::Entry(error)) => {
                FileImportError::Entry { path: file.path.clone(), error }
            }
            ImportError::Store(error) => error.into(),
        })?;
        let Some(book) = imported else { return Ok(FileImport::new(FileOutcome::ReadBefore)) };
        let mut import = FileImport::new(FileOutcome::Merged(book.merged));
        import.add_faults(source.skipped(), source.skipped_lines());
        import.add_faults(book.refused.count(), &book.refused);
        Ok(FileImport { unreached: source.unreached(), lost: book.lost, ..import })
    }

    fn read_log(&self, name: &str, path: &Path) -> Result<FileImport, FileImportError> {
        let imported = self.store.import_log(open(path)?, name, self.options.tolerance);
        let imported = imported.map_err(|error| match error {
            StoreError::Text(_) | StoreError::Entry(_) => {
                FileImportError::Log { path: path.to_owned(), error }
            }
            error => error.into(),
        })?;
        let Some(log) = imported else { return Ok(FileImport::new(FileOutcome::ReadBefore)) };
        let mut import = FileImport::new(FileOutcome::Merged(log.merged));
        import.add_faults(log.skipped.count(), &log.skipped);
        Ok(import)
    }

    fn read_games(&mut self, input: Input, path: &Path) -> Result<FileImport, FileImportError> {
        let fault = |error| FileImportError::Games { path: path.to_owned(), error };
        let tolerance = self.options.tolerance;
        let before = self.seeder.games();
        let mut import = FileImport::new(FileOutcome::ReadBefore);
        let games = GameReader::new(open(path)?, tolerance).map_err(|e| fault(e.into()))?;
        if let GameReader::Csa(mut games) = games {
            for record in games.by_ref() {
                self.add(&record.map_err(|e| fault(e.into()))?, u32::MAX, before, path)?;
            }
            import.add_faults(games.skipped().count(), games.skipped());
        } else {
            let mut games = GameListReader::new(open(path)?, tolerance);
            for game in games.by_ref() {
                let game = game.map_err(fault)?;
                let wanted = game.options;
                let is_for_growing =
                    wanted.book_extend_ply.is_some() || wanted.eval_limit.is_some();
                self.sum.games_for_growing += u64::from(is_for_growing);
                self.add(&game.record, wanted.game_ply_limit.unwrap_or(u32::MAX), before, path)?;
            }
            import.add_faults(games.skipped().count(), games.skipped());
            import.add_faults(games.skipped_options().count(), games.skipped_options());
        }
        let games = self.seeder.games() - before;
        self.games.push(Input { games, ..input });
        Ok(FileImport { outcome: FileOutcome::Games(games), ..import })
    }

    /// Adds a game up to move `last`; `before` is the number of games that other files had.
    fn add(
        &mut self,
        record: &Record,
        last: u32,
        before: u64,
        path: &Path,
    ) -> Result<(), FileImportError> {
        match self.seeder.add_until(record, last) {
            Err(error) if self.options.tolerance == Tolerance::Strict => {
                let number = self.seeder.games() - before;
                Err(FileImportError::Game { path: path.to_owned(), number, error })
            }
            // A lenient reader has told of what breaks a rule already.
            _ => Ok(()),
        }
    }

    /// Adds the moves of all games together with the note that they have been read.
    fn finish(mut self) -> Result<FilesImport, StoreError> {
        self.sum.games = self.seeder.games();
        self.sum.games_left_out = self.seeder.skipped();
        let mut moves = self.seeder.moves().map(Change::from).peekable();
        if moves.peek().is_some() {
            let inputs = self.games.into_iter().map(Change::Input);
            self.sum.from_games = Some(self.store.merge_all(inputs.chain(moves))?);
        }
        Ok(self.sum)
    }
}

impl FileImport {
    fn new(outcome: FileOutcome) -> Self {
        let (first_faults, lost) = (Vec::new(), ConversionLoss::default());
        Self { outcome, faults: 0, first_faults, unreached: 0, lost }
    }

    fn add_faults(&mut self, count: u64, faults: impl Display) {
        self.faults += count;
        if count > 0 {
            let faults = faults.to_string();
            let room = TOLD_FAULTS.saturating_sub(self.first_faults.len());
            self.first_faults.extend(faults.lines().take(room).map(str::to_owned));
        }
    }
}

fn open(path: &Path) -> Result<BufReader<File>, InputFileError> {
    let unreadable = |error: io::Error| InputFileError::Io { path: path.to_owned(), error };
    File::open(path).map(BufReader::new).map_err(unreadable)
}
