//! What is to be played, checked before anything is started.

use std::time::Duration;

use anyhow::{Context as _, ensure};
use komadai::book::Fingerprint;
use komadai::engine::arena::{Match, Opening, Rules};
use komadai_testdata::openings::move_lists;
use serde_json::{Value, json};

use crate::engine::{Engine, default_name};
use crate::options::Options;

/// A match and its players.
#[derive(Debug)]
pub(crate) struct Plan {
    /// The players.
    pub engines: [Engine; 2],
    /// What they are called; never alike.
    pub names: [String; 2],
    /// What they play.
    pub game: Match,
    /// Everything that results depend on: a match whose log says anything else is another match.
    pub settings: Value,
    /// The players' programs, as they are now.
    pub builds: [Option<String>; 2],
}

impl Plan {
    /// The plan of a command line.
    pub(crate) fn new(options: &Options) -> anyhow::Result<Self> {
        let controls = options.limits.controls();
        for (name, control) in ["first", "second"].iter().zip(&controls) {
            ensure!(
                !control.is_unlimited(),
                "nothing limits the moves of the {name} player: give --nodes, --depth, --movetime, \
                 --byoyomi or --time"
            );
        }
        let patience = Duration::from_secs(options.start_timeout);
        let engine = |role, command: &str, own: &[(String, String)]| {
            Engine::new(command, own, patience).with_context(|| format!("--{role} {command:?}"))
        };
        let game = Match {
            openings: openings(options)?,
            games: options.games,
            random_plies: options.random_plies,
            controls,
            rules: Rules {
                max_plies: options.max_plies,
                adjudication: options.adjudicate,
                margin: Duration::from_millis(options.margin),
                patience: Duration::from_secs(options.hang),
                ..Rules::default()
            },
            seed: options.seed,
        };
        let engines = [
            engine("first", &options.first, &options.option_first)?,
            engine("second", &options.second, &options.option_second)?,
        ];
        Ok(Self {
            builds: engines.each_ref().map(build),
            engines,
            names: names(options),
            settings: settings(options, &game),
            game,
        })
    }
}

/// The openings of a file, or the bundled ones.
fn openings(options: &Options) -> anyhow::Result<Vec<Opening>> {
    if let Some(path) = &options.openings {
        return crate::openings::read(path);
    }
    let games = move_lists().map(|moves| format!("startpos moves {moves}"));
    games.map(|game| Ok(Opening::from_usi(&game)?)).collect()
}

/// A number that tells lists of openings apart.
fn fingerprint(openings: &[Opening]) -> String {
    let mut fingerprint = Fingerprint::new();
    for opening in openings {
        fingerprint.add(format!("{}\n", opening.game()).as_bytes());
    }
    format!("{:016x}", fingerprint.number())
}

fn names(options: &Options) -> [String; 2] {
    let name =
        |given: &Option<String>, command| given.clone().unwrap_or_else(|| default_name(command));
    let names =
        [name(&options.name_first, &options.first), name(&options.name_second, &options.second)];
    if names[0] != names[1] {
        return names;
    }
    [1, 2].map(|number| format!("{} #{number}", names[0]))
}

/// Neither the number of games nor that of threads, which change no result.
fn settings(options: &Options, game: &Match) -> Value {
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
        "seed": options.seed,
        "max_plies": options.max_plies,
        "margin_ms": options.margin,
        "hang_s": options.hang,
        "adjudicate": options.adjudicate.map(|rule| json!([rule.score_cp, rule.moves])),
        "sprt": options.sprt.map(|test| json!([test.hypotheses().0, test.hypotheses().1])),
    })
}

/// A state of the program behind a command, to tell whether it has been built anew; `None` if the
/// program is looked for elsewhere.
fn build(engine: &Engine) -> Option<String> {
    let program = match engine {
        Engine::Process(config) => config.program.clone(),
        Engine::Embedded(_) => std::env::current_exe().ok()?,
    };
    let data = std::fs::metadata(program).ok()?;
    let modified = data.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    Some(format!("{} bytes, {} s", data.len(), modified.as_secs()))
}
