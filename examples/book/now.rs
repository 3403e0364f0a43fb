//! The time.

use std::time::{SystemTime, UNIX_EPOCH};

/// Seconds since the beginning of 1970 (UTC).
pub(crate) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
