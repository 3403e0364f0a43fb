//! The parts of a position that are packed.

use super::error::PackedError;
use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::hand::Hand;
use crate::piece::{Piece, PieceKind};
use crate::position::Position;
use crate::setup::{KindCounts, Setup};
use crate::square::Square;

/// The board and the hands, with no more pieces than the game has and at most one king per side.
pub(super) struct Contents<'a> {
    pub(super) board: &'a [Option<Piece>; Square::COUNT],
    pub(super) occupied: Bitboard,
    pub(super) kings: [Option<Square>; 2],
    pub(super) hands: [Hand; 2],
    pub(super) side: Color,
    /// The number of pieces of each kind that are neither on the board nor in a hand.
    pub(super) in_box: [u32; 7],
}

impl<'a> Contents<'a> {
    pub(super) fn of_setup(setup: &'a Setup) -> Result<Self, PackedError> {
        let kings = king_squares(setup)?;
        let mut in_box = [0; 7];
        let counts = setup.counts();
        for kind in PieceKind::HAND {
            let count = counts.of(kind);
            let most = PieceKind::TOTALS[kind as usize];
            in_box[kind as usize] =
                // Fewer pieces than the total lie in the box; more cannot be packed.
                most.checked_sub(count).ok_or(PackedError::TooManyPieces { kind, count, most })?;
        }
        let Setup { board, hands, side, .. } = setup;
        Ok(Self { board, occupied: setup.occupied(), kings, hands: *hands, side: *side, in_box })
    }

    pub(super) fn of_position(position: &'a Position) -> Self {
        let occupied = position.occupied();
        let hands = Color::ALL.map(|color| position.hand(color));
        let kings = Color::ALL.map(|color| position.king_square(color));
        let board = position.board();
        // Most positions contain all forty pieces, and counting them is then enough.
        let in_play = occupied.len() + hands[0].len() + hands[1].len();
        let in_box = if in_play == 40 { [0; 7] } else { missing(board, occupied, hands) };
        Self { board, occupied, kings, hands, side: position.side(), in_box }
    }
}

/// The number of missing pieces of each kind.
fn missing(
    board: &[Option<Piece>; Square::COUNT],
    occupied: Bitboard,
    hands: [Hand; 2],
) -> [u32; 7] {
    let mut counts = KindCounts::default();
    occupied.iter().filter_map(|square| board[square]).for_each(|piece| counts.add(piece));
    for hand in hands {
        hand.iter().for_each(|(kind, held)| counts.add_many(kind, held));
    }
    PieceKind::HAND.map(|kind| PieceKind::TOTALS[kind as usize] - counts.of(kind))
}

/// The squares of both kings, at least one of which is on the board.
fn king_squares(setup: &Setup) -> Result<[Option<Square>; 2], PackedError> {
    let mut kings = [None; 2];
    for square in setup.occupied() {
        if let Some(piece @ (Piece::BlackKing | Piece::WhiteKing)) = setup.board[square]
            && kings[piece.color()].replace(square).is_some()
        {
            return Err(PackedError::TwoKings { color: piece.color() });
        }
    }
    if kings == [None, None] { Err(PackedError::NoKing) } else { Ok(kings) }
}
