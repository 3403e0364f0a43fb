//! Ctrl-C.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context as _;

use crate::note;

/// Returns a flag that the first Ctrl-C sets. The second Ctrl-C ends the process.
///
/// # Errors
///
/// Returns the error of the operating system, or that a handler has been installed before.
pub fn stop_on_interrupt() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            // The code that shells report for a process that SIGINT ended: 128 + 2.
            std::process::exit(130);
        }
        note!("stopping; press Ctrl-C again to exit at once");
    })
    .context("cannot install the handler of Ctrl-C")?;
    Ok(stop)
}
