//! The building of an index.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read as _, Seek as _, Write as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use komadai_base::atomic_file::AtomicFile;
use komadai_base::temporary_file::temporary_file;

use super::code::{encode_game, outcome_code};
use super::error::IndexError;
use super::files::{FileStamp, IndexedFile};
use super::layout::{ENTRIES_PER_KEY, Layout, ROW, head};
use super::pages::PageWriter;
use super::reader::{GameIndex, game_of, join, renumbered};
use super::sort::{Merged, NumberSort, Sorted};
use crate::results::GameFacts;
use crate::summary::GameSummary;

/// The memory of building an index, and the folder of its temporary files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildOptions {
    /// The memory for positions that are sorted, in bytes: 16 for each.
    pub memory_bytes: usize,
    /// The folder of temporary files, which have no names and end with the process; that of the index
    /// if absent. They are about as large as the index.
    pub temp_dir: Option<PathBuf>,
}

impl Default for BuildOptions {
    fn default() -> Self {
        Self { memory_bytes: 64 << 20, temp_dir: None }
    }
}

/// Builds an index from games, which may be many more than memory holds.
///
/// Games come file by file, in the order of the paths: [`add`](Self::add) for each, and
/// [`end_file`](Self::end_file). For an update, [`keep`](Self::keep) takes a file over from the old
/// index. The index appears with [`finish`](Self::finish), completely or not at all. An example is at
/// [`GameIndex`].
pub struct IndexBuilder {
    path: PathBuf,
    out: PageWriter<AtomicFile>,
    rows: BufWriter<File>,
    files: BufWriter<File>,
    sort: NumberSort,
    layout: Layout,
    /// The number of the first game of the file that is being added.
    first: u32,
    games: u32,
    kept: Vec<Kept>,
    buffer: Vec<u8>,
}

/// Games that follow each other in the old index and in the new one.
#[derive(Debug, Clone, Copy)]
struct Kept {
    old: u32,
    count: u32,
    new: u32,
}

impl std::fmt::Debug for IndexBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("IndexBuilder")
            .field("path", &self.path)
            .field("games", &self.games)
            .finish_non_exhaustive()
    }
}

impl IndexBuilder {
    /// Begins an index under a temporary name.
    ///
    /// # Errors
    ///
    /// If the file or the temporary ones cannot be created.
    pub fn create(path: impl AsRef<Path>, options: &BuildOptions) -> Result<Self, IndexError> {
        let path = path.as_ref();
        let create = || {
            let mut out = PageWriter::new(AtomicFile::create(path)?);
            out.put(head().as_bytes())?;
            let beside = path.parent().filter(|parent| !parent.as_os_str().is_empty());
            let beside = beside.unwrap_or(Path::new(".")).to_owned();
            let folder = options.temp_dir.clone().unwrap_or(beside);
            let rows = BufWriter::new(temporary_file(&folder)?);
            let files = BufWriter::new(temporary_file(&folder)?);
            let sort = NumberSort::new(options.memory_bytes, folder);
            Ok((out, rows, files, sort))
        };
        let (out, rows, files, sort) = create().map_err(IndexError::io(path))?;
        Ok(Self {
            path: path.to_owned(),
            out,
            rows,
            files,
            sort,
            layout: Layout::default(),
            first: 0,
            games: 0,
            kept: Vec::new(),
            buffer: Vec::new(),
        })
    }

