//! Pictures of positions and games, and what an editor of positions asks.

use std::fmt::{Debug, Display};

use komadai::core::{Bound, Color, Handicap, Language, Move, Position, Score, Setup};
use komadai::report::{
    EvaluationGraph, GraphPoint, PointMark, SvgArrow, SvgBoard, SvgPieces, SvgStands, SvgTheme,
    mark_losses,
};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;

use crate::error::{Checked, Code, json, one_of};
use crate::position::{read_color, read_move};

/// The choices of a picture of a position.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SvgOptions {
    flipped: bool,
    #[serde(rename = "lastMove")]
    pub last_move: Option<String>,
    arrows: Vec<ArrowOption>,
    theme: Option<String>,
    pieces: Option<String>,
    stands: Option<String>,
    title: Option<String>,
}

/// A move to draw, with the kind of its arrow.
#[derive(Deserialize)]
#[serde(untagged)]
enum ArrowOption {
    Plain(String),
    Kind {
        r#move: String,
        #[serde(default)]
        kind: Option<String>,
    },
}

impl ArrowOption {
    fn read(&self) -> Checked<(Move, SvgArrow)> {
        let kinds = [
            ("plain", SvgArrow::Plain),
            ("good", SvgArrow::Good),
            ("bad", SvgArrow::Bad),
            ("minor", SvgArrow::Minor),
        ];
        let (usi, kind) = match self {
            Self::Plain(usi) => (usi, None),
            Self::Kind { r#move, kind } => (r#move, kind.as_deref()),
        };
        Ok((read_move(usi)?, one_of("arrow", kind.unwrap_or("plain"), &kinds)?))
    }
}

const THEMES: [(&str, SvgTheme); 3] =
    [("auto", SvgTheme::Auto), ("light", SvgTheme::Light), ("dark", SvgTheme::Dark)];

impl SvgOptions {
    /// Reads the choices from JSON.
    pub fn read(text: &str) -> Checked<Self> {
        serde_json::from_str(text).map_err(|error| Code::Argument.error(error))
    }

    /// Returns the picture of a position.
    pub fn picture(self, setup: impl Into<Setup>, last_move: Option<Move>) -> Checked<String> {
        let pieces = [("kanji", SvgPieces::Kanji), ("letters", SvgPieces::Letters)];
        let stands = [("sides", SvgStands::Sides), ("rows", SvgStands::Rows)];
        let picture = SvgBoard {
            last_move: self.last_move.as_deref().map(read_move).transpose()?.or(last_move),
            arrows: self.arrows.iter().map(ArrowOption::read).collect::<Checked<_>>()?,
            bottom: if self.flipped { Color::White } else { Color::Black },
            theme: one_of("theme", self.theme.as_deref().unwrap_or("auto"), &THEMES)?,
            pieces: one_of("pieces", self.pieces.as_deref().unwrap_or("kanji"), &pieces)?,
            stands: one_of("stands", self.stands.as_deref().unwrap_or("sides"), &stands)?,
            title: self.title,
            ..SvgBoard::new(setup)
        };
        Ok(picture.to_string())
    }
}

fn read_setup(sfen: &str) -> Checked<Setup> {
    Setup::from_sfen(sfen).map_err(|error| Code::Sfen.error(error))
}

/// Draws a position that may break rules of the game.
#[wasm_bindgen(js_name = drawSetup)]
pub fn draw_setup(sfen: &str, options: &str) -> Checked<String> {
    SvgOptions::read(options)?.picture(read_setup(sfen)?, None)
}

/// The reason why no game can start from a position, as JSON.
#[wasm_bindgen(js_name = setupFault)]
pub fn setup_fault(sfen: &str) -> Option<String> {
    let fault = match Setup::from_sfen(sfen) {
        Ok(setup) => Position::from_setup(&setup).err().map(|error| Fault::of(&error)),
        Err(error) => Some(Fault { code: "sfen".to_owned(), text: error.to_string() }),
    };
    fault.map(|fault| fault.to_json())
}

/// A broken rule: its name and the sentence of the library.
#[derive(Serialize)]
pub struct Fault {
    code: String,
    text: String,
}

impl Fault {
    /// Names the rule by the variant of its error, because a page may have words of its own for it.
    pub fn of<E: Display + Debug>(error: &E) -> Self {
        Self { code: variant_name(error), text: error.to_string() }
    }

