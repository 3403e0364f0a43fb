//! Lists of positions as lines of text or as JSON.

use std::io::{self, BufWriter, Write as _};

use clap::Args;
use komadai::book::StartPosition;
use komadai::book::game_list::GameListOptions;
use komadai::bookgraph::Value;
use komadai::bookgraph::frontier::{BookSides, FrontierPosition, Reason};
use komadai::core::UsiPosition;
use komadai::{Color, Move, Position, Score};
use komadai_console::Output;
use serde_json::{Map, Value as Json, json};

/// The arguments about the form of a list.
#[derive(Debug, Args)]
pub(crate) struct ListingArgs {
    /// Add columns with the facts behind each position.
    #[arg(long)]
    pub(crate) reasons: bool,
    /// Print one JSON object, with all facts.
    #[arg(long)]
    pub(crate) json: bool,
}

impl ListingArgs {
    /// Returns the form of the list.
    pub(crate) fn style(&self) -> Style {
        Style::new(self.json, self.reasons)
    }
}

/// A listed position: the position, the line that leads to it, and facts about it.
#[derive(Debug)]
pub(crate) struct Row {
    sfen: String,
    moves: String,
    /// The limits of the line, as a list of games states them.
    options: GameListOptions,
    /// Names and values of further columns.
    facts: Vec<(&'static str, Json)>,
}

impl Row {
    /// Creates the row of a position at the end of a line, which starts with the moves of the
    /// `root` itself.
    pub(crate) fn new(position: &Position, root: &UsiPosition, line: &[Move]) -> Self {
        let moves = root.moves.iter().chain(line).copied().collect();
        let moves = UsiPosition { setup: root.setup.clone(), moves };
        Self {
            sfen: position.to_string(),
            moves: moves.to_string(),
            options: GameListOptions::default(),
            facts: Vec::new(),
        }
    }

    /// Creates the row of a frontier position with all its facts.
    pub(crate) fn of_frontier(found: &FrontierPosition, roots: &[StartPosition]) -> Self {
        let root = &roots[found.root];
        let row = Self::new(&found.position, &root.line, &found.line)
            .with("plies", found.ply())
            .with("sides", side_name(found.sides))
            .with("reason", reason_name(found.reason))
            .with("drop_cp", last_drop(found.reason))
            .with("drops_cp", found.drops_cp)
            .with("score", found.score.map(Score::raw));
        let row = match found.price {
            Some(price) => row.with("price", price),
            None => row,
        };
        match found.probability {
            Some(probability) => row.with("probability", probability),
            None => row,
        }
    }

    /// The line, with its start.
    pub(crate) fn moves(&self) -> &str {
        &self.moves
    }

    /// States the limits of the line for lists of games.
    pub(crate) fn limited(self, options: GameListOptions) -> Self {
        Self { options, ..self }
    }

    /// Adds a fact.
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<Json>) -> Self {
        self.facts.push((name, value.into()));
        self
    }

    /// Writes the row as a line of text.
    pub(crate) fn write_line(&self, out: &mut impl io::Write, style: Style) -> io::Result<()> {
        if style == Style::GameList {
            return writeln!(out, "{}{}", self.moves, self.options);
        }
        write!(out, "sfen {}\t{}", self.sfen, self.moves)?;
        if style == Style::LinesWithFacts {
            for (name, value) in &self.facts {
                match value {
                    Json::String(text) => write!(out, "\t{name}={text}")?,
                    Json::Null => write!(out, "\t{name}=-")?,
                    other => write!(out, "\t{name}={other}")?,
                }
            }
        }
        writeln!(out)
    }

    /// Returns the row as a JSON object.
    pub(crate) fn to_json(&self) -> Json {
        let mut object = Map::new();
        object.insert("sfen".to_owned(), json!(self.sfen));
        object.insert("line".to_owned(), json!(self.moves));
        let facts = self.facts.iter().map(|(name, value)| ((*name).to_owned(), value.clone()));
        object.extend(facts);
        Json::Object(object)
    }
}

fn side_name(sides: BookSides) -> &'static str {
    match sides {
        BookSides::Black => "black",
        BookSides::White => "white",
        BookSides::Both => "both",
    }
}

pub(crate) fn color_name(color: Color) -> &'static str {
    side_name(color.into())
}

fn reason_name(reason: Reason) -> &'static str {
    match reason {
        Reason::Root => "root",
        Reason::BestMove => "best move",
        Reason::WindowMove { .. } => "move in the window",
        Reason::RivalMove { .. } => "rival's move",
        _ => "other",
    }
}

/// Returns the distance of the last move from the best one, in centipawns, if it is known.
fn last_drop(reason: Reason) -> Option<u32> {
    match reason {
        Reason::BestMove => Some(0),
        Reason::WindowMove { drop_cp } | Reason::RivalMove { drop_cp: Some(drop_cp) } => {
            Some(drop_cp)
        }
        _ => None,
    }
}

/// Returns a value as a number: centipawns, or a mate in the encoding of shogi engines.
pub(crate) fn value_number(value: Value) -> i32 {
    value.score.raw()
}

/// The form of a printed list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// `sfen …`, a tab, `startpos moves …`.
    Lines,
    /// The same, with each fact as a further column `name=value`.
    LinesWithFacts,
    /// `startpos moves …` with the limits after commas, as in lists of games.
    GameList,
    /// One JSON object.
    Json,
}

impl Style {
    /// Returns the form that two switches ask for.
    pub(crate) fn new(json: bool, reasons: bool) -> Self {
        match (json, reasons) {
            (true, _) => Self::Json,
            (false, true) => Self::LinesWithFacts,
            (false, false) => Self::Lines,
        }
    }
}

/// Prints rows on standard output. A JSON object also contains the fields of `summary`.
pub(crate) fn print(
    rows: impl Iterator<Item = Row>,
    style: Style,
    summary: &[(&str, Json)],
) -> io::Result<()> {
    let mut out = BufWriter::new(Output::json_if(style == Style::Json));
    if style == Style::Json {
        let mut object: Map<String, Json> =
            summary.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        object.insert("positions".to_owned(), rows.map(|row| row.to_json()).collect());
        writeln!(out, "{}", Json::Object(object))?;
        return out.flush();
    }
    for row in rows {
        row.write_line(&mut out, style)?;
    }
    out.flush()
}
