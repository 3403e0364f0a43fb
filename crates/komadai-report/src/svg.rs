//! Positions as SVG pictures.
//!
//! A picture is one SVG document without scripts, fonts or identifiers, so that several pictures
//! can stand in one page. Colours are CSS variables (`--kd-board`, `--kd-face`, `--kd-mark`, …)
//! with one set for light and one for dark surroundings; a page can override them on `svg.kd`.
//! Viewers without support for variables (librsvg, resvg, CairoSVG) use the light set as plain
//! values: the rules with variables stand behind `@supports`, which those viewers skip. No
//! information depends on colour alone: promoted pieces have glyphs of their own, the last move
//! is marked by shapes, and the side to move by a pointer.

mod square_values;

use core::fmt;

use komadai_core::{Color, Move, Piece, PieceKind, Setup, Square};

use crate::diagram::RANK_KANJI;
use square_values::SquareValues;

/// The characters on the pieces of a picture.
///
/// # Examples
///
/// ```
/// use komadai_core::Setup;
/// use komadai_report::{SvgBoard, SvgPieces};
///
/// let board = SvgBoard::new(Setup::hirate());
/// assert!(board.to_string().contains('飛'));
/// assert!(!board.pieces(SvgPieces::Letters).to_string().contains('飛'));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SvgPieces {
    /// One kanji, upside down for the far side, as on real pieces.
    #[default]
    Kanji,
    /// The letters of SFEN, always upright: `R`, promoted `+R`.
    Letters,
}

/// An SVG picture of a board and both hands, written by `Display`.
///
/// # Examples
///
/// ```
/// use komadai_core::{Move, Setup, Square};
/// use komadai_report::SvgBoard;
///
/// let setup = Setup::from_sfen(
///     "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2",
/// )?;
/// let picture = SvgBoard::new(&setup)
///     .last_move(Move::new(Square::S77, Square::S76))
///     .arrow(Move::new(Square::S33, Square::S34))
///     .title("After 1. P-7f")
///     .to_string();
/// assert!(picture.starts_with("<svg xmlns"));
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "a picture does nothing until it is written"]
pub struct SvgBoard {
    setup: Setup,
    last_move: Option<Move>,
    arrows: Vec<Move>,
    bottom: Color,
    pieces: SvgPieces,
    title: Option<String>,
    values: Option<SquareValues>,
}

impl SvgBoard {
    /// A picture of a setup or a position, with Black at the bottom and kanji on the pieces.
    pub fn new(setup: impl Into<Setup>) -> Self {
        Self {
            setup: setup.into(),
            last_move: None,
            arrows: Vec::new(),
            bottom: Color::Black,
            pieces: SvgPieces::Kanji,
            title: None,
            values: None,
        }
    }

    /// Marks the move that led to the position: brackets around its destination, and a ring on its
    /// origin.
    pub fn last_move(mut self, m: Move) -> Self {
        self.last_move = Some(m);
        self
    }

    /// Adds an arrow for a move. The arrow of a drop starts at the hand of the side to move.
    ///
    /// Each call adds one more arrow.
    pub fn arrow(mut self, m: Move) -> Self {
        self.arrows.push(m);
        self
    }

    /// Turns the board by 180 degrees: the side at the top moves to the bottom.
    pub fn flipped(mut self) -> Self {
        self.bottom = !self.bottom;
        self
    }

    /// Sets the characters on the pieces.
    pub fn pieces(mut self, pieces: SvgPieces) -> Self {
        self.pieces = pieces;
        self
    }

    /// Colours squares by values: green above 0 and red below, the stronger the larger. The values
    /// are written on the squares; a value of 0 leaves its square as it is. The legend, below the
    /// board, is the meaning of the values.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::{Setup, Square};
    /// use komadai_report::SvgBoard;
    ///
    /// let values = [(Square::S28, 31), (Square::S88, -40)];
    /// let picture = SvgBoard::new(Setup::hirate()).square_values(values, "centipawns for Black");
    /// assert!(picture.to_string().contains("-40"));
    /// ```
    pub fn square_values(
        mut self,
        values: impl IntoIterator<Item = (Square, i32)>,
        legend: impl Into<String>,
    ) -> Self {
        self.values = Some(SquareValues::new(values, legend));
        self
    }

    /// Sets the heading, which is drawn above the board and is the accessible name of the picture.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }
}

