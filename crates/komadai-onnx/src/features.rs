//! Input planes: a position as dlshogi's networks see it.

use komadai_core::{Color, PieceKind, Position, Square, attacks};

/// The number of planes of the first input: 31 for each side.
pub const FEATURES1: usize = 2 * SIDE;

/// The number of planes of the second input: 28 for each hand, and one for check.
pub const FEATURES2: usize = 2 * HAND + 1;

/// The squares of a plane.
pub(crate) const SQUARES: usize = Square::COUNT;

/// Planes of a side: its pieces by kind, their attacks by kind, and squares by number of attackers.
const SIDE: usize = 2 * PieceKind::COUNT + ATTACKERS;

/// The largest number of attackers that is counted.
const ATTACKERS: usize = 3;

/// The kinds in hand in the order of their planes, with the largest number that is counted.
const HELD: [(PieceKind, usize); 7] = [
    (PieceKind::Pawn, 8),
    (PieceKind::Lance, 4),
    (PieceKind::Knight, 4),
    (PieceKind::Silver, 4),
    (PieceKind::Gold, 4),
    (PieceKind::Bishop, 2),
    (PieceKind::Rook, 2),
];

/// Planes of a hand.
const HAND: usize = 8 + 4 * 4 + 2 * 2;

/// Writes the planes of a position: 0 or 1 for each square.
///
/// The position is seen from the side to move: for White, board and colours are turned around. The
/// value of a square stands at 9 · (file − 1) + (rank − 1) of its plane. The planes of the side to
/// move stand first, then those of the opponent.
///
/// | planes of a side in `features1` | |
/// |---|---|
/// | 0–13 | its pieces, by kind: pawn, lance, knight, silver, bishop, rook, gold, king, promoted pawn, lance, knight and silver, horse, dragon |
/// | 14–27 | the squares that its pieces attack, by kind in the same order |
/// | 28–30 | the squares with at least one, two, three of its attackers |
///
/// | planes in `features2`, equal on all squares | |
/// |---|---|
/// | 0–27 | at least 1 to 8 pawns in hand, 1 to 4 lances, knights, silvers and golds, 1 to 2 bishops and rooks |
/// | 28–55 | the same of the opponent |
/// | 56 | check |
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_onnx::{FEATURES1, FEATURES2, write_features};
///
/// let (mut features1, mut features2) = ([0.0; FEATURES1 * 81], [0.0; FEATURES2 * 81]);
/// write_features(&Position::hirate(), &mut features1, &mut features2);
/// // Black's pawns stand on the seventh rank.
/// assert_eq!(features1[..9], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
/// assert!(features2.iter().all(|&x| x == 0.0));
/// ```
pub fn write_features(
    position: &Position,
    features1: &mut [f32; FEATURES1 * SQUARES],
    features2: &mut [f32; FEATURES2 * SQUARES],
) {
    features1.fill(0.0);
    features2.fill(0.0);
    let us = position.side();
    let occupied = position.occupied();
    for (side, first) in [(us, 0), (!us, SIDE)] {
        let mut attackers = [0_usize; SQUARES];
        for kind in PieceKind::ALL {
            for square in position.pieces(side, kind) {
                features1[at(first + kind.index(), seen_by(us, square))] = 1.0;
                for target in attacks::of(side, kind, square, occupied) {
                    let target = seen_by(us, target);
                    let plane = first + PieceKind::COUNT + kind.index();
                    features1[at(plane, target)] = 1.0;
                    attackers[target.index()] += 1;
                }
            }
        }
        for square in Square::ALL {
            for count in 0..attackers[square.index()].min(ATTACKERS) {
                features1[at(first + 2 * PieceKind::COUNT + count, square)] = 1.0;
            }
        }
    }
    for (side, mut first) in [(us, 0), (!us, HAND)] {
        for (kind, most) in HELD {
            let count = (position.hand(side).count(kind) as usize).min(most);
            fill(features2, first, count);
            first += most;
        }
    }
    fill(features2, 2 * HAND, usize::from(position.in_check()));
}

/// Sets `count` planes to one.
fn fill(planes: &mut [f32], first: usize, count: usize) {
    planes[first * SQUARES..(first + count) * SQUARES].fill(1.0);
}

/// Returns the index of a square of a plane.
fn at(plane: usize, square: Square) -> usize {
    plane * SQUARES + square.index()
}

/// Returns the square as the side sees it that plays up the board.
fn seen_by(side: Color, square: Square) -> Square {
    match side {
        Color::Black => square,
        Color::White => square.flipped(),
    }
}
