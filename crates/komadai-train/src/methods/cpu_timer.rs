//! The processor time of a thread.

use std::fs;
use std::time::{Duration, Instant};

/// Measures the processor time of the calling thread; on systems that do not tell it, the time of the clock.
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
    let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}
