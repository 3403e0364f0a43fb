//! The board itself, its labels and the marks of the last move.

use core::fmt;

use komadai_core::{Color, PieceKind, Square};

use crate::diagram::RANK_KANJI;
use crate::svg::board::{SvgBoard, SvgPieces, SvgStands};

impl SvgBoard {
    pub(super) fn write_board(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (left, top) = (self.board_left(), self.board_top());
        let (width, height) = (9 * CELL_WIDTH, 9 * CELL_HEIGHT);
        writeln!(
            f,
            r#"<rect class="kd-board" x="{}" y="{}" width="{}" height="{}" rx="3"/>"#,
            left - 5,
            top - 5,
            width + 10,
            height + 10
        )?;
        f.write_str(r#"<path class="kd-grid" d=""#)?;
        for line in 1..9 {
            write!(f, "M{} {top}v{height}", left + line * CELL_WIDTH)?;
            write!(f, "M{left} {}h{width}", top + line * CELL_HEIGHT)?;
        }
        writeln!(f, r#""/>"#)?;
        writeln!(
            f,
            r#"<rect class="kd-frame" x="{left}" y="{top}" width="{width}" height="{height}"/>"#
        )?;
        f.write_str(r#"<path class="kd-stars" d=""#)?;
        for (column, row) in [(3, 3), (6, 3), (3, 6), (6, 6)] {
            write!(f, "M{} {}h0", left + column * CELL_WIDTH, top + row * CELL_HEIGHT)?;
        }
        writeln!(f, r#""/>"#)
    }

    pub(super) fn write_labels(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(r#"<g class="kd-label">"#)?;
        for (index, kanji) in RANK_KANJI.into_iter().enumerate() {
            // The diagonal from 1一 to 9九 contains each file and each rank once.
            let square = Square::ALL[index * 10];
            let (x, y) = self.center(square);
            write!(f, r#"<text x="{x}" y="{}">{}</text>"#, self.board_top() - 10, index + 1)?;
            let rank = match self.pieces {
                SvgPieces::Kanji => kanji,
                SvgPieces::Letters => (b'a' + index as u8) as char,
            };
            let right = self.board_left() + 9 * CELL_WIDTH + LABEL_WIDTH / 2 + 2;
            write!(f, r#"<text x="{right}" y="{}">{rank}</text>"#, y + 5)?;
        }
        writeln!(f, "</g>")
    }

    pub(super) fn write_last_move(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(m) = self.last_move else { return Ok(()) };
        let (x, y) = self.center(m.to());
        let (left, top) = (x - CELL_WIDTH / 2 + 2, y - CELL_HEIGHT / 2 + 2);
        let (width, height) = (CELL_WIDTH - 4, CELL_HEIGHT - 4);
        writeln!(
            f,
            r#"<rect class="kd-tint" x="{left}" y="{top}" width="{width}" height="{height}"/>"#
        )?;
        let (right, bottom) = (left + width, top + height);
        writeln!(
            f,
            r#"<path class="kd-mark" d="M{left} {}v-9h9M{} {top}h9v9M{right} {}v9h-9M{} {bottom}h-9v-9"/>"#,
            top + 9,
            right - 9,
            bottom - 9,
            left + 9
        )?;
        if let Some(from) = m.from() {
            let (x, y) = self.center(from);
            writeln!(f, r#"<circle class="kd-mark" cx="{x}" cy="{y}" r="7"/>"#)?;
        }
        Ok(())
    }
}

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
/// Size of a piece stand (駒台) beside the board: a heading and one row for each of seven kinds.
const STAND: (i32, i32) = (90, STAND_HEADING + 7 * STAND_ROW + 6);
const STAND_HEADING: i32 = 32;
const STAND_ROW: i32 = 42;
/// Size of a stand above or below the board, and the places of its kinds.
const ROW: (i32, i32) = (9 * CELL_WIDTH + LABEL_WIDTH, 50);
const ROW_HEADING: i32 = 106;
const ROW_STEP: i32 = 46;
const ROW_GAP: i32 = 10;

/// A point in the picture, x to the right and y down.
pub(super) type Point = (i32, i32);

impl SvgBoard {
    pub(super) fn board_top(&self) -> i32 {
        self.top() + LABEL_HEIGHT + self.row_height()
    }

    /// The lower edge of the heading.
    fn top(&self) -> i32 {
        MARGIN + if self.title.is_some() { TITLE_HEIGHT } else { 0 }
    }

    pub(super) fn board_left(&self) -> i32 {
        match self.stands {
            SvgStands::Sides => MARGIN + STAND.0 + 14,
            SvgStands::Rows => MARGIN,
        }
    }

    pub(super) fn width(&self) -> i32 {
        let right = self.board_left() + 9 * CELL_WIDTH + LABEL_WIDTH + MARGIN;
        match self.stands {
            SvgStands::Sides => right + STAND.0,
            SvgStands::Rows => right,
        }
    }

    /// The lower edge of board and stands.
    pub(super) fn content_bottom(&self) -> i32 {
        self.board_top() + 9 * CELL_HEIGHT + self.row_height()
    }

    /// The height that a stand above or below the board adds.
    fn row_height(&self) -> i32 {
        match self.stands {
            SvgStands::Sides => 0,
            SvgStands::Rows => ROW.1 + ROW_GAP,
        }
    }

    pub(super) fn center(&self, square: Square) -> Point {
        let seen = if self.bottom == Color::Black { square } else { square.flipped() };
        let column = 8 - seen.file() as i32;
        let row = seen.rank() as i32;
        (
            self.board_left() + column * CELL_WIDTH + CELL_WIDTH / 2,
            self.board_top() + row * CELL_HEIGHT + CELL_HEIGHT / 2,
        )
    }

    /// Width and height of a piece stand.
    pub(super) fn stand_size(&self) -> (i32, i32) {
        match self.stands {
            SvgStands::Sides => STAND,
            SvgStands::Rows => ROW,
        }
    }

    /// The top left corner of a side's piece stand.
    ///
    /// The side at the bottom has its stand at the bottom right or below, the other one at the top
    /// left or above.
    pub(super) fn stand_corner(&self, color: Color) -> Point {
        let is_near = color == self.bottom;
        let board_bottom = self.board_top() + 9 * CELL_HEIGHT;
        match (self.stands, is_near) {
            (SvgStands::Sides, true) => {
                (self.board_left() + 9 * CELL_WIDTH + LABEL_WIDTH, board_bottom - STAND.1)
            }
            (SvgStands::Sides, false) => (MARGIN, self.board_top()),
            (SvgStands::Rows, true) => (MARGIN, board_bottom + ROW_GAP),
            (SvgStands::Rows, false) => (MARGIN, self.top()),
        }
    }

    /// The centre of the place at which a side's stand shows `kind`.
    ///
    /// The first place if the side does not hold that kind, as an arrow may show an illegal drop.
    pub(super) fn stand_place(&self, color: Color, kind: PieceKind) -> Point {
        let (x, y) = self.stand_corner(color);
        let held =
            PieceKind::SFEN_HAND.into_iter().filter(|&other| self.setup.hands[color].has(other));
        let place = held.into_iter().position(|other| other == kind).unwrap_or(0) as i32;
        match self.stands {
            SvgStands::Sides => (x + 32, y + STAND_HEADING + place * STAND_ROW + STAND_ROW / 2 + 2),
            SvgStands::Rows => (x + ROW_HEADING + place * ROW_STEP, y + ROW.1 / 2),
        }
    }

    /// The centre of the words of an empty stand.
    pub(super) fn stand_words(&self, color: Color) -> Point {
        let (x, y) = self.stand_corner(color);
        match self.stands {
            SvgStands::Sides => (x + STAND.0 / 2, y + STAND_HEADING + 22),
            SvgStands::Rows => (x + ROW_HEADING + 22, y + ROW.1 / 2 + 5),
        }
    }
}
