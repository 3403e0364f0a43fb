//! Engines on the command line: a program that speaks USI, or the embedded player.

use std::time::Duration;

use anyhow::{Context as _, bail};
use komadai::analysis::EmbeddedContestant;
use komadai::engine::Settings;
use komadai::matches::{Contestant, UsiContestant};
use komadai::movegen::DeclarationRule;
use komadai::usi::{EngineConfig, EngineProcess};
use komadai_console::note;

/// Transposition table of the embedded player in MiB. A larger table takes longer to clear than a
/// short game takes to play.
const EMBEDDED_HASH_MIB: usize = 16;

/// An engine that can be started any number of times.
#[derive(Debug)]
pub(crate) enum Engine {
    /// A program that speaks USI.
    Process(Box<EngineConfig>),
    /// The embedded player, in this process.
    Embedded(Box<Settings>),
}

/// An engine that has been started.
pub(crate) type Started = Result<Box<dyn Contestant>, Box<dyn std::error::Error + Send + Sync>>;

impl Engine {
    /// Returns the engine that a command names, with these options set. `patience` is the time it
    /// may take to start.
    pub(crate) fn new(
        command: &str,
        options: &[(String, String)],
        patience: Duration,
    ) -> anyhow::Result<Self> {
        if embedded_options(command).is_some() {
            return Self::embedded(&all_options(command, options)?);
        }
        let mut words = split_words(command)?.into_iter();
        let program = words.next().context("the command of an engine is empty")?;
        let mut config = EngineConfig::new(program).with_arguments(words);
        config.options = options.to_vec();
        config.patience.launch = patience;
        config.patience.ready = patience;
        Ok(Self::Process(Box::new(config)))
    }

    fn embedded(options: &[(String, String)]) -> anyhow::Result<Self> {
        let mut settings = Settings { hash_mib: EMBEDDED_HASH_MIB, ..Settings::default() };
        // Between the embedded player and the referee there is no network to allow for, and no
        // spectator for whom moves should take a minimum of time.
        settings.clock.network_delay = Duration::ZERO;
        settings.clock.network_delay_worst = Duration::ZERO;
        settings.clock.minimum = Duration::ZERO;
        settings.clock.rounds_up = false;
        for (name, text) in options {
            settings.set_text(name, text).context("the embedded player")?;
        }
        Ok(Self::Embedded(Box::new(settings)))
    }

    /// Sets the rule for declaring a win; a program has it where it has the option. A rule that the
    /// options of the player state has to be kept by the caller.
    pub(crate) fn set_declaration(&mut self, rule: DeclarationRule) {
        match self {
            Self::Process(config) => {
                config.preferences.push((DECLARATION.to_owned(), rule.name().to_owned()));
            }
            Self::Embedded(settings) => settings.declaration = rule,
        }
    }

    /// Returns the program of an engine. The embedded player becomes a process of this program with
    /// the same settings.
    pub(crate) fn process(
        command: &str,
        options: &[(String, String)],
        patience: Duration,
    ) -> anyhow::Result<EngineConfig> {
        match Self::new(command, options, patience)? {
            Self::Process(config) => Ok(*config),
            Self::Embedded(_) => {
                let mut config = own_program()?;
                let hash = EMBEDDED_HASH_MIB.to_string();
                let defaults = [
                    ("USI_Hash", hash.as_str()),
                    ("NetworkDelay", "0"),
                    ("NetworkDelay2", "0"),
                    ("MinimumThinkingTime", "0"),
                    ("RoundUpToFullSecond", "false"),
                ];
                config.options =
                    defaults.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
                config.options.extend(all_options(command, options)?);
                (config.patience.launch, config.patience.ready) = (patience, patience);
                Ok(config)
            }
        }
    }

    /// Returns the program of an engine that ponders: the embedded player cannot think in this
    /// process while it waits for the opponent.
    pub(crate) fn pondering(
        command: &str,
        options: &[(String, String)],
        patience: Duration,
    ) -> anyhow::Result<EngineConfig> {
        let mut config = Self::process(command, options, patience)?;
        if !config.options.iter().any(|(name, _)| name.eq_ignore_ascii_case(PONDER)) {
            config.options.push((PONDER.to_owned(), "true".to_owned()));
        }
        Ok(config)
    }

    /// Returns the name of this engine, which `command` names, if it has no given name: that of its
    /// program, or the command of the embedded player. If the program is one that runs others, the
    /// engine is started and asked.
    pub(crate) fn name(&self, command: &str) -> String {
        let name = default_name(command);
        match self {
            Self::Process(config) if runs_others(&name) => {
                // An engine that does not start now is reported when it has to play.
                let identity = EngineProcess::identify((**config).clone()).ok();
                let said = identity.map(|(identity, _)| identity.name.trim().to_owned());
                said.filter(|said| !said.is_empty()).unwrap_or(name)
            }
            _ => name,
        }
    }

