//! Records in files, archives and folders.

mod error;
pub mod folder;
mod options;
mod place;
#[cfg(feature = "seven-zip")]
mod seven_zip;
mod stream;
mod zip_entries;

use std::io::BufRead as _;
use std::path::{Path, PathBuf};

use folder::{FolderError, FolderFiles};

pub use error::RecordFileError;
pub use options::RecordFilesOptions;
pub use place::{FileFault, FilePlace, FileRecord};
pub use stream::is_archive;

#[cfg(feature = "seven-zip")]
use seven_zip::SevenZipEntries;
use stream::{Stream, archive_name};
use zip_entries::ZipEntries;

use crate::error::KifuError;
use crate::record_reader::GameReader;
use komadai_base::reading::Skipped;
use komadai_base::reading::{TextFault, TextFaultKind};

/// The numbers of files and games read so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FilesReport {
    /// Files and entries of archives that were read.
    pub files: u64,
    /// Games.
    pub games: u64,
    /// Files, entries and folders that could not be read, or not to their end.
    pub failed: u64,
    /// Faults within files that a lenient reading skipped.
    pub faults: u64,
    /// Moves of games that were left out: [`Skipped::lost_moves`].
    pub lost_moves: u64,
    /// Files and entries passed over because their names have no ending of a record.
    pub passed_over: u64,
}

impl std::ops::AddAssign for FilesReport {
    fn add_assign(&mut self, other: Self) {
        self.files += other.files;
        self.games += other.games;
        self.failed += other.failed;
        self.faults += other.faults;
        self.lost_moves += other.lost_moves;
        self.passed_over += other.passed_over;
    }
}

/// Reads the records of a file, or of all files below a folder, one by one.
///
/// Files of any name are read if they are named themselves; within folders and archives, those
/// whose names end in `.csa`, `.kif`, `.kifu`, `.ki2`, `.ki2u`, `.bod`, `.jkf`, `.usen`, `.sfen` or
/// `.usi`, and `.gz` after any of these. The start of each file decides its format. Files that end
/// in `.gz`, `.zip` and, with the feature `seven-zip`, `.7z` are decompressed while they are read.
/// Folders are read with their subfolders, in the order of the names; links to folders are not
/// followed. The entries of a 7z archive are read in its own order.
///
/// A file that fails yields an error with its place, and the reading continues with the next file.
/// Memory is bounded by 262,144 names of each folder on the way to a file ([`FolderFiles`]), the
/// directory of one archive, the 256 MiB to which a 7z archive may refer back, and one game.
///
/// # Examples
///
/// ```
/// use komadai_kifu::{RecordFiles, RecordFilesOptions};
///
/// let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("a.csa"), "PI\n+\n+7776FU\n%TORYO\n")?;
/// std::fs::write(folder.path().join("b.csa"), "this is no game")?;
/// let mut files = RecordFiles::open(folder.path(), RecordFilesOptions::default());
/// for found in &mut files {
///     match found.record {
///         Ok(game) => println!("{}: {}", found.place, game.to_usi_line()),
///         Err(error) => println!("{}: {error}", found.place),
///     }
/// }
/// assert_eq!((files.report().games, files.report().failed), (1, 1));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct RecordFiles {
    options: RecordFilesOptions,
    files: FolderFiles,
    archive: Option<Archive>,
    current: Option<Current>,
    report: FilesReport,
    skipped: Skipped<FileFault>,
}

/// An archive that is being read.
#[derive(Debug)]
enum Archive {
    Zip(Box<ZipEntries>),
    #[cfg(feature = "seven-zip")]
    SevenZip(Box<SevenZipEntries>),
}

impl Archive {
    /// Opens a file whose name is that of an archive; `None` for another one.
    fn open(path: &Path, options: &RecordFilesOptions) -> Option<Result<Self, RecordFileError>> {
        if place::has_ending(path, "zip") {
            return Some(ZipEntries::open(path, options).map(|zip| Self::Zip(Box::new(zip))));
        }
        if place::has_ending(path, "7z") {
            #[cfg(feature = "seven-zip")]
            return Some(SevenZipEntries::open(path, options).map(Box::new).map(Self::SevenZip));
        }
        None
    }

    fn path(&self) -> &Path {
        match self {
            Self::Zip(zip) => zip.path(),
            #[cfg(feature = "seven-zip")]
            Self::SevenZip(archive) => archive.path(),
        }
    }

    fn passed_over(&self) -> u64 {
        match self {
            Self::Zip(zip) => zip.passed_over(),
            #[cfg(feature = "seven-zip")]
            Self::SevenZip(archive) => archive.passed_over(),
        }
    }

    fn next(&mut self) -> Option<(String, Result<Stream, RecordFileError>)> {
        match self {
            Self::Zip(zip) => zip.next(),
            #[cfg(feature = "seven-zip")]
            Self::SevenZip(archive) => archive.next(),
        }
    }
}

/// A file that is being read.
#[derive(Debug)]
struct Current {
    games: GameReader<Stream>,
    place: FilePlace,
}

