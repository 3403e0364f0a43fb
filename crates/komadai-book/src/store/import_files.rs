//! Import of files of any kind.

use std::collections::HashSet;
use std::fmt::Display;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::Path;

use komadai_base::file::open_regular;
use komadai_bookfile::ConversionLoss;
use komadai_kifu::{GameReader, KifuFormat, Record, Tolerance};

use super::{Change, Store, StoreError};
use crate::files::book_source::BookSource;
use crate::files::file_kind::FileKind;
use crate::files::fingerprint::Fingerprint;
use crate::files::input_error::InputError;
use crate::files::inputs::InputFile;
use crate::game_list::GameListReader;
use crate::games::GameError;
use crate::merge::{Input, Merged};
use crate::seed::{SeedOptions, Seeder};
use komadai_core::AnalystId;

/// Options of an import of files.
#[derive(Debug, Clone, Copy, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct ImportOptions {
    /// The selection of moves of games.
    pub seed: SeedOptions,
    /// The treatment of faulty files.
    pub tolerance: Tolerance,
}

/// Events during an import of files.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum ImportEvent<'e> {
    /// The import of a file starts.
    Started(&'e InputFile),
    /// A record of a book has been read.
    Record(&'e InputFile),
    /// A file has been read. The moves of games are merged after the last file.
    Done(&'e InputFile, &'e FileImport),
}

/// The result of the import of one file.
#[derive(Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct FileImport {
    /// The outcome.
    pub outcome: FileOutcome,
    /// The number of faults that were skipped; 0 if the import was strict.
    pub faults: u64,
    /// The first of them, a line each.
    pub first_faults: Vec<String>,
    /// The number of items that the walk through a book did not reach: see
    /// [`BookFile::unreached`](komadai_bookfile::BookFile::unreached).
    pub unreached: u64,
    /// The number of jobs of the queue that a log has done.
    pub jobs_done: usize,
    /// The content that a store cannot hold. Moves are those of [`Merged::unheld`] and
    /// [`Seeder::unheld`].
    pub lost: ConversionLoss,
}

/// The outcome of the import of one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum FileOutcome {
    /// The number of games that were read.
    Games(u64),
    /// The content of a book, log or store was merged. The counts are of new items.
    Merged(Merged),
    /// Nothing was merged: the same content has been read before, possibly under another name.
    ReadBefore,
    /// Nothing was merged: the file is the store itself.
    Itself,
}

/// The result of an import of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct FilesImport {
    /// The number of games that were read.
    pub games: u64,
    /// The number of games that were skipped because of their players' ratings or their result.
    pub games_skipped: u64,
    /// The number of games with options for growing a book, which an import ignores: see
    /// [`GameListOptions`](crate::game_list::GameListOptions).
    pub games_for_growing: u64,
    /// The new items of the games; `None` if there were no games or the options selected no move of
    /// them. The games then do not count as read, so they can be read again with other options.
    pub from_games: Option<Merged>,
    /// The number of faults that were skipped.
    pub faults: u64,
    /// The number of moves of games that were left out, because they or a move before them cannot
    /// be made.
    pub lost_moves: u64,
    /// The number of variations of the games, which are not read: a game adds the moves that were
    /// made.
    pub variations: u64,
}

/// The maximum number of faults in [`FileImport::first_faults`].
const FIRST_FAULTS: usize = 5;

impl Store {
    /// Adds the content of files of any kind: games, books, logs and stores. The same content is
    /// added once.
    ///
    /// Each book is one transaction. All games together are one, because a move is selected by its
    /// frequency in all of them. So even if the process is killed, a file counts as read only if
    /// its content was added. Values of books that name no engine are evaluations by
    /// [`AnalystId::imported_from`] the file. Games take memory for each of their positions, books
    /// about 50 bytes a position.
    ///
    /// [`find_inputs`](crate::files::inputs::find_inputs) finds the files.
    ///
    /// # Errors
    ///
    /// The first file that cannot be read; in a strict import also the first fault. The files
    /// before it stay imported, except those of games.
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
        on_event: &mut dyn FnMut(ImportEvent<'_>),
    ) -> Result<FilesImport, InputError> {
        let mut import = Import {
            store: self,
            options,
            on_event,
            known: self.inputs()?.iter().map(|input| input.fingerprint).collect(),
            seeder: Seeder::new(options.seed),
            games: Vec::new(),
            games_before: 0,
            unheld_before: 0,
            sum: FilesImport::default(),
        };
        for file in files {
            (import.on_event)(ImportEvent::Started(file));
            let done = import.read(file)?;
            import.sum.faults += done.faults;
            (import.on_event)(ImportEvent::Done(file, &done));
        }
        Ok(import.finish()?)
    }
}

