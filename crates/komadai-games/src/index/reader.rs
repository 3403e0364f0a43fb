//! The index of a collection, read by seeks.

use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

use komadai_base::file::open_regular;
use komadai_core::{Move, Position};

use super::code::{Bytes, decode_game, outcome_of};
use super::error::IndexError;
use super::layout::{END, ENTRIES_PER_KEY, ENTRY, HEAD, KEY, Layout, MARK, PAGE, ROW, VERSION};
use super::pages::Pages;
use crate::query::GameQuery;
use crate::results::GameFacts;
use crate::summary::GameSummary;

/// The index of a collection of games in one file, made by [`IndexBuilder`](crate::IndexBuilder) and read
/// by seeks: memory is 12 bytes for each 65,536 of the file, and a megabyte.
///
/// A file that another program damages is refused where it is damaged. One that is replaced by an
/// update while it is open is read as it was.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_games::{BuildOptions, FileStamp, GameIndex, GameQuery, GameSummary, IndexBuilder};
/// use komadai_kifu::{FilePlace, Tolerance, parse_usi_games};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("games.idx");
/// let games = "startpos moves 7g7f 3c3d\nstartpos moves 2g2f 3c3d 7g7f\n";
/// let mut builder = IndexBuilder::create(&path, &BuildOptions::default())?;
/// for (number, record) in (1..).zip(parse_usi_games(games, Tolerance::Strict)?.records) {
///     let place = FilePlace { path: "games.usi".into(), entry: None, game: number };
///     builder.add(&GameSummary::with_formations(place, &record))?;
/// }
/// builder.end_file("games.usi", FileStamp::default())?;
/// builder.finish(None)?;
///
/// let mut index = GameIndex::open(&path)?;
/// assert_eq!((index.size().games, index.size().positions), (2, 7));
/// let query = GameQuery { position: Some(Position::hirate()), ..GameQuery::default() };
/// assert_eq!(index.candidates(&query)?, Some(vec![0, 1]));
/// assert_eq!(index.game(1)?.place.game, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct GameIndex {
    layout: Layout,
    pages: Pages,
    /// The key of the first position of each [`ENTRIES_PER_KEY`].
    keys: Vec<u64>,
}

/// The numbers of an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexSize {
    /// Games.
    pub games: u32,
    /// Positions of all games, each as often as it occurred.
    pub positions: u64,
    /// Files of games.
    pub files: u64,
    /// Files whose reading had faults.
    pub faulty: u64,
    /// Bytes of the index.
    pub bytes: u64,
}

/// A position in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Occurrence {
    pub(crate) game: u32,
    /// The number of moves before it.
    pub(crate) ply: u16,
    pub(crate) next: Option<Move>,
}

