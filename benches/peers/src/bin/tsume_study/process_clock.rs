//! The processor time of another process.

use std::time::Duration;

/// Returns the processor time of all threads of a process so far, user and system, also of threads
/// that have ended, in steps of a nanosecond. The times in `/proc/PID/stat` have steps of 10 ms.
#[cfg(target_os = "linux")]
pub(crate) fn process_time(pid: u32) -> anyhow::Result<Duration> {
    let clock = nix::time::clock_getcpuclockid(nix::unistd::Pid::from_raw(i32::try_from(pid)?))?;
    Ok(Duration::from(clock.now()?))
}

/// Fails: implemented for Linux only.
#[cfg(not(target_os = "linux"))]
pub(crate) fn process_time(_: u32) -> anyhow::Result<Duration> {
    anyhow::bail!("the processor time of other processes is read on Linux only")
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn own_time_is_that_of_the_other_clock() {
        let before = cpu_time::ProcessTime::now().as_duration();
        let between = process_time(std::process::id()).unwrap();
        let after = cpu_time::ProcessTime::now().as_duration();
        assert!(before <= between && between <= after, "{before:?} {between:?} {after:?}");
    }
}
