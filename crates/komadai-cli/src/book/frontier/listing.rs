//! Lists of positions, as lines of text or as JSON.

use std::io::{self, BufWriter, Write as _};

use komadai::bookgraph::Value;
use komadai::bookgraph::frontier::{BookSides, FrontierPosition, Reason};
use komadai::core::UsiPosition;
use komadai::{Color, Move, Position, Score};
use serde_json::{Map, Value as Json, json};

/// A position to search: the position, the way there, and what is to be said about it.
#[derive(Debug)]
pub(crate) struct Row {
    sfen: String,
    moves: String,
    /// Names and values of further columns.
    facts: Vec<(&'static str, Json)>,
}

impl Row {
    /// A position at the end of a line, which begins with the `said` root's own moves.
    pub(crate) fn new(position: &Position, said: &UsiPosition, line: &[Move]) -> Self {
        let moves = said.moves.iter().chain(line).copied().collect();
        let moves = UsiPosition { setup: said.setup.clone(), moves };
        Self { sfen: position.to_string(), moves: moves.to_string(), facts: Vec::new() }
    }

    /// A position of a frontier, with everything that is known about it.
    pub(crate) fn of_frontier(found: &FrontierPosition, roots: &[UsiPosition]) -> Self {
        let row = Self::new(&found.position, &roots[found.root], &found.line)
            .with("plies", found.line.len())
            .with("sides", side_name(found.sides))
            .with("reason", reason_name(found.reason))
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

    /// With one more fact.
    pub(crate) fn with(mut self, name: &'static str, value: impl Into<Json>) -> Self {
        self.facts.push((name, value.into()));
        self
    }

    /// As a line of text.
    pub(crate) fn write_line(&self, out: &mut impl io::Write, style: Style) -> io::Result<()> {
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
        Reason::RivalMove => "rival's move",
        _ => "other",
    }
}

/// A value as a number: of centipawns, or a mate as formats of the field write it.
pub(crate) fn value_number(value: Value) -> i32 {
    value.score.raw()
}

/// How a list is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// `sfen …`, a tab, `startpos moves …`.
    Lines,
    /// The same, and every fact as another column `name=value`.
    LinesWithFacts,
    /// One JSON object.
    Json,
}

impl Style {
    pub(crate) fn new(json: bool, reasons: bool) -> Self {
        match (json, reasons) {
            (true, _) => Self::Json,
            (false, true) => Self::LinesWithFacts,
            (false, false) => Self::Lines,
        }
    }
}

/// Prints rows on standard output; `summary` becomes part of the JSON object.
pub(crate) fn print(
    rows: impl Iterator<Item = Row>,
    style: Style,
    summary: &[(&str, Json)],
) -> io::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
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
