//! Programs under test: examples of the workspace, and engines that do as a script says.

use std::io::{Write as _, stdout};
use std::path::Path;
use std::process::Command;

/// An example of the workspace, built beside the test that runs: `cargo test` builds both.
///
/// # Panics
///
/// Panics if it has not been built.
#[must_use]
pub fn example(name: &str) -> Command {
    let test = std::env::current_exe().expect("this program has a path");
    let folder = test.parent().and_then(Path::parent).expect("it lies in target/PROFILE/deps");
    let example = folder.join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(example.exists(), "`cargo build --example {name}` comes first");
    Command::new(example)
}

/// Lets a test program, started again, be an engine: in a process whose environment variable
/// `variable` names a behaviour, plays it and ends the process; elsewhere does nothing.
///
/// A test that only calls this is what such a process is asked to run, as `TEST --exact
/// --test-threads=2`. What the test harness prints before is noise that a client has to bear anyway.
pub fn play_engine(variable: &str, play: impl FnOnce(&str)) {
    if let Ok(behaviour) = std::env::var(variable) {
        // The harness may have begun a line.
        say("");
        play(&behaviour);
        std::process::exit(0);
    }
}

/// Prints a line past the test harness, which captures what is printed as usual.
pub fn say(line: &str) {
    let mut output = stdout().lock();
    // Whoever does not listen any more will kill us.
    let _ = output.write_all(format!("{line}\n").as_bytes()).and_then(|()| output.flush());
}
