//! Records of games to learn from.

use komadai_core::{Move, PackedSfen, Position};
use komadai_data::records::{PackedSfenValue, RecordFault};
use komadai_data::tools::{Damage, Sources, ToolError, Watch};
use komadai_movegen::MoveGen as _;
use komadai_nnue::linear::LinearInputs;

use crate::network::sample::is_even_and_quiet;
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

/// The positions that methods learn from, and those of held-out games by which the results are
/// judged.
///
/// A twentieth of the games is held out, the same ones as in a
/// [`TrainingSet`](crate::network::TrainingSet). A position takes some 130 bytes of memory.
///
/// # Examples
///
/// ```
/// use komadai_data::tools::{OnDamage, Sources, Watch};
/// use komadai_train::methods::LearningData;
///
/// let mut data = LearningData::new();
/// data.read(&Sources::find(&[], OnDamage::Refuse)?, &mut Watch::none())?;
/// assert_eq!((data.training(), data.held_out()), (0, 0));
/// # Ok::<(), komadai_data::tools::ToolError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct LearningData {
    pub(crate) records: Vec<LearningRecord>,
    pub(crate) held_out_records: Vec<LearningRecord>,
}

impl LearningData {
    /// Returns data without positions.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the positions of all records, whole games in their order.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`Sources::read`].
    pub fn read(&mut self, sources: &Sources, watch: &mut Watch<'_>) -> Result<Damage, ToolError> {
        // The file and the move number of the record before, and whether its game is held out.
        let mut before: Option<(usize, u16, bool)> = None;
        sources.read(
            "read",
            watch,
            |_, record| Ok(LearningRecord::new(record)?),
            |found| {
                let next = |(file, ply, is_apart): (usize, u16, bool)| {
                    let is_next =
                        file == found.index && ply.checked_add(1) == Some(found.record.ply);
                    is_next.then_some(is_apart)
                };
                let is_apart = before.and_then(next).unwrap_or_else(|| is_held_out(&found.record));
                before = Some((found.index, found.record.ply, is_apart));
                let to = if is_apart { &mut self.held_out_records } else { &mut self.records };
                to.push(found.value);
                Ok(())
            },
        )
    }

    /// The number of positions to learn from.
    pub fn training(&self) -> usize {
        self.records.len()
    }

    /// The number of positions of held-out games.
    pub fn held_out(&self) -> usize {
        self.held_out_records.len()
    }

    #[cfg(test)]
    pub(crate) fn from_records(records: Vec<LearningRecord>) -> Self {
        Self { held_out_records: records.clone(), records }
    }
}

impl LearningRecord {
    fn new(record: &PackedSfenValue) -> Result<Self, RecordFault> {
        let position = record.position.position()?;
        Ok(Self {
            packed: record.position,
            score: record.score,
            best_move: record.best_move.filter(|m| position.is_legal(*m)),
            inputs: LinearInputs::of(&position),
            is_quiet: is_even_and_quiet(record, &position),
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
