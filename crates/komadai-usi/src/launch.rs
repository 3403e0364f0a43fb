//! The configuration of an engine process, and the processes that it consists of.
//!
//! An engine is often started by a wrapper script, and killing the script alone leaves the engine
//! behind. On Unix each engine therefore gets a process group of its own. Ctrl-C in a terminal does
//! not reach the group: an engine ends with `quit`, or with its input.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

#[cfg(target_os = "linux")]
use komadai_base::file::read_text;

/// The configuration of an engine process: program, options and timeouts.
///
/// # Examples
///
/// ```
/// use komadai_usi::EngineConfig;
///
/// let config = EngineConfig::new("/opt/engines/some-engine")
///     .with_arguments(["--quiet"])
///     .with_variable("OMP_NUM_THREADS", "1")
///     .with_option("USI_Hash", "64")
///     .with_option("Threads", "1");
/// assert_eq!((config.environment.len(), config.options.len()), (1, 2));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineConfig {
    /// The program: a path, or a name that is searched in `PATH`.
    pub program: PathBuf,
    /// The arguments.
    pub arguments: Vec<OsString>,
    /// The working directory. The default is the folder of the program, as in GUIs, because engines
    /// read their data there. For a name without a path it is the current directory.
    pub directory: Option<PathBuf>,
    /// Additional environment variables.
    pub environment: Vec<(OsString, OsString)>,
    /// Options to set, in this order.
    pub options: Vec<(String, String)>,
    /// Options to set before those, where the engine declares them and accepts the value.
    pub preferences: Vec<(String, String)>,
    /// The timeouts.
    pub patience: Patience,
}

/// Timeouts for an engine process.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use komadai_usi::{EngineConfig, Patience};
///
/// let patience = Patience { ready: Duration::from_secs(300), ..Patience::default() };
/// let config = EngineConfig { patience, ..EngineConfig::new("/opt/engines/some-engine") };
/// assert_eq!(config.patience.launch, Duration::from_secs(10));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// From the start to `usiok`, and between two lines before it. 10 s by default. Lines of output
    /// extend the wait to at most ten times as long.
    pub launch: Duration,
    /// From `isready` to `readyok`, and between two lines before it. 60 s by default, because large
    /// books and evaluations take long to load. Lines of output extend the wait to at most ten
    /// times as long.
    pub ready: Duration,
    /// During a search, without a line of output. 10 minutes by default.
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
    /// Returns the configuration of this program, without arguments and options.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self {
            program: program.into(),
            arguments: Vec::new(),
            directory: None,
            environment: Vec::new(),
            options: Vec::new(),
            preferences: Vec::new(),
            patience: Patience::default(),
        }
    }

    /// Adds arguments.
    #[must_use]
    pub fn with_arguments<T: Into<OsString>>(
        mut self,
        arguments: impl IntoIterator<Item = T>,
    ) -> Self {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// Adds an environment variable.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_usi::EngineConfig;
    ///
    /// let config = EngineConfig::new("/opt/engines/some-engine").with_variable("RUST_BACKTRACE", "1");
    /// assert_eq!(config.environment, [("RUST_BACKTRACE".into(), "1".into())]);
    /// ```
    #[must_use]
    pub fn with_variable(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// Adds an option.
    #[must_use]
    pub fn with_option(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.options.push((name.into(), value.into()));
        self
    }

    /// Starts the process with all three streams piped.
    pub(crate) fn spawn(&self) -> io::Result<Child> {
        let program = self.located_program()?;
        let mut command = Command::new(&program);
        command
            .args(&self.arguments)
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        lead_group(&mut command);
        if let Some(directory) = self.directory.as_deref().or_else(|| own_directory(&program)) {
            command.current_dir(directory);
        }
        command.spawn()
    }

    /// Returns the absolute path of the program. Some systems resolve a relative path against the
    /// working directory of the child. A name without a path is unchanged, for `PATH`.
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

/// Puts the process to start into a group of its own.
#[cfg(unix)]
pub(crate) fn lead_group(command: &mut Command) {
    std::os::unix::process::CommandExt::process_group(command, 0);
}

/// Does nothing: there are no groups.
#[cfg(not(unix))]
pub(crate) fn lead_group(_: &mut Command) {}

/// Kills all processes of the group that this process leads. Its exit status must not have been
/// read, since the number of the group may belong to other processes after that.
#[cfg(unix)]
pub(crate) fn kill_group(leader: &Child) {
    let group = i32::try_from(leader.id()).ok().and_then(rustix::process::Pid::from_raw);
    if let Some(group) = group {
        // This fails only if all of them have already ended.
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

/// Does nothing: there are no groups.
#[cfg(not(unix))]
pub(crate) fn kill_group(_: &Child) {}

/// Returns whether a process has exited, without reading its exit status.
#[cfg(target_os = "linux")]
pub(crate) fn has_exited(child: &mut Child) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

    let id = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    id.is_none_or(|id| !matches!(waitid(WaitId::Pid(id), options), Ok(None)))
}

/// Returns whether a process has exited.
#[cfg(not(target_os = "linux"))]
pub(crate) fn has_exited(child: &mut Child) -> bool {
    !matches!(child.try_wait(), Ok(None))
}

/// The number of running processes in the group of this leader, without the leader.
#[cfg(target_os = "linux")]
pub(crate) fn others_of_group(leader: &Child) -> Option<usize> {
    /// Maximum size of the state of a process in bytes.
    const MOST_BYTES: u64 = 1 << 12;
    let group = leader.id();
    let is_other = |id: u32| {
        let Ok(state) = read_text(format!("/proc/{id}/stat"), MOST_BYTES) else { return false };
        // The name of the program comes first, in parentheses, and may contain any character.
        let mut fields = state.rsplit(')').next().unwrap_or_default().split_ascii_whitespace();
        let is_running = fields.next().is_some_and(|state| state != "Z" && state != "X");
        is_running && fields.nth(1).is_some_and(|found| found == group.to_string())
    };
    let entries = std::fs::read_dir("/proc").ok()?;
    let ids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok());
    Some(ids.filter(|&id| id != group && is_other(id)).count())
}

/// Returns nothing: the system does not tell.
#[cfg(not(target_os = "linux"))]
pub(crate) fn others_of_group(_: &Child) -> Option<usize> {
    None
}
