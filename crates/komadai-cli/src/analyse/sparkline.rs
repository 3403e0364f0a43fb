//! The course of the game as a line of blocks.

use std::io::{self, Write};

use komadai::Color;
use komadai::engine::game_analysis::win_probability;

use super::game_text::GameText;
use super::language::Language;

/// Largest number of terminal cells of the blocks.
const CELLS: usize = 72;

const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Writes the chances of Black over the game: a block for each move, or for several of them in a long game.
pub(super) fn write(out: &mut impl Write, text: &GameText<'_>) -> io::Result<()> {
    let after = text.moves.iter().map(|row| row.after.black_score().map(win_probability));
    let line = blocks(&after.collect::<Vec<_>>());
    if line.is_empty() {
        return Ok(());
    }
    let black = text.side(Color::Black);
    match text.language {
        Language::En => writeln!(out, "\n{black}'s chances  {line}"),
        Language::Ja => writeln!(out, "\n{black}の勝率  {line}"),
    }
}

/// Returns a block for each cell: the mean of its values, or a blank without any.
fn blocks(values: &[Option<f64>]) -> String {
    let cells = values.len().min(CELLS);
    let block = |cell: usize| {
        let part = &values[cell * values.len() / cells..(cell + 1) * values.len() / cells];
        let known: Vec<f64> = part.iter().flatten().copied().collect();
        if known.is_empty() {
            return ' ';
        }
        let mean = known.iter().sum::<f64>() / known.len() as f64;
        BLOCKS[((mean * BLOCKS.len() as f64) as usize).min(BLOCKS.len() - 1)]
    };
    (0..cells).map(block).collect()
}
