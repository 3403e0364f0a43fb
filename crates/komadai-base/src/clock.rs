//! The monotonic clock, also on targets without one.
//!
//! A bare WebAssembly module (`wasm32-unknown-unknown`) has no clock and no threads: there
//! `std::time::Instant::now` panics, and nothing can set a flag during a search. On that target
//! [`Instant`] is a type of this module with the same methods, and the program around the crates
//! may install a `Host`, which tells the time and is called at short intervals by everything that
//! obeys a stop flag. On all other targets `Instant` is that of the standard library, and
//! [`poll_host`] does nothing.
//!
//! # Examples
//!
//! ```
//! use std::time::Duration;
//!
//! use komadai_base::clock::Instant;
//!
//! let start = Instant::now();
//! assert!(start.elapsed() < Duration::from_secs(3600));
//! ```

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod bare;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use bare::{Host, Instant, install, poll_host};
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

/// Lets the host of a bare WebAssembly module look for a request to stop; does nothing elsewhere.
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
#[inline(always)]
pub fn poll_host() {}
