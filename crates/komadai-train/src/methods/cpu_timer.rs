//! The processor time of a thread.

use std::time::{Duration, Instant};

use komadai_base::file::read_text;

/// Measures the processor time of the calling thread; on systems that do not tell it, the time of
/// the clock.
pub(crate) struct CpuTimer {
    processor: Option<Duration>,
    clock: Instant,
}

impl CpuTimer {
    pub(crate) fn start() -> Self {
        Self { processor: thread_time(), clock: Instant::now() }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        match (self.processor, thread_time()) {
            (Some(start), Some(now)) => now.saturating_sub(start),
            _ => self.clock.elapsed(),
        }
    }
}

/// Reads the processor time of the thread, which Linux states in nanoseconds.
fn thread_time() -> Option<Duration> {
    let text = read_text("/proc/thread-self/schedstat", 1 << 10).ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}
