//! The processes that an engine consists of.
//!
//! An engine is often started by a wrapper script, and killing the script alone leaves the engine behind. On Unix
//! each engine therefore gets a process group of its own. Ctrl-C in a terminal does not reach the group: an engine
//! ends with `quit`, or with its input.

use std::process::{Child, Command};

/// Puts the process to start into a group of its own.
#[cfg(unix)]
pub(crate) fn lead_group(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

/// Does nothing: there are no groups.
#[cfg(not(unix))]
pub(crate) fn lead_group(_: &mut Command) {}

/// Kills all processes of the group that this process leads. Its exit status must not have been read, since the
/// number of the group may belong to other processes after that.
#[cfg(unix)]
pub(crate) fn kill_group(leader: &Child) {
    let group = i32::try_from(leader.id()).ok().and_then(rustix::process::Pid::from_raw);
    if let Some(group) = group {
        // This fails only if all of them have already ended.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

/// Does nothing: there are no groups.
#[cfg(not(unix))]
pub(crate) fn kill_group(_: &Child) {}
