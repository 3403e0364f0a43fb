//! Random positions with both kings in the camp of the other side (相入玉).
//!
//! Games hardly reach them, but an evaluation meets them.

use komadai_core::{Color, Piece, PieceKind, Position, Setup, SplitMix64, Square};

/// Number of attempts at a legal position.
const ATTEMPTS: usize = 40;

/// Returns a random position in which each king stands on the three ranks farthest from its own
/// side, with pieces of its own around it.
pub(super) fn entering_kings(random: &mut SplitMix64) -> Option<Position> {
    (0..ATTEMPTS).find_map(|_| Position::from_setup(&attempt(random)).ok())
}

/// Returns such a setup, which may be illegal.
fn attempt(random: &mut SplitMix64) -> Setup {
    let mut setup = Setup::empty();
    setup.side = if random.below(2) == 0 { Color::Black } else { Color::White };
    // The move number of such positions in games.
    setup.ply = 120 + random.below(60) as u32;
    for color in [Color::Black, Color::White] {
        let king = square_in_camp(random, color, 3);
        if setup.board[king].is_none() {
            setup.board[king] = Some(Piece::new(color, PieceKind::King));
        }
    }
    for kind in PieceKind::BY_VALUE {
        for _ in 0..PieceKind::TOTALS[kind.index()] {
            let color = if random.below(2) == 0 { Color::Black } else { Color::White };
            place(&mut setup, random, kind, color);
        }
    }
    setup
}

/// Puts a piece on a free square where it may stand, or into the hand: every third piece, and those
/// without a place.
fn place(setup: &mut Setup, random: &mut SplitMix64, kind: PieceKind, color: Color) {
    if random.below(3) > 0 {
        for _ in 0..8 {
            let square = square_in_camp(random, color, 5);
            let promoted = kind.promoted().filter(|_| {
                // Pieces in the camp of the other side have usually promoted on the way.
                square.is_promotion_zone(color) && random.below(4) > 0
            });
            let piece = Piece::new(color, promoted.unwrap_or(kind));
            if setup.board[square].is_none() && may_stand(setup, square, piece) {
                setup.board[square] = Some(piece);
                return;
            }
        }
    }
    let hand = &mut setup.hands[color];
    *hand = hand.with(kind, hand.count(kind) + 1);
}

/// Returns whether the piece can move from the square some day, and is no second pawn of its file.
fn may_stand(setup: &Setup, square: Square, piece: Piece) -> bool {
    let from_far_side = match piece.color() {
        Color::Black => square.rank().index(),
        Color::White => 8 - square.rank().index(),
    };
    let has_pawn = || {
        Square::ALL
            .iter()
            .any(|&other| other.file() == square.file() && setup.board[other] == Some(piece))
    };
    match piece.kind() {
        PieceKind::Pawn => from_far_side >= 1 && !has_pawn(),
        PieceKind::Lance => from_far_side >= 1,
        PieceKind::Knight => from_far_side >= 2,
        _ => true,
    }
}

/// Returns a random square on the `ranks` ranks farthest from the side of `color`.
fn square_in_camp(random: &mut SplitMix64, color: Color, ranks: u64) -> Square {
    let square = Square::from_index((random.below(9) * 9 + random.below(ranks)) as usize);
    let square = square.unwrap_or(Square::S11);
    if color == Color::Black { square } else { square.flipped() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kings_have_entered_and_no_piece_is_missing() {
        let mut random = SplitMix64::new(3);
        let mut found = 0;
        for _ in 0..100 {
            let Some(position) = entering_kings(&mut random) else { continue };
            found += 1;
            for color in [Color::Black, Color::White] {
                assert!(
                    position.king_square(color).unwrap().is_promotion_zone(color),
                    "{position}"
                );
            }
            let setup = position.to_setup();
            let on_board = Square::ALL.iter().filter(|&&square| setup.board[square].is_some());
            let in_hand: u32 = setup.hands.iter().map(|hand| hand.len()).sum();
            assert_eq!(on_board.count() as u32 + in_hand, 40, "{position}");
        }
        assert!(found > 60, "{found}");
    }
}
