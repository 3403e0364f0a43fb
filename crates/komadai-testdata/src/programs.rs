//! Programs under test: examples of the workspace, and engines that follow a script.

use std::io::{Write as _, stdout};
use std::path::Path;
use std::process::Command;

/// The command of an example of the workspace in the build folder of the running test; `cargo test`
/// builds both.
///
/// # Panics
///
/// Panics if the example has not been built.
pub fn example(name: &str) -> Command {
    let test = std::env::current_exe().expect("this program has a path");
    let folder = test.parent().and_then(Path::parent).expect("it lies in target/PROFILE/deps");
    let example = folder.join("examples").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    assert!(example.exists(), "`cargo build --example {name}` comes first");
    Command::new(example)
}

/// Makes a test program that has been started a second time act as an engine.
///
/// In a process whose environment variable `variable` names a behaviour, calls `play` with it and
/// ends the process; in any other process returns at once. The second process runs a test that only
/// calls this function, selected by `TEST --exact --test-threads=2`. The test harness prints text
/// before it, which a client has to ignore.
pub fn play_engine(variable: &str, play: impl FnOnce(&str)) {
    if let Ok(behaviour) = std::env::var(variable) {
        // The harness may have printed a part of a line.
        say("");
        play(&behaviour);
        std::process::exit(0);
    }
}

/// Prints a line on the real standard output; the test harness captures the output of `println!`.
pub fn say(line: &str) {
    let mut output = stdout().lock();
    // An error means that the client has closed the pipe; it will then end this process.
    let _ = output.write_all(format!("{line}\n").as_bytes()).and_then(|()| output.flush());
}
