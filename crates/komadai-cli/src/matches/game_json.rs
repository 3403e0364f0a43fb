//! A game of a match as a line of the log.

use std::time::Duration;

use anyhow::{Context as _, ensure};
use komadai::Color;
use komadai::core::{Bound, UsiPosition};
use komadai::matches::{Ending, MatchGame, PlayedGame, PlayedMove, Verdict};
use serde::Deserialize as _;
use serde_json::{Value, json};

const COLORS: [(&str, Color); 2] = [("black", Color::Black), ("white", Color::White)];

fn color_word(color: Color) -> &'static str {
    COLORS[color as usize].0
}

/// Returns a game as JSON. Arrays have one entry a move: microseconds, centipawns for the mover,
/// the relation of these to the value, nodes, plies, plies at the start of the turn, and whether the
/// player had pondered on the move before, null if it had not pondered.
pub(super) fn to_json(played: &MatchGame) -> Value {
    let game = &played.game;
    let moves: Vec<String> = game.moves.iter().map(|made| made.m.to_string()).collect();
    let each = |value: fn(&PlayedMove) -> Value| game.moves.iter().map(value).collect::<Value>();
    json!({
        "game": played.number,
        "opening": played.opening,
        "first": color_word(played.first),
        "winner": game.verdict.winner.map_or("draw", color_word),
        "ending": game.verdict.ending.name(),
        "detail": game.detail,
        "start": game.opening,
        "moves": moves.join(" "),
        "us": each(|made| json!(u64::try_from(made.elapsed.as_micros()).unwrap_or(u64::MAX))),
        "cp": each(|made| json!(made.score)),
        "bound": each(|made| json!(made.bound)),
        "nodes": each(|made| json!(made.nodes)),
        "depth": each(|made| json!(made.depth)),
        "start_depth": each(|made| json!(made.start_depth)),
        "ponder_hit": each(|made| json!(made.ponder_hit)),
        "cpu_us": game.cpu.map(|cpu| cpu.map(|cpu| u64::try_from(cpu.as_micros()).unwrap_or(u64::MAX))),
    })
}

/// Reads a game from JSON.
pub(super) fn from_json(line: &Value) -> anyhow::Result<MatchGame> {
    let number = |key: &str| {
        let number = line[key].as_u64().with_context(|| format!("{key} is not a number"))?;
        usize::try_from(number).context("a number is too large")
    };
    let text = |key: &str| line[key].as_str().with_context(|| format!("{key} is not a string"));
    let color = |key| {
        let word = text(key)?;
        anyhow::Ok(COLORS.iter().find(|(name, _)| *name == word).map(|(_, color)| *color))
    };
    let ending = Ending::from_name(text("ending")?).context("unknown ending")?;
    let micros = |value: &Value| value.as_u64().map(Duration::from_micros);
    Ok(MatchGame {
        number: number("game")?,
        opening: number("opening")?,
        first: color("first")?.context("first is neither black nor white")?,
        game: PlayedGame {
            opening: UsiPosition::from_usi(text("start")?)?,
            moves: read_moves(line, text("moves")?)?,
            verdict: Verdict { winner: color("winner")?, ending },
            detail: text("detail")?.to_owned(),
            cpu: [0, 1].map(|side| micros(&line["cpu_us"][side])),
        },
    })
}

fn read_moves(line: &Value, moves: &str) -> anyhow::Result<Vec<PlayedMove>> {
    let moves: Vec<&str> = moves.split_ascii_whitespace().collect();
    let column = |key: &str| {
        let column = line[key].as_array().with_context(|| format!("{key} is not an array"))?;
        ensure!(
            column.len() == moves.len(),
            "{key} has {} entries, expected one for each of {} moves",
            column.len(),
            moves.len()
        );
        Ok(column)
    };
    let (us, cp, nodes, depth) = (column("us")?, column("cp")?, column("nodes")?, column("depth")?);
    let read = |(index, m): (usize, &&str)| {
        Ok(PlayedMove {
            m: m.parse()?,
            elapsed: Duration::from_micros(us[index].as_u64().unwrap_or(0)),
            score: cp[index].as_i64().and_then(|score| i32::try_from(score).ok()),
            // Absent in logs of earlier versions, as start depths and hits are.
            bound: Bound::deserialize(&line["bound"][index]).unwrap_or_default(),
            nodes: nodes[index].as_u64().unwrap_or(0),
            depth: plies(&depth[index]),
            start_depth: plies(&line["start_depth"][index]),
            ponder_hit: line["ponder_hit"][index].as_bool(),
        })
    };
    moves.iter().enumerate().map(read).collect()
}

fn plies(depth: &Value) -> u32 {
    depth.as_u64().and_then(|depth| u32::try_from(depth).ok()).unwrap_or(0)
}
