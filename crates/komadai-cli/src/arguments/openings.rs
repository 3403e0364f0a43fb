//! Openings of matches: those of a file, or the bundled ones.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, ensure};
use komadai::matches::Opening;

use crate::bundled;

/// Reads the openings of a file, one a line. A `#` starts a comment.
pub(crate) fn read(path: &Path) -> anyhow::Result<Vec<Opening>> {
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut openings = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if !line.is_empty() {
            let place = || format!("{}, line {number}", path.display());
            openings.push(Opening::from_usi(line).with_context(place)?);
        }
    }
    ensure!(!openings.is_empty(), "{} contains no opening", path.display());
    Ok(openings)
}

/// Returns the 200 bundled openings.
pub(crate) fn bundled() -> anyhow::Result<Vec<Opening>> {
    bundled::openings().map(|line| Ok(Opening::from_usi(line)?)).collect()
}
