//! Bad usage that the parser of the command line cannot see.

use clap::error::ErrorKind;

/// An error that ends the program with code 2.
pub(crate) fn bad_usage(message: impl std::fmt::Display) -> anyhow::Error {
    clap::Error::raw(ErrorKind::ValueValidation, format!("{message}\n")).into()
}
