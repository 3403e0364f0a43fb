//! The command `komadai`.

use std::process::ExitCode;

fn main() -> ExitCode {
    komadai_cli::run()
}
