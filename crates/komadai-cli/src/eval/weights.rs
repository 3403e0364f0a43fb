//! The weights of the evaluation.

use std::path::Path;

use anyhow::Context as _;
use komadai::eval::Parameters;
use komadai_base::file::read_text;

/// Largest size of a parameter text in bytes, a hundred times that of the bundled one.
const MAX_BYTES: u64 = 10_000_000;

/// Reads a parameter text, or returns the weights set by hand or the tuned ones.
pub(super) fn read(path: Option<&Path>, is_hand_set: bool) -> anyhow::Result<Parameters> {
    let Some(path) = path else {
        return Ok(if is_hand_set { Parameters::hand_set() } else { Parameters::default() });
    };
    let place = || path.display().to_string();
    read_text(path, MAX_BYTES).with_context(place)?.parse().with_context(place)
}
