//! Boards on the page.

use std::io::{self, Write};

use crate::svg::SvgBoard;
use komadai_core::{Move, Position, Setup};

use super::html::Text;

/// The style rules that all boards share. Without this, each board would contain its own copy.
pub(super) fn style() -> String {
    let board = SvgBoard::new(Setup::empty()).to_string();
    split(&board).map_or_else(String::new, |[_, style, _]| format!("{style}\n"))
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
    let picture = board.to_string();
    let picture = match split(&picture) {
        Some([before, _, after]) => format!("{before}{after}"),
        None => picture.clone(),
    };
    // Within a page no name space is needed.
    let picture = picture.replacen(" xmlns=\"http://www.w3.org/2000/svg\"", "", 1);
    writeln!(out, "<figure class=\"board\">\n{picture}<figcaption>{caption}")?;
    writeln!(
        out,
        "<details><summary>SFEN</summary><code>{}</code></details></figcaption>\n</figure>",
        Text(&position.to_string())
    )
}

/// Splits a picture into the parts before, within and after its style element.
fn split(picture: &str) -> Option<[&str; 3]> {
    let (before, rest) = picture.split_once("<style>")?;
    let (style, after) = rest.split_once("</style>")?;
    Some([before, style, after])
}
