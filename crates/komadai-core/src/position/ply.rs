//! What a position keeps of each ply.

use crate::bitboard::Bitboard;
use crate::hand::{Hand, Hands};
use crate::moves::Move;
use crate::piece::Piece;

/// What a position keeps of one ply: enough to undo the move that led to it and to judge whether
/// the game repeats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ply {
    pub(super) checkers: Bitboard,
    pub(super) board_key: u64,
    pub(super) hands: Hands,
    /// Plies since the last null move or the start.
    pub(super) reversible: u32,
    pub(super) last_move: Option<Move>,
    pub(super) captured: Option<Piece>,
}

const _: () = assert!(size_of::<Ply>() <= 64);

impl Ply {
    /// The state of a position whose past does not count.
    pub(super) const fn without_past(hands: Hands) -> Self {
        Self {
            checkers: Bitboard::EMPTY,
            board_key: 0,
            hands,
            reversible: 0,
            last_move: None,
            captured: None,
        }
    }

    /// The key of the board and the side to move, without the hands.
    #[must_use]
    #[inline]
    pub const fn board_key(&self) -> u64 {
        self.board_key
    }

    /// What both sides held, Black first.
    #[must_use]
    #[inline]
    pub const fn hands(&self) -> [Hand; 2] {
        self.hands.to_array()
    }

    /// The pieces that gave check to the side to move.
    #[must_use]
    #[inline]
    pub const fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// The move that led here; `None` at the start and after a null move.
    #[must_use]
    #[inline]
    pub const fn last_move(&self) -> Option<Move> {
        self.last_move
    }

    /// The piece that move captured, as it stood on the board.
    #[must_use]
    #[inline]
    pub const fn captured(&self) -> Option<Piece> {
        self.captured
    }
}
