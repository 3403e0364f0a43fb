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
        let Setup { board, hands, side, .. } = setup;
        let occupied = setup.occupied();
        let mut counts = KindCounts::NONE;
        let mut kings = [None; 2];
        for square in occupied {
            let Some(piece) = board[square] else { continue };
            counts.add(piece);
            if piece.kind() == PieceKind::King && kings[piece.color()].replace(square).is_some() {
                return Err(PackedError::TwoKings { color: piece.color() });
            }
        }
        if kings == [None, None] {
            return Err(PackedError::NoKing);
        }
        let in_box = out_of_play(counts, *hands)?;
        Ok(Self { board, occupied, kings, hands: *hands, side: *side, in_box })
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
    let mut counts = KindCounts::NONE;
    occupied.iter().filter_map(|square| board[square]).for_each(|piece| counts.add(piece));
    out_of_play(counts, hands).expect("a position has no more pieces than the game")
}

/// The number of pieces of each kind that are neither on the board, whose counts are given, nor in
/// a hand.
fn out_of_play(on_board: KindCounts, hands: [Hand; 2]) -> Result<[u32; 7], PackedError> {
    let mut in_box = [0; 7];
    for kind in PieceKind::HAND {
        let count = on_board.of(kind) + hands[0].count(kind) + hands[1].count(kind);
        let most = PieceKind::TOTALS[kind as usize];
        in_box[kind as usize] =
            most.checked_sub(count).ok_or(PackedError::TooManyPieces { kind, count, most })?;
    }
    Ok(in_box)
}