    /// Adds a game of the next file.
    ///
    /// # Errors
    ///
    /// If the disk refuses, the path of the game is no UTF-8, or there are too many games.
    pub fn add(&mut self, game: &GameSummary) -> Result<(), IndexError> {
        let path = utf8(&game.place.path)?;
        self.buffer.clear();
        encode_game(game, path, &mut self.buffer);
        let facts = GameFacts {
            outcome: game.outcome,
            year: game.date.map_or(0, |date| date.year),
            plies: u32::try_from(game.moves.len()).unwrap_or(u32::MAX),
        };
        let number = self.add_bytes(facts)?;
        let (mut result, mut positions) = (Ok(()), 0);
        game.visit(|ply, position, next| {
            let Ok(ply) = u16::try_from(ply) else { return ControlFlow::Break(()) };
            positions += 1;
            result = self.sort.push(join(position.key(), number, ply, next));
            if result.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        self.layout.positions += positions;
        result.map_err(IndexError::io(&self.path))
    }

    /// Ends the games of a file. A default stamp marks a file whose reading had faults.
    ///
    /// # Errors
    ///
    /// If the disk refuses, or the path is no UTF-8.
    pub fn end_file(&mut self, path: impl AsRef<Path>, stamp: FileStamp) -> Result<(), IndexError> {
        let path = path.as_ref();
        let name = utf8(path)?;
        let (first, games) = (self.first, self.games - self.first);
        self.first = self.games;
        self.layout.files += 1;
        self.layout.faulty += u64::from(stamp == FileStamp::default());
        self.buffer.clear();
        let file = IndexedFile { path: path.to_owned(), stamp, first, games };
        file.encode(name, &mut self.buffer);
        self.files.write_all(&self.buffer).map_err(IndexError::io(&self.path))
    }

    /// Takes a file with its games over from an old index, which [`finish`](Self::finish) receives.
    /// The files that are kept come in the order of the old index.
    ///
    /// # Errors
    ///
    /// If the old index is damaged, or the disk refuses.
    pub fn keep(&mut self, old: &mut GameIndex, file: &IndexedFile) -> Result<(), IndexError> {
        let new = self.games;
        for number in file.first..file.first.saturating_add(file.games) {
            let (_, facts) = old.row(number)?;
            self.buffer = old.game_bytes(number)?.1;
            self.add_bytes(facts)?;
        }
        match self.kept.last_mut() {
            Some(last) if last.old + last.count == file.first && last.new + last.count == new => {
                last.count += file.games;
            }
            _ => self.kept.push(Kept { old: file.first, count: file.games, new }),
        }
        self.end_file(&file.path, file.stamp)
    }

    /// Returns the number of games so far.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// Sorts the positions and gives the file its name, in place of an older one. `old` is the index
    /// from which files were kept.
    ///
    /// # Errors
    ///
    /// If the disk refuses, or the old index is damaged. The old file is unchanged then.
    pub fn finish(mut self, old: Option<GameIndex>) -> Result<(), IndexError> {
        let path = self.path.clone();
        let io = || IndexError::io(&path);
        self.layout.games = u64::from(self.games);
        // The row of the end.
        let end = self.out.written();
        let facts = GameFacts { outcome: komadai_kifu::Outcome::Unknown, year: 0, plies: 0 };
        self.rows.write_all(&row(end, facts)).map_err(io())?;
        self.layout.rows_at = end;
        append(self.rows, &mut self.out).map_err(io())?;

        self.layout.positions_at = self.out.written();
        let mut old = old;
        let new = self.sort.finish().map_err(io())?;
        let mut sources: Vec<Sorted<'_, IndexError>> =
            vec![Box::new(new.map(|number| number.map_err(io())))];
        if let Some(index) = &mut old {
            self.kept.sort_unstable_by_key(|kept| kept.old);
            sources.push(Box::new(KeptPositions { index, kept: &self.kept, next: 0 }));
        }
        let (mut keys, mut positions) = (Vec::new(), 0_u64);
        for entry in Merged::new(sources) {
            let entry = entry?;
            if positions.is_multiple_of(ENTRIES_PER_KEY) {
                keys.push((entry >> 64) as u64);
            }
            positions += 1;
            self.out.put(&entry.to_be_bytes()).map_err(io())?;
        }
        // Systems cannot replace a file that is open.
        drop(old);
        self.layout.positions = positions;
        self.layout.keys_at = self.out.written();
        for key in keys {
            self.out.put(&key.to_le_bytes()).map_err(io())?;
        }
        self.layout.files_at = self.out.written();
        append(self.files, &mut self.out).map_err(io())?;
        self.layout.checksums_at = self.out.written();
        let (mut out, checksum) = self.out.finish().map_err(io())?;
        self.layout.checksum = u64::from(checksum);
        out.write_all(&self.layout.encode()).and_then(|()| out.commit()).map_err(io())
    }

    /// Writes the game in the buffer and its row. Returns its number.
    fn add_bytes(&mut self, facts: GameFacts) -> Result<u32, IndexError> {
        let number = self.games;
        let too_many = || IndexError::TooManyGames { path: self.path.clone() };
        self.games = number.checked_add(1).ok_or_else(too_many)?;
        let row = row(self.out.written(), facts);
        let written = self.rows.write_all(&row).and_then(|()| self.out.put(&self.buffer));
        written.map_err(IndexError::io(&self.path))?;
        Ok(number)
    }
}

/// The positions of an old index whose games are kept, with the new numbers of the games.
struct KeptPositions<'i> {
    index: &'i mut GameIndex,
    /// By the old numbers. As both indexes have the files in the order of their paths, new numbers rise
    /// with the old ones, and the positions stay sorted.
    kept: &'i [Kept],
    next: u64,
}

impl Iterator for KeptPositions<'_> {
    type Item = Result<u128, IndexError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.next < self.index.layout().positions {
            let entry = match self.index.entry(self.next) {
                Ok(entry) => entry,
                Err(error) => {
                    self.next = u64::MAX;
                    return Some(Err(error));
                }
            };
            self.next += 1;
            let game = game_of(entry);
            let after = self.kept.partition_point(|kept| kept.old <= game);
            let kept = after.checked_sub(1).map(|at| self.kept[at]);
            if let Some(kept) = kept.filter(|kept| game - kept.old < kept.count) {
                return Some(Ok(renumbered(entry, kept.new + (game - kept.old))));
            }
        }
        None
    }
}

fn row(at: u64, facts: GameFacts) -> [u8; ROW as usize] {
    let mut row = [0; ROW as usize];
    row[..8].copy_from_slice(&at.to_le_bytes());
    row[8..12].copy_from_slice(&facts.plies.to_le_bytes());
    row[12..14].copy_from_slice(&facts.year.to_le_bytes());
    row[14] = outcome_code(facts.outcome);
    row
}

/// Appends all that was written to a temporary file.
fn append(temporary: BufWriter<File>, out: &mut PageWriter<AtomicFile>) -> io::Result<()> {
    let mut file = temporary.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.rewind()?;
    let mut file = BufReader::new(file);
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(()),
            length => out.put(&buffer[..length])?,
        }
    }
}

fn utf8(path: &Path) -> Result<&str, IndexError> {
    path.to_str().ok_or_else(|| IndexError::Path { path: path.to_owned() })
}
