//! How an engine process is started, and how long it is waited for.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Which engine to start, and how.
///
/// # Examples
///
/// ```
/// use komadai_usi::EngineConfig;
///
/// let config = EngineConfig::new("/opt/engines/some-engine")
///     .with_arguments(["--quiet"])
///     .with_option("USI_Hash", "64")
///     .with_option("Threads", "1");
/// assert_eq!(config.options.len(), 2);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct EngineConfig {
    /// The program: a path, or a name to be looked for in `PATH`.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<OsString>,
    /// The directory to run it in. By default the program's own, as GUIs do: engines look for
    /// their data there. For a name without a path it is the current one.
    pub directory: Option<PathBuf>,
    /// Environment variables to set beyond those of this process.
    pub environment: Vec<(OsString, OsString)>,
    /// Options to set, in this order.
    pub options: Vec<(String, String)>,
    /// How long to wait for it.
    pub patience: Patience,
}

/// How long an engine is waited for before it is given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Patience {
    /// From the start to `usiok`, and between two lines on the way there. 10 s by default.
    pub launch: Duration,
    /// From `isready` to `readyok`, and between two lines on the way there. 60 s by default:
    /// large books and evaluations take long to load.
    pub ready: Duration,
    /// During a search without a line of output. 10 minutes by default.
    pub silence: Duration,
    /// From `stop` to the answer. 5 s by default.
    pub stop: Duration,
    /// From `quit` to the exit. 5 s by default.
    pub quit: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            launch: Duration::from_secs(10),
            ready: Duration::from_secs(60),
            silence: Duration::from_secs(600),
            stop: Duration::from_secs(5),
            quit: Duration::from_secs(5),
        }
    }
}

impl EngineConfig {
    /// This program, with no arguments and no options set.
    #[must_use]
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            arguments: Vec::new(),
            directory: None,
            environment: Vec::new(),
            options: Vec::new(),
            patience: Patience::default(),
        }
    }

    /// The same with these arguments added.
    #[must_use]
    pub fn with_arguments<T: Into<OsString>>(
        mut self,
        arguments: impl IntoIterator<Item = T>,
    ) -> Self {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// The same, run in this directory.
    #[must_use]
    pub fn with_directory(mut self, directory: impl Into<PathBuf>) -> Self {
        self.directory = Some(directory.into());
        self
    }

    /// The same with an environment variable set.
    #[must_use]
    pub fn with_variable(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// The same with an option set.
    #[must_use]
    pub fn with_option(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.options.push((name.into(), value.into()));
        self
    }

    /// The same with this patience.
    #[must_use]
    pub fn with_patience(mut self, patience: Patience) -> Self {
        self.patience = patience;
        self
    }

    /// Starts the process, all three streams piped.
    pub(crate) fn spawn(&self) -> io::Result<Child> {
        let program = self.located_program()?;
        let mut command = Command::new(&program);
        command
            .args(&self.arguments)
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        if let Some(directory) = self.directory.as_deref().or_else(|| own_directory(&program)) {
            command.current_dir(directory);
        }
        command.spawn()
    }

    /// The program's path in full, since a relative one would be looked for in the directory it
    /// is run in on some systems. Names without a path are left to `PATH`.
    fn located_program(&self) -> io::Result<PathBuf> {
        match own_directory(&self.program) {
            Some(_) => std::path::absolute(&self.program),
            None => Ok(self.program.clone()),
        }
    }
}

fn own_directory(program: &Path) -> Option<&Path> {
    program.parent().filter(|directory| !directory.as_os_str().is_empty())
}
