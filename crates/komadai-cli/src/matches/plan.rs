//! The plan of a match, checked before anything is started.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, ensure};
use komadai::book::Fingerprint;
use komadai::matches::{Match, Opening, Rules, TimeControl, UsiContestant};
use serde_json::{Value, json};

use super::declaration::Declaration;
use super::journal::Head;
use super::options::MatchArgs;
use crate::arguments::engine::{Engine, Started};
use crate::arguments::openings;

/// A match and its players.
#[derive(Debug)]
pub(super) struct Plan {
    /// The first and the second player.
    pub(super) engines: [Engine; 2],
    /// Distinct names of the players.
    pub(super) names: [String; 2],
    /// The games and their rules.
    pub(super) game: Match,
    /// The rule for declaring a win, and what the players' options say of it.
    pub(super) declaration: Declaration,
    /// True for each player that ponders.
    ponders: [bool; 2],
    /// All settings that change results. A log with other settings belongs to another match.
    pub(super) settings: Value,
    /// Size and time of the players' programs.
    pub(super) builds: [Option<String>; 2],
}

impl Plan {
    /// Returns the first line of the match's log.
    pub(super) fn head(&self) -> Head<'_> {
        Head { settings: &self.settings, names: &self.names, builds: &self.builds }
    }

    /// Starts a player.
    pub(super) fn start(&self, player: usize) -> Started {
        let Engine::Process(config) = &self.engines[player] else {
            return self.engines[player].start();
        };
        let mut started = UsiContestant::launch((**config).clone())?;
        if self.ponders[player] {
            started = started.with_pondering();
        }
        self.declaration.check(player, &self.names[player], &started);
        Ok(Box::new(started))
    }

    /// Returns the plan that a command line describes.
    pub(super) fn new(options: &MatchArgs) -> anyhow::Result<Self> {
        let controls = options.limits.controls();
        for (name, control) in ["first", "second"].iter().zip(&controls) {
            ensure!(
                !control.is_unlimited(),
                "nothing limits the moves of the {name} player, expected --nodes, --depth, --movetime, \
                 --byoyomi or --time"
            );
        }
        let declaration = Declaration::new(options)?;
        let ponders = options.ponders();
        let engines = [
            engine(
                options,
                ponders[0].then_some(&controls[0]),
                &options.first,
                &options.option_first,
            )
            .with_context(|| format!("--first {:?}", options.first))?,
            engine(
                options,
                ponders[1].then_some(&controls[1]),
                &options.second,
                &options.option_second,
            )
            .with_context(|| format!("--second {:?}", options.second))?,
        ];
        let engines = declaration.inform(engines);
        let game = Match {
            openings: read_openings(options)?,
            games: options.games,
            random_plies: options.random_plies,
            controls,
            rules: Rules {
                max_plies: options.max_plies,
                declaration: declaration.rule,
                adjudication: options.adjudicate,
                margin: Duration::from_millis(options.margin),
                patience: Duration::from_secs(options.hang),
            },
            seed: options.seed,
        };
        Ok(Self {
            builds: engines.each_ref().map(build),
            names: names(options, &engines),
            engines,
            settings: settings(options, &game),
            game,
            declaration,
            ponders,
        })
    }
}

/// Returns the engine of a player, which ponders under a given control.
fn engine(
    options: &MatchArgs,
    ponders: Option<&TimeControl>,
    command: &str,
    own: &[(String, String)],
) -> anyhow::Result<Engine> {
    let patience = Duration::from_secs(options.start_timeout);
    let engine = Engine::new(command, own, patience)?;
    match (ponders, engine) {
        // The embedded player ponders between its turns.
        (Some(control), Engine::Embedded(mut settings))
            if control.nodes.is_some() && !control.is_timed() =>
        {
            settings.ponders = true;
            Ok(Engine::Embedded(settings))
        }
        (Some(_), _) => Ok(Engine::Process(Box::new(Engine::pondering(command, own, patience)?))),
        (None, engine) => Ok(engine),
    }
}

/// Returns the openings of the file, or the bundled ones.
fn read_openings(options: &MatchArgs) -> anyhow::Result<Vec<Opening>> {
    match &options.openings {
        Some(path) => openings::read(path),
        None => Ok(Opening::bundled()),
    }
}

/// Returns a hash of a list of openings.
fn fingerprint(openings: &[Opening]) -> String {
    let mut fingerprint = Fingerprint::new();
    for opening in openings {
        fingerprint.add(format!("{}\n", opening.game()).as_bytes());
    }
    format!("{:016x}", fingerprint.number())
}

fn names(options: &MatchArgs, [first, second]: &[Engine; 2]) -> [String; 2] {
    let names = [
        options.name_first.clone().unwrap_or_else(|| first.name(&options.first)),
        options.name_second.clone().unwrap_or_else(|| second.name(&options.second)),
    ];
    if names[0] != names[1] {
        return names;
    }
    [1, 2].map(|number| format!("{} #{number}", names[0]))
}

/// Returns the settings that change results; the numbers of games and of threads do not.
fn settings(options: &MatchArgs, game: &Match) -> Value {
    let pairs = |pairs: &[(String, String)]| -> Vec<String> {
        pairs.iter().map(|(name, value)| format!("{name}={value}")).collect()
    };
    json!({
        "first": { "command": options.first, "options": pairs(&options.option_first) },
        "second": { "command": options.second, "options": pairs(&options.option_second) },
        "limits": game.controls.each_ref().map(|control| json!({
            "time_ms": control.main.as_millis() as u64,
            "byoyomi_ms": control.byoyomi.as_millis() as u64,
            "increment_ms": control.increment.as_millis() as u64,
            "movetime_ms": control.move_time.map(|time| time.as_millis() as u64),
            "nodes": control.nodes,
            "depth": control.depth,
        })),
        "openings": { "count": game.openings.len(), "fingerprint": fingerprint(&game.openings) },
        "random_plies": options.random_plies,
        "ponder": options.ponders(),
        "seed": options.seed,
        "max_plies": options.max_plies,
        "declaration": game.rules.declaration.name(),
        "margin_ms": options.margin,
        "hang_s": options.hang,
        "adjudicate": options.adjudicate.map(|rule| json!([rule.score_cp, rule.moves])),
        "sprt": options.sprt.map(|test| json!([test.hypotheses().0, test.hypotheses().1])),
    })
}

/// Returns size and modification time of an engine's program, which show whether it has been
/// rebuilt, and those of the embedded player's network, if it has one; `None` if a file is not at
/// its path.
fn build(engine: &Engine) -> Option<String> {
    let settings = match engine {
        Engine::Process(config) => return stamp(&config.program),
        Engine::Embedded(settings) => settings,
    };
    let program = stamp(&std::env::current_exe().ok()?)?;
    match settings.evaluation_path() {
        Some(network) => Some(format!("{program}; evaluation {}", stamp(&network)?)),
        None => Some(program),
    }
}

/// Returns size and modification time of a file.
fn stamp(path: &Path) -> Option<String> {
    let data = std::fs::metadata(path).ok()?;
    let modified = data.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    Some(format!("{} bytes, {} s", data.len(), modified.as_secs()))
}
