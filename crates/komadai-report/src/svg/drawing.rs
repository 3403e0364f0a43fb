//! The document that contains all parts of a picture.

use core::fmt;

use komadai_core::{Color, Square};

use super::board::SvgBoard;
use super::grid::{CELL_HEIGHT, CELL_WIDTH, LEGEND_HEIGHT, MARGIN};
use crate::text::Escaped;
use crate::theme::{PictureHead, Placement};

/// The style sheet of all boards, with plain values of the light mode before the rules with
/// variables.
const STYLE: &str = include_str!("board.css");

impl fmt::Display for SvgBoard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_picture(Placement::File, f)
    }
}

/// A board within an HTML page, which has the style sheet of all boards.
pub(crate) struct BoardInPage<'a>(pub(crate) &'a SvgBoard);

impl fmt::Display for BoardInPage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write_picture(Placement::Page, f)
    }
}

/// Returns the style sheet of all boards of a page.
pub(crate) fn board_style() -> String {
    crate::theme::SvgTheme::Auto.style(STYLE)
}

impl SvgBoard {
    fn write_picture(&self, placement: Placement, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let legend = if self.values.is_some() { LEGEND_HEIGHT } else { 0 };
        let (width, height) = (self.width(), self.content_bottom() + MARGIN + legend);
        let heading = self.title.as_deref().map(Escaped);
        let name = self.name.as_deref().or(self.title.as_deref()).unwrap_or("Shogi position");
        let head = PictureHead {
            class: "kd",
            size: (width, height),
            title: &Escaped(name).to_string(),
            description: &Description(self).to_string(),
            style: &self.theme.style(STYLE),
        };
        head.write(placement, f)?;
        writeln!(f, r#"<rect class="kd-page" width="{width}" height="{height}"/>"#)?;
        if let Some(heading) = heading {
            let (x, y) = (width / 2, MARGIN + 15);
            writeln!(f, r#"<text class="kd-title" x="{x}" y="{y}">{heading}</text>"#)?;
        }
        self.write_board(f)?;
        self.write_content(f)?;
        f.write_str("</svg>\n")
    }

    /// Writes everything that changes with the position.
    fn write_content(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
            let at = (self.width() / 2, self.content_bottom() + MARGIN);
            values.write_legend(f, at, Escaped(&values.legend))?;
        }
        self.arrows.iter().try_for_each(|&arrow| self.write_arrow(arrow, f))
    }
}

/// The content of a picture in words, for screen readers.
struct Description<'a>(&'a SvgBoard);

impl fmt::Display for Description<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let board = self.0;
        if let Some(text) = &board.description {
            return write!(f, "{}", Escaped(text));
        }
        let setup = &board.setup;
        write!(f, "{:?} to move, move {}. SFEN: {setup}.", setup.side, setup.ply)?;
        if let Some(m) = board.last_move {
            write!(f, " Last move: {m}.")?;
        }
        for (m, arrow) in &board.arrows {
            write!(f, " Arrow: {m}{}.", arrow.words())?;
        }
        if let Some(values) = &board.values {
            write!(f, "{values}")?;
        }
        Ok(())
    }
}
