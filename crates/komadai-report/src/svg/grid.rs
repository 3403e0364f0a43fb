//! The board itself, its labels and the marks of the last move.

use core::fmt;

use komadai_core::Square;

use super::board::{SvgBoard, SvgPieces};
use super::places::{BOARD_LEFT, CELL_HEIGHT, CELL_WIDTH, LABEL_WIDTH};
use crate::diagram::RANK_KANJI;

impl SvgBoard {
    pub(super) fn write_board(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (left, top) = (BOARD_LEFT, self.board_top());
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
            let right = BOARD_LEFT + 9 * CELL_WIDTH + LABEL_WIDTH / 2 + 2;
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
