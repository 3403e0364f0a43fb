//! Boards on the page.

use std::io::{self, Write};

use komadai_core::{Move, Position};

use crate::svg::{BoardInPage, SvgBoard, board_style};
use crate::text::Escaped;

/// The style rules that all boards share. Without this, each board would contain its own copy.
pub(super) fn style() -> String {
    board_style()
}

/// Writes a board with a caption in HTML; `last` is the last move.
pub(super) fn write(
    out: &mut dyn Write,
    position: &Position,
    last: Option<Move>,
    arrows: &[Move],
    caption: &str,
) -> io::Result<()> {
    let mut board = SvgBoard::new(position);
    if let Some(m) = last {
        board = board.last_move(m);
    }
    for &m in arrows {
        board = board.arrow(m);
    }
    writeln!(out, "<figure class=\"board\">\n{}<figcaption>{caption}", BoardInPage(&board))?;
    writeln!(
        out,
        "<details><summary>SFEN</summary><code>{}</code></details></figcaption>\n</figure>",
        Escaped(&position.to_string())
    )
}
