//! The incrementally updated part of the evaluation: placement of pieces, and hands.
//!
//! For each side and each square of its king, a table contains the value of each piece on each
//! square for this side: own pieces by kind, square and place relative to the king, enemy pieces by
//! their place relative to the king. A move changes two or three terms of each side's sum. If a
//! king moves, the sum of its side is computed from scratch. Undoing a move restores the sums
//! stored before it.

use komadai_core::{BoardObserver, Color, Hand, Piece, PieceKind, Position, Square};

use super::castle::{CASTLES, FALLEN};
use super::groups::{Group, Weight};
use super::packed::{Packed, Unpacked};
use super::parameters::Parameters;

/// One side's table for one square of its king: `[own, enemy][kind][square]`, all from the point of
/// view of this side.
type Row = [[[Packed; Square::COUNT]; PieceKind::COUNT]; 2];

/// Weights, arranged for the changes of the board.
pub(crate) struct Placement {
    /// `[king]`, with a last row for a side without a king.
    rows: Vec<Row>,
    /// `[kind][count]`, for the phase of the game.
    hands: [[Unpacked; 19]; 7],
    /// `[kind]`, for the danger of the other side's king.
    hand_attack: [Unpacked; 7],
}

impl Placement {
    pub(crate) fn new(parameters: &Parameters) -> Self {
        let kings = Square::ALL.into_iter().map(Some).chain([None]);
        let get = |index| {
            let Weight { early, late } = parameters.get(index);
            Unpacked { early: i32::from(early), late: i32::from(late) }
        };
        let hands = core::array::from_fn(|kind| {
            core::array::from_fn(|count| {
                let mut sum = Unpacked::default();
                hand_weights(kind, count, |index, times| sum = sum.plus(get(index).times(times)));
                sum
            })
        });
        let hand_attack = core::array::from_fn(|kind| get(Group::HandAttack.index(&[kind])));
        Self { rows: kings.map(|king| row(parameters, king)).collect(), hands, hand_attack }
    }

    #[inline]
    fn row(&self, king: Option<Square>, color: Color) -> &Row {
        &self.rows[king.map_or(Square::COUNT, |king| seen_by(king, color).index())]
    }

    #[inline]
    fn of_hand(&self, hand: Hand) -> HandValue {
        let mut value = HandValue::default();
        if !hand.is_empty() {
            for (kind, hand_kind) in PieceKind::HAND.into_iter().enumerate() {
                let count = hand.count(hand_kind) as usize;
                value.game = value.game.plus(self.hands[kind][count]);
                value.attack = value.attack.plus(self.hand_attack[kind].times(count as i32));
            }
        }
        value
    }

    /// The sum of one side's table over all pieces of a position.
    fn sum(&self, position: &Position, color: Color) -> Unpacked {
        let row = self.row(position.king_square(color), color);
        let mut sum = Unpacked::default();
        for square in position.occupied() {
            if let Some(piece) = position.piece_on(square) {
                sum = sum.plus(entry(row, color, piece, square));
            }
        }
        sum
    }

    /// Computes all sums from scratch.
    pub(crate) fn sums(&self, position: &Position) -> Sums {
        Sums {
            pieces: Color::ALL.map(|color| self.sum(position, color)),
            hands: Color::ALL.map(|color| self.of_hand(position.hand(color))),
        }
    }

    /// Creates the observer for a move that is about to be done on `position`.
    #[inline]
    pub(crate) fn observe(&self, position: &Position, sums: Sums) -> SumsObserver<'_> {
        let rows = Color::ALL.map(|color| self.row(position.king_square(color), color));
        SumsObserver { placement: self, rows, sums, king_moved: None }
    }
}

/// The values of both sides' pieces and hands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Sums {
    pieces: [Unpacked; 2],
    hands: [HandValue; 2],
}

/// The value of a hand: a part for the phase of the game and a part for the danger of the enemy
/// king.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct HandValue {
    game: Unpacked,
    attack: Unpacked,
}

impl Sums {
    /// Returns the difference, Black's minus White's, for the phase of the game.
    #[inline]
    pub(crate) const fn game(&self) -> Unpacked {
        let [black, white] = self.pieces;
        black.minus(white).plus(self.hands[0].game).minus(self.hands[1].game)
    }

    /// Returns the value of `color`'s hand for the danger of the enemy king.
    #[inline]
    pub(crate) fn attack(&self, color: Color) -> Unpacked {
        self.hands[color].attack
    }
}

/// Updates the sums while a move is done.
pub(crate) struct SumsObserver<'a> {
    placement: &'a Placement,
    rows: [&'a Row; 2],
    sums: Sums,
    king_moved: Option<Color>,
}

impl SumsObserver<'_> {
    /// Returns the sums after the move, which has been done on `position`.
    #[inline]
    pub(crate) fn finish(self, position: &Position) -> Sums {
        let mut sums = self.sums;
        // The rows of the old king's square do not fit any more.
        if let Some(color) = self.king_moved {
            sums.pieces[color] = self.placement.sum(position, color);
        }
        sums
    }
}

impl BoardObserver for SumsObserver<'_> {
    #[inline]
    fn removed(&mut self, piece: Piece, square: Square) {
        for color in Color::ALL {
            let pieces = &mut self.sums.pieces[color];
            *pieces = pieces.minus(entry(self.rows[color], color, piece, square));
        }
    }

    #[inline]
    fn put(&mut self, piece: Piece, square: Square) {
        for color in Color::ALL {
            let pieces = &mut self.sums.pieces[color];
            *pieces = pieces.plus(entry(self.rows[color], color, piece, square));
        }
        if piece.kind() == PieceKind::King {
            self.king_moved = Some(piece.color());
        }
    }

    #[inline]
    fn hand_changed(&mut self, color: Color, hand: Hand) {
        self.sums.hands[color] = self.placement.of_hand(hand);
    }
}

