//! The openings of a match.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, ensure};
use komadai::engine::arena::Opening;
use komadai_testdata::openings;

/// The openings of a file, or the bundled ones.
pub(crate) fn load(path: Option<&Path>) -> anyhow::Result<Vec<Opening>> {
    let Some(path) = path else {
        let moves = openings::move_lists().map(|moves| format!("startpos moves {moves}"));
        return moves.map(|game| Ok(Opening::from_usi(&game)?)).collect();
    };
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

/// A number that tells lists of openings apart (FNV-1a over their USI text).
pub(crate) fn fingerprint(openings: &[Opening]) -> String {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for opening in openings {
        for byte in opening.game().to_string().bytes().chain([b'\n']) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}
