//! Labels of moves: the index of a move in the output of a network.

use core::cmp::Ordering::{Equal, Greater, Less};

use komadai_core::{Color, Move, PieceKind, Square};

use crate::features::SQUARES;

/// The number of labels: 27 classes of moves to each of 81 squares.
pub const LABELS: usize = (2 * DIRECTIONS + 7) * SQUARES;

/// The directions of moves.
const DIRECTIONS: usize = 10;

/// The kinds of drops in the order of their classes.
const DROPPED: [PieceKind; 7] = [
    PieceKind::Pawn,
    PieceKind::Lance,
    PieceKind::Knight,
    PieceKind::Silver,
    PieceKind::Bishop,
    PieceKind::Rook,
    PieceKind::Gold,
];

/// Returns the label of a move of `side`: 81 · class + destination, seen from `side`, where the
/// destination is 9 · (file − 1) + (rank − 1).
///
/// | class | |
/// |---|---|
/// | 0–9 | moves without promotion: forward, forward to the left and right, left, right, backward, backward to the left and right, knight's moves to the left and right |
/// | 10–19 | the same with promotion |
/// | 20–26 | drops of pawn, lance, knight, silver, bishop, rook, gold |
///
/// The label of a move that no piece can make is that of some other move.
///
/// # Examples
///
/// ```
/// use komadai_core::Color;
/// use komadai_onnx::move_label;
///
/// // A pawn's move forward to 7六, and the same of White.
/// assert_eq!(move_label(Color::Black, "7g7f".parse()?), 59);
/// assert_eq!(move_label(Color::White, "3c3d".parse()?), 59);
/// assert_eq!(move_label(Color::Black, "P*7f".parse()?), 20 * 81 + 59);
/// # Ok::<(), komadai_core::UsiError>(())
/// ```
pub fn move_label(side: Color, m: Move) -> usize {
    let m = if side == Color::White { m.flipped() } else { m };
    let class = match m.from() {
        Some(from) => direction(from, m.to()) + DIRECTIONS * usize::from(m.is_promotion()),
        None => {
            let index = DROPPED.iter().position(|&kind| Some(kind) == m.dropped());
            2 * DIRECTIONS + index.unwrap_or(0)
        }
    };
    class * SQUARES + m.to().index()
}

/// Returns the direction of a move up the board, of Black.
fn direction(from: Square, to: Square) -> usize {
    // The first file is on the right.
    let left = (to.file().index()).cmp(&from.file().index());
    let start = from.rank().index();
    let end = to.rank().index();
    let is_knight_move = end + 2 == start && to.file().index().abs_diff(from.file().index()) == 1;
    match (end.cmp(&start), left) {
        (Less, Greater) if is_knight_move => 8,
        (Less, Less) if is_knight_move => 9,
        (Less, Equal) => 0,
        (Less, Greater) => 1,
        (Less, Less) => 2,
        (Equal, Greater) => 3,
        (Equal, _) => 4,
        (Greater, Equal) => 5,
        (Greater, Greater) => 6,
        (Greater, Less) => 7,
    }
}
