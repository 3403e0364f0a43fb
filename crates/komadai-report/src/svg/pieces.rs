//! The pieces on the board and on the stands.

use core::fmt;

use komadai_core::{Color, Move, Piece, PieceKind};

use crate::svg::board::{SvgArrow, SvgBoard, SvgPieces, SvgStands};
use crate::svg::grid::Point;

impl SvgBoard {
    pub(super) fn write_piece(
        &self,
        piece: Piece,
        at: Point,
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        let (x, y) = at;
        // Real pieces differ in size by rank; the ratios are chosen by eye.
        let scale = match piece.kind().unpromoted() {
            PieceKind::King => "1",
            PieceKind::Rook | PieceKind::Bishop => ".97",
            PieceKind::Gold | PieceKind::Silver => ".93",
            PieceKind::Knight | PieceKind::Lance => ".89",
            _ => ".85",
        };
        let turn = if piece.color() == self.bottom { "" } else { "rotate(180)" };
        let class = if piece.kind().is_promoted() { " kd-promoted" } else { "" };
        write!(f, r#"<g class="kd-piece{class}" transform="translate({x} {y})scale({scale})"#)?;
        match self.pieces {
            SvgPieces::Kanji => {
                writeln!(f, r#"{turn}">{KOMA}<text y="11">{}</text></g>"#, piece.kind().to_kanji())
            }
            SvgPieces::Letters => {
                // The wide end of a piece is nearer to its owner, so the letter moves with it.
                let baseline = if turn.is_empty() { 10 } else { 6 };
                writeln!(
                    f,
                    r#""><g transform="{}">{KOMA}</g><text class="kd-letter" y="{baseline}">{}</text></g>"#,
                    if turn.is_empty() { "scale(1)" } else { turn },
                    piece.kind().to_sfen()
                )
            }
        }
    }

    pub(super) fn write_stand(&self, color: Color, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ((x, y), (width, height)) = (self.stand_corner(color), self.stand_size());
        writeln!(
            f,
            r#"<rect class="kd-stand" x="{x}" y="{y}" width="{width}" height="{height}" rx="4"/>"#
        )?;
        // The heading is in the corner of a stand at the side, and half-way up a row.
        let y = match self.stands {
            SvgStands::Sides => y,
            SvgStands::Rows => y + height / 2 - 17,
        };
        if color == self.setup.side {
            let (left, top) = (x + 7, y + 11);
            writeln!(f, r#"<path class="kd-turn" d="M{left} {top}l9 6-9 6z"/>"#)?;
        }
        let icon = match color {
            Color::Black => "kd-icon kd-black",
            Color::White => "kd-icon",
        };
        let name = match (self.pieces, color) {
            (SvgPieces::Kanji, Color::Black) => "先手",
            (SvgPieces::Kanji, Color::White) => "後手",
            (SvgPieces::Letters, Color::Black) => "Black",
            (SvgPieces::Letters, Color::White) => "White",
        };
        let (icon_x, icon_y) = (x + 28, y + 17);
        writeln!(
            f,
            r#"<path class="{icon}" transform="translate({icon_x} {icon_y})" d="M0-8 5-5 7 7H-7L-5-5z"/>"#
        )?;
        writeln!(f, r#"<text class="kd-name" x="{}" y="{}">{name}</text>"#, x + 40, y + 22)?;
        self.write_hand(color, f)
    }

    pub(super) fn write_hand(&self, color: Color, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hand = self.setup.hands[color];
        for kind in PieceKind::SFEN_HAND.into_iter().filter(|&kind| hand.has(kind)) {
            let (x, y) = self.stand_place(color, kind);
            self.write_piece(Piece::new(color, kind), (x, y), f)?;
            if hand.count(kind) > 1 {
                let count = hand.count(kind);
                match self.stands {
                    SvgStands::Sides => {
                        let (x, y) = (x + 22, y + 6);
                        writeln!(f, r#"<text class="kd-count" x="{x}" y="{y}">×{count}</text>"#)?;
                    }
                    // In a row the next piece follows, which leaves room for two small digits.
                    SvgStands::Rows => {
                        let (x, y) = (x + 12, y + 20);
                        writeln!(f, r#"<text class="kd-number" x="{x}" y="{y}">{count}</text>"#)?;
                    }
                }
            }
        }
        if hand.is_empty() {
            let (x, y) = self.stand_words(color);
            let none = if self.pieces == SvgPieces::Kanji { "なし" } else { "no pieces" };
            writeln!(f, r#"<text class="kd-none" x="{x}" y="{y}">{none}</text>"#)?;
        }
        Ok(())
    }
}

/// The outline of a piece that points up, centred on the origin.
const KOMA: &str = r#"<path d="M0-21 13-15 17.5 20.5H-17.5L-13-15z"/>"#;

impl SvgBoard {
    pub(super) fn write_arrow(
        &self,
        (m, arrow): (Move, SvgArrow),
        f: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
        const HEAD: f64 = 18.0;
        let start = match (m.from(), m.dropped()) {
            (Some(from), _) => self.center(from),
            (None, kind) => self.stand_place(self.setup.side, kind.unwrap_or(PieceKind::Pawn)),
        };
        let end = self.center(m.to());
        let (dx, dy) = (f64::from(end.0 - start.0), f64::from(end.1 - start.1));
        // The squares of a move differ and a stand lies beside the board: the length is not 0.
        let length = dx.hypot(dy);
        let degrees = dy.atan2(dx).to_degrees();
        let neck = length - HEAD;
        let (class, half) = match arrow {
            SvgArrow::Plain => ("", 4),
            SvgArrow::Good => (" kd-arrow-good", 4),
            SvgArrow::Bad => (" kd-arrow-bad", 4),
            SvgArrow::Minor => (" kd-arrow-minor", 2),
        };
        writeln!(
            f,
            r#"<path class="kd-arrow{class}" transform="translate({} {})rotate({degrees:.1})" d="M8-{half}H{neck:.1}V-10L{length:.1} 0 {neck:.1} 10V{half}H8z"/>"#,
            start.0, start.1
        )
    }
}
