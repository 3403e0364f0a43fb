//! A pair of games as a task of a queue.

use anyhow::{Context as _, anyhow, ensure};
use komadai::Color;
use komadai::matches::{Match, MatchGame};
use komadai::movegen::check_legality;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::game_json;
use super::options::MatchArgs;
use super::plan::Plan;
use crate::arguments::engine::embedded_options;
use komadai_console::bad_usage;

/// The name of the embedded player, which every worker of this version has.
const EMBEDDED: &str = "komadai";

/// A pair of games that a worker plays.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pair {
    /// The players.
    pub(crate) players: [PairPlayer; 2],
    /// Maximum time for an engine to start, in seconds.
    pub(crate) start_timeout: u64,
    /// The games: one opening, which both have.
    pub(crate) game: Match,
}

/// A player of a pair.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PairPlayer {
    /// The embedded player with its options, or a name for which each worker has a command.
    pub(crate) name: String,
    /// USI options.
    pub(crate) options: Vec<(String, String)>,
}

impl Pair {
    /// Returns the pair of a match with this number.
    pub(super) fn new(options: &MatchArgs, plan: &Plan, number: usize) -> anyhow::Result<Self> {
        let Match { openings, seed, .. } = &plan.game;
        let (opening, _) = plan.game.schedule().nth(2 * number).context("no such pair")?;
        let player = |name: &str, options: &[(String, String)]| PairPlayer {
            name: name.to_owned(),
            options: options.to_vec(),
        };
        Ok(Self {
            players: [
                player(&options.first, &options.option_first),
                player(&options.second, &options.option_second),
            ],
            start_timeout: options.start_timeout,
            game: Match {
                openings: vec![openings[opening].clone()],
                // Also where the match takes one of them only: it may get further games.
                games: 2,
                // The random moves of a pair follow from the seed and its number.
                seed: seed.wrapping_add(number as u64),
                ..plan.game.clone()
            },
        })
    }
}

/// Returns the kind of a match's tasks: the version of this program and the names of the players.
pub(super) fn kind(options: &MatchArgs) -> anyhow::Result<String> {
    let (first, second) = (engine_name(&options.first)?, engine_name(&options.second)?);
    Ok(kind_of(first, second))
}

/// Returns the kind of tasks for engines of these names.
pub(crate) fn kind_of(first: &str, second: &str) -> String {
    format!("match {}: {first} {second}", env!("CARGO_PKG_VERSION"))
}

/// Returns the name of a player's engine for workers.
fn engine_name(command: &str) -> anyhow::Result<&str> {
    if embedded_options(command).is_some() {
        return Ok(EMBEDDED);
    }
    if !is_engine_name(command) {
        return Err(bad_usage(format!(
            "found the player {command:?}, expected with --queue komadai, or a name for which the workers have a \
             command (match-worker --engine NAME=COMMAND)"
        )));
    }
    Ok(command)
}

/// Returns whether a text may name an engine.
pub(crate) fn is_engine_name(text: &str) -> bool {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    !text.is_empty() && text.len() <= 64 && text.chars().all(is_of_name)
}

/// Returns all kinds of tasks that a worker with these engines can do, besides the embedded player.
pub(crate) fn kinds<'e>(engines: impl Iterator<Item = &'e str>) -> Vec<String> {
    let names: Vec<&str> = std::iter::once(EMBEDDED).chain(engines).collect();
    names.iter().flat_map(|first| names.iter().map(|second| kind_of(first, second))).collect()
}

/// Returns the report of a pair: a line of the log for each game.
pub(crate) fn report(games: &[MatchGame]) -> String {
    let line = |game: &MatchGame| {
        let mut line = game_json::to_json(game);
        if let Some(fields) = line.as_object_mut() {
            // Nobody ponders, and the queue takes reports of a certain length only.
            fields.remove("start_depth");
            fields.remove("ponder_hit");
        }
        line
    };
    games.iter().map(line).collect::<Value>().to_string()
}

/// Reads the report of the pair with this number: its games with their numbers in the match.
pub(super) fn read_report(
    plan: &Plan,
    number: usize,
    report: &str,
) -> anyhow::Result<Vec<MatchGame>> {
    let lines: Vec<Value> = serde_json::from_str(report)?;
    ensure!(lines.len() == 2, "found {} games, expected 2", lines.len());
    let mut games = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        let game = game_json::from_json(line)?;
        ensure!(game.number == at, "found game {} in the place of game {at}", game.number);
        let number = 2 * number + at;
        if number == plan.game.games {
            continue;
        }
        let scheduled: Option<(usize, Color)> = plan.game.schedule().nth(number);
        let (opening, first) = scheduled.context("no such game")?;
        ensure!(game.first == first, "the colours of game {number} are swapped");
        check_moves(plan, opening, number, &game)?;
        games.push(MatchGame { number, opening, ..game });
    }
    Ok(games)
}

/// Checks that a game begins as planned and has legal moves: workers may have faults.
fn check_moves(plan: &Plan, opening: usize, number: usize, game: &MatchGame) -> anyhow::Result<()> {
    let Match { openings, random_plies, seed, .. } = &plan.game;
    let pair_seed = seed.wrapping_add(1 + number as u64 / 2);
    let start = openings[opening].extended(*random_plies, pair_seed);
    let found = &game.game.opening;
    ensure!(found == start.game(), "game {number} begins with {found}");
    let mut position = start.position().clone();
    for made in &game.game.moves {
        check_legality(&position, made.m)
            .map_err(|reason| anyhow!("game {number}: {} is illegal: {reason}", made.m))?;
        position.do_move(made.m);
    }
    Ok(())
}
