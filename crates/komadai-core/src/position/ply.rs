//! The state that a position stores for each ply.

use crate::bitboard::Bitboard;
use crate::hand::{Hand, Hands};
use crate::moves::Move;
use crate::part_keys::PartKeys;
use crate::piece::Piece;
use crate::zobrist::Keys;

/// The state that a position stores for one ply: the data for undoing the move that led to it and
/// for detecting a repetition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ply {
    pub(super) checkers: Bitboard,
    pub(super) keys: Keys,
    pub(super) hands: Hands,
    /// Plies since the last null move or the start.
    pub(super) reversible: u32,
    pub(super) last_move: Option<Move>,
    pub(super) captured: Option<Piece>,
}

const _: () = assert!(size_of::<Ply>() <= 64);

impl Ply {
    /// The state of a position without a past, as after its setup or a null move.
    pub(super) const fn without_past(hands: Hands) -> Self {
        Self {
            checkers: Bitboard::EMPTY,
            keys: Keys::NONE,
            hands,
            reversible: 0,
            last_move: None,
            captured: None,
        }
    }

    /// The key of the board and the side to move, without the hands.
    #[inline]
    pub const fn board_key(&self) -> u64 {
        self.keys.board()
    }

    /// The keys of parts of the board.
    #[inline]
    pub const fn part_keys(&self) -> PartKeys {
        self.keys.parts()
    }

    /// The hands of both sides, Black first.
    #[inline]
    pub const fn hands(&self) -> [Hand; 2] {
        self.hands.to_array()
    }

    /// The pieces that gave check to the side to move.
    #[inline]
    pub const fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// The move that led here; `None` at the start and after a null move.
    #[inline]
    pub const fn last_move(&self) -> Option<Move> {
        self.last_move
    }

    /// The piece that the move captured, with the kind that it had on the board.
    #[inline]
    pub const fn captured(&self) -> Option<Piece> {
        self.captured
    }
}
