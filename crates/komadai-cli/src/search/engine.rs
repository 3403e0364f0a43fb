//! The engine that searches.

use std::time::Duration;

use anyhow::Context as _;
use komadai::Position;
use komadai::analysis::UsiAnalyst;
use komadai::core::{Analysis, Analyst as _, Budget};
use komadai::engine::{Aim, MoveRequest, Player};
use komadai::movegen::MoveGen as _;
use komadai_console::{StatusLine, grouped, threads};

use super::options::SearchArgs;
use super::value::value;
use crate::arguments::engine::Engine;

/// Maximum time for an engine to start.
const PATIENCE: Duration = Duration::from_secs(90);

/// Size of the transposition table of the embedded engine in MiB: enough for some seconds. A larger
/// one takes longer to prepare than the usual search takes.
const HASH_MIB: usize = 64;

/// The command of the embedded engine.
const EMBEDDED: &str = "komadai";

/// An engine that has been started.
pub(super) enum SearchEngine {
    Embedded(Box<Player>),
    Process(Box<UsiAnalyst>),
}

impl SearchEngine {
    /// Starts the engine that the arguments name.
    pub(super) fn start(arguments: &SearchArgs) -> anyhow::Result<Self> {
        let command = arguments.engine.as_deref().unwrap_or(EMBEDDED);
        let mut wanted = vec![("MultiPV", arguments.lines.to_string())];
        wanted.extend(arguments.threads.map(|threads| ("Threads", threads.to_string())));
        wanted.extend(arguments.hash_mib.map(|hash| ("USI_Hash", hash.to_string())));
        let wanted = wanted.into_iter().map(|(name, value)| (name.to_owned(), value));
        let named = || format!("--engine {command:?}");
        match Engine::new(command, &arguments.options, PATIENCE)? {
            Engine::Process(mut config) => {
                // An engine has them if it has the options.
                config.preferences.extend(wanted);
                let mut analyst = UsiAnalyst::launch(*config).with_context(named)?;
                analyst.sends_game = true;
                Ok(Self::Process(Box::new(analyst)))
            }
            Engine::Embedded(_) => {
                let usual =
                    [("Threads", threads(None).to_string()), ("USI_Hash", HASH_MIB.to_string())];
                let usual = usual.map(|(name, value)| (name.to_owned(), value));
                let mode = arguments.mode.map(|mode| mode.of_engine().name().to_owned());
                let mode = mode.map(|mode| ("SearchMode".to_owned(), mode));
                // Later options replace earlier ones.
                let all: Vec<(String, String)> = usual
                    .into_iter()
                    .chain(wanted)
                    .chain(mode)
                    .chain(arguments.options.iter().cloned())
                    .collect();
                let Engine::Embedded(settings) = Engine::new(command, &all, PATIENCE)? else {
                    unreachable!("the command is that of the embedded engine");
                };
                let mut player = Player::new(*settings)?;
                player.warm_up();
                Ok(Self::Embedded(Box::new(player)))
            }
        }
    }

    /// Returns the name and the version.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Embedded(_) => format!("komadai {}", env!("CARGO_PKG_VERSION")),
            Self::Process(analyst) => analyst.identity().name,
        }
    }

    /// Returns the options that the result depends on, in words.
    pub(super) fn options(&self) -> Vec<(String, String)> {
        match self {
            Self::Embedded(player) => {
                let settings = player.settings();
                vec![
                    ("SearchMode".to_owned(), settings.search_mode.name().to_owned()),
                    ("Threads".to_owned(), settings.threads.to_string()),
                    ("USI_Hash".to_owned(), settings.hash_mib.to_string()),
                ]
            }
            Self::Process(analyst) => {
                let options = analyst.identity().options;
                let pairs = options.split(' ').filter_map(|pair| pair.split_once('='));
                pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
            }
        }
    }

    /// Searches the position; progress is shown on a terminal.
    pub(super) fn search(
        &mut self,
        position: &Position,
        budget: &Budget,
        arguments: &SearchArgs,
    ) -> anyhow::Result<Analysis> {
        if !position.has_legal_move() {
            return Ok(Analysis { completed: true, ..Analysis::default() });
        }
        match self {
            Self::Embedded(player) => {
                let status = (!arguments.quiet).then(StatusLine::new);
                let request =
                    MoveRequest { aim: Aim::Analyse, ..MoveRequest::new(position, budget.clone()) };
                let language = arguments.appearance.language();
                let found = player.choose(&request, &mut |analysis| {
                    let Some(status) = &status else { return };
                    status.set(|_| {
                        let best = analysis.lines.first();
                        let best = best.map(|line| value(line, position, language));
                        let (depth, nodes) = (analysis.depth, grouped(analysis.nodes));
                        format!("depth {depth}, {nodes} nodes, {}", best.unwrap_or_default())
                    });
                });
                Ok(found.analysis)
            }
            Self::Process(analyst) => Ok(analyst.analyse(position, budget)?),
        }
    }
}