    /// Starts the engine.
    pub(crate) fn start(&self) -> Started {
        Ok(match self {
            Self::Process(config) => Box::new(UsiContestant::launch((**config).clone())?),
            Self::Embedded(settings) => {
                Box::new(EmbeddedContestant::new((**settings).clone())?.with_book_fault_handler(
                    |fault| note!("{fault}; play goes on without the book"),
                ))
            }
        })
    }
}

/// Returns this program as an engine.
pub(crate) fn own_program() -> anyhow::Result<EngineConfig> {
    Ok(EngineConfig::new(std::env::current_exe()?).with_arguments(["engine"]))
}

/// The option for the rule of declaring a win.
pub(crate) const DECLARATION: &str = "EnteringKingRule";

/// The option that makes an engine name the reply to ponder on. Engines accept it without declaring it.
const PONDER: &str = "USI_Ponder";

/// Returns the options of an engine: those in the command of the embedded player, then these.
pub(crate) fn all_options(
    command: &str,
    options: &[(String, String)],
) -> anyhow::Result<Vec<(String, String)>> {
    let own = embedded_options(command).unwrap_or_default().split(',');
    let own = own.filter(|option| !option.trim().is_empty()).map(read_option);
    let mut all: Vec<_> = own.collect::<Result<_, _>>().map_err(anyhow::Error::msg)?;
    all.extend_from_slice(options);
    Ok(all)
}

/// Reads `Name=Value`.
pub(crate) fn read_option(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err(format!("found {text:?}, expected Name=Value")),
    }
}

/// Returns the name of the program of a command, or the command of the embedded player.
fn default_name(command: &str) -> String {
    if embedded_options(command).is_some() {
        return command.trim().to_owned();
    }
    let program = split_words(command).ok().and_then(|words| words.into_iter().next());
    let program = program.unwrap_or_default();
    let name = std::path::Path::new(&program).file_stem().and_then(|name| name.to_str());
    name.unwrap_or(&program).to_owned()
}

/// Programs that run other programs: interpreters, emulators, and those that change the
/// surroundings of a process.
const RUNNERS: &str = "\
    python pythonw pypy perl ruby node nodejs deno bun java mono dotnet lua luajit php julia \
    guile sh bash dash zsh ksh fish busybox cmd powershell pwsh wine box64 box86 arch env \
    nice ionice taskset chrt numactl nohup setsid stdbuf unbuffer timeout time cpulimit \
    prlimit caffeinate sudo doas ssh docker podman flatpak firejail bwrap unshare chroot \
    systemd-run xvfb-run strace valgrind perf";

/// Returns whether a program of this name, perhaps with a version (`python3`), runs others.
fn runs_others(program: &str) -> bool {
    let name = program.to_ascii_lowercase();
    let unversioned = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    name.starts_with("qemu-")
        || RUNNERS.split(' ').any(|runner| runner == name || runner == unversioned)
}

/// Returns the options after `komadai:`, or `None` for any other command.
pub(crate) fn embedded_options(command: &str) -> Option<&str> {
    match command.trim().strip_prefix("komadai")? {
        "" => Some(""),
        rest => rest.strip_prefix(':'),
    }
}

/// Splits a command at white space outside quotes.
fn split_words(command: &str) -> anyhow::Result<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in command.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    if let Some(open) = quote {
        bail!("the quote {open} in {command:?} is not closed");
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_that_run_others_are_known_with_their_versions() {
        for program in [
            "python3",
            "Python3.12",
            "pypy3",
            "nice",
            "env",
            "sh",
            "wine64",
            "box64",
            "qemu-x86_64",
        ] {
            assert!(runs_others(&default_name(program)), "{program}");
        }
        for path in
            ["/usr/bin/python3 engine.py", "'C:/Program Files/wine.exe' engine.exe", "/bin/sh -c x"]
        {
            assert!(runs_others(&default_name(path)), "{path}");
        }
        for command in [
            "komadai",
            "komadai:USI_Hash=1",
            "./yane",
            "/opt/engine.sh",
            "python-engine",
            "shogi",
            "64",
        ] {
            assert!(!runs_others(&default_name(command)), "{command}");
        }
    }

    #[test]
    fn options_of_the_command_come_before_those_of_arguments() {
        let more = [("B".to_owned(), "2".to_owned())];
        let names = |command: &str| -> Vec<String> {
            let all = all_options(command, &more).unwrap();
            all.into_iter().map(|(name, value)| name + &value).collect()
        };
        assert_eq!(names("komadai:A=1, B=1,"), ["A1", "B1", "B2"]);
        assert_eq!(names("komadai"), ["B2"]);
        assert_eq!(names("./komadai:A=1"), ["B2"]);
        assert!(all_options("komadai:A", &[]).is_err());
    }
}
