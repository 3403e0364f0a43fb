//! How much memory may be asked for.

use std::fs;

/// The largest table, in MiB, that this machine can bear at the moment; `None` if it does not tell.
///
/// Linux grants memory that it does not have and ends the process that uses it. So a table is
/// bounded by three quarters of what is free, on the machine and in the control group that a
/// container is. `in_use_mib` is what would be given back first.
pub(crate) fn affordable_mib(in_use_mib: usize) -> Option<usize> {
    let free = [machine_free_bytes(), container_free_bytes()].into_iter().flatten().min()?;
    let free = usize::try_from(free >> 20).unwrap_or(usize::MAX).saturating_add(in_use_mib);
    Some((free / 4 * 3).max(1))
}

fn machine_free_bytes() -> Option<u64> {
    parse_meminfo(&fs::read_to_string("/proc/meminfo").ok()?)
}

fn container_free_bytes() -> Option<u64> {
    let read = |name: &str| fs::read_to_string(format!("/sys/fs/cgroup/{name}")).ok();
    parse_cgroup(&read("memory.max")?, &read("memory.current")?)
}

/// The line `MemAvailable:   23456 kB`.
fn parse_meminfo(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1 << 10)
}

/// A number of bytes or `max`, and a number of bytes.
fn parse_cgroup(max: &str, current: &str) -> Option<u64> {
    let max: u64 = max.trim().parse().ok()?;
    Some(max.saturating_sub(current.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_says_is_read() {
        let meminfo = "MemTotal:       24000000 kB\nMemAvailable:   1024 kB\nBuffers: 5 kB\n";
        assert_eq!(parse_meminfo(meminfo), Some(1 << 20));
        assert_eq!(parse_meminfo("MemFree: 1024 kB\n"), None);
        assert_eq!(parse_meminfo("MemAvailable: many kB\n"), None);
        assert_eq!(parse_cgroup("4096\n", "1024\n"), Some(3072));
        assert_eq!(parse_cgroup("1024\n", "4096\n"), Some(0));
        assert_eq!(parse_cgroup("max\n", "1024\n"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_machine_can_bear_a_small_table() {
        let free = affordable_mib(0).expect("Linux tells");
        assert!(free >= 1);
        assert!(affordable_mib(1_000).expect("Linux tells") > 700);
    }
}
