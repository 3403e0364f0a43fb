//! Limits that the machine sets: memory and processor cores.

use std::thread::available_parallelism;

use komadai_base::file::read_text;

/// Returns the memory to use for a table, in MiB: `wanted`, or less if the machine does not have
/// it. In that case a message with the `name` of the option is added to `shortage`. `in_use` is the
/// memory that will be released first.
pub(crate) fn affordable_hash_mib(
    name: &str,
    wanted: usize,
    in_use: usize,
    shortage: &mut Vec<String>,
) -> usize {
    match affordable_mib(in_use) {
        Some(affordable) if affordable < wanted => {
            shortage.push(format!("{name}: {affordable} MiB, this machine has no {wanted} free"));
            affordable
        }
        _ => wanted,
    }
}

/// False on bare WebAssembly, where a thread cannot be started.
const HAS_THREADS: bool = !cfg!(all(target_family = "wasm", target_os = "unknown"));

/// Returns the number of threads to search with, at most eight for each core. Above that, threads
/// wait for each other more than they search. A reduction adds a message to `shortage`.
pub(crate) fn usable_threads(wanted: usize, shortage: &mut Vec<String>) -> usize {
    let cores = available_parallelism().map_or(1, usize::from);
    let most = if HAS_THREADS { cores.saturating_mul(8) } else { 1 };
    if wanted > most {
        shortage.push(format!("Threads: {most}, this machine has no {wanted}, but {cores} cores"));
    }
    wanted.clamp(1, most)
}

/// Returns the size in MiB of the largest table that the machine can hold at present, or `None` if
/// the system does not report it.
///
/// Linux grants more memory than it has and later ends the process that uses it. A table is
/// therefore limited to three quarters of the free memory, both of the machine and of the control
/// group of a container. `in_use_mib` is the memory that will be released first.
fn affordable_mib(in_use_mib: usize) -> Option<usize> {
    let free = [machine_free_bytes(), container_free_bytes()].into_iter().flatten().min()?;
    let free = usize::try_from(free >> 20).unwrap_or(usize::MAX).saturating_add(in_use_mib);
    Some((free / 4 * 3).max(1))
}

/// The largest size of a file in which the system states its memory.
const MOST_BYTES: u64 = 1 << 20;

fn machine_free_bytes() -> Option<u64> {
    parse_meminfo(&read_text("/proc/meminfo", MOST_BYTES).ok()?)
}

fn container_free_bytes() -> Option<u64> {
    let read = |name: &str| read_text(format!("/sys/fs/cgroup/{name}"), MOST_BYTES).ok();
    parse_cgroup(&read("memory.max")?, &read("memory.current")?)
}

/// Reads the line `MemAvailable:   23456 kB`.
fn parse_meminfo(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kib.checked_mul(1 << 10)
}

/// Reads two numbers of bytes, of which the first may be `max`, and returns their difference.
fn parse_cgroup(max: &str, current: &str) -> Option<u64> {
    let max: u64 = max.trim().parse().ok()?;
    Some(max.saturating_sub(current.trim().parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_reports_of_the_system_are_read() {
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
    fn this_machine_can_hold_a_small_table() {
        let free = affordable_mib(0).expect("Linux reports it");
        assert!(free >= 1);
        assert!(affordable_mib(1_000).expect("Linux reports it") > 700);
    }
}
