//! Evaluations from parameter files.

use std::path::Path;

use anyhow::Context as _;
use komadai::eval::{Classical, Parameters};
use komadai_base::file::read_text;

/// Returns the parameters of a file: the built-in ones without a file, and those set by hand for
/// the name `hand-set`.
pub(crate) fn parameters(path: Option<&Path>) -> anyhow::Result<Parameters> {
    let Some(path) = path else { return Ok(Parameters::default()) };
    if path == Path::new("hand-set") {
        return Ok(Parameters::hand_set());
    }
    let name = || path.display().to_string();
    read_text(path, u64::MAX).with_context(name)?.parse().with_context(name)
}

/// Returns the evaluation with the [`parameters`] of a file.
pub(crate) fn evaluation(path: Option<&Path>) -> anyhow::Result<Classical> {
    Ok(Classical::new(&parameters(path)?))
}