impl GameIndex {
    /// Opens an index. Reads its head and end and the keys; the rest is read when it is asked for.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is no index, has another version, or its end is damaged.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, IndexError> {
        let path = path.as_ref();
        let io = || IndexError::io(path);
        let mut file = open_regular(path).map_err(io())?;
        let length = file.metadata().map_err(io())?.len();
        let mut head = Vec::new();
        (&mut file).take(HEAD).read_to_end(&mut head).map_err(io())?;
        let version = head.strip_prefix(MARK.as_bytes());
        let version = version.ok_or_else(|| IndexError::NotAnIndex { path: path.to_owned() })?;
        let version = String::from_utf8_lossy(version).trim_end().to_owned();
        if version != VERSION.to_string() {
            let path = path.to_owned();
            return Err(IndexError::Version { path, found: version, expected: VERSION });
        }
        let cut = || IndexError::damaged(path, length, "the end is missing or was changed");
        let end_at = length.checked_sub(END).filter(|at| *at >= HEAD).ok_or_else(cut)?;
        let mut end = vec![0; END as usize];
        file.seek(SeekFrom::Start(end_at)).map_err(io())?;
        file.read_exact(&mut end).map_err(io())?;
        let layout = Layout::decode(&end).ok_or_else(cut)?;
        let layout = layout.ok_or_else(|| IndexError::Keys { path: path.to_owned() })?;
        if !layout.fits(length) {
            return Err(cut());
        }
        // The parts fit the length of the file, so that what is allocated is there.
        let mut checksums = vec![0; (end_at - layout.checksums_at) as usize];
        file.seek(SeekFrom::Start(layout.checksums_at)).map_err(io())?;
        file.read_exact(&mut checksums).map_err(io())?;
        if u64::from(crc32fast::hash(&checksums)) != layout.checksum {
            let reason = "the checksum of the checksums is another one";
            return Err(IndexError::damaged(path, layout.checksums_at, reason));
        }
        let checksums = checksums.chunks_exact(4).filter_map(|bytes| Bytes(bytes).u32()).collect();
        let mut pages = Pages::new(path, file, layout.checksums_at, checksums);
        let mut keys = vec![0; (layout.files_at - layout.keys_at) as usize];
        pages.read(layout.keys_at, &mut keys)?;
        let keys = keys.chunks_exact(KEY as usize).filter_map(|bytes| Bytes(bytes).u64()).collect();
        Ok(Self { layout, pages, keys })
    }

    /// Returns the numbers of the index.
    pub fn size(&self) -> IndexSize {
        let Layout { games, positions, files, faulty, checksums_at, .. } = self.layout;
        let bytes = checksums_at + 4 * self.layout.pages() + END;
        IndexSize { games: games as u32, positions, files, faulty, bytes }
    }

    /// Returns whether another reader has the same file, which an update may have replaced.
    pub fn is_same(&self, other: &Self) -> bool {
        self.layout == other.layout && self.pages.checksums() == other.pages.checksums()
    }

    /// Returns a game by its number from 0.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is damaged.
    pub fn game(&mut self, number: u32) -> Result<GameSummary, IndexError> {
        let (at, bytes) = self.game_bytes(number)?;
        decode_game(&bytes).ok_or_else(|| self.damaged(at, "a game is not written as games are"))
    }

    /// Returns the bytes of a game with their place.
    pub(super) fn game_bytes(&mut self, number: u32) -> Result<(u64, Vec<u8>), IndexError> {
        let (at, _) = self.row(number)?;
        let next = u64::from(number) + 1;
        let mut end = [0; 8];
        self.read(self.layout.rows_at + next * ROW, &mut end)?;
        let end = u64::from_le_bytes(end);
        let length = end.checked_sub(at).filter(|_| end <= self.layout.rows_at);
        let length = length.ok_or_else(|| self.damaged(at, "a game ends before it begins"))?;
        let mut bytes = vec![0; length as usize];
        self.read(at, &mut bytes)?;
        Ok((at, bytes))
    }

    /// Returns the place of a game, and what is counted of it.
    pub(crate) fn row(&mut self, number: u32) -> Result<(u64, GameFacts), IndexError> {
        let at = self.layout.rows_at + u64::from(number) * ROW;
        if u64::from(number) >= self.layout.games {
            return Err(self.damaged(at, "a position names a game that is not there"));
        }
        let mut bytes = [0; ROW as usize];
        self.read(at, &mut bytes)?;
        let mut bytes = Bytes(&bytes);
        let mut read = || {
            let (place, plies, year) = (bytes.u64()?, bytes.u32()?, bytes.u16()?);
            Some((place, GameFacts { outcome: outcome_of(bytes.u8()?)?, year, plies }))
        };
        read().ok_or_else(|| self.damaged(at, "the outcome of a game is none"))
    }

    /// Returns the numbers of the games in which a query can hold, in rising order; `None` if that
    /// may be all of them. [`GameQuery::find`] decides about each.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is damaged.
    pub fn candidates(&mut self, query: &GameQuery) -> Result<Option<Vec<u32>>, IndexError> {
        let mut games = Vec::new();
        if let Some(position) = &query.position {
            let turned = query.mirrored.then(|| position.flipped_key());
            for key in [position.key()].into_iter().chain(turned) {
                self.visit(key, |found| games.push(found.game))?;
            }
        } else if !query.opening.is_empty() {
            let mut position = Position::hirate();
            for &m in &query.opening {
                if !komadai_movegen::is_legal(&position, m) {
                    return Ok(Some(games));
                }
                position.do_move(m);
            }
            let plies = query.opening.len();
            self.visit(position.key(), |found| {
                if usize::from(found.ply) == plies {
                    games.push(found.game);
                }
            })?;
        } else {
            return Ok(None);
        }
        games.sort_unstable();
        games.dedup();
        Ok(Some(games))
    }

    /// Calls `each` with every occurrence of a position with this key, by game and ply.
    pub(crate) fn visit(
        &mut self,
        key: u64,
        mut each: impl FnMut(Occurrence),
    ) -> Result<(), IndexError> {
        let mut number = self.first_of(key)?;
        while number < self.layout.positions {
            let (found, occurrence) = split(self.entry(number)?);
            if found != key {
                break;
            }
            each(occurrence);
            number += 1;
        }
        Ok(())
    }

    /// Returns the number of the first position with a key, or with the next larger one.
    fn first_of(&mut self, key: u64) -> Result<u64, IndexError> {
        // The first one may stand among those that begin with a smaller key.
        let after = self.keys.partition_point(|&first| first < key) as u64;
        let mut low = after.saturating_sub(1) * ENTRIES_PER_KEY;
        let mut high = (after * ENTRIES_PER_KEY).min(self.layout.positions);
        while low < high {
            let middle = low + (high - low) / 2;
            if split(self.entry(middle)?).0 < key { low = middle + 1 } else { high = middle }
        }
        Ok(low)
    }

    /// Returns the position with a number, in the order of the file.
    pub(super) fn entry(&mut self, number: u64) -> Result<u128, IndexError> {
        let mut bytes = [0; ENTRY as usize];
        self.read(self.layout.positions_at + number * ENTRY, &mut bytes)?;
        Ok(u128::from_be_bytes(bytes))
    }

    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    pub(super) fn read(&mut self, at: u64, buffer: &mut [u8]) -> Result<(), IndexError> {
        self.pages.read(at, buffer)
    }

    pub(super) fn damaged(&self, at: u64, reason: &str) -> IndexError {
        IndexError::damaged(self.pages.path(), at, reason)
    }
}

/// Returns the key and the occurrence of an entry.
fn split(entry: u128) -> (u64, Occurrence) {
    let low = entry as u64;
    let next = Move::from_bits(low as u16);
    let occurrence = Occurrence { game: (low >> 32) as u32, ply: (low >> 16) as u16, next };
    ((entry >> 64) as u64, occurrence)
}

/// Returns the entry of an occurrence: key, game, ply and move from the highest byte to the lowest.
pub(super) fn join(key: u64, game: u32, ply: u16, next: Option<Move>) -> u128 {
    let next = next.map_or(0, Move::to_bits);
    u128::from(key) << 64 | u128::from(game) << 32 | u128::from(ply) << 16 | u128::from(next)
}

/// Returns the entry with another number of its game.
pub(super) fn renumbered(entry: u128, game: u32) -> u128 {
    entry & !(u128::from(u32::MAX) << 32) | u128::from(game) << 32
}

/// Returns the number of the game of an entry.
pub(super) fn game_of(entry: u128) -> u32 {
    (entry >> 32) as u32
}

const _: () = assert!(PAGE.is_multiple_of(ENTRY) && PAGE.is_multiple_of(ROW));