/// Returns the entry of a piece in `color`'s table.
#[inline]
fn entry(row: &Row, color: Color, piece: Piece, square: Square) -> Unpacked {
    let owner = usize::from(piece.color() != color);
    row[owner][piece.kind()][seen_by(square, color)].unpack()
}

/// Returns a square from the point of view of `color`.
#[inline]
pub(crate) const fn seen_by(square: Square, color: Color) -> Square {
    match color {
        Color::Black => square,
        Color::White => square.flipped(),
    }
}

fn row(parameters: &Parameters, king: Option<Square>) -> Row {
    let sum = |owner, kind, square| {
        let mut units = [0; 2];
        placement_weights(king, owner, kind, square, |index, times, of| {
            let Weight { early, late } = parameters.get(index);
            units[0] += i32::from(early) * times * (WHOLE / of);
            units[1] += i32::from(late) * times * (WHOLE / of);
        });
        // One division per table entry, so that the rounding error is below one unit.
        let [early, late] = units.map(|units| units / WHOLE);
        Packed::new(early, late)
    };
    [Owner::Own, Owner::Enemy]
        .map(|owner| PieceKind::ALL.map(|kind| Square::ALL.map(|square| sum(owner, kind, square))))
}

/// A common multiple of all denominators that [`placement_weights`] uses, so that the sum of
/// fractions is exact before the one division.
pub(super) const WHOLE: i32 = FALLEN * 2;

/// The owner of a piece, relative to the side whose king is considered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Owner {
    Own,
    Enemy,
}

/// Calls `visit(index, times, of)` for each weight of a piece from one side's point of view. The
/// weight counts `times / of` times.
pub(crate) fn placement_weights(
    king: Option<Square>,
    owner: Owner,
    kind: PieceKind,
    square: Square,
    mut visit: impl FnMut(usize, i32, i32),
) {
    match owner {
        Owner::Own => {
            if kind != PieceKind::King {
                visit(Group::Piece.index(&[kind.index()]), 1, 1);
            }
            // Mirrored files share their weights.
            let file = square.file().index();
            let place = [kind.index(), file.min(8 - file), square.rank().index()];
            visit(Group::Square.index(&place), 1, 1);
        }
        Owner::Enemy => {}
    }
    let Some(king) = king else { return };
    match owner {
        Owner::Own => {
            if kind != PieceKind::King {
                for index in relation_indices(Group::OwnKing, kind.index(), king, square) {
                    visit(index, 1, 2);
                }
            }
            for (i, castle) in CASTLES.iter().enumerate() {
                let fall = castle.fall(king, kind, square);
                if fall > 0 {
                    visit(Group::Castle.index(&[i]), fall, FALLEN);
                }
            }
        }
        // The gain of an enemy piece at its place is a loss for this side.
        Owner::Enemy => {
            if kind != PieceKind::King {
                let king = king.flipped();
                let square = square.flipped();
                for index in relation_indices(Group::EnemyKing, kind.index(), king, square) {
                    visit(index, -1, 2);
                }
            }
        }
    }
}

/// Calls `visit(index, times)` for each weight of `count` pieces of a kind in hand.
pub(crate) fn hand_weights(kind: usize, count: usize, mut visit: impl FnMut(usize, i32)) {
    if count > 0 {
        visit(Group::Hand.index(&[kind, 0]), 1);
    }
    if count > 1 {
        visit(Group::Hand.index(&[kind, 1]), 1);
    }
    // The third weight counts once for each piece from the third on.
    if count > 2 {
        visit(Group::Hand.index(&[kind, 2]), count as i32 - 2);
    }
}

/// Returns the files and ranks from a king to a square, as places in a [`Group`]'s shape.
///
/// Both squares are from the point of view of the piece's owner. Files count from the king towards
/// its nearer edge or towards the middle. A king on the middle file has no nearer edge: in that
/// case the two results are the two directions, and each counts half. Otherwise the two results are
/// equal.
fn relations(king: Square, square: Square) -> [[usize; 2]; 2] {
    let ranks = 8 + square.rank().index() - king.rank().index();
    let from_right = 4 + square.file().index() as i32 - king.file().index() as i32;
    let from_left = 4 + king.file().index() as i32 - square.file().index() as i32;
    let read = |files: i32| [files as usize, ranks];
    match king.file().index() {
        0..4 => [read(from_right); 2],
        4 => [read(from_right), read(from_left)],
        _ => [read(from_left); 2],
    }
}

/// Returns the indices of two weights for a piece of `kind`; half of each counts.
fn relation_indices(group: Group, kind: usize, king: Square, square: Square) -> [usize; 2] {
    relations(king, square).map(|[files, ranks]| group.index(&[kind, files, ranks]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classical::groups::{RELATION_FILES, RELATION_RANKS};

    #[test]
    fn mirrored_squares_have_the_same_relation() {
        for king in Square::ALL {
            for square in Square::ALL {
                let mut here = relations(king, square);
                let mut there = relations(king.mirrored(), square.mirrored());
                here.sort_unstable();
                there.sort_unstable();
                assert_eq!(here, there);
                assert!(
                    here.iter()
                        .all(|&[files, ranks]| files < RELATION_FILES && ranks < RELATION_RANKS)
                );
            }
        }
    }

    #[test]
    fn files_count_from_the_edge() {
        // A king on 2八; a gold on 4九 is two files towards the middle and one rank behind.
        assert_eq!(relations(Square::S28, Square::S49)[0], [6, 9]);
        assert_eq!(relations(Square::S88, Square::S69)[0], [6, 9]);
    }
}
