//! Moves that were played, from a file.

use std::path::Path;

use anyhow::Context as _;
use komadai::core::UsiPosition;
use komadai::movegen::play;
use komadai::prelude::*;
use komadai_base::file::read_text;

/// Returns the positions of every `every`th line of a file, and the moves that were played in them. A line has the
/// moves of a game as `position` has them, up to that move.
pub(crate) fn read(path: &Path, every: usize) -> anyhow::Result<(Vec<Position>, Vec<Move>)> {
    let text = read_text(path, u64::MAX).with_context(|| path.display().to_string())?;
    let (mut positions, mut moves) = (Vec::new(), Vec::new());
    for (number, line) in (1..).zip(text.lines()).step_by(every) {
        let (position, m) =
            last_move(line).with_context(|| format!("{}, line {number}", path.display()))?;
        positions.push(position);
        moves.push(m);
    }
    anyhow::ensure!(!moves.is_empty(), "{}: no moves", path.display());
    Ok((positions, moves))
}

/// Returns the last move of a game, and the position before it.
fn last_move(line: &str) -> anyhow::Result<(Position, Move)> {
    let mut position = play(&UsiPosition::from_usi(line)?)?;
    let m = position.undo_move().context("expected a move")?;
    Ok((position, m))
}
