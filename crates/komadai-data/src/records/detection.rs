//! Recognition of the format of a file of training records.

use komadai_core::Hcp;

use super::format::TrainingFormat;
use super::game_bytes::{Frame, Framer, SBINPACK_MAGIC, count_legal};
use super::hcpe::Hcpe;
use super::psv::PackedSfenValue;
use super::record::TrainingRecord;
use super::record_check::RecordCheck;

/// The number of records at the start of a file that are tried in each format.
const TRIED: usize = 32;

/// The number of records of one format at the start of a file that are sound, among those tried.
struct Trial {
    format: TrainingFormat,
    sound: usize,
    tried: usize,
    /// True if the file consists of whole records; `None` if its length is not known.
    is_whole: Option<bool>,
}

impl TrainingFormat {
    /// Recognises the format by the start of a file, and by its length in bytes if that is known.
    ///
    /// Of all formats only sbinpack has a header. A file has games if their first moves are legal.
    /// Otherwise it is of a format if at least half of the first records are sound when they are
    /// read in it; if that holds for more than one, the share of sound records
    /// decides, and then the length. If no record is sound in any format, the file has the format
    /// whose records fill its length, if there is only one. Returns `None` if nothing decides.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Position;
    /// use komadai_data::records::{Hcpe, RecordResult, TrainingFormat};
    ///
    /// let record = Hcpe::new(&Position::hirate(), 0, None, RecordResult::Draw)?;
    /// let file = [record.to_bytes(); 3].concat();
    /// assert_eq!(TrainingFormat::detect(&file, None), Some(TrainingFormat::Hcpe));
    /// # Ok::<(), komadai_core::PackedError>(())
    /// ```
    pub fn detect(start: &[u8], length: Option<u64>) -> Option<Self> {
        if start.starts_with(SBINPACK_MAGIC) {
            return Some(Self::Sbinpack);
        }
        let games = [Self::Pack, Self::Hcpe3].map(|format| Replay::of(format, start, length));
        if let Some(found) = games.iter().find(|replay| replay.is_convincing()) {
            return Some(found.format);
        }
        let trials = Self::FIXED.map(|format| Trial::of(format, start, length));
        if trials.iter().all(|trial| trial.sound == 0) {
            if let Some(found) = games.iter().find(|replay| replay.moves > 0) {
                return Some(found.format);
            }
            // The length of a single record may as well be that of another one that is cut off.
            let is_whole = |trial: &&Trial| trial.is_whole == Some(true) && trial.tried > 1;
            let mut whole = trials.iter().filter(is_whole);
            return whole.next().filter(|_| whole.next().is_none()).map(|trial| trial.format);
        }
        let longest =
            Self::FIXED.into_iter().filter_map(Self::record_bytes).max().unwrap_or_default();
        let likely = trials.iter().filter(|trial| {
            // In less than a record of each format, some formats cannot be tried.
            let is_tried = start.len() >= longest || trial.is_whole == Some(true);
            is_tried && 2 * trial.sound >= trial.tried.max(1)
        });
        // Of equals the last is the maximum, so the formats are compared from the last to the
        // first.
        let best = likely.rev().max_by(|a, b| {
            let by_share = (a.sound * b.tried).cmp(&(b.sound * a.tried));
            by_share.then(a.is_whole.cmp(&b.is_whole))
        });
        best.map(|trial| trial.format)
    }
}

impl Trial {
    fn of(format: TrainingFormat, start: &[u8], length: Option<u64>) -> Self {
        // The formats that are tried have records of a fixed length.
        let bytes = format.record_bytes().unwrap_or(1);
        let records = || start.chunks_exact(bytes).take(TRIED);
        let sound = records().filter(|record| is_sound(format, record)).count();
        let is_whole = length.map(|length| length.is_multiple_of(bytes as u64));
        Self { format, sound, tried: records().count(), is_whole }
    }
}

/// The first games of a file, read in a format of games.
struct Replay {
    format: TrainingFormat,
    /// Number of legal moves before the first fault.
    moves: usize,
    /// True if no fault was found.
    is_sound: bool,
    /// True if the games fill the whole file.
    is_whole: bool,
}

impl Replay {
    /// The number of successive moves that are not legal by chance.
    const ENOUGH: usize = 4;
    /// The number of moves after which a fault is damage.
    const ENOUGH_BEFORE_FAULT: usize = 8;

    fn of(format: TrainingFormat, start: &[u8], length: Option<u64>) -> Self {
        let is_all = length.is_none_or(|length| length <= start.len() as u64);
        let (mut framer, mut at, mut moves) = (Framer::new(format), 0, 0);
        let replay = |is_sound, is_whole, moves| Self { format, moves, is_sound, is_whole };
        while at < start.len() && moves < TRIED {
            match framer.next(&start[at..]) {
                Ok(Frame::Game { bytes, records }) => {
                    let legal = count_legal(format, &start[at..at + bytes]);
                    moves += legal;
                    if legal < records {
                        return replay(false, false, moves);
                    }
                    at += bytes;
                }
                Ok(Frame::Between { bytes }) => at += bytes,
                Ok(Frame::More) => {
                    moves += count_legal(format, &start[at..]);
                    return replay(!is_all, false, moves);
                }
                Err(_) => {
                    moves += count_legal(format, &start[at..]);
                    return replay(false, false, moves);
                }
            }
        }
        replay(true, is_all && at == start.len(), moves)
    }

    fn is_convincing(&self) -> bool {
        let least = match (self.is_sound, self.is_whole) {
            (true, true) => 1,
            (true, false) => Self::ENOUGH,
            (false, _) => Self::ENOUGH_BEFORE_FAULT,
        };
        self.moves >= least
    }
}

fn is_sound(format: TrainingFormat, record: &[u8]) -> bool {
    match format {
        TrainingFormat::Psv => is_sound_as::<PackedSfenValue>(record),
        TrainingFormat::Hcpe => is_sound_as::<Hcpe>(record),
        _ => record.first_chunk().is_some_and(|bytes| Hcp::from_bytes(*bytes).position().is_ok()),
    }
}

fn is_sound_as<T: TrainingRecord>(record: &[u8]) -> bool {
    T::from_slice(record).is_ok_and(|record| record.validate(RecordCheck::Position).is_ok())
}
