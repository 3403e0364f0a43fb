//! Engines on the command line: a program that speaks USI, or the embedded player.

use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use komadai::engine::EmbeddedContestant;
use komadai::engine::Settings;
use komadai::matches::{Contestant, UsiContestant};
use komadai::usi::{EngineConfig, OptionValue};
use komadai_console::note;

/// Transposition table of the embedded player in MiB. A larger table takes longer to clear than a short
/// game takes to play.
const EMBEDDED_HASH_MIB: usize = 16;

/// An engine that can be started any number of times.
#[derive(Debug)]
pub(crate) enum Engine {
    /// A program that speaks USI.
    Process(EngineConfig),
    /// The embedded player, in this process.
    Embedded(Box<Settings>),
}

type Started = Result<Box<dyn Contestant>, Box<dyn std::error::Error + Send + Sync>>;

impl Engine {
    /// Returns the engine that a command names, with these options set. `patience` is the time it may take
    /// to start.
    pub(crate) fn new(
        command: &str,
        options: &[(String, String)],
        patience: Duration,
    ) -> anyhow::Result<Self> {
        if let Some(own) = embedded_options(command) {
            let own = own.split(',').filter(|option| !option.trim().is_empty());
            let own: Vec<_> =
                own.map(read_option).collect::<Result<_, _>>().map_err(anyhow::Error::msg)?;
            return Self::embedded(own.iter().chain(options));
        }
        let mut words = split_words(command)?.into_iter();
        let program = words.next().context("the command of an engine is empty")?;
        let mut config = EngineConfig::new(program).with_arguments(words);
        config.options = options.to_vec();
        config.patience.launch = patience;
        config.patience.ready = patience;
        Ok(Self::Process(config))
    }

    fn embedded<'a>(options: impl Iterator<Item = &'a (String, String)>) -> anyhow::Result<Self> {
        let available = Settings::options();
        let mut settings = Settings::default();
        settings.hash_mib = EMBEDDED_HASH_MIB;
        // Between the embedded player and the referee there is no network to allow for, and no spectator
        // for whom moves should take a minimum of time.
        settings.clock.network_delay = Duration::ZERO;
        settings.clock.network_delay_worst = Duration::ZERO;
        settings.clock.minimum = Duration::ZERO;
        settings.clock.rounds_up = false;
        for (name, text) in options {
            let option = available.iter().find(|option| option.is_named(name));
            let option =
                option.with_context(|| format!("the embedded player has no option {name:?}"))?;
            let value = option.accept(Some(text))?;
            if let OptionValue::Spin(number) = value {
                ensure!(text.parse() == Ok(number), "{name} cannot be {text}: {option}");
            }
            settings.set(&option.name, &value)?;
        }
        Ok(Self::Embedded(Box::new(settings)))
    }

    /// Starts the engine.
    pub(crate) fn start(&self) -> Started {
        Ok(match self {
            Self::Process(config) => Box::new(UsiContestant::launch(config.clone())?),
            Self::Embedded(settings) => {
                Box::new(EmbeddedContestant::new((**settings).clone())?.with_book_fault_handler(
                    |fault| note!("{fault}; play goes on without the book"),
                ))
            }
        })
    }
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

/// Returns the name of an engine without a given name: its program's name, or the command of the embedded
/// player.
pub(crate) fn default_name(command: &str) -> String {
    if embedded_options(command).is_some() {
        return command.trim().to_owned();
    }
    let program = split_words(command).ok().and_then(|words| words.into_iter().next());
    let program = program.unwrap_or_default();
    let name = std::path::Path::new(&program).file_stem().and_then(|name| name.to_str());
    name.unwrap_or(&program).to_owned()
}

/// Returns the options after `komadai:`, or `None` for any other command.
fn embedded_options(command: &str) -> Option<&str> {
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
