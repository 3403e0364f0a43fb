//! Opening of a book for a player.

use std::collections::HashMap;
use std::fmt;
use std::io::Read;
use std::path::Path;

use komadai_base::file::open_regular;
use komadai_base::reading::Tolerance;
use komadai_core::{Move, Position, Score};

use crate::apery::AperyBook;
use crate::book_file::{BookFile, read_all};
use crate::book_format::BookFormat;
use crate::db::{DbBatch, DbBatches};
use crate::error::BookError;
use crate::file_error::BookFileError;
use crate::position_key::{PositionKey, turn};
use crate::probe::{BookProbe, open_probe};
use crate::record::{BookRecord, RecordMove};
use crate::ybb::YbbProbe;

/// The way in which a player reads a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum BookReading {
    /// Whole, at opening. The values of a working book are then propagated through the whole book.
    #[default]
    Memory,
    /// On disk, one position at a time (`BookOnTheFly`). A `.db` must be sorted. A `.sbk` cannot be
    /// read in this way. If another program writes into the file, the new content counts.
    OnTheFly,
}

/// A book in which a player looks up positions.
#[derive(Debug)]
pub struct OpenedBook {
    /// The positions.
    pub probe: Box<dyn BookProbe>,
    /// Number of positions with moves; `None` if it is unknown, because the book is probed position
    /// by position.
    pub positions: Option<u64>,
    /// Number of faults in the file that were skipped.
    pub faults: u64,
}

/// A function that opens books, such as [`open_book`].
///
/// An error of a book that is no file of this crate's formats is a [`BookError::Foreign`].
pub type BookOpener = fn(&Path, BookReading) -> Result<OpenedBook, BookFileError>;

/// Opens a book file of any format for a player. Its first bytes, or else its name, determine the
/// format. Faults after which the rest can still be read are skipped and counted.
///
/// [`open_probe`] is for programs that only read on disk, [`BookFile`] for those that want all
/// records.
///
/// # Errors
///
/// If the file cannot be read, is not a book, or cannot be read in the requested way.
///
/// # Examples
///
/// ```
/// use komadai_bookfile::{BookReading, open_book};
/// use komadai_core::Position;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("book.db");
/// std::fs::write(&path, "#YANEURAOU-DB2016 1.00\n\
///     sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1\n\
///     7g7f 3c3d 50 20 300\n")?;
/// let book = open_book(&path, BookReading::Memory)?;
/// assert_eq!((book.positions, book.faults), (Some(1), 0));
/// let record = book.probe.probe(&Position::hirate())?.expect("it is in the book");
/// assert_eq!(record.moves[0].m.to_string(), "7g7f");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn open_book(path: &Path, reading: BookReading) -> Result<OpenedBook, BookFileError> {
    let format = BookFormat::of_file(path)?;
    // Two formats are made for binary search; any other structure would need more memory.
    let probe: Box<dyn BookProbe> = match (reading, format) {
        (BookReading::OnTheFly, _) => open_probe(path)?,
        (BookReading::Memory, BookFormat::Ybb) => {
            Box::new(YbbProbe::new(read_all(path)?, Tolerance::Lenient)?)
        }
        (BookReading::Memory, BookFormat::Apery) => {
            Box::new(AperyBook::new(read_all(path)?, Tolerance::Lenient)?)
        }
        (BookReading::Memory, BookFormat::Db) => {
            let (book, faults) =
                DbInMemory::read(open_regular(path).map_err(BookFileError::io(path))?)?;
            let positions = Some(book.0.len() as u64);
            return Ok(OpenedBook { probe: Box::new(book), positions, faults });
        }
        (BookReading::Memory, BookFormat::Sbk) => return read_records(path),
    };
    Ok(OpenedBook { probe, positions: None, faults: 0 })
}

/// A `.db` book in memory, which need not be sorted. Positions are keyed without their orientation.
struct DbInMemory(HashMap<PositionKey, Vec<StoredMove>>);

