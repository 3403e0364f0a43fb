//! Reading of training games from a source of any length.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use komadai_base::file::open_regular;
use komadai_kifu::{Skipped, Tolerance};

use super::error::{GameDamage, RecordFault, TrainingError};
use super::format::TrainingFormat;
use super::game::TrainingGame;
#[cfg(feature = "tools")]
use super::game_bytes::read_records;
use super::game_bytes::{Frame, Framer, GameFault, read_game};
#[cfg(feature = "tools")]
use super::psv::PackedSfenValue;

/// Number of bytes that are read at once.
const BLOCK_BYTES: usize = 1 << 18;
/// The largest number of bytes of a game. One of 2,000 moves with 593 candidates each has 5 MB.
const MOST_GAME_BYTES: usize = 1 << 24;

/// A game in a file of games, as bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GameBytes {
    /// The number of the game, from 1.
    pub(crate) game: u64,
    /// Its first byte in the file.
    pub(crate) offset: u64,
    /// Number of its records.
    pub(crate) records: usize,
    pub(crate) bytes: Vec<u8>,
}

impl GameBytes {
    /// Reads the game.
    pub(crate) fn game(&self, format: TrainingFormat) -> Result<TrainingGame, GameDamage> {
        read_game(format, &self.bytes).map_err(|fault| self.damage(format, fault))
    }

    /// Reads the records of the game.
    #[cfg(feature = "tools")]
    pub(crate) fn records(
        &self,
        format: TrainingFormat,
        take: &mut dyn FnMut(PackedSfenValue),
    ) -> Result<(), GameDamage> {
        read_records(format, &self.bytes, take).map_err(|fault| self.damage(format, fault))
    }

    fn damage(&self, format: TrainingFormat, fault: GameFault) -> GameDamage {
        // A game of `.pack` ends where its moves do, so that a wrong move may hide its end.
        damage_of(self.game, self.offset, fault, format == TrainingFormat::Pack)
    }
}

/// Returns the damage of a game that begins with this byte of its file.
fn damage_of(game: u64, offset: u64, fault: GameFault, is_final: bool) -> GameDamage {
    let GameFault { ply, at, fault } = fault;
    GameDamage { game, offset, ply, at: offset + at as u64, fault, is_final }
}

/// The games of a source as bytes, in bounded memory.
#[derive(Debug)]
pub(crate) struct GameFrames<R> {
    source: R,
    framer: Framer,
    buffer: Vec<u8>,
    /// The bytes of the buffer before this one have been returned.
    start: usize,
    /// The offset of that byte in the file.
    offset: u64,
    games: u64,
    is_at_end: bool,
}

impl<R: Read> GameFrames<R> {
    pub(crate) fn new(source: R, format: TrainingFormat) -> Self {
        let framer = Framer::new(format);
        let (buffer, is_at_end) = (Vec::new(), false);
        Self { source, framer, buffer, start: 0, offset: 0, games: 0, is_at_end }
    }

    /// Returns the offset of the next byte that has not been returned.
    #[cfg(feature = "tools")]
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the next game; `None` at the end. After an error nothing more can be read.
    pub(crate) fn next_game(&mut self) -> Result<Option<GameBytes>, TrainingError> {
        loop {
            let unread = &self.buffer[self.start..];
            if unread.is_empty() && self.is_at_end {
                return Ok(None);
            }
            let frame = if unread.is_empty() { Ok(Frame::More) } else { self.framer.next(unread) };
            match frame.map_err(|fault| self.damage(fault))? {
                Frame::Game { bytes, records } => {
                    self.games += 1;
                    let (game, offset) = (self.games, self.offset);
                    let bytes = self.take(bytes).to_vec();
                    return Ok(Some(GameBytes { game, offset, records, bytes }));
                }
                Frame::Between { bytes } => {
                    self.take(bytes);
                }
                Frame::More if self.is_at_end => {
                    let found = unread.len() as u64;
                    let fault = RecordFault::Cut { found };
                    return Err(self.damage(GameFault { ply: None, at: 0, fault }));
                }
                Frame::More if unread.len() >= MOST_GAME_BYTES => {
                    let fault = RecordFault::GameBytes { most: MOST_GAME_BYTES };
                    return Err(self.damage(GameFault { ply: None, at: 0, fault }));
                }
                Frame::More => self.fill()?,
            }
        }
    }

    fn damage(&self, fault: GameFault) -> TrainingError {
        TrainingError::Game(damage_of(self.games + 1, self.offset, fault, true))
    }

