//! Positions to learn from.

use komadai_core::{PackedSfen, Position, Setup};
use komadai_data::records::{PackedSfenValue, RecordFault};

use super::terms::{Inputs, Kings};

/// A position to learn from, with its score and the result of its game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sample {
    position: PackedSfen,
    /// Centipawns for the side to move.
    score: i16,
    /// 1 if the side to move wins, -1 if it loses.
    result: i8,
    kings: Kings,
    /// The plies that are left in the game.
    plies_left: u16,
    /// The value of the base in centipawns for the side to move.
    base: i16,
}

/// Returns whether a static evaluation can learn from a score: the position is quiet, and the game
/// not decided.
pub(crate) fn is_even_and_quiet(record: &PackedSfenValue, position: &Position) -> bool {
    /// The scores from which on a game is decided, in centipawns.
    const DECIDED: u16 = 3_000;
    record.score.unsigned_abs() < DECIDED && record.is_quiet(position)
}

impl Sample {
    /// Returns the sample of a record if the position is quiet: the side to move is not in check,
    /// its best move neither captures nor promotes, and the score is not that of a decided game.
    /// There is none if a king is missing.
    pub(super) fn of_quiet(record: &PackedSfenValue) -> Result<Option<Self>, RecordFault> {
        let position = record.unpack()?;
        let is_wanted = is_even_and_quiet(record, &position);
        let Some(kings) = Kings::of(&position).filter(|_| is_wanted) else { return Ok(None) };
        Ok(Some(Self {
            position: record.position,
            score: record.score,
            result: record.result as i8,
            kings,
            plies_left: 0,
            base: 0,
        }))
    }

    /// Returns the inputs of the position, or of the position mirrored left to right.
    #[inline]
    pub(super) fn inputs(&self, is_mirrored: bool) -> Inputs {
        Inputs::of(&self.setup(), is_mirrored)
    }

    fn setup(&self) -> Setup {
        self.position.to_setup().expect("a sample was unpacked when it was read")
    }

    pub(super) fn position(&self) -> Position {
        Position::from_setup(&self.setup()).expect("a sample was checked when it was read")
    }

    #[inline]
    pub(super) fn kings(&self, is_mirrored: bool) -> Kings {
        if is_mirrored { self.kings.mirrored() } else { self.kings }
    }

    /// The score of the search in centipawns for the side to move.
    #[inline]
    pub(super) fn score(&self) -> i32 {
        self.score.into()
    }

    /// The result of the game for the side to move: 1 for a win, 0.5 for a draw, 0 for a loss.
    #[inline]
    pub(super) fn result(&self) -> f32 {
        (f32::from(self.result) + 1.0) / 2.0
    }

    /// The number of plies that are left in the game.
    pub(super) fn plies_left(&self) -> u16 {
        self.plies_left
    }

    pub(super) fn with_plies_left(self, plies_left: u16) -> Self {
        Self { plies_left, ..self }
    }

    /// The value of the base in centipawns for the side to move.
    #[inline]
    pub(super) fn base(&self) -> i32 {
        self.base.into()
    }

    pub(super) fn set_base(&mut self, base: i16) {
        self.base = base;
    }

    /// A number that depends on all of the sample but what follows from the position.
    pub(super) fn hash(&self) -> u64 {
        let words = self
            .position
            .as_bytes()
            .chunks_exact(8)
            .map(|bytes| bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)));
        let label = u64::from(self.score as u16) << 8 | u64::from(self.result as u8);
        let label = label << 16 | u64::from(self.plies_left);
        words.chain([label]).fold(0, |hash, word| komadai_core::SplitMix64::mix(hash ^ word))
    }

    #[cfg(test)]
    pub(super) fn new(position: &Position, score: i16, result: i8) -> Self {
        use komadai_eval::{Evaluator as _, Material};

        let setup = position.to_setup();
        let packed = PackedSfen::from_setup(&setup).unwrap();
        let kings = Kings::of(position).unwrap();
        let base = Material.evaluate_position(position).raw() as i16;
        Self { position: packed, score, result, kings, plies_left: 0, base }
    }
}
