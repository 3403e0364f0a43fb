//! The time after which a worker ends.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Sets a flag after some time.
pub(crate) struct Timer(Arc<AtomicBool>);

impl Timer {
    pub(crate) fn start(after: Duration, stop: Arc<AtomicBool>) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&is_over);
        // Ends with the process.
        thread::spawn(move || {
            thread::sleep(after);
            flag.store(true, Ordering::Relaxed);
            stop.store(true, Ordering::Relaxed);
        });
        Self(is_over)
    }

    pub(crate) fn is_over(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
