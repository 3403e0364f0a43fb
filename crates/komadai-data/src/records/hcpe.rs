//! The records of Apery, cshogi and dlshogi.

use komadai_core::{Color, Hcp, Move, PackedError, PackedSfen, Position};

use super::error::RecordFault;
use super::format::TrainingFormat;
use super::psv::PackedSfenValue;
use super::record::fixed_record;
use super::record_check::{checked, unpacked};
use super::record_result::RecordResult;

/// A training record of Apery, cshogi and dlshogi (HCPE), 38 bytes, without a move number.
///
/// The file contains the winner; the field [`result`](Self::result) is that of the side to move, as
/// in [`PackedSfenValue`](super::PackedSfenValue).
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_data::records::{Hcpe, RecordResult};
///
/// let position = Position::hirate().after("7g7f".parse()?);
/// let record = Hcpe::new(&position, 35, Some("3c3d".parse()?), RecordResult::Loss)?;
/// let bytes = record.to_bytes();
/// assert_eq!(bytes[32..], [35, 0, 0x15, 0x0a, 1, 0]); // Black, not to move, won
/// assert_eq!(Hcpe::from_bytes(&bytes)?, record);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hcpe {
    /// The position, packed and not validated.
    pub position: Hcp,
    /// The score for the side to move, in the unit of the program that wrote it.
    pub score: i16,
    /// The best move.
    pub best_move: Option<Move>,
    /// The result of the game for the side to move.
    pub result: RecordResult,
}

impl Hcpe {
    /// The number of bytes of a record.
    pub const BYTES: usize = 38;

    /// Packs a position and its data; the move number is omitted.
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
        Ok(Self { position: Hcp::of(position)?, score, best_move, result })
    }

    /// The bytes of the record.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let best_move = self.best_move.map_or(0, Move::to_apery_bits);
        let mut bytes = [0; Self::BYTES];
        bytes[..32].copy_from_slice(self.position.as_bytes());
        bytes[32..34].copy_from_slice(&self.score.to_le_bytes());
        bytes[34..36].copy_from_slice(&best_move.to_le_bytes());
        bytes[36] = match self.result.winner(self.position.side()) {
            None => 0,
            Some(Color::Black) => 1,
            Some(Color::White) => 2,
        };
        bytes
    }

    /// Reads a record. The position is not unpacked, and the padding is ignored.
    ///
    /// # Errors
    ///
    /// Returns an error if the bits of the move represent no move, or if the result is none of 0, 1
    /// and 2.
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Result<Self, RecordFault> {
        let [position @ .., s0, s1, m0, m1, result, _padding] = *bytes;
        let best_move = match u16::from_le_bytes([m0, m1]) {
            0 => None,
            bits => Some(Move::from_apery_bits(bits).ok_or(RecordFault::Move { bits })?),
        };
        let winner = match result {
            0 => None,
            1 => Some(Color::Black),
            2 => Some(Color::White),
            found => {
                let expected = "0, 1 or 2";
                return Err(RecordFault::Result { found: found.into(), expected });
            }
        };
        let position = Hcp::from_bytes(position);
        let result = RecordResult::of_winner(winner, position.side());
        Ok(Self { position, score: i16::from_le_bytes([s0, s1]), best_move, result })
    }

    /// Unpacks the position, with the move number 1, and checks that the move is made with a piece
    /// that the side to move has, to a square that is free for it.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are no position, or the move is not possible in this sense.
    pub fn unpack(&self) -> Result<Position, RecordFault> {
        unpacked(self.position.position(), self.best_move)
    }

    /// Unpacks the position, with the move number 1, and checks that the move is legal.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are no position, or the move is illegal.
    pub fn check(&self) -> Result<Position, RecordFault> {
        checked(self.position.position(), self.best_move)
    }
}

fixed_record!(Hcpe, TrainingFormat::Hcpe);

impl PackedSfenValue {
    /// The same record as HCPE, which has no move number.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are no position. The rules are not checked; that does
    /// [`check`](Self::check).
    pub fn to_hcpe(&self) -> Result<Hcpe, PackedError> {
        let position = Hcp::from_setup(&self.position.to_setup()?)?;
        let Self { score, best_move, result, .. } = *self;
        Ok(Hcpe { position, score, best_move, result })
    }
}

impl Hcpe {
    /// The same record as PSV, with the number of the next move, which HCPE lacks. Programs write 0
    /// or 1 if they do not know it.
    ///
    /// # Errors
    ///
    /// Returns an error if the bytes are no position. The rules are not checked; that does
    /// [`check`](Self::check).
    pub fn to_psv(&self, ply: u16) -> Result<PackedSfenValue, PackedError> {
        let position = PackedSfen::from_setup(&self.position.to_setup()?)?;
        let Self { score, best_move, result, .. } = *self;
        Ok(PackedSfenValue { position, score, best_move, ply, result })
    }
}
