//! Files of openings.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, ensure};
use komadai::engine::arena::Opening;

/// The openings of a file, one a line; what follows a `#` is a comment.
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
    ensure!(!openings.is_empty(), "{} holds no opening", path.display());
    Ok(openings)
}
