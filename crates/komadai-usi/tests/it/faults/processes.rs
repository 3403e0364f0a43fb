//! The processes of the engines that a test has started.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use tempfile::NamedTempFile;

/// A file in which engines record the numbers of their processes.
pub(crate) struct Processes(NamedTempFile);

impl Default for Processes {
    fn default() -> Self {
        Self(NamedTempFile::new().expect("a temporary file"))
    }
}

impl Processes {
    pub(crate) fn file(&self) -> &Path {
        self.0.path()
    }

    /// Returns the numbers in the file.
    pub(crate) fn numbers(&self) -> Vec<u32> {
        let text = fs::read_to_string(self.file()).expect("the file is readable");
        text.lines().map(|number| number.parse().expect("a number")).collect()
    }

    /// Asserts that all recorded processes have ended, and returns their number.
    pub(crate) fn count_ended(&self) -> usize {
        let numbers = self.numbers();
        for &number in &numbers {
            assert!(has_ended(number), "process {number} is left");
        }
        numbers.len()
    }
}

/// Returns whether a process has ended, or ends within half a minute. Another process than this one
/// may have to read its exit status.
pub(crate) fn has_ended(number: u32) -> bool {
    const INTERVAL: Duration = Duration::from_millis(10);
    let attempts = 3_000;
    (0..attempts).any(|_| {
        !is_running(number) || {
            thread::sleep(INTERVAL);
            false
        }
    })
}

/// Returns whether a process runs. Other systems than Linux do not tell.
fn is_running(number: u32) -> bool {
    let Ok(status) = fs::read_to_string(format!("/proc/{number}/stat")) else { return false };
    // The state follows the name of the program, which is in parentheses.
    !status.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z'))
}
