//! The games of a step.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{bail, ensure};
use komadai::core::SplitMix64;
use komadai::matches::{
    Contestant as _, Ending, Opening, Rules, Side, SpsaStep, TimeControl, UsiContestant, play_game,
};
use komadai::usi::EngineConfig;
use komadai_console::note;
use serde_json::{Value, json};

use super::options::TuneArgs;
use crate::arguments::engine::DECLARATION;
use crate::arguments::openings;

/// Maximum number of steps in a row without a result because of faults of the engine.
const MOST_FAULTS: u32 = 3;

/// The games of all steps.
#[derive(Debug)]
pub(super) struct Games {
    config: EngineConfig,
    openings: Vec<Opening>,
    control: TimeControl,
    rules: Rules,
    pairs: u32,
    seed: u64,
    /// All settings that change results. A state with other settings belongs to another tuning.
    pub(super) settings: Value,
}

/// Two players, the one with the values that move up first.
struct Players<'a> {
    games: &'a Games,
    names: &'a [String],
    stop: &'a Arc<AtomicBool>,
    players: [UsiContestant; 2],
}

impl Games {
    pub(super) fn new(options: &TuneArgs, config: &EngineConfig) -> anyhow::Result<Self> {
        let control = options.control();
        ensure!(
            !control.is_unlimited(),
            "nothing limits the moves, expected --nodes, --depth, --movetime or --byoyomi"
        );
        let openings = match &options.openings {
            Some(path) => openings::read(path)?,
            None => Opening::bundled(),
        };
        let rules = Rules {
            max_plies: options.max_plies,
            adjudication: options.adjudicate,
            margin: Duration::from_millis(options.margin),
            patience: Duration::from_secs(options.hang),
            ..Rules::default()
        };
        let mut config = config.clone();
        let rule = rules.declaration.name().to_owned();
        config.preferences.push((DECLARATION.to_owned(), rule));
        let settings = json!({
            "engine": options.engine,
            "options": config.options,
            "nodes": control.nodes,
            "depth": control.depth,
            "movetime_ms": control.move_time.map(|time| time.as_millis() as u64),
            "byoyomi_ms": control.byoyomi.as_millis() as u64,
            "openings": openings.iter().map(|opening| opening.game().to_string()).collect::<Value>(),
            "pairs": options.pairs,
            "seed": options.seed,
            "max_plies": options.max_plies,
            "adjudicate": options.adjudicate.map(|rule| json!([rule.score_cp, rule.moves])),
        });
        let (pairs, seed) = (options.pairs, options.seed);
        Ok(Self { config, openings, control, rules, pairs, seed, settings })
    }

    /// Returns a worker with two players of its own.
    pub(super) fn worker<'a>(
        &'a self,
        names: &'a [String],
        stop: &'a Arc<AtomicBool>,
    ) -> anyhow::Result<impl FnMut(&SpsaStep) -> anyhow::Result<Option<f64>> + use<'a>> {
        let start = || UsiContestant::launch(self.config.clone());
        let mut players = Players { games: self, names, stop, players: [start()?, start()?] };
        Ok(move |step: &SpsaStep| players.play(step))
    }

    /// The openings of a step.
    fn openings(&self, step: u32) -> impl Iterator<Item = &Opening> {
        let mut random = SplitMix64::new(self.seed.wrapping_add(u64::from(step) << 16));
        let count = self.openings.len() as u64;
        (0..self.pairs).map(move |_| &self.openings[random.below(count) as usize])
    }
}

impl Players<'_> {
    /// Plays a step. One with a fault of the engine has no result, and is played again.
    fn play(&mut self, step: &SpsaStep) -> anyhow::Result<Option<f64>> {
        let mut faults = 0;
        loop {
            for (player, values) in self.players.iter_mut().zip([&step.up, &step.down]) {
                let values = self.names.iter().zip(values);
                for (name, value) in values {
                    player.set_option(name, &format!("{:.0}", value.round()))?;
                }
            }
            match self.play_games(step)? {
                Played::Lead(lead) => return Ok(Some(lead)),
                Played::Stopped => return Ok(None),
                Played::Fault(detail) => {
                    faults += 1;
                    note!("step {}: {detail}; played again", step.number + 1);
                    if faults == MOST_FAULTS {
                        bail!("the engine failed {faults} times in a row: {detail}");
                    }
                }
            }
        }
    }

    fn play_games(&mut self, step: &SpsaStep) -> anyhow::Result<Played> {
        let games = self.games;
        let mut lead = 0.0;
        for opening in games.openings(step.number) {
            for black in [0, 1] {
                let [first, second] = &mut self.players;
                let mut sides =
                    [first, second].map(|contestant| Side { contestant, control: &games.control });
                if black == 1 {
                    sides.reverse();
                }
                let number = step.number as usize;
                let Some(game) = play_game(number, opening, sides, &games.rules, self.stop) else {
                    return Ok(Played::Stopped);
                };
                if let Ending::Fault(kind) = game.verdict.ending {
                    self.players.iter_mut().try_for_each(|player| player.restart())?;
                    return Ok(Played::Fault(format!("{kind:?} {}", game.detail)));
                }
                lead += match game.verdict.winner {
                    None => 0.0,
                    Some(winner) if winner as usize == black => 1.0,
                    Some(_) => -1.0,
                };
            }
        }
        Ok(Played::Lead(lead))
    }
}

/// The end of the games of a step.
enum Played {
    Lead(f64),
    Stopped,
    Fault(String),
}
