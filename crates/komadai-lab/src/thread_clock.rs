//! The clock of measurements: the processor's time of this thread where Linux tells it.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use komadai_base::file::read_text;

/// The time that this thread has had a processor, or the time since the first call.
pub(crate) fn now() -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    let text = read_text("/proc/thread-self/schedstat", u64::MAX).unwrap_or_default();
    let nanoseconds = text.split(' ').next().and_then(|number| number.parse().ok());
    nanoseconds.map_or_else(|| START.elapsed(), Duration::from_nanos)
}
