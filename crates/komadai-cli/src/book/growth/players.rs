//! The player with the book and its opponents.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use clap::{ArgAction, Args};
use komadai::analysis::ArenaPlayer;
use komadai::matches::{TimeControl, VariedContestant};

use crate::arguments::engine::{Engine, read_option};

/// Maximum time for an engine to start.
const PATIENCE: Duration = Duration::from_secs(90);

/// Number of openings from which on games differ without varied nodes.
const ENOUGH_OPENINGS: usize = 4;

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
    /// Opponent, which plays without the book; without a name it is called as its program.
    #[arg(long = "opponent", value_name = "[NAME=]COMMAND", action = ArgAction::Append, required = true, value_parser = read_opponent)]
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
    /// Random variation of an opponent's nodes from move to move, so that games differ: by default
    /// 0, because lines grow only if opponents repeat their replies, and 20 with fewer than four
    /// openings.
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(0..100))]
    vary: Option<u8>,
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

/// Reads `NAME=COMMAND` or a command, which may have a `=` in its options.
fn read_opponent(text: &str) -> Result<(String, String), String> {
    if let Some((name, command)) = text.split_once('=') {
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
        if name.trim().chars().all(is_name) && !name.trim().is_empty() {
            return Ok((name.trim().to_owned(), command.to_owned()));
        }
    }
    let program = text.split_whitespace().next().unwrap_or_default();
    let program = program.split(':').next().unwrap_or_default();
    let name = Path::new(program).file_stem().unwrap_or_default().to_string_lossy();
    if name.is_empty() || program.starts_with('=') {
        return Err(format!("found {text:?}, expected Name=Command or a command"));
    }
    Ok((name.into_owned(), text.to_owned()))
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
    /// Returns the nodes per move; `default` if nothing else limits the moves.
    pub(crate) fn nodes(&self, default: Option<u64>) -> Option<u64> {
        self.nodes.or(default.filter(|_| self.byoyomi.is_none()))
    }

    /// Returns the players that the arguments describe, for games from a number of openings.
    pub(crate) fn players(
        &self,
        openings: usize,
        default_nodes: Option<u64>,
    ) -> anyhow::Result<Players> {
        let own = Engine::new(&self.player, &self.player_option, PATIENCE)
            .with_context(|| format!("--player {:?}", self.player))?;
        let control = limited(self.control(default_nodes), "the book's side")?;
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
            opponents.push((name.clone(), engine, self.control_of(name, default_nodes)?));
        }
        let named = self.opponent_option.iter().chain(&self.opponent_limit);
        for Named { name, .. } in named {
            let exists = opponents.iter().any(|(other, ..)| other == name);
            ensure!(exists, "there is no opponent called {name:?}");
        }
        let vary = self.vary.unwrap_or(if openings < ENOUGH_OPENINGS { 20 } else { 0 });
        Ok(Players { own: (own.name(&self.player), own, control), opponents, vary })
    }

    fn control(&self, default_nodes: Option<u64>) -> TimeControl {
        let byoyomi = Duration::from_millis(self.byoyomi.unwrap_or(0));
        TimeControl { nodes: self.nodes(default_nodes), byoyomi, ..TimeControl::default() }
    }

    fn control_of(&self, name: &str, default_nodes: Option<u64>) -> anyhow::Result<TimeControl> {
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
        limited(if own.is_unlimited() { self.control(default_nodes) } else { own }, name)
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

#[cfg(test)]
mod tests {
    use super::read_opponent;

    #[test]
    fn an_opponent_has_the_name_of_its_program() {
        let read = |text| read_opponent(text).unwrap();
        let pair = |name: &str, command: &str| (name.to_owned(), command.to_owned());
        assert_eq!(read("fairy=/usr/games/fairy x=1"), pair("fairy", "/usr/games/fairy x=1"));
        assert_eq!(read("komadai"), pair("komadai", "komadai"));
        assert_eq!(read("komadai:MateNodes=0"), pair("komadai", "komadai:MateNodes=0"));
        assert_eq!(read("/opt/a-b.exe --x=1"), pair("a-b", "/opt/a-b.exe --x=1"));
        assert!(read_opponent("").is_err() && read_opponent("=x").is_err());
    }
}
