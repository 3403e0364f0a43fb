//! Ctrl-C, and the signal that ends services and virtual machines.

use std::error::Error;
use std::fmt::{self, Display};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context as _;

use crate::note;

/// The code that shells report for a process that SIGINT ended: 128 + 2.
pub(crate) const INTERRUPTED: u8 = 130;

/// The error that Ctrl-C has ended a run before its work was done, with a note about what is kept.
#[derive(Debug)]
pub(crate) struct Interrupted(String);

impl Display for Interrupted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for Interrupted {}

/// Returns a flag that the first Ctrl-C sets, or the first SIGTERM, which services and virtual
/// machines get some seconds before they end. The second one ends the process.
///
/// A program that the flag ends before its work is done saves what it has, prints its results, and
/// returns [`interrupted`], so that a script can tell an incomplete run from a complete one. A flag
/// that is set after the last piece of work changes nothing.
///
/// # Errors
///
/// Returns the error of the operating system, or that a handler has been installed before.
pub fn stop_on_interrupt() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(INTERRUPTED));
        }
        note!("stopping; press Ctrl-C again to exit at once");
    })
    .context("cannot install the handler of Ctrl-C")?;
    #[cfg(unix)]
    stop_on_termination(&stop).context("cannot install the handler of SIGTERM")?;
    Ok(stop)
}

/// Sets the flag on SIGTERM, or ends the process if the flag is set.
#[cfg(unix)]
fn stop_on_termination(stop: &Arc<AtomicBool>) -> std::io::Result<()> {
    use signal_hook::consts::SIGTERM;
    use signal_hook::flag;

    flag::register_conditional_shutdown(SIGTERM, INTERRUPTED.into(), Arc::clone(stop))?;
    flag::register(SIGTERM, Arc::clone(stop))?;
    Ok(())
}

/// An error that ends the program with code 130, as shells report for a process that Ctrl-C ended.
/// The note states what is kept and how to continue; it is printed without `error:`.
///
/// # Examples
///
/// ```
/// use std::process::ExitCode;
///
/// use komadai_console::{exit_code, interrupted};
///
/// let code = exit_code(|| Err(interrupted("stopped; the same command continues")));
/// assert_eq!(code, ExitCode::from(130));
/// ```
pub fn interrupted(note: impl Display) -> anyhow::Error {
    Interrupted(note.to_string()).into()
}
