//! The player with the book and its opponents.

use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use clap::{ArgAction, Args};
use komadai::analysis::ArenaPlayer;
use komadai::matches::{TimeControl, VariedContestant};

use crate::arguments::engine::{Engine, read_option};

/// Maximum time for an engine to start.
const PATIENCE: Duration = Duration::from_secs(90);

/// The arguments about players. An engine is a command that speaks USI, or `komadai`, the embedded
/// player, with its USI options after a colon.
#[derive(Debug, Args)]
pub(crate) struct PlayerOptions {
    /// Engine that plays for the book's side after the game has left the book.
    #[arg(long, default_value = "komadai", value_name = "COMMAND")]
    player: String,
    /// USI option of that engine.
    #[arg(long, value_name = "NAME=VALUE", action = ArgAction::Append, value_parser = read_option)]
    player_option: Vec<(String, String)>,
    /// Opponent, which plays without the book.
    #[arg(long = "opponent", value_name = "NAME=COMMAND", action = ArgAction::Append, required = true, value_parser = read_option)]
    opponents: Vec<(String, String)>,
    /// USI option of an opponent.
    #[arg(long, value_name = "NAME:KEY=VALUE", action = ArgAction::Append, value_parser = read_named)]
    opponent_option: Vec<Named>,
    /// Limit of one opponent: nodes, depth or byoyomi (in milliseconds).
    #[arg(long, value_name = "NAME:KIND=N", action = ArgAction::Append, value_parser = read_named)]
    opponent_limit: Vec<Named>,
    /// Nodes per move.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Time per move.
    #[arg(long, value_name = "MS")]
    byoyomi: Option<u64>,
    /// Random variation of an opponent's nodes from move to move, so that games differ.
    #[arg(long, default_value_t = 20, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(0..100))]
    vary: u8,
}

/// `NAME:KEY=VALUE`.
#[derive(Debug, Clone)]
struct Named {
    name: String,
    key: String,
    value: String,
}

fn read_named(text: &str) -> Result<Named, String> {
    let fault = || format!("found {text:?}, expected Name:Key=Value");
    let (name, rest) = text.split_once(':').ok_or_else(fault)?;
    let (key, value) = read_option(rest).map_err(|_| fault())?;
    Ok(Named { name: name.trim().to_owned(), key, value })
}

/// A player's name, engine and limits.
type Player = (String, Engine, TimeControl);

/// The players of a match, checked but not started.
#[derive(Debug)]
pub(crate) struct Players {
    own: Player,
    opponents: Vec<Player>,
    vary: u8,
}

impl PlayerOptions {
    /// Returns the players that the arguments describe.
    pub(crate) fn players(&self) -> anyhow::Result<Players> {
        let own = Engine::new(&self.player, &self.player_option, PATIENCE)
            .with_context(|| format!("--player {:?}", self.player))?;
        let control = limited(self.control(), "the book's side")?;
        let mut opponents: Vec<Player> = Vec::new();
        for (name, command) in &self.opponents {
            ensure!(
                opponents.iter().all(|(other, ..)| other != name),
                "two opponents have the name {name}"
            );
            let options: Vec<_> = of(&self.opponent_option, name)
                .map(|named| (named.key.clone(), named.value.clone()))
                .collect();
            let engine = Engine::new(command, &options, PATIENCE)
                .with_context(|| format!("--opponent {name}={command}"))?;
            opponents.push((name.clone(), engine, self.control_of(name)?));
        }
        let named = self.opponent_option.iter().chain(&self.opponent_limit);
        for Named { name, .. } in named {
            let exists = opponents.iter().any(|(other, ..)| other == name);
            ensure!(exists, "there is no opponent called {name:?}");
        }
        Ok(Players { own: (own.name(&self.player), own, control), opponents, vary: self.vary })
    }

    fn control(&self) -> TimeControl {
        let byoyomi = Duration::from_millis(self.byoyomi.unwrap_or(0));
        TimeControl { nodes: self.nodes, byoyomi, ..TimeControl::default() }
    }

    fn control_of(&self, name: &str) -> anyhow::Result<TimeControl> {
        let mut own = TimeControl::default();
        for Named { key, value, .. } in of(&self.opponent_limit, name) {
            let fault = || format!("--opponent-limit {name}:{key}={value}: expected a number");
            match key.as_str() {
                "nodes" => own.nodes = Some(value.parse().with_context(fault)?),
                "depth" => own.depth = Some(value.parse().with_context(fault)?),
                "byoyomi" => {
                    own.byoyomi = Duration::from_millis(value.parse().with_context(fault)?)
                }
                _ => bail!("--opponent-limit {name}:{key}: expected nodes, depth or byoyomi"),
            }
        }
        limited(if own.is_unlimited() { self.control() } else { own }, name)
    }
}

fn of<'n>(all: &'n [Named], name: &str) -> impl Iterator<Item = &'n Named> {
    all.iter().filter(move |named| named.name == name)
}

fn limited(control: TimeControl, who: &str) -> anyhow::Result<TimeControl> {
    ensure!(
        !control.is_unlimited(),
        "nothing limits the moves of {who}, expected --nodes or --byoyomi"
    );
    Ok(control)
}

impl Players {
    /// Returns the player with the book.
    pub(crate) fn own(&self) -> ArenaPlayer<'_> {
        let (name, engine, control) = &self.own;
        ArenaPlayer::new(name, Box::new(|| engine.start()), control.clone())
    }

    /// Returns the opponents, with variations that depend on a seed.
    pub(crate) fn opponents(&self, seed: u64) -> Vec<ArenaPlayer<'_>> {
        self.opponents
            .iter()
            .map(|(name, engine, control)| {
                let vary = self.vary;
                let make = move || {
                    let inner = engine.start()?;
                    Ok(match vary {
                        0 => inner,
                        percent => Box::new(VariedContestant::new(inner, percent, seed)) as Box<_>,
                    })
                };
                ArenaPlayer::new(name, Box::new(make), control.clone())
            })
            .collect()
    }
}
