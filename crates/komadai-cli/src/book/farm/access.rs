//! The access to a queue on a server.

use std::env;
use std::path::PathBuf;

use clap::Args;
use komadai_console::note;
use komadai_farm::FarmUrl;

/// The variable of the environment from which PostgreSQL's own programs take a password.
const PASSWORD: &str = "PGPASSWORD";

/// The parts of an address that it does not have itself.
#[derive(Debug, Args)]
pub(crate) struct Access {
    /// File whose first line is the password; by default the environment variable PGPASSWORD has
    /// it, if the server wants one.
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
    /// Connect to another machine without encryption: for networks that nobody else can read, such
    /// as a VPN. Otherwise the address names the file with the server's certificate (sslrootcert).
    #[arg(long)]
    pub(crate) plain_network: bool,
}

impl Access {
    /// Returns the address with its password.
    pub(crate) fn complete(&self, url: &FarmUrl) -> anyhow::Result<FarmUrl> {
        let mut url = url.clone();
        if let Some(path) = &self.password_file {
            url = url.with_password_file(path)?;
        } else if let Ok(password) = env::var(PASSWORD) {
            url = url.with_password(password);
        }
        Ok(if self.plain_network { url.allow_plain_network() } else { url })
    }
}

/// Prints that a queue is away, or there again.
pub(crate) fn note_outage(reason: Option<&str>) {
    match reason {
        Some(reason) => note!("warning: the queue is not available: {reason}; waiting for it"),
        None => note!("the queue is available again"),
    }
}

/// The name of this machine.
pub(crate) fn host() -> String {
    gethostname::gethostname().to_string_lossy().into_owned()
}
