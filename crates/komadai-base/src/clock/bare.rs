//! The clock of a bare WebAssembly module, by functions of the program around it.

use core::fmt;
use core::ops::{Add, Sub};
use core::time::Duration;
use std::sync::OnceLock;

/// Functions of the program around a bare WebAssembly module.
#[derive(Clone, Copy)]
pub struct Host {
    /// Returns the time since a fixed moment. It must never decrease.
    pub now: fn() -> Duration,
    /// Looks for a request to stop, and sets the stop flag of the search. It is called every few
    /// hundred nodes, so it must decide quickly whether it is time to look.
    pub poll: fn(),
}

static HOST: OnceLock<Host> = OnceLock::new();

/// Installs the functions for the life of the module. Returns false if there are some already,
/// which stay.
///
/// Without them the time is always zero: a limit of time never ends a search.
pub fn install(host: Host) -> bool {
    HOST.set(host).is_ok()
}

/// Calls the host's [`poll`](Host::poll), if there is one.
#[inline]
pub fn poll_host() {
    if let Some(host) = HOST.get() {
        (host.poll)();
    }
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Host").finish_non_exhaustive()
    }
}

/// A time of the host's clock, with those methods of [`std::time::Instant`] that the crates use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Instant(Duration);

impl Instant {
    /// Returns the present time; always the same without a host.
    pub fn now() -> Self {
        Self(HOST.get().map_or(Duration::ZERO, |host| (host.now)()))
    }

    /// Returns the time since then.
    pub fn elapsed(&self) -> Duration {
        Self::now().duration_since(*self)
    }

    /// Returns the time from `earlier` to this one, zero if it is later.
    pub fn duration_since(&self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }

    /// Returns the time from `earlier` to this one, zero if it is later.
    pub fn saturating_duration_since(&self, earlier: Self) -> Duration {
        self.duration_since(earlier)
    }

    /// Returns this time plus `duration`, if it can be represented.
    pub fn checked_add(&self, duration: Duration) -> Option<Self> {
        self.0.checked_add(duration).map(Self)
    }

    /// Returns this time minus `duration`, if it can be represented.
    pub fn checked_sub(&self, duration: Duration) -> Option<Self> {
        self.0.checked_sub(duration).map(Self)
    }
}

impl Add<Duration> for Instant {
    type Output = Self;

    /// The sum; the latest time if it cannot be represented.
    fn add(self, duration: Duration) -> Self {
        Self(self.0.saturating_add(duration))
    }
}

impl Sub for Instant {
    type Output = Duration;

    fn sub(self, earlier: Self) -> Duration {
        self.duration_since(earlier)
    }
}
