//! The records of YaneuraOu.

use komadai_core::{Move, PackedError, PackedSfen, Position};

use super::error::RecordFault;
use super::format::TrainingFormat;
use super::record::fixed_record;
use super::record_check::{checked, unpacked};
use super::record_result::RecordResult;

/// A training record of YaneuraOu (PSV, 教師局面), 40 bytes.
///
/// # Examples
///
/// ```
/// use komadai_core::{Position, Square};
/// use komadai_data::records::{PackedSfenValue, RecordResult};
///
/// let position = Position::hirate();
/// let record = PackedSfenValue::new(&position, -20, Some("2g2f".parse()?), RecordResult::Draw)?;
/// let bytes = record.to_bytes();
/// assert_eq!(bytes[32..], [0xec, 0xff, 0x8e, 0x07, 1, 0, 0, 0]);
/// assert_eq!(PackedSfenValue::from_bytes(&bytes)?, record);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PackedSfenValue {
    /// The position, packed and not validated.
    pub position: PackedSfen,
    /// The score for the side to move, in the unit of the program that wrote it.
    pub score: i16,
    /// The first move of the principal variation.
    pub best_move: Option<Move>,
    /// The number of the next move, from 1 at the start of the game.
    pub ply: u16,
    /// The result of the game for the side to move.
    pub result: RecordResult,
}

impl PackedSfenValue {
    /// The number of bytes of a record.
    pub const BYTES: usize = 40;

    /// Packs a position and its data. A move number above 65535 becomes 65535.
    ///
    /// # Errors
    ///
    /// Returns an error if the position has one king only and does not fit.
    pub fn new(
        position: &Position,
        score: i16,
        best_move: Option<Move>,
        result: RecordResult,
    ) -> Result<Self, PackedError> {
        let ply = u16::try_from(position.ply()).unwrap_or(u16::MAX);
        Ok(Self { position: PackedSfen::of(position)?, score, best_move, ply, result })
    }

    /// The bytes of the record.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..32].copy_from_slice(self.position.as_bytes());
        bytes[32..34].copy_from_slice(&self.score.to_le_bytes());
        bytes[34..36].copy_from_slice(&self.best_move.map_or(0, Move::to_bits).to_le_bytes());
        bytes[36..38].copy_from_slice(&self.ply.to_le_bytes());
        bytes[38] = (self.result as i8).cast_unsigned();
        bytes
    }

    /// Reads a record. The position is not unpacked, and the padding is ignored.
    ///
    /// # Errors
    ///
    /// Returns an error if the bits of the move represent no move, or if the result is none of 1, 0
    /// and −1.
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Result<Self, RecordFault> {
        let [position @ .., s0, s1, m0, m1, p0, p1, result, _padding] = *bytes;
        let best_move = match u16::from_le_bytes([m0, m1]) {
            0 => None,
            bits => Some(Move::from_bits(bits).ok_or(RecordFault::Move { bits })?),
        };
        let result = match result.cast_signed() {
            1 => RecordResult::Win,
            0 => RecordResult::Draw,
            -1 => RecordResult::Loss,
            found => {
                let expected = "1, 0 or -1";
                return Err(RecordFault::Result { found: found.into(), expected });
            }
        };
        Ok(Self {
            position: PackedSfen::from_bytes(position),
            score: i16::from_le_bytes([s0, s1]),
            best_move,
            ply: u16::from_le_bytes([p0, p1]),
            result,
        })
    }

    /// Returns whether a static evaluation can be compared with the score: the side to move is not
    /// in check, and the best move neither captures nor promotes. A record without a best move is
    /// not quiet, because its position cannot be judged. `position` is that of the record.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Position;
    /// use komadai_data::records::{PackedSfenValue, RecordResult};
    ///
    /// let position = Position::hirate();
    /// let best = Some("7g7f".parse()?);
    /// let record = PackedSfenValue::new(&position, 35, best, RecordResult::Win)?;
    /// assert!(record.is_quiet(&position));
    /// assert!(!PackedSfenValue { best_move: None, ..record }.is_quiet(&position));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn is_quiet(&self, position: &Position) -> bool {
        let is_tactical = |m: Move| m.is_promotion() || position.piece_on(m.to()).is_some();
        !position.in_check() && self.best_move.is_some_and(|m| !is_tactical(m))
    }

    /// Unpacks the position with its move number, and checks that the move is made with a piece
    /// that the side to move has, to a square that is free for it.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are no position, or the move is not possible in this sense.
    pub fn unpack(&self) -> Result<Position, RecordFault> {
        unpacked(self.position.position_at(self.ply.into()), self.best_move)
    }

    /// Unpacks the position with its move number, and checks that the move is legal.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are no position, or the move is illegal.
    pub fn check(&self) -> Result<Position, RecordFault> {
        checked(self.position.position_at(self.ply.into()), self.best_move)
    }
}

fixed_record!(PackedSfenValue, TrainingFormat::Psv);
