//! Boards as text.

use komadai::core::{Color, Position};
use komadai::report::Diagram;

use crate::board::Style;

/// Returns the board with both hands, seen by a side.
pub(crate) fn board(position: &Position, style: Style, bottom: Color) -> Diagram {
    let diagram = match style {
        Style::Kanji => Diagram::kanji(position),
        Style::Letters => Diagram::letters(position),
    };
    diagram.seen_by(bottom)
}
