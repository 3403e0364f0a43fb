//! Positions with the values of judges, as `positions` writes them.

use std::ops::Range;
use std::path::Path;

use anyhow::{Context as _, bail};
use komadai::prelude::*;
use komadai_base::file::read_text;

use crate::judge_evaluation::judge::JudgeKind;

/// The parts of a game, by the number of the move.
pub(crate) const PARTS: [Range<u32>; 4] = [1..40, 40..70, 70..100, 100..u32::MAX];

/// A position and the values of judges for its side to move.
pub(crate) struct Judged {
    pub(crate) position: Position,
    values: [Option<i32>; 4],
}

impl Judged {
    pub(crate) fn value(&self, judge: JudgeKind) -> Option<i32> {
        self.values[judge as usize]
    }
}

/// Reads a table of `positions`.
pub(crate) fn read(path: &Path) -> anyhow::Result<Vec<Judged>> {
    let name = path.display();
    let text = read_text(path, u64::MAX).with_context(|| name.to_string())?;
    let mut rows = Vec::new();
    for (number, line) in (1..).zip(text.lines()).skip(1) {
        let cells: Vec<&str> = line.split('\t').collect();
        let [sfen, ref values @ ..] = cells[..] else { bail!("{name}:{number}: an empty line") };
        let [a, b, c, d] = values else {
            bail!("{name}:{number}: found {} columns, expected 5", cells.len())
        };
        let position =
            Position::from_sfen(sfen).with_context(|| format!("{name}:{number}: {sfen:?}"))?;
        let mut numbers = [None; 4];
        for (slot, cell) in numbers.iter_mut().zip([a, b, c, d]) {
            if !cell.is_empty() {
                let number = cell.parse().with_context(|| format!("{name}:{number}: {cell:?}"))?;
                *slot = Some(number);
            }
        }
        rows.push(Judged { position, values: numbers });
    }
    Ok(rows)
}