impl RecordFiles {
    /// Creates a reader of the records of a file, an archive or a folder. Errors come from the
    /// iterator. A [`Tolerance`](crate::Tolerance) alone will do for the options.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_kifu::{RecordFiles, Tolerance};
    ///
    /// let folder = tempfile::tempdir()?;
    /// std::fs::write(folder.path().join("games.usi"), "startpos moves 7g7f\nstartpos moves 2g2f\n")?;
    /// assert_eq!(RecordFiles::open(folder.path(), Tolerance::Strict).count(), 2);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn open(path: impl AsRef<Path>, options: impl Into<RecordFilesOptions>) -> Self {
        Self {
            options: options.into(),
            files: FolderFiles::open(path, FolderFiles::is_record),
            archive: None,
            current: None,
            report: FilesReport::default(),
            skipped: Skipped::default(),
        }
    }

    /// Returns the numbers of files and games read so far.
    pub fn report(&self) -> &FilesReport {
        &self.report
    }

    /// Returns the faults that a lenient reading skipped, of the files read to their end. Files
    /// that fail are not among them: the iterator yields their errors.
    pub fn skipped(&self) -> &Skipped<FileFault> {
        &self.skipped
    }

    /// Ends the reading and returns the faults that were skipped, also those of a file that has not
    /// been read to its end.
    #[must_use]
    pub fn into_skipped(mut self) -> Skipped<FileFault> {
        self.close();
        self.skipped
    }

    /// Reads the next game of the current file; `None` at its end.
    fn next_game(&mut self) -> Option<FileRecord> {
        let current = self.current.as_mut()?;
        let game = current.games.next();
        current.place.game += 1;
        match game {
            Some(Ok(record)) => {
                self.report.games += 1;
                Some(FileRecord { place: current.place.clone(), record: Ok(record) })
            }
            Some(Err(error)) => {
                let place = current.place.clone();
                self.close();
                Some(self.failure(place, error.into()))
            }
            None => {
                self.close();
                None
            }
        }
    }

    /// Ends the current file.
    fn close(&mut self) {
        let Some(Current { games, mut place }) = self.current.take() else { return };
        place.game = 0;
        let skipped = games.into_skipped();
        self.report.faults += skipped.count();
        self.report.lost_moves += skipped.lost_moves();
        self.skipped.append(skipped.map(|fault| FileFault { place: place.clone(), fault }));
    }

    fn failure(&mut self, place: FilePlace, error: RecordFileError) -> FileRecord {
        self.report.failed += 1;
        FileRecord { place, record: Err(error) }
    }

    /// Begins the games of a file or an entry.
    fn begin(
        &mut self,
        place: FilePlace,
        stream: Result<Stream, RecordFileError>,
    ) -> Option<FileRecord> {
        self.report.files += 1;
        let name = place.entry.as_deref().map_or(place.path.as_path(), Path::new);
        let tolerance = self.options.tolerance;
        let games = stream.and_then(|mut stream| {
            let start = stream.fill_buf();
            let start = start.map_err(|error| {
                KifuError::from(TextFault::in_line(1, TextFaultKind::Io(error)))
            })?;
            if let Some(kind) = archive_name(start) {
                return Err(RecordFileError::OtherArchive { kind });
            }
            Ok(GameReader::named(stream, name, tolerance)?)
        });
        match games {
            Ok(games) => {
                self.current = Some(Current { games, place });
                None
            }
            Err(error) => Some(self.failure(place, error)),
        }
    }

    /// Begins the next entry of the archive. The outer value is `None` if there is none left.
    fn next_entry(&mut self) -> Option<Option<FileRecord>> {
        let archive = self.archive.as_mut()?;
        let Some(entry) = archive.next() else {
            self.archive = None;
            return None;
        };
        let (name, stream) = entry;
        let mut place = FilePlace::of_file(archive.path());
        place.entry = Some(name);
        Some(self.begin(place, stream))
    }

    /// Opens a file.
    fn open_file(&mut self, path: &Path) -> Option<FileRecord> {
        let place = FilePlace::of_file(path);
        if let Some(archive) = Archive::open(path, &self.options) {
            return match archive {
                Ok(archive) => {
                    self.report.passed_over += archive.passed_over();
                    self.archive = Some(archive);
                    None
                }
                Err(error) => Some(self.failure(place, error)),
            };
        }
        let stream = Stream::open(path, &self.options);
        self.begin(place, stream)
    }

    /// Returns the next file or folder that can be opened.
    fn next_file(&mut self) -> Option<Result<PathBuf, FolderError>> {
        let before = self.files.passed_over();
        let next = self.files.next();
        self.report.passed_over += self.files.passed_over() - before;
        next
    }
}

impl Iterator for RecordFiles {
    type Item = FileRecord;

    fn next(&mut self) -> Option<FileRecord> {
        loop {
            if self.current.is_some() {
                match self.next_game() {
                    Some(found) => return Some(found),
                    None => continue,
                }
            }
            if let Some(begun) = self.next_entry() {
                match begun {
                    Some(failure) => return Some(failure),
                    None => continue,
                }
            }
            let failure = match self.next_file()? {
                Ok(path) => self.open_file(&path),
                Err(FolderError { path, source }) => {
                    Some(self.failure(FilePlace::of_file(&path), source.into()))
                }
            };
            if failure.is_some() {
                return failure;
            }
        }
    }
}
