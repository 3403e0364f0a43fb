//! Setups with legal numbers of pieces but otherwise arbitrary, for property tests.

use komadai_core::{Color, Piece, PieceKind, Setup, Square};
use proptest::prelude::*;

/// The place of a piece: one of 81 squares, a hand, or out of play.
#[derive(Debug, Clone, Copy)]
struct Place {
    square: usize,
    is_promoted: bool,
    color: Color,
    goes_to_hand: bool,
    is_in_play: bool,
}

fn any_color() -> impl Strategy<Value = Color> {
    any::<bool>().prop_map(|is_black| if is_black { Color::Black } else { Color::White })
}

fn any_place(in_play: f64, in_hand: f64) -> impl Strategy<Value = Place> {
    (
        0..Square::COUNT,
        any::<bool>(),
        any_color(),
        prop::bool::weighted(in_hand),
        prop::bool::weighted(in_play),
    )
        .prop_map(|(square, is_promoted, color, goes_to_hand, is_in_play)| Place {
            square,
            is_promoted,
            color,
            goes_to_hand,
            is_in_play,
        })
}

/// Any number of each kind up to the game's, one or no king a side, any side and move number.
pub(crate) fn any_setup() -> impl Strategy<Value = Setup> {
    let places = (0.0..=1.0f64, 0.0..=1.0f64)
        .prop_flat_map(|(in_play, in_hand)| prop::collection::vec(any_place(in_play, in_hand), 38));
    let kings = prop::array::uniform2(prop::option::weighted(0.8, 0..Square::COUNT));
    (places, kings, any_color(), 1..=400u32).prop_map(|(places, kings, side, ply)| {
        let mut setup = Setup { side, ply, ..Setup::empty() };
        for (color, king) in Color::ALL.into_iter().zip(kings) {
            if let Some(king) = king {
                setup.board[king] = Some(Piece::new(color, PieceKind::King));
            }
        }
        let kinds = PieceKind::HAND
            .into_iter()
            .flat_map(|kind| (0..PieceKind::TOTALS[kind.index()]).map(move |_| kind));
        for (kind, place) in kinds.zip(places).filter(|(_, place)| place.is_in_play) {
            if place.goes_to_hand || setup.board[place.square].is_some() {
                let hand = &mut setup.hands[place.color];
                *hand = hand.with(kind, hand.count(kind) + 1);
            } else {
                let promoted = kind.promoted().filter(|_| place.is_promoted);
                setup.board[place.square] = Some(Piece::new(place.color, promoted.unwrap_or(kind)));
            }
        }
        setup
    })
}