    /// Returns the fault as JSON.
    pub fn to_json(&self) -> String {
        json(self)
    }
}

/// Returns the name of a variant in lower case with hyphens: `TwoKings { … }` is `two-kings`.
fn variant_name(value: &impl Debug) -> String {
    let text = format!("{value:?}");
    let name = text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let mut word = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !word.is_empty() {
            word.push('-');
        }
        word.extend(c.to_lowercase());
    }
    word
}

/// A value for Black.
#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum ScoreOption {
    Cp { value: i32 },
    Mate { plies: Option<u32>, win: bool },
}

impl ScoreOption {
    fn score(&self) -> Score {
        match *self {
            Self::Cp { value } => Score::cp(value),
            // A mate on the board counts for its winner, too.
            Self::Mate { plies, win } => {
                let lost = plies.map_or(-Score::MATE_OF_UNKNOWN_LENGTH, Score::mated_in);
                if win { -lost } else { lost }
            }
        }
    }
}

/// A point of a graph.
#[derive(Deserialize)]
struct PointOption {
    ply: u32,
    score: Option<ScoreOption>,
    bound: Option<String>,
    mark: Option<String>,
    label: Option<String>,
}

const MARKS: [(&str, PointMark); 3] =
    [("?!", PointMark::Inaccuracy), ("?", PointMark::Mistake), ("??", PointMark::Blunder)];

impl PointOption {
    fn point(self) -> Checked<GraphPoint> {
        let bounds = [("exact", Bound::Exact), ("lower", Bound::Lower), ("upper", Bound::Upper)];
        let point = GraphPoint::new(self.ply, self.score.map(|score| score.score()));
        Ok(GraphPoint {
            bound: one_of("bound", self.bound.as_deref().unwrap_or("exact"), &bounds)?,
            mark: self.mark.map(|mark| one_of("mark", &mark, &MARKS)).transpose()?,
            label: self.label,
            ..point
        })
    }
}

fn read_points(text: &str) -> Checked<Vec<GraphPoint>> {
    let points: Vec<PointOption> =
        serde_json::from_str(text).map_err(|error| Code::Argument.error(error))?;
    points.into_iter().map(PointOption::point).collect()
}

/// The choices of a graph.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct GraphOptions {
    language: Option<String>,
    size: Option<(u32, u32)>,
    cursor: Option<u32>,
    theme: Option<String>,
    title: Option<String>,
}

/// Draws the values of a game.
#[wasm_bindgen(js_name = drawGraph)]
pub fn draw_graph(points: &str, options: &str) -> Checked<String> {
    let options: GraphOptions =
        serde_json::from_str(options).map_err(|error| Code::Argument.error(error))?;
    let languages = [("en", Language::English), ("ja", Language::Japanese)];
    let plain = EvaluationGraph::new(read_points(points)?);
    let graph = EvaluationGraph {
        language: one_of("language", options.language.as_deref().unwrap_or("en"), &languages)?,
        size: options.size.unwrap_or(plain.size),
        cursor: options.cursor,
        theme: one_of("theme", options.theme.as_deref().unwrap_or("auto"), &THEMES)?,
        title: options.title,
        ..plain
    };
    Ok(graph.to_string())
}

/// Marks the moves that lost value: a sign for each point, or an empty text.
#[wasm_bindgen(js_name = markPoints)]
pub fn mark_points(points: &str, first: &str) -> Checked<Vec<String>> {
    let mut points = read_points(points)?;
    mark_losses(&mut points, read_color(first)?);
    let sign = |point: &GraphPoint| point.mark.map_or("", PointMark::signs).to_owned();
    Ok(points.iter().map(sign).collect())
}

/// A handicap as the package shows it.
#[derive(Serialize)]
struct HandicapEntry {
    id: String,
    name: &'static str,
    sfen: &'static str,
}

/// The handicaps, the even game first, as JSON.
#[wasm_bindgen]
pub fn handicaps() -> String {
    let entry = |handicap: Handicap| HandicapEntry {
        id: variant_name(&handicap),
        name: handicap.kif_name(),
        sfen: handicap.sfen(),
    };
    json(&Handicap::ALL.map(entry))
}

/// The version of the package.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
