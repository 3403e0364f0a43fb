//! The places of the parts of a picture.

use komadai_core::{Color, PieceKind, Square};

use super::board::SvgBoard;

// All lengths are in units of the picture's own coordinates, which browsers show as CSS pixels.

pub(super) const MARGIN: i32 = 14;
pub(super) const CELL_WIDTH: i32 = 44;
pub(super) const CELL_HEIGHT: i32 = 48;
pub(super) const TITLE_HEIGHT: i32 = 32;
pub(super) const LEGEND_HEIGHT: i32 = 42;
/// Height of the row of file labels.
pub(super) const LABEL_HEIGHT: i32 = 20;
/// Width of the column of rank labels, with the gaps beside it.
pub(super) const LABEL_WIDTH: i32 = 26;
pub(super) const STAND_WIDTH: i32 = 90;
/// Height of a piece stand (駒台): a heading and one row for each of seven kinds.
pub(super) const STAND_HEIGHT: i32 = STAND_HEADING + 7 * STAND_ROW + 6;
pub(super) const STAND_HEADING: i32 = 32;
pub(super) const STAND_ROW: i32 = 42;
pub(super) const BOARD_LEFT: i32 = MARGIN + STAND_WIDTH + 14;
pub(super) const RIGHT_STAND: i32 = BOARD_LEFT + 9 * CELL_WIDTH + LABEL_WIDTH;
pub(super) const WIDTH: i32 = RIGHT_STAND + STAND_WIDTH + MARGIN;

/// A point in the picture, x to the right and y down.
pub(super) type Point = (i32, i32);

impl SvgBoard {
    pub(super) fn board_top(&self) -> i32 {
        let title = if self.title.is_some() { TITLE_HEIGHT } else { 0 };
        MARGIN + title + LABEL_HEIGHT
    }

    pub(super) fn center(&self, square: Square) -> Point {
        let seen = if self.bottom == Color::Black { square } else { square.flipped() };
        let column = 8 - seen.file() as i32;
        let row = seen.rank() as i32;
        (
            BOARD_LEFT + column * CELL_WIDTH + CELL_WIDTH / 2,
            self.board_top() + row * CELL_HEIGHT + CELL_HEIGHT / 2,
        )
    }

    /// The top left corner of a side's piece stand.
    ///
    /// The side at the bottom has its stand at the bottom right, the other one at the top left.
    pub(super) fn stand_corner(&self, color: Color) -> Point {
        if color == self.bottom {
            (RIGHT_STAND, self.board_top() + 9 * CELL_HEIGHT - STAND_HEIGHT)
        } else {
            (MARGIN, self.board_top())
        }
    }

    /// The centre of the row in which a side's stand shows `kind`.
    ///
    /// The first row if the side does not hold that kind, as an arrow may show an illegal drop.
    pub(super) fn stand_place(&self, color: Color, kind: PieceKind) -> Point {
        let (x, y) = self.stand_corner(color);
        let held =
            PieceKind::SFEN_HAND.into_iter().filter(|&other| self.setup.hands[color].has(other));
        let row = held.into_iter().position(|other| other == kind).unwrap_or(0) as i32;
        (x + 32, y + STAND_HEADING + row * STAND_ROW + STAND_ROW / 2 + 2)
    }
}
