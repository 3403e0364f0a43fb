//! The time since the start of a search, also on targets without a clock.

use core::time::Duration;

use clock::Instant;

/// The time since a start.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopwatch {
    start: Instant,
}

impl Stopwatch {
    /// Starts the measurement.
    pub(crate) fn start() -> Self {
        Self { start: Instant::now() }
    }

    /// Returns the time since the start; always zero on a target without a clock.
    pub(crate) fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }
}

#[cfg(not(all(target_arch = "wasm32", target_os = "unknown")))]
mod clock {
    pub(super) use std::time::Instant;
}

// A bare WebAssembly module has no clock: there `std::time::Instant::now` panics.
#[cfg(all(target_arch = "wasm32", target_os = "unknown"))]
mod clock {
    use core::time::Duration;

    /// A stand-in for the clock.
    #[derive(Debug, Clone, Copy)]
    pub(super) struct Instant;

    impl Instant {
        pub(super) fn now() -> Self {
            Self
        }

        pub(super) fn elapsed(&self) -> Duration {
            Duration::ZERO
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_passes() {
        let stopwatch = Stopwatch::start();
        while stopwatch.elapsed() == Duration::ZERO {
            core::hint::spin_loop();
        }
    }
}
