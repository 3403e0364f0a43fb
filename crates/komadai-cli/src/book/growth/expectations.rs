//! What a book that grows has to tell.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::rc::Rc;

use komadai::book::{GrowEvent, Grown};
use komadai::bookgraph::BookGraph;
use komadai::{Position, Score};
use serde_json::json;

use crate::progress::Progress;
use crate::value::value;

/// How many surprises are told.
const MOST_SURPRISES: usize = 8;

/// Follows a book while it grows.
pub(crate) struct Growth {
    progress: Progress,
    /// Where lines begin.
    root: Position,
    root_before: Option<Score>,
    positions_before: usize,
    expectations: Expectations,
    surprises: Vec<Surprise>,
}

/// What the book expected of the positions that it selected.
#[derive(Clone, Default)]
pub(crate) struct Expectations(Rc<RefCell<HashMap<u64, Expected>>>);

struct Expected {
    score: Score,
    sfen: String,
}

/// A position that is worth something else than expected.
struct Surprise {
    /// The move before and the position, as text.
    sfen: String,
    /// For the side to move.
    expected: Score,
    found: Score,
}

impl Expectations {
    /// Remembers what the first of these positions are worth by the moves that lead to them.
    pub(crate) fn note(&self, graph: &BookGraph, selected: &[Position], most: usize) {
        let mut expectations = self.0.borrow_mut();
        let start = Position::hirate().ply();
        for position in selected.iter().take(most.saturating_mul(2)) {
            if position.ply() == start {
                // No move leads there.
                continue;
            }
            let mut before = position.clone();
            let Some(m) = before.undo_move() else { continue };
            let moves = graph.moves(&before);
            let Some(known) = moves.iter().find(|known| known.m == m) else { continue };
            let expected = Expected { score: -known.value.score, sfen: format!("{before} {m}") };
            expectations.insert(turned_key(position), expected);
        }
    }
}

impl Growth {
    pub(crate) fn new(graph: &BookGraph, root: Position, positions: usize, is_quiet: bool) -> Self {
        Self {
            progress: Progress::new("growing", positions, is_quiet),
            root_before: score_of(graph, &root),
            root,
            positions_before: graph.positions(),
            expectations: Expectations::default(),
            surprises: Vec::new(),
        }
    }

    /// Where expectations are to be noted.
    pub(crate) fn expectations(&self) -> Expectations {
        self.expectations.clone()
    }

    pub(crate) fn hear(&mut self, event: &GrowEvent<'_>) {
        match event {
            GrowEvent::Analysed { position, analysis, graph, .. } => {
                self.progress.tick(|| format!("root {}", value(score_of(graph, &self.root))));
                let expected = self.expectations.0.borrow_mut().remove(&turned_key(position));
                if let (Some(expected), Some(best)) = (expected, analysis.lines.first()) {
                    self.add(Surprise {
                        sfen: expected.sfen,
                        expected: expected.score,
                        found: best.score,
                    });
                }
            }
            GrowEvent::Failed { position, reason } => {
                self.progress.say(&format!("warning: {position}: {reason}"));
            }
            GrowEvent::Dismissed { analyst, reason } => {
                self.progress
                    .say(&format!("warning: analyst {analyst} gets no more work: {reason}"));
            }
            _ => {}
        }
    }

    fn add(&mut self, surprise: Surprise) {
        if surprise.size() > 0 {
            self.surprises.push(surprise);
            self.surprises.sort_by_key(|surprise| Reverse(surprise.size()));
            self.surprises.truncate(MOST_SURPRISES);
        }
    }

    pub(crate) fn to_text(&self, grown: &Grown, graph: &BookGraph, positions: u64) -> String {
        let mut text = format!(
            "{} positions analysed with {} nodes in {} rounds ({} failures): {} → {positions} positions\n\
             root: {} → {}\n",
            grown.analysed,
            grown.nodes,
            grown.rounds,
            grown.failures,
            self.positions_before,
            value(self.root_before),
            value(score_of(graph, &self.root)),
        );
        if !self.surprises.is_empty() {
            text += "largest surprises (expected → found, for the side to move after the move):\n";
        }
        for Surprise { sfen, expected, found } in &self.surprises {
            text +=
                &format!("  {:>7} → {:>7}  {sfen}\n", value(Some(*expected)), value(Some(*found)));
        }
        text
    }

    pub(crate) fn to_json(&self, grown: &Grown, graph: &BookGraph, positions: u64) -> String {
        let surprise = |surprise: &Surprise| {
            json!({
                "sfen_and_move": surprise.sfen,
                "expected": value(Some(surprise.expected)),
                "found": value(Some(surprise.found)),
            })
        };
        json!({
            "analysed": grown.analysed,
            "nodes": grown.nodes,
            "rounds": grown.rounds,
            "failures": grown.failures,
            "end": format!("{:?}", grown.end).to_lowercase(),
            "positions_before": self.positions_before,
            "positions": positions,
            "root_before": self.root_before.map(|score| value(Some(score))),
            "root": score_of(graph, &self.root).map(|score| value(Some(score))),
            "surprises": self.surprises.iter().map(surprise).collect::<Vec<_>>(),
        })
        .to_string()
    }
}

impl Surprise {
    fn size(&self) -> u32 {
        self.expected.raw().abs_diff(self.found.raw())
    }
}

fn score_of(graph: &BookGraph, position: &Position) -> Option<Score> {
    graph.value(position).map(|value| value.score)
}

/// A key that is the same for a position and its turned form, as jobs may come back turned.
fn turned_key(position: &Position) -> u64 {
    let setup = position.to_setup();
    let flipped = Position::from_setup(&setup.flipped()).map(|turned| turned.key());
    flipped.map_or(position.key(), |key| key.min(position.key()))
}
