//! `book queue init`, `upgrade` and `add-worker`: queues and their users.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, ensure};
use clap::Args;
use komadai_base::file::{first_line, open_regular_with};
use komadai_console::stdout;
use komadai_farm::{SCHEMA_VERSION, Schema};

use crate::book::farm::place::Server;

/// The greatest length of a password in bytes.
const MOST_PASSWORD: u64 = 4_096;

#[derive(Debug, Args)]
pub(super) struct Init {
    #[command(flatten)]
    server: Server,
}

impl Init {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        let url = self.server.url()?;
        Schema::of(&url).init()?;
        let schema = url.schema();
        writeln!(stdout(), "made the schema {schema}, version {SCHEMA_VERSION}")?;
        Ok(())
    }
}

#[derive(Debug, Args)]
pub(super) struct Upgrade {
    #[command(flatten)]
    server: Server,
}

impl Upgrade {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        let url = self.server.url()?;
        let upgraded = Schema::of(&url).upgrade()?;
        let (schema, to) = (url.schema(), upgraded.to);
        if upgraded.from == to {
            writeln!(stdout(), "the schema {schema} has version {to} already")?;
        } else {
            writeln!(stdout(), "the schema {schema}: version {} → {to}", upgraded.from)?;
        }
        Ok(())
    }
}

#[derive(Debug, Args)]
pub(super) struct AddWorker {
    #[command(flatten)]
    server: Server,
    /// Name of the role: lower-case letters, digits and `_`.
    name: String,
    /// File whose first line is the password of the role. A file that does not exist is made, with a
    /// random password, readable by you alone.
    #[arg(long, value_name = "FILE", required_unless_present = "no_password")]
    secret: Option<PathBuf>,
    /// Give the role no password, for servers that trust connections, such as those by a socket.
    #[arg(long, conflicts_with = "secret")]
    no_password: bool,
}

impl AddWorker {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        let url = self.server.url()?;
        let mut new_secret = None;
        let password = match &self.secret {
            None => None,
            Some(path) if path.exists() => {
                let password = first_line(path, MOST_PASSWORD);
                let password = password.with_context(|| path.display().to_string())?;
                // The server would take it for none, and nobody could log in.
                ensure!(!password.is_empty(), "{}: the first line is empty", path.display());
                Some(password)
            }
            Some(path) => {
                let password = random_password()?;
                write_secret(path, &password).with_context(|| path.display().to_string())?;
                new_secret = Some(path);
                Some(password)
            }
        };
        let added = Schema::of(&url).add_worker(&self.name, password.as_deref());
        if let (Err(_), Some(path)) = (&added, new_secret) {
            // It is the password of no role. The failure of the server says more than one here.
            let _ = fs::remove_file(path);
        }
        added?;
        let mut out = stdout();
        writeln!(out, "made the role {}; on each of its machines:", self.name)?;
        let file = self.secret.as_ref().map(|path| format!(" --password-file {}", path.display()));
        let file = file.unwrap_or_default();
        let plain = if self.server.access.plain_network { " --plain-network" } else { "" };
        let address = url.for_user(&self.name);
        writeln!(out, "  komadai book worker --queue '{address}'{plain}{file}")?;
        Ok(())
    }
}

/// A password of 160 random bits.
fn random_password() -> anyhow::Result<String> {
    let mut bytes = [0; 20];
    getrandom::fill(&mut bytes).context("the system gives no random numbers")?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Writes a password to a new file, which only its owner can read.
fn write_secret(path: &Path, password: &str) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = open_regular_with(&options, path)?;
    writeln!(file, "{password}")?;
    file.sync_all()
}
