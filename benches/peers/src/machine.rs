//! The description of the machine.

use std::fs;

/// Returns the processor and the load, as far as the system provides them.
#[must_use]
pub fn description() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |key: &str| {
        info.lines()
            .find(|line| line.starts_with(key))
            .and_then(|line| line.split_once(':'))
            .map_or("?", |(_, value)| value.trim())
            .to_owned()
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = load.split_whitespace().next().unwrap_or("?");
    format!(
        "{} (family {}, model {}), {cores} CPUs, {}, load average {load}",
        field("model name"),
        field("cpu family"),
        field("model\t"),
        std::env::consts::OS,
    )
}
