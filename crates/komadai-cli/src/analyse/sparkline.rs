//! The course of the game as a line of text.

use std::io::{self, Write};

use komadai::Color;
use komadai::report::Sparkline;

use super::game_text::GameText;
use super::language::Language;

/// Largest number of terminal cells of the line.
const CELLS: usize = 72;

/// Writes the values of the game for Black.
pub(super) fn write(out: &mut impl Write, text: &GameText<'_>) -> io::Result<()> {
    let scores: Vec<_> = text.moves.iter().map(|row| row.after.black_score()).collect();
    if scores.iter().all(Option::is_none) {
        return Ok(());
    }
    let line = Sparkline::new(scores).width(CELLS);
    let [black, white] = Color::ALL.map(|side| text.side(side));
    match text.language {
        Language::En => writeln!(out, "\n{line}  ▅▆▇█ good for {black}, ▁▂▃▄ for {white}"),
        Language::Ja => writeln!(out, "\n{line}  ▅▆▇█ {black}良し、▁▂▃▄ {white}良し"),
    }
}
