//! Problems that could not be read.

use std::process::ExitCode;

use komadai_console::note;

/// The problems that could not be read.
#[derive(Debug, Default)]
pub(super) struct Refused {
    refused: u64,
}

impl Refused {
    /// Counts an error and shows it.
    pub(super) fn note(&mut self, error: &str) {
        self.refused += 1;
        note!("{error}");
    }

    /// Returns the exit code of the run.
    pub(super) fn exit_code(&self) -> anyhow::Result<ExitCode> {
        match self.refused {
            0 => Ok(ExitCode::SUCCESS),
            refused => {
                note!("{refused} problems could not be read");
                Ok(ExitCode::FAILURE)
            }
        }
    }
}
