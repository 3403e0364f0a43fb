//! Recognition of the format of a file of training records.

use komadai_core::Hcp;

use super::format::TrainingFormat;
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
    /// The files have no header. A file is of a format if at least half of the first records are
    /// sound when they are read in it; if that holds for more than one, the share of sound records
    /// decides, and then the length. If no record is sound in any format, the file has the format
    /// of which its length is a multiple, if there is only one. Returns `None` if nothing decides.
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
        let trials = Self::ALL.map(|format| Trial::of(format, start, length));
        if trials.iter().all(|trial| trial.sound == 0) {
            // The length of a single record may as well be that of another one that is cut off.
            let is_whole = |trial: &&Trial| trial.is_whole == Some(true) && trial.tried > 1;
            let mut whole = trials.iter().filter(is_whole);
            return whole.next().filter(|_| whole.next().is_none()).map(|trial| trial.format);
        }
        let longest = Self::ALL.map(Self::record_bytes).into_iter().max().unwrap_or_default();
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
        let bytes = format.record_bytes();
        let records = || start.chunks_exact(bytes).take(TRIED);
        let sound = records().filter(|record| is_sound(format, record)).count();
        let is_whole = length.map(|length| length.is_multiple_of(bytes as u64));
        Self { format, sound, tried: records().count(), is_whole }
    }
}

fn is_sound(format: TrainingFormat, record: &[u8]) -> bool {
    match format {
        TrainingFormat::Psv => is_sound_as::<PackedSfenValue>(record),
        TrainingFormat::Hcpe => is_sound_as::<Hcpe>(record),
        TrainingFormat::AperyRust => {
            record.first_chunk().is_some_and(|bytes| Hcp::from_bytes(*bytes).position().is_ok())
        }
    }
}

fn is_sound_as<T: TrainingRecord>(record: &[u8]) -> bool {
    T::from_slice(record).is_ok_and(|record| record.validate(RecordCheck::Position).is_ok())
}
