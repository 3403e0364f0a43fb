//! Files with an addition to an answer.

use std::path::PathBuf;

/// The files that have been written, or the reason why there are none.
pub(in crate::tsume) type Written = Result<Vec<PathBuf>, String>;