/// A move in the orientation with Black to move, without the parts that no player needs.
#[derive(Clone, Copy)]
struct StoredMove {
    m: Move,
    ponder: Option<Move>,
    score: Option<Score>,
    depth: u16,
    count: u32,
}

impl DbInMemory {
    /// Reads a book on all cores. Returns the number of skipped faults, too.
    fn read(source: impl Read) -> Result<(Self, u64), BookError> {
        let mut positions = HashMap::new();
        let mut unfit = 0;
        let mut batches = DbBatches::with_work(source, Tolerance::Lenient, keyed);
        for batch in batches.by_ref() {
            for (key, moves) in batch? {
                // No game reaches a position without a key.
                let Some(key) = key else {
                    unfit += 1;
                    continue;
                };
                merge(positions.entry(key).or_default(), moves);
            }
        }
        Ok((Self(positions), batches.skipped().count() + unfit))
    }
}

/// Returns the records that have moves, each with its key.
fn keyed(batch: DbBatch) -> Vec<(Option<PositionKey>, Vec<StoredMove>)> {
    let with_moves = batch.records.into_iter().filter(|record| !record.moves.is_empty());
    with_moves
        .map(|record| {
            let side = record.position.side();
            let mut moves = Vec::with_capacity(record.moves.len());
            for listed in record.moves {
                let stored = StoredMove {
                    m: turn(listed.m, side),
                    ponder: listed.ponder.map(|ponder| turn(ponder, side)),
                    score: listed.score,
                    depth: listed.depth.unwrap_or(0),
                    count: listed.count.unwrap_or(0),
                };
                merge(&mut moves, vec![stored]);
            }
            (PositionKey::try_of(&record.position).ok(), moves)
        })
        .collect()
}

/// Adds newer moves of a position: values replace older ones, and numbers of games are added.
fn merge(known: &mut Vec<StoredMove>, newer: Vec<StoredMove>) {
    if known.is_empty() {
        *known = newer;
        return;
    }
    for new in newer {
        // Lists are short, so a linear search is faster than a set.
        let Some(same) = known.iter_mut().find(|old| old.m == new.m) else {
            known.push(new);
            continue;
        };
        same.count = same.count.saturating_add(new.count);
        same.ponder = new.ponder.or(same.ponder);
        if new.score.is_some() {
            (same.score, same.depth) = (new.score, new.depth);
        }
    }
}

impl BookProbe for DbInMemory {
    /// Finds both orientations at once.
    fn probe_same_orientation(&self, position: &Position) -> Result<Option<BookRecord>, BookError> {
        let Ok(key) = PositionKey::try_of(position) else { return Ok(None) };
        let Some(moves) = self.0.get(&key) else { return Ok(None) };
        let side = position.side();
        let moves = moves.iter().map(|stored| RecordMove {
            ponder: stored.ponder.map(|ponder| turn(ponder, side)),
            score: stored.score,
            depth: stored.score.map(|_| stored.depth),
            count: Some(stored.count).filter(|&count| count > 0),
            ..RecordMove::new(turn(stored.m, side))
        });
        let position = position.without_history();
        Ok(Some(BookRecord { moves: moves.collect(), ..BookRecord::new(position) }))
    }
}

impl fmt::Debug for DbInMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DbInMemory").field("positions", &self.0.len()).finish_non_exhaustive()
    }
}

/// Records by the Zobrist keys of their positions.
#[derive(Debug)]
struct Records(HashMap<u64, BookRecord>);

impl BookProbe for Records {
    fn probe_same_orientation(&self, position: &Position) -> Result<Option<BookRecord>, BookError> {
        Ok(self.0.get(&position.key()).cloned())
    }
}

fn read_records(path: &Path) -> Result<OpenedBook, BookFileError> {
    let mut file = BookFile::open(path, Tolerance::Lenient)?;
    let mut records = HashMap::new();
    for record in file.by_ref() {
        let record = record?;
        if !record.moves.is_empty() {
            records.entry(record.position.key()).or_insert(record);
        }
    }
    let positions = Some(records.len() as u64);
    Ok(OpenedBook { probe: Box::new(Records(records)), positions, faults: file.skipped().count() })
}
