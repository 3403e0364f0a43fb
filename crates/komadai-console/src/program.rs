//! The frame of a program: parsing, exit codes and error messages.

use std::borrow::Cow;
use std::io::{self, Write as _};
use std::panic;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{Args, Command};
use komadai::book::store::is_reporting_damage;
use komadai_base::text::{printable, printable_lines};

use crate::interrupt::{INTERRUPTED, Interrupted};
use crate::note;
use crate::output::{has_reader_left, name_reader, stdout};

/// A program: the arguments of one run, and what it does with them.
///
/// A program is written once and runs under two names: as a subcommand of `komadai`, and by
/// [`run_as`] as a binary of its own, which compiles sooner because it leaves the other commands
/// out. The examples in its help text name the subcommand, and are rewritten for a binary.
///
/// `run` returns an error rather than print one, because [`exit_code`] decides what an error
/// means: bad usage has code 2 and prints the usage, an [`interrupted`](crate::interrupted) run has
/// code 130, a reader of standard output that has left ends the program quietly, and anything else is one line on standard error with code 1. A program
/// that did its work, but found something wrong, returns [`ExitCode::FAILURE`] itself.
///
/// # Examples
///
/// ```
/// use std::io::Write as _;
/// use std::process::ExitCode;
///
/// use clap::Args;
/// use komadai_console::{Program, bad_usage, exit_code, stdout};
///
/// /// Print the square of a number.
/// #[derive(Debug, Args)]
/// struct SquareArgs {
///     /// The number.
///     number: i32,
/// }
///
/// impl Program for SquareArgs {
///     const SUBCOMMAND: &'static str = "square";
///
///     fn run(&self) -> anyhow::Result<ExitCode> {
///         let square = self.number.checked_mul(self.number);
///         let square = square.ok_or_else(|| bad_usage("the number is too large"))?;
///         writeln!(stdout(), "{square}")?;
///         Ok(ExitCode::SUCCESS)
///     }
/// }
///
/// assert_eq!(exit_code(|| SquareArgs { number: 9 }.run()), ExitCode::SUCCESS);
/// assert_eq!(exit_code(|| SquareArgs { number: 1 << 20 }.run()), ExitCode::from(2));
/// ```
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
/// The examples of the workspace are such programs. Prints errors on standard error; exits with
/// code 2 on bad usage.
pub fn run_as<P: Program>(name: &'static str) -> ExitCode {
    let command = renamed(P::augment_args(Command::new(name)), P::SUBCOMMAND, name);
    let matches = command.version(env!("CARGO_PKG_VERSION")).try_get_matches();
    let program = matches.and_then(|matches| P::from_arg_matches(&matches));
    exit_code(|| program?.run())
}

/// Writes the examples of all help texts for a program called `name` instead of
/// `komadai SUBCOMMAND`.
fn renamed(command: Command, subcommand: &'static str, name: &'static str) -> Command {
    let command = match command.get_after_help().map(ToString::to_string) {
        Some(text) => command.after_help(text.replace(&format!("komadai {subcommand}"), name)),
        None => command,
    };
    command.mut_subcommands(|inner| renamed(inner, subcommand, name))
}

/// The code that shells report for a process that a write into a closed pipe ended: 128 + SIGPIPE
/// (13).
const READER_LEFT: u8 = 141;

/// The code of bad usage.
const BAD_USAGE: u8 = 2;

/// Runs a program and returns its exit code. Prints its error, if there is one, on standard error.
///
/// A [`clap::Error`] means bad usage, code 2, or asks for the help text or the version on standard
/// output. An [`interrupted`](crate::interrupted) program has code 130. Text that standard output does not take is an error, also if only its end is missing.
/// Where the reader of standard output has left ([`Output`](crate::Output)), nothing is
/// printed, and the code is 141.
pub fn exit_code(program: impl FnOnce() -> anyhow::Result<ExitCode>) -> ExitCode {
    print_no_damage();
    let result = program();
    match result.or_else(ended_by).and_then(|code| Ok(stdout().flush().map(|()| code)?)) {
        Ok(code) => code,
        Err(error) if has_reader_left(&error) => ExitCode::from(READER_LEFT),
        Err(error) => {
            note!("error: {}", describe(&error));
            ExitCode::FAILURE
        }
    }
}

/// Prints what has ended a program, unless that is a failure, and returns its exit code.
fn ended_by(error: anyhow::Error) -> anyhow::Result<ExitCode> {
    let error = match error.downcast::<clap::Error>() {
        Ok(usage) => return print_usage(&usage),
        Err(error) => error,
    };
    let interrupted: Interrupted = error.downcast()?;
    // The results come first.
    stdout().flush()?;
    note!("{interrupted}");
    Ok(ExitCode::from(INTERRUPTED))
}

/// Leaves out the message of a panic that becomes an error about a damaged store, because the error
/// is printed.
fn print_no_damage() {
    let print = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if !is_reporting_damage() {
            print(info);
        }
    }));
}

/// Prints a help text or the version on standard output, or bad usage on standard error.
fn print_usage(usage: &clap::Error) -> anyhow::Result<ExitCode> {
    let text = usage.render().to_string();
    if !usage.use_stderr() {
        usage.print().map_err(name_reader)?;
        return Ok(ExitCode::SUCCESS);
    }
    // Nobody can be told where this fails.
    let _ = match printable_lines(&text) {
        // With the colours of the terminal.
        Cow::Borrowed(_) => usage.print(),
        // An argument that does not fit, such as the name of a file, is quoted.
        Cow::Owned(text) => io::stderr().write_all(text.as_bytes()),
    };
    Ok(ExitCode::from(BAD_USAGE))
}

/// An error that ends the program with code 2: bad usage that the parser of the command line cannot
/// see.
pub fn bad_usage(message: impl std::fmt::Display) -> anyhow::Error {
    let message = message.to_string();
    clap::Error::raw(ErrorKind::ValueValidation, format!("{}\n", printable(&message))).into()
}

/// The message of an error with its causes, each once: many errors repeat their cause themselves.
#[must_use]
pub fn describe(error: &anyhow::Error) -> String {
    error.chain().fold(String::new(), |text, cause| match cause.to_string() {
        cause if text.is_empty() => cause,
        cause if text.contains(&cause) => text,
        cause => format!("{text}: {cause}"),
    })
}
