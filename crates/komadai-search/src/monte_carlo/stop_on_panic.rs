//! The end of the other threads of a search when one of them panics.

use core::sync::atomic::{AtomicBool, Ordering};

/// Sets a flag if its thread panics while it is in scope. A thread that waits for the others of its
/// search would otherwise wait for ever.
#[derive(Debug)]
pub(crate) struct StopOnPanic<'a>(pub(crate) &'a AtomicBool);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.store(true, Ordering::Relaxed);
        }
    }
}
