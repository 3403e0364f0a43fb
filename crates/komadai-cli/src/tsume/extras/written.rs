//! Files with an addition to an answer.

use std::path::{Path, PathBuf};

/// The files that have been written, or the reason why there are none.
pub(in crate::tsume) type Written = Result<Vec<PathBuf>, String>;

/// Returns a name with an ending, which replaces no part of it.
pub(super) fn with_ending(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}