struct Import<'a> {
    store: &'a Store,
    options: &'a ImportOptions,
    on_event: &'a mut dyn FnMut(ImportEvent<'_>),
    /// The fingerprints of all sources that have been read, now and before.
    known: HashSet<u64>,
    /// The moves of all games, with their frequencies.
    seeder: Seeder,
    /// The sources of the games.
    games: Vec<Input>,
    /// The counts of the seeder before the present file.
    games_before: u64,
    unheld_before: u64,
    sum: FilesImport,
}

impl Import<'_> {
    fn read(&mut self, file: &InputFile) -> Result<FileImport, InputError> {
        if file.kind == FileKind::Store {
            return self.read_store(&file.path);
        }
        let fingerprint = Fingerprint::of_file(&file.path)?.number();
        if !self.known.insert(fingerprint) {
            return Ok(FileImport::new(FileOutcome::ReadBefore));
        }
        let input = Input { fingerprint, games: 0, name: file.path.display().to_string() };
        match file.kind {
            FileKind::Games(_) => self.read_games(input, &file.path),
            FileKind::Archive => self.read_archive(input, &file.path),
            FileKind::Log => self.read_log(&input.name, &file.path),
            FileKind::Book(_) | FileKind::Store => self.read_book(&input, file),
        }
    }

    fn read_store(&mut self, path: &Path) -> Result<FileImport, InputError> {
        let real = |path| fs::canonicalize(path).ok();
        if real(path) == real(self.store.path()) {
            return Ok(FileImport::new(FileOutcome::Itself));
        }
        // Open for writing, so that no other process changes the store during the import. A file
        // that is not writable does not change either.
        let mut other = match Store::open(path) {
            Err(StoreError::ReadOnly { .. }) => Store::open_to_read(path)?,
            opened => opened?,
        };
        other.verify()?;
        let fingerprint = other.fingerprint()?.number();
        let input = Input { fingerprint, games: 0, name: path.display().to_string() };
        self.known.insert(fingerprint);
        let merged = self.store.import_store(&input, &other)?;
        self.known.extend(self.store.inputs()?.iter().map(|input| input.fingerprint));
        Ok(merged.map_or(FileImport::new(FileOutcome::ReadBefore), FileImport::merged))
    }

    fn read_book(&mut self, input: &Input, file: &InputFile) -> Result<FileImport, InputError> {
        let tolerance = self.options.tolerance;
        let mut source = BookSource::open(&file.path, tolerance)?;
        let analyst = AnalystId::imported_from(&file.path);
        let records = source.by_ref().inspect(|_| (self.on_event)(ImportEvent::Record(file)));
        let imported = self.store.import_records(input, &analyst, records, tolerance);
        let imported = imported.map_err(|error| match error {
            InputError::Store(StoreError::Entry(error)) => {
                InputError::Entry { path: file.path.clone(), error }
            }
            other => other,
        })?;
        let Some(book) = imported else { return Ok(FileImport::new(FileOutcome::ReadBefore)) };
        let mut import = FileImport::merged(book.merged);
        import.add_faults(source.skipped(), source.skipped_lines());
        import.add_faults(book.refused.count(), &book.refused);
        Ok(FileImport { unreached: source.unreached(), lost: book.lost, ..import })
    }

    fn read_log(&self, name: &str, path: &Path) -> Result<FileImport, InputError> {
        let imported = self.store.import_log(open(path)?, name, self.options.tolerance);
        let imported = imported.map_err(|error| match error {
            StoreError::Text(_) | StoreError::Entry(_) | StoreError::OtherBook { .. } => {
                InputError::Log { path: path.to_owned(), error }
            }
            error => error.into(),
        })?;
        let Some(log) = imported else { return Ok(FileImport::new(FileOutcome::ReadBefore)) };
        let mut import = FileImport::merged(log.merged);
        import.add_faults(log.skipped.count(), &log.skipped);
        Ok(FileImport { jobs_done: log.jobs_done, ..import })
    }

    fn read_games(&mut self, input: Input, path: &Path) -> Result<FileImport, InputError> {
        let fault = |error| InputError::Games { path: path.to_owned(), error };
        let tolerance = self.options.tolerance;
        let mut import = self.start_games();
        let games = GameReader::named(open(path)?, path, tolerance).map_err(|e| fault(e.into()))?;
        if games.format() == KifuFormat::Usi {
            let mut games = GameListReader::new(open(path)?, tolerance);
            for game in games.by_ref() {
                let game = game.map_err(fault)?;
                let wanted = game.options;
                let is_for_growing =
                    wanted.book_extend_ply.is_some() || wanted.eval_limit.is_some();
                self.sum.games_for_growing += u64::from(is_for_growing);
                let last = wanted.game_ply_limit.unwrap_or(u32::MAX);
                self.add(&game.record, last, path, &mut import)?;
            }
            self.sum.lost_moves += games.skipped().lost_moves();
            import.add_faults(games.skipped().count(), games.skipped());
            import.add_faults(games.skipped_options().count(), games.skipped_options());
        } else {
            let mut games = games;
            for record in games.by_ref() {
                self.add(&record.map_err(|e| fault(e.into()))?, u32::MAX, path, &mut import)?;
            }
            self.sum.lost_moves += games.skipped().lost_moves();
            import.add_faults(games.skipped().count(), games.skipped());
        }
        Ok(self.games_read(input, import))
    }

    #[cfg(not(feature = "archives"))]
    fn read_archive(&mut self, _: Input, path: &Path) -> Result<FileImport, InputError> {
        let found = "an archive".to_owned();
        Err(InputError::UnknownKind { path: path.to_owned(), found })
    }

    #[cfg(feature = "archives")]
    fn read_archive(&mut self, input: Input, path: &Path) -> Result<FileImport, InputError> {
        use komadai_kifu::RecordFiles;

        let tolerance = self.options.tolerance;
        let mut import = self.start_games();
        let mut files = RecordFiles::open(path, tolerance);
        for found in files.by_ref() {
            match found.record {
                Ok(record) => self.add(&record, u32::MAX, path, &mut import)?,
                Err(error) if tolerance == Tolerance::Strict => {
                    return Err(InputError::Archive { place: found.place, error: Box::new(error) });
                }
                Err(error) => import.add_faults(1, format!("{}: {error}", found.place)),
            }
        }
        import.faults += files.report().faults;
        self.sum.lost_moves += files.report().lost_moves;
        Ok(self.games_read(input, import))
    }

    /// Adds a game up to move `last`.
    fn add(
        &mut self,
        record: &Record,
        last: u32,
        path: &Path,
        import: &mut FileImport,
    ) -> Result<(), InputError> {
        self.sum.variations += record.variations.len() as u64;
        let Err(error) = self.seeder.add_until(record, last) else { return Ok(()) };
        let number = self.seeder.games() - self.games_before;
        if self.options.tolerance == Tolerance::Strict {
            return Err(InputError::Game { path: path.to_owned(), number, error });
        }
        // A lenient reader has reported illegal moves already.
        if let GameError::Start(_) = error {
            import.add_faults(1, format!("game {number}: {error}"));
        }
        Ok(())
    }

    /// Starts the counting of a file of games.
    fn start_games(&mut self) -> FileImport {
        self.games_before = self.seeder.games();
        self.unheld_before = self.seeder.unheld();
        FileImport::new(FileOutcome::ReadBefore)
    }

    /// Returns the import of a file of games, and notes the file as a source.
    fn games_read(&mut self, input: Input, mut import: FileImport) -> FileImport {
        import.lost.moves = self.seeder.unheld() - self.unheld_before;
        let games = self.seeder.games() - self.games_before;
        self.games.push(Input { games, ..input });
        FileImport { outcome: FileOutcome::Games(games), ..import }
    }

    /// Merges the moves of all games, and records their files as read.
    fn finish(mut self) -> Result<FilesImport, StoreError> {
        self.sum.games = self.seeder.games();
        self.sum.games_skipped = self.seeder.skipped();
        let mut moves = self.seeder.moves().map(Change::from).peekable();
        // Without a selected move the inputs are not recorded, so that other options can select
        // moves later.
        if moves.peek().is_some() {
            let inputs = self.games.into_iter().map(Change::Input);
            self.sum.from_games = Some(self.store.merge_all(inputs.chain(moves))?);
        }
        Ok(self.sum)
    }
}

impl FileImport {
    fn new(outcome: FileOutcome) -> Self {
        let first_faults = Vec::new();
        let lost = ConversionLoss::default();
        Self { outcome, faults: 0, first_faults, unreached: 0, jobs_done: 0, lost }
    }

    fn merged(merged: Merged) -> Self {
        let mut import = Self::new(FileOutcome::Merged(merged));
        import.lost.moves = merged.unheld as u64;
        import
    }

    fn add_faults(&mut self, count: u64, faults: impl Display) {
        self.faults += count;
        if count > 0 {
            let faults = faults.to_string();
            let room = FIRST_FAULTS.saturating_sub(self.first_faults.len());
            self.first_faults.extend(faults.lines().take(room).map(str::to_owned));
        }
    }
}

fn open(path: &Path) -> Result<BufReader<File>, InputError> {
    open_regular(path).map(BufReader::new).map_err(InputError::io(path))
}
