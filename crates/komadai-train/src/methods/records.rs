//! Records of games to learn from.

use std::io::{self, Read};

use komadai_core::{Move, PackedSfen, Position};
use komadai_data::records::PackedSfenValue;
use komadai_movegen::MoveGen as _;

use crate::linear::LinearInputs;
use crate::network::training_set::is_held_out;

/// A position of a game, with the result of its search.
#[derive(Debug, Clone)]
pub(crate) struct LearningRecord {
    packed: PackedSfen,
    /// Centipawns for the side to move; mates from ±30,000 on.
    pub(crate) score: i16,
    pub(crate) best_move: Option<Move>,
    pub(crate) inputs: LinearInputs,
    /// True if a static evaluation can be compared with the score: no check, no capture, no mate.
    pub(crate) is_quiet: bool,
}

/// The positions that methods learn from, and those of held-out games by which the results are judged.
///
/// A twentieth of the games is held out, the same ones as in a
/// [`TrainingSet`](crate::network::TrainingSet). A position takes some 130 bytes of memory.
///
/// # Examples
///
/// ```
/// use komadai_train::methods::LearningData;
///
/// let mut data = LearningData::new();
/// data.read(std::io::empty())?;
/// assert_eq!((data.training(), data.held_out()), (0, 0));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct LearningData {
    pub(crate) records: Vec<LearningRecord>,
    pub(crate) held_out_records: Vec<LearningRecord>,
    skipped: u64,
}

/// The largest score of a quiet position, in centipawns.
const MOST_QUIET: u16 = 3_000;

impl LearningData {
    /// Returns data without positions.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the positions of a file of PackedSfenValue (`.psv`), whole games in their order.
    ///
    /// Records that are no position are counted as [`skipped`](Self::skipped), and so is an incomplete one
    /// at the end, as a running generator leaves it.
    ///
    /// # Errors
    ///
    /// Returns an error if the source fails.
    pub fn read(&mut self, mut source: impl Read) -> io::Result<()> {
        let mut bytes = Vec::new();
        source.read_to_end(&mut bytes)?;
        let (records, rest) = bytes.as_chunks::<{ PackedSfenValue::BYTES }>();
        self.skipped += u64::from(!rest.is_empty());
        let (mut before, mut is_apart) = (None, false);
        for bytes in records {
            let Ok(record) = PackedSfenValue::from_bytes(bytes) else {
                self.skipped += 1;
                continue;
            };
            if before != record.ply.checked_sub(1) || before.is_none() {
                is_apart = is_held_out(&record);
            }
            before = Some(record.ply);
            match LearningRecord::new(&record) {
                Some(record) if is_apart => self.held_out_records.push(record),
                Some(record) => self.records.push(record),
                None => self.skipped += 1,
            }
        }
        Ok(())
    }

    /// The number of positions to learn from.
    #[must_use]
    pub fn training(&self) -> usize {
        self.records.len()
    }

    /// The number of positions of held-out games.
    #[must_use]
    pub fn held_out(&self) -> usize {
        self.held_out_records.len()
    }

    /// The number of records that are no positions.
    #[must_use]
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    #[cfg(test)]
    pub(crate) fn from_records(records: Vec<LearningRecord>) -> Self {
        Self { held_out_records: records.clone(), records, skipped: 0 }
    }
}

impl LearningRecord {
    fn new(record: &PackedSfenValue) -> Option<Self> {
        let position = record.position.position().ok()?;
        let is_tactical = |m: Move| m.is_promotion() || position.piece_on(m.to()).is_some();
        let is_quiet = !position.in_check()
            && record.score.unsigned_abs() < MOST_QUIET
            && record.best_move.is_some_and(|m| !is_tactical(m));
        Some(Self {
            packed: record.position,
            score: record.score,
            best_move: record.best_move.filter(|m| position.is_legal(*m)),
            inputs: LinearInputs::of(&position),
            is_quiet,
        })
    }

    pub(crate) fn position(&self) -> Position {
        self.packed.position().expect("a record was unpacked when it was read")
    }

    /// A record for tests.
    #[cfg(test)]
    pub(crate) fn planted(position: &Position, score: i16, best_move: Option<Move>) -> Self {
        let record = PackedSfenValue {
            position: PackedSfen::of(position).expect("positions of games fit"),
            score,
            best_move,
            ply: 1,
            result: komadai_data::records::RecordResult::Draw,
        };
        Self { is_quiet: true, ..Self::new(&record).expect("it was a position") }
    }
}
