//! Positions to learn from.

use komadai_core::{Move, PackedSfen, Position, Setup};

use super::error::RecordFault;
use super::terms::{Inputs, Zones};

/// The bytes of a record of a file (PackedSfenValue of YaneuraOu).
pub(super) const RECORD: usize = 40;

/// A record of a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Record {
    position: PackedSfen,
    score: i16,
    best_move: Option<Move>,
    result: i8,
}

/// The number of the next move in a record.
pub(super) fn ply_of(record: &[u8; RECORD]) -> u16 {
    u16::from_le_bytes([record[36], record[37]])
}

/// A position to learn from, with its score and the result of its game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sample {
    position: PackedSfen,
    /// Centipawns for the side to move.
    score: i16,
    /// 1 if the side to move wins, -1 if it loses.
    result: i8,
    zones: Zones,
    /// The plies that are left in the game.
    plies_left: u16,
    /// The value of the base in centipawns for the side to move.
    base: i16,
}

/// The largest score of a quiet position, in centipawns.
const MOST_QUIET: u16 = 3_000;

impl Record {
    pub(super) fn read(bytes: &[u8; RECORD]) -> Self {
        let mut position = [0; 32];
        position.copy_from_slice(&bytes[..32]);
        let number = |at| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        Self {
            position: PackedSfen::from_bytes(position),
            score: number(32) as i16,
            best_move: Move::from_bits(number(34)),
            result: bytes[38] as i8,
        }
    }

    /// Returns the sample if the position is quiet: the side to move is not in check, its best move neither
    /// captures nor promotes, and the score is not that of a decided game.
    pub(super) fn quiet(&self) -> Result<Option<Sample>, RecordFault> {
        let setup = self.position.to_setup()?;
        let position = Position::from_setup(&setup)?;
        let is_tactical = |m: Move| m.is_promotion() || position.piece_on(m.to()).is_some();
        let is_quiet = !position.in_check()
            && self.score.unsigned_abs() < MOST_QUIET
            && self.best_move.is_some_and(|m| !is_tactical(m));
        Ok(if is_quiet { self.sample(&setup) } else { None })
    }

    /// Returns the sample; `None` if a king is missing.
    fn sample(&self, setup: &Setup) -> Option<Sample> {
        let zones = Zones::of(setup)?;
        Some(Sample {
            position: self.position,
            score: self.score,
            result: self.result.signum(),
            zones,
            plies_left: 0,
            base: 0,
        })
    }
}

impl Sample {
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
    pub(super) fn zones(&self, is_mirrored: bool) -> Zones {
        if is_mirrored { self.zones.mirrored() } else { self.zones }
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
        let zones = Zones::of(&setup).unwrap();
        let base = Material.evaluate_position(position).raw() as i16;
        Self { position: packed, score, result, zones, plies_left: 0, base }
    }
}
