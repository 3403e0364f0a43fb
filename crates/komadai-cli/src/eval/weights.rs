//! The weights of the evaluation.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, ensure};
use komadai::eval::Parameters;

/// Largest size of a parameter text in bytes, a hundred times that of the bundled one.
const MAX_BYTES: u64 = 10_000_000;

/// Reads a parameter text, or returns the weights set by hand or the tuned ones.
pub(super) fn read(path: Option<&Path>, is_hand_set: bool) -> anyhow::Result<Parameters> {
    let Some(path) = path else {
        return Ok(if is_hand_set { Parameters::hand_set() } else { Parameters::default() });
    };
    let place = || path.display().to_string();
    let mut text = String::new();
    let file = File::open(path).with_context(place)?;
    file.take(MAX_BYTES + 1).read_to_string(&mut text).with_context(place)?;
    ensure!(
        text.len() as u64 <= MAX_BYTES,
        "{}: found more than {MAX_BYTES} bytes, expected a parameter text",
        path.display()
    );
    text.parse().with_context(place)
}