impl fmt::Display for SvgBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let legend = if self.values.is_some() { LEGEND_HEIGHT } else { 0 };
        let height = self.board_top() + 9 * CELL_HEIGHT + MARGIN + legend;
        writeln!(
            f,
            r#"<svg xmlns="http://www.w3.org/2000/svg" class="kd" role="img" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}">"#
        )?;
        let title = self.title.as_deref().unwrap_or("Shogi position");
        writeln!(f, "<title>{}</title>", Escaped(title))?;
        writeln!(f, "<desc>{}</desc>", Description(self))?;
        writeln!(f, "<style>{STYLE}</style>")?;
        writeln!(f, r#"<rect class="kd-page" width="{WIDTH}" height="{height}"/>"#)?;
        if self.title.is_some() {
            let (x, y) = (WIDTH / 2, MARGIN + 15);
            writeln!(f, r#"<text class="kd-title" x="{x}" y="{y}">{}</text>"#, Escaped(title))?;
        }
        self.write_board(f)?;
        if let Some(values) = &self.values {
            values.write_colours(f, |square| self.center(square), (CELL_WIDTH, CELL_HEIGHT))?;
        }
        self.write_labels(f)?;
        self.write_last_move(f)?;
        for square in Square::ALL {
            if let Some(piece) = self.setup.board[square] {
                self.write_piece(piece, self.center(square), f)?;
            }
        }
        for color in Color::ALL {
            self.write_stand(color, f)?;
        }
        if let Some(values) = &self.values {
            let below = |square| {
                let (x, y) = self.center(square);
                (x, y + CELL_HEIGHT / 2 - 2)
            };
            values.write_numbers(f, below)?;
            let at = (WIDTH / 2, self.board_top() + 9 * CELL_HEIGHT + MARGIN);
            values.write_legend(f, at, Escaped(values.legend()))?;
        }
        for &m in &self.arrows {
            self.write_arrow(m, f)?;
        }
        f.write_str("</svg>\n")
    }
}

// All lengths are in units of the picture's own coordinates, which browsers show as CSS pixels.

const MARGIN: i32 = 14;
const CELL_WIDTH: i32 = 44;
const CELL_HEIGHT: i32 = 48;
const TITLE_HEIGHT: i32 = 32;
const LEGEND_HEIGHT: i32 = 42;
/// Height of the row of file labels.
const LABEL_HEIGHT: i32 = 20;
/// Width of the column of rank labels, with the gaps beside it.
const LABEL_WIDTH: i32 = 26;
const STAND_WIDTH: i32 = 90;
/// Height of a piece stand (駒台): a heading and one row for each of seven kinds.
const STAND_HEIGHT: i32 = STAND_HEADING + 7 * STAND_ROW + 6;
const STAND_HEADING: i32 = 32;
const STAND_ROW: i32 = 42;
const BOARD_LEFT: i32 = MARGIN + STAND_WIDTH + 14;
const RIGHT_STAND: i32 = BOARD_LEFT + 9 * CELL_WIDTH + LABEL_WIDTH;
const WIDTH: i32 = RIGHT_STAND + STAND_WIDTH + MARGIN;

const STYLE: &str = include_str!("svg.css");

/// A point in the picture, x to the right and y down.
type Point = (i32, i32);

impl SvgBoard {
    fn board_top(&self) -> i32 {
        let title = if self.title.is_some() { TITLE_HEIGHT } else { 0 };
        MARGIN + title + LABEL_HEIGHT
    }

