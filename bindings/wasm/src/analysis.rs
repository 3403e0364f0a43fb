//! Results of searches as the package shows them.

use komadai::core::{Analysis, Bound, Line, Score};
use serde::Serialize;

use crate::error::json;
use crate::position::usi_of;

/// The result of a search, or its state.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Shown {
    depth: u32,
    sel_depth: u32,
    nodes: u64,
    nps: u64,
    time: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    hash_full: Option<u32>,
    lines: Vec<ShownLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    best: Option<String>,
}

/// A line with its value for the side to move.
#[derive(Serialize)]
struct ShownLine {
    score: ShownScore,
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<&'static str>,
    depth: u32,
    moves: Vec<String>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum ShownScore {
    Cp {
        value: i32,
    },
    Mate {
        /// `None` if the length is not known.
        plies: Option<u32>,
        win: bool,
    },
}

impl ShownScore {
    fn new(score: Score) -> Self {
        match score.to_cp() {
            Some(value) => Self::Cp { value },
            None => Self::Mate {
                plies: score.mate_plies().map(i32::unsigned_abs),
                win: score > Score::ZERO,
            },
        }
    }
}

impl ShownLine {
    fn new(line: &Line) -> Self {
        let bound = match line.bound {
            Bound::Exact => None,
            Bound::Lower => Some("lower"),
            Bound::Upper => Some("upper"),
        };
        let Line { score, depth, pv, .. } = line;
        Self { score: ShownScore::new(*score), bound, depth: *depth, moves: usi_of(pv) }
    }
}

/// Returns an analysis as JSON; `best` is the answer of a finished search.
pub fn shown(analysis: &Analysis, hash_full: Option<u32>, best: Option<String>) -> String {
    json(&Shown {
        depth: analysis.depth,
        sel_depth: analysis.seldepth,
        nodes: analysis.nodes,
        nps: analysis.nps(),
        time: u64::try_from(analysis.time.as_millis()).unwrap_or(u64::MAX),
        hash_full,
        lines: analysis.lines.iter().map(ShownLine::new).collect(),
        best,
    })
}