    fn take(&mut self, bytes: usize) -> &[u8] {
        let start = self.start;
        self.start += bytes;
        self.offset += bytes as u64;
        &self.buffer[start..self.start]
    }

    /// Reads at least a block, and as many bytes as are unread, so that long games are looked at a
    /// few times only.
    fn fill(&mut self) -> Result<(), TrainingError> {
        self.buffer.drain(..self.start);
        self.start = 0;
        let wanted = BLOCK_BYTES.max(self.buffer.len()) as u64;
        match self.source.by_ref().take(wanted).read_to_end(&mut self.buffer) {
            Ok(read) => {
                self.is_at_end = (read as u64) < wanted;
                Ok(())
            }
            Err(error) => {
                let (record, offset) = (self.games + 1, self.offset);
                Err(TrainingError::Io { record, offset, error })
            }
        }
    }
}

/// Reads the games of a file one by one, in bounded memory: HCPE3, `.pack` and sbinpack. After an
/// error the iterator has ended.
///
/// Every move is checked. A strict reader stops at the first damaged game. A lenient one skips and
/// counts damaged games of HCPE3 and sbinpack; the rest of a `.pack` after an illegal move, and of
/// any file after bytes that are no game, cannot be read and counts as one fault.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_data::records::{TrainingEnd, TrainingFormat, TrainingGame, TrainingGameReader, TrainingMove};
/// use komadai_kifu::{Outcome, Tolerance};
///
/// let moves = vec![TrainingMove::new("7g7f".parse()?, 35)];
/// let (start, outcome, end) = (Position::hirate(), Outcome::Draw, TrainingEnd::Repetition);
/// let game = TrainingGame { start, outcome, end, moves };
/// let file = [game.to_pack()?, game.to_pack()?].concat();
/// assert_eq!(TrainingFormat::detect(&file, None), Some(TrainingFormat::Pack));
/// for read in TrainingGameReader::new(&file[..], TrainingFormat::Pack, Tolerance::Strict) {
///     assert_eq!(read?, game);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TrainingGameReader<R> {
    frames: GameFrames<R>,
    format: TrainingFormat,
    tolerance: Tolerance,
    skipped: Skipped<TrainingError>,
    is_over: bool,
}

impl TrainingGameReader<File> {
    /// Opens a file and recognises its format.
    ///
    /// # Errors
    ///
    /// Returns an error if the file cannot be opened, or if it is not one of games.
    pub fn open(path: impl AsRef<Path>, tolerance: Tolerance) -> Result<Self, TrainingError> {
        let failure = |error| TrainingError::Io { record: 1, offset: 0, error };
        let path = path.as_ref();
        let mut start = Vec::new();
        let file = open_regular(path).map_err(failure)?;
        let length = file.metadata().map_err(failure)?.len();
        file.take(TrainingFormat::START_BYTES).read_to_end(&mut start).map_err(failure)?;
        match TrainingFormat::detect(&start, Some(length)) {
            Some(format) if format.has_games() => {
                Ok(Self::new(open_regular(path).map_err(failure)?, format, tolerance))
            }
            found => {
                let message = match found {
                    None => "not a file of training games".to_owned(),
                    Some(found) => format!("the file is of the format {found}, without games"),
                };
                Err(failure(io::Error::new(io::ErrorKind::InvalidData, message)))
            }
        }
    }
}

impl<R: Read> TrainingGameReader<R> {
    /// Creates a reader of the games in `source`, which needs no buffer of its own. A format
    /// without games yields an error.
    pub fn new(source: R, format: TrainingFormat, tolerance: Tolerance) -> Self {
        let frames = GameFrames::new(source, format);
        Self { frames, format, tolerance, skipped: Skipped::default(), is_over: false }
    }

    /// Returns the faults skipped so far; none if the reading is strict.
    pub fn skipped(&self) -> &Skipped<TrainingError> {
        &self.skipped
    }
}

impl<R: Read> Iterator for TrainingGameReader<R> {
    type Item = Result<TrainingGame, TrainingError>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.is_over {
            let fault = match self.frames.next_game() {
                Ok(None) => {
                    self.is_over = true;
                    break;
                }
                Ok(Some(game)) => match game.game(self.format) {
                    Ok(game) => return Some(Ok(game)),
                    Err(damage) => {
                        self.is_over = damage.is_final;
                        TrainingError::Game(damage)
                    }
                },
                Err(error) => {
                    self.is_over = true;
                    error
                }
            };
            if self.tolerance == Tolerance::Lenient && !fault.is_final() {
                self.skipped.add(fault);
            } else {
                self.is_over = true;
                return Some(Err(fault));
            }
        }
        None
    }
}
