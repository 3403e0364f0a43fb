//! Positions for property tests.

use komadai_core::{Color, Hand, PieceKind, Position, Setup, Square};
use komadai_movegen::MoveGen;
use proptest::prelude::*;

/// Positions after up to 200 random legal moves from the start of the even game.
pub(crate) fn reached() -> impl Strategy<Value = Position> {
    prop::collection::vec(any::<u16>(), 0..200).prop_map(|choices| {
        let mut position = Position::hirate();
        for choice in choices {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position.do_move(moves[usize::from(choice) % moves.len()]);
        }
        position.without_history()
    })
}

/// The same without some of the pieces on the board and in the hands, as after a handicap.
pub(crate) fn incomplete() -> impl Strategy<Value = Position> {
    let emptied = prop::collection::vec(0..Square::COUNT, 0..60);
    let held = (0.0..1.0f64, 0.0..1.0f64);
    (reached(), emptied, held).prop_filter_map("in check after the removal", |parts| {
        let (position, emptied, (black, white)) = parts;
        let mut setup = position.to_setup();
        let is_king = |piece: Option<komadai_core::Piece>| {
            piece.is_some_and(|piece| piece.kind() == PieceKind::King)
        };
        for at in emptied.into_iter().filter(|&at| !is_king(position.to_setup().board[at])) {
            setup.board[at] = None;
        }
        for (color, share) in Color::ALL.into_iter().zip([black, white]) {
            setup.hands[color] = share_of(setup.hands[color], share);
        }
        Position::from_setup(&Setup { ply: position.ply(), ..setup }).ok()
    })
}

fn share_of(hand: Hand, share: f64) -> Hand {
    hand.iter().fold(Hand::EMPTY, |left, (kind, count)| {
        left.with(kind, (f64::from(count) * share).round() as u32)
    })
}
