//! Who plays with the book, and who against it.

use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use clap::{ArgAction, Args};
use komadai::engine::arena::{ArenaPlayer, TimeControl};

use crate::engine::{Engine, default_name, read_option};
use crate::varied::Varied;

/// How long an engine may take to start.
const PATIENCE: Duration = Duration::from_secs(90);

/// The part of the command line about players. An engine is a command that speaks USI, or `komadai`, the
/// embedded player, with its USI options behind a colon.
#[derive(Debug, Args)]
pub(crate) struct PlayerOptions {
    /// The engine that plays for the book's side once the book is left.
    #[arg(long, default_value = "komadai", value_name = "COMMAND")]
    player: String,
    /// A USI option of that engine.
    #[arg(long, value_name = "NAME=VALUE", action = ArgAction::Append, value_parser = read_option)]
    player_option: Vec<(String, String)>,
    /// An opponent, who has not the book.
    #[arg(long = "opponent", value_name = "NAME=COMMAND", action = ArgAction::Append, required = true, value_parser = read_option)]
    opponents: Vec<(String, String)>,
    /// A USI option of an opponent.
    #[arg(long, value_name = "NAME:KEY=VALUE", action = ArgAction::Append, value_parser = read_named)]
    opponent_option: Vec<Named>,
    /// A limit of an opponent alone: nodes, depth or byoyomi (in milliseconds).
    #[arg(long, value_name = "NAME:KIND=N", action = ArgAction::Append, value_parser = read_named)]
    opponent_limit: Vec<Named>,
    /// Nodes for each move.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Time for each move.
    #[arg(long, value_name = "MS")]
    byoyomi: Option<u64>,
    /// By how much the nodes of an opponent vary from move to move, so that games differ.
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

/// A player's name, who it is, and what it may spend.
type Player = (String, Engine, TimeControl);

/// Players, checked but not started.
#[derive(Debug)]
pub(crate) struct Players {
    own: Player,
    opponents: Vec<Player>,
    vary: u8,
}

impl PlayerOptions {
    /// The players that are meant.
    pub(crate) fn players(&self) -> anyhow::Result<Players> {
        let own = Engine::new(&self.player, &self.player_option, PATIENCE)
            .with_context(|| format!("--player {:?}", self.player))?;
        let control = limited(self.control(), "the book's side")?;
        let mut opponents: Vec<Player> = Vec::new();
        for (name, command) in &self.opponents {
            ensure!(
                opponents.iter().all(|(known, ..)| known != name),
                "two opponents called {name}"
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
            let is_known = opponents.iter().any(|(known, ..)| known == name);
            ensure!(is_known, "there is no opponent called {name:?}");
        }
        Ok(Players { own: (default_name(&self.player), own, control), opponents, vary: self.vary })
    }

    fn control(&self) -> TimeControl {
        let byoyomi = Duration::from_millis(self.byoyomi.unwrap_or(0));
        TimeControl { nodes: self.nodes, byoyomi, ..TimeControl::default() }
    }

    fn control_of(&self, name: &str) -> anyhow::Result<TimeControl> {
        let mut own = TimeControl::default();
        for Named { key, value, .. } in of(&self.opponent_limit, name) {
            let fault = || format!("--opponent-limit {name}:{key}={value}: no number");
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
        "nothing limits the moves of {who}: give --nodes or --byoyomi"
    );
    Ok(control)
}

impl Players {
    /// The player with the book.
    pub(crate) fn own(&self) -> ArenaPlayer<'_> {
        let (name, engine, control) = &self.own;
        ArenaPlayer::new(name, Box::new(|| engine.make()), control.clone())
    }

    /// The players without, varied by a seed.
    pub(crate) fn opponents(&self, seed: u64) -> Vec<ArenaPlayer<'_>> {
        self.opponents
            .iter()
            .map(|(name, engine, control)| {
                let vary = self.vary;
                let make = move || {
                    let inner = engine.make()?;
                    Ok(match vary {
                        0 => inner,
                        percent => Box::new(Varied::new(inner, percent, seed)) as Box<_>,
                    })
                };
                ArenaPlayer::new(name, Box::new(make), control.clone())
            })
            .collect()
    }
}
