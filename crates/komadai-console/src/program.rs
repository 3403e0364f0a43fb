//! The frame of a program: parsing, exit codes and error messages.

use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Args, Command};

use crate::note;
use crate::output::has_reader_left;

/// A program of this crate: the arguments of one run.
pub trait Program: Args {
    /// Name of the subcommand of `komadai` that runs the program.
    const SUBCOMMAND: &'static str;

    /// Runs the program.
    ///
    /// # Errors
    ///
    /// Returns the reason why the program failed. A [`clap::Error`] means bad usage.
    fn run(&self) -> anyhow::Result<ExitCode>;
}

/// Runs a program under a name of its own, with the arguments of the process.
///
/// The examples of the workspace are such programs. Prints errors on standard error; exits with code 2
/// on bad usage.
#[must_use]
pub fn run_as<P: Program>(name: &'static str) -> ExitCode {
    let command = renamed(P::augment_args(Command::new(name)), P::SUBCOMMAND, name);
    let matches = command.version(env!("CARGO_PKG_VERSION")).get_matches();
    let program = P::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    exit_code(program.run())
}

/// Writes the examples of all help texts for a program called `name` instead of `komadai SUBCOMMAND`.
fn renamed(command: Command, subcommand: &'static str, name: &'static str) -> Command {
    let command = match command.get_after_help().map(ToString::to_string) {
        Some(text) => command.after_help(text.replace(&format!("komadai {subcommand}"), name)),
        None => command,
    };
    command.mut_subcommands(|inner| renamed(inner, subcommand, name))
}

/// The code that shells report for a process that a write into a closed pipe ended: 128 + SIGPIPE (13).
const READER_LEFT: u8 = 141;

/// The exit code of a program that has ended. Prints its error, if there is one, on standard error.
///
/// Bad usage ends the process at once with code 2. Where the reader of standard output has left
/// ([`Output`](crate::output::Output)), nothing is printed, and the code is 141.
pub fn exit_code(result: anyhow::Result<ExitCode>) -> ExitCode {
    match result {
        Ok(code) => code,
        Err(error) => match error.downcast_ref::<clap::Error>() {
            Some(usage) => usage.exit(),
            None if has_reader_left(&error) => ExitCode::from(READER_LEFT),
            None => {
                note!("error: {}", describe(&error));
                ExitCode::FAILURE
            }
        },
    }
}

/// An error that ends the program with code 2: bad usage that the parser of the command line cannot see.
pub fn bad_usage(message: impl std::fmt::Display) -> anyhow::Error {
    clap::Error::raw(ErrorKind::ValueValidation, format!("{message}\n")).into()
}

/// The message of an error with its causes, each once: many errors repeat their cause themselves.
fn describe(error: &anyhow::Error) -> String {
    error.chain().fold(String::new(), |text, cause| match cause.to_string() {
        cause if text.is_empty() => cause,
        cause if text.contains(&cause) => text,
        cause => format!("{text}: {cause}"),
    })
}