    fn center(&self, square: Square) -> Point {
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
    fn stand_corner(&self, color: Color) -> Point {
        if color == self.bottom {
            (RIGHT_STAND, self.board_top() + 9 * CELL_HEIGHT - STAND_HEIGHT)
        } else {
            (MARGIN, self.board_top())
        }
    }

    /// The centre of the row in which a side's stand shows `kind`.
    ///
    /// The first row if the side does not hold that kind, as an arrow may show an illegal drop.
    fn stand_place(&self, color: Color, kind: PieceKind) -> Point {
        let (x, y) = self.stand_corner(color);
        let held =
            PieceKind::SFEN_HAND.into_iter().filter(|&other| self.setup.hands[color].has(other));
        let row = held.into_iter().position(|other| other == kind).unwrap_or(0) as i32;
        (x + 32, y + STAND_HEADING + row * STAND_ROW + STAND_ROW / 2 + 2)
    }

    fn write_board(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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

    fn write_labels(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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

    fn write_last_move(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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

    fn write_piece(&self, piece: Piece, at: Point, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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

    fn write_stand(&self, color: Color, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (x, y) = self.stand_corner(color);
        writeln!(
            f,
            r#"<rect class="kd-stand" x="{x}" y="{y}" width="{STAND_WIDTH}" height="{STAND_HEIGHT}" rx="4"/>"#
        )?;
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

    fn write_hand(&self, color: Color, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hand = self.setup.hands[color];
        for kind in PieceKind::SFEN_HAND.into_iter().filter(|&kind| hand.has(kind)) {
            let (x, y) = self.stand_place(color, kind);
            self.write_piece(Piece::new(color, kind), (x, y), f)?;
            if hand.count(kind) > 1 {
                let count = hand.count(kind);
                writeln!(
                    f,
                    r#"<text class="kd-count" x="{}" y="{}">×{count}</text>"#,
                    x + 22,
                    y + 6
                )?;
            }
        }
        if hand.is_empty() {
            let (x, y) = self.stand_corner(color);
            let none = if self.pieces == SvgPieces::Kanji { "なし" } else { "no pieces" };
            let (x, y) = (x + STAND_WIDTH / 2, y + STAND_HEADING + 22);
            writeln!(f, r#"<text class="kd-none" x="{x}" y="{y}">{none}</text>"#)?;
        }
        Ok(())
    }

    fn write_arrow(&self, m: Move, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
        writeln!(
            f,
            r#"<path class="kd-arrow" transform="translate({} {})rotate({degrees:.1})" d="M8-4H{neck:.1}V-10L{length:.1} 0 {neck:.1} 10V4H8z"/>"#,
            start.0, start.1
        )
    }
}

/// The outline of a piece that points up, centred on the origin.
const KOMA: &str = r#"<path d="M0-21 13-15 17.5 20.5H-17.5L-13-15z"/>"#;

/// The content of a picture in words, for screen readers.
struct Description<'a>(&'a SvgBoard);

impl fmt::Display for Description<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = self.0;
        let setup = &board.setup;
        write!(f, "{:?} to move, move {}. SFEN: {setup}.", setup.side, setup.ply)?;
        if let Some(m) = board.last_move {
            write!(f, " Last move: {m}.")?;
        }
        for m in &board.arrows {
            write!(f, " Arrow: {m}.")?;
        }
        if let Some(values) = &board.values {
            write!(f, "{values}")?;
        }
        Ok(())
    }
}

/// Text between tags, with markup escaped and characters that XML does not allow replaced.
struct Escaped<'a>(&'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.chars().try_for_each(|c| match c {
            '&' => f.write_str("&amp;"),
            '<' => f.write_str("&lt;"),
            '>' => f.write_str("&gt;"),
            '"' => f.write_str("&quot;"),
            '\'' => f.write_str("&#39;"),
            '\t' | '\n' | '\r' => write!(f, " "),
            '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => write!(f, "\u{fffd}"),
            _ => write!(f, "{c}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_escaped() {
        let picture = SvgBoard::new(Setup::hirate()).title("<a> & \"b\"\0\n").to_string();
        assert!(picture.contains("<title>&lt;a&gt; &amp; &quot;b&quot;\u{fffd} </title>"));
    }

    #[test]
    fn every_piece_is_drawn_once() {
        let setup = Setup::from_sfen(
            "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124",
        )
        .unwrap();
        let picture = SvgBoard::new(&setup).to_string();
        let on_board = setup.board.iter().flatten().count();
        assert_eq!(picture.matches(r#"class="kd-piece"#).count(), on_board + 5);
        assert_eq!(picture.matches("kd-piece kd-promoted").count(), 3);
        assert_eq!(picture.matches("×3").count(), 1);
        assert!(picture.contains(&format!("SFEN: {setup}.")));
    }

    #[test]
    fn values_are_drawn_as_colours_and_numbers() {
        let values = [(Square::S76, 40), (Square::S19, -80), (Square::S55, 0)];
        let board = SvgBoard::new(Setup::hirate());
        let picture = board.clone().square_values(values, "<legend>").to_string();
        // Four parts of the scale have each colour, besides the square.
        for class in ["kd-good", "kd-bad"] {
            assert_eq!(picture.matches(&format!("class=\"{class}\"")).count(), 5);
        }
        assert_eq!(picture.matches("class=\"kd-value\"").count(), 2);
        assert!(picture.contains("&lt;legend&gt;") && picture.contains(">-80</text>"));
        assert!(picture.contains("Values: 7f +40 1i -80."));
        assert!(!picture.contains("NaN"));
        for none in [vec![], vec![(Square::S11, i32::MIN), (Square::S12, i32::MAX)]] {
            let picture = board.clone().square_values(none, "").to_string();
            assert!(!picture.contains("NaN") && picture.contains("kd-legend"));
        }
    }

    #[test]
    fn turning_the_board_turns_back() {
        let board = SvgBoard::new(Setup::hirate());
        assert_ne!(board.clone().flipped(), board);
        assert_eq!(board.clone().flipped().flipped(), board);
        let (x, y) = board.center(Square::S11);
        let (left, top) = board.clone().flipped().center(Square::S99);
        assert_eq!((x, y), (left, top));
    }

    #[test]
    fn marks_and_arrows_are_drawn_for_board_moves_and_drops() {
        for m in ["7g7f", "8h2b+", "P*5e"] {
            let m: Move = m.parse().unwrap();
            for pieces in [SvgPieces::Kanji, SvgPieces::Letters] {
                let board = SvgBoard::new(Setup::hirate()).pieces(pieces);
                let picture = board.last_move(m).arrow(m).arrow(m).to_string();
                assert_eq!(picture.matches("kd-arrow\"").count(), 2);
                assert_eq!(picture.matches("<circle").count(), usize::from(!m.is_drop()));
                assert!(!picture.contains("NaN") && !picture.contains("inf"));
            }
        }
    }
}
