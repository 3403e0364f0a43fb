//! Which player a command means.

use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use komadai::engine::Settings;
use komadai::engine::arena::{Contestant, EmbeddedContestant, UsiContestant};
use komadai::usi::{EngineConfig, OptionValue};

/// The embedded player's hash in MiB: larger ones take longer to clear than short games to play.
const EMBEDDED_HASH_MIB: usize = 16;

/// A player that can be made any number of times.
#[derive(Debug)]
pub(crate) enum Engine {
    /// A program.
    Process(EngineConfig),
    /// The embedded player.
    Embedded(Box<Settings>),
}

type Made = Result<Box<dyn Contestant>, Box<dyn std::error::Error + Send + Sync>>;

impl Engine {
    /// The player that a command means, with these options set.
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
        let known = Settings::options();
        let mut settings = Settings::default();
        settings.hash_mib = EMBEDDED_HASH_MIB;
        // Between it and the referee nothing is lost, and nobody watches who likes slow moves.
        settings.clock.network_delay = Duration::ZERO;
        settings.clock.network_delay_worst = Duration::ZERO;
        settings.clock.minimum = Duration::ZERO;
        settings.clock.rounds_up = false;
        for (name, text) in options {
            let option = known.iter().find(|option| option.is_named(name));
            let option = option.with_context(|| format!("komadai has no option {name:?}"))?;
            let value = option.accept(Some(text))?;
            if let OptionValue::Spin(number) = value {
                ensure!(text.parse() == Ok(number), "{name} cannot be {text}: {option}");
            }
            settings.set(&option.name, &value)?;
        }
        Ok(Self::Embedded(Box::new(settings)))
    }

    /// Starts one.
    pub(crate) fn make(&self) -> Made {
        Ok(match self {
            Self::Process(config) => Box::new(UsiContestant::launch(config.clone())?),
            Self::Embedded(settings) => Box::new(EmbeddedContestant::new((**settings).clone())?),
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

/// What a command is called if nobody says: the program's name, or the word for the embedded player.
pub(crate) fn default_name(command: &str) -> String {
    if embedded_options(command).is_some() {
        return command.trim().to_owned();
    }
    let program = split_words(command).ok().and_then(|words| words.into_iter().next());
    let program = program.unwrap_or_default();
    let name = std::path::Path::new(&program).file_stem().and_then(|name| name.to_str());
    name.unwrap_or(&program).to_owned()
}

/// The options behind `komadai:`; `None` for any other command.
fn embedded_options(command: &str) -> Option<&str> {
    match command.trim().strip_prefix("komadai")? {
        "" => Some(""),
        rest => rest.strip_prefix(':'),
    }
}

/// Splits a command at blanks that are not within quotes.
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
        bail!("a quote {open} is not closed in {command:?}");
    }
    words.extend(word);
    Ok(words)
}
