//! The report of a growing book: progress, then figures and surprises.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::HashMap;

use komadai::book::{GrowEvent, Grown};
use komadai::bookfile::position_key::shared_zobrist_key;
use komadai::bookgraph::{BookGraph, Expectation};
use komadai::core::Bound;
use komadai::{Position, Score};
use komadai_console::{Progress, bounded_score, grow_notes, passed_over, signed_score};
use serde_json::{Value, json};

/// Maximum number of surprises reported.
const MAX_SURPRISES: usize = 8;

/// Follows a book while it grows.
pub(super) struct GrowthReport<'e> {
    progress: Progress,
    /// The position whose value is reported.
    root: Position,
    root_before: Option<Score>,
    positions_before: usize,
    expectations: &'e RefCell<Expectations>,
    surprises: Vec<Surprise>,
}

/// A position with another value than expected.
struct Surprise {
    expected: Expectation,
    /// The value found, for the side to move.
    found: Score,
    bound: Bound,
}

impl<'e> GrowthReport<'e> {
    /// Starts the report of a run that is to add `positions` positions.
    pub(super) fn new(
        graph: &BookGraph,
        root: Position,
        positions: usize,
        expectations: &'e RefCell<Expectations>,
        is_quiet: bool,
    ) -> Self {
        Self {
            progress: Progress::new("growing", positions, is_quiet),
            root_before: score_of(graph, &root),
            root,
            positions_before: graph.positions(),
            expectations,
            surprises: Vec::new(),
        }
    }

    /// Handles an event of the growth.
    pub(super) fn on_event(&mut self, event: &GrowEvent<'_>) {
        match event {
            GrowEvent::Analysed { position, analysis, graph, .. } => {
                let root = &self.root;
                self.progress.tick(|| format!("root {}", signed_score(score_of(graph, root))));
                let expected = self.expectations.borrow_mut().take(position);
                if let (Some(expected), Some(best)) = (expected, analysis.lines.first()) {
                    self.add(Surprise { expected, found: best.score, bound: best.bound });
                }
            }
            other => grow_notes(other).iter().for_each(|note| self.progress.print(note)),
        }
    }

    fn add(&mut self, surprise: Surprise) {
        if surprise.size() > 0 {
            self.surprises.push(surprise);
            self.surprises.sort_by_key(|surprise| Reverse(surprise.size()));
            self.surprises.truncate(MAX_SURPRISES);
        }
    }

    /// Returns the report as text.
    pub(super) fn to_text(&self, grown: &Grown, graph: &BookGraph, positions: u64) -> String {
        let mut text = format!(
            "{} positions analysed with {} nodes in {} rounds ({} failures): {} → {positions} positions\n\
             root: {} → {}\n",
            grown.analysed,
            grown.nodes,
            grown.rounds,
            grown.failures,
            self.positions_before,
            signed_score(self.root_before),
            signed_score(score_of(graph, &self.root)),
        );
        if let Some(note) = passed_over(grown.unheld) {
            text += &format!("{note}\n");
        }
        if grown.left_failed > 0 {
            text += &format!(
                "{} positions are left, at which the analysts have failed (`book queue retry` lets them try again)\n",
                grown.left_failed
            );
        }
        if !self.surprises.is_empty() {
            text += "largest surprises (expected → found, for the side to move after the move):\n";
        }
        for Surprise { expected, found, bound } in &self.surprises {
            text += &format!(
                "  {:>7} → {:>7}  {} {}\n",
                signed_score(Some(expected.score)),
                bounded_score(Some(*found), *bound),
                expected.before,
                expected.m,
            );
        }
        text
    }

    /// Returns the report as a JSON object.
    pub(super) fn to_json(&self, grown: &Grown, graph: &BookGraph, positions: u64) -> Value {
        let surprise = |surprise: &Surprise| {
            json!({
                "sfen_and_move": format!("{} {}", surprise.expected.before, surprise.expected.m),
                "expected": signed_score(Some(surprise.expected.score)),
                "found": bounded_score(Some(surprise.found), surprise.bound),
            })
        };
        json!({
            "analysed": grown.analysed,
            "nodes": grown.nodes,
            "rounds": grown.rounds,
            "failures": grown.failures,
            "waiting_for_others": grown.waiting_for_others,
            "left_failed": grown.left_failed,
            "unheld": grown.unheld,
            "end": format!("{:?}", grown.end).to_lowercase(),
            "positions_before": self.positions_before,
            "positions": positions,
            "root_before": self.root_before.map(|score| signed_score(Some(score))),
            "root": score_of(graph, &self.root).map(|score| signed_score(Some(score))),
            "surprises": self.surprises.iter().map(surprise).collect::<Vec<_>>(),
        })
    }
}

impl Surprise {
    fn size(&self) -> u32 {
        self.expected.score.raw().abs_diff(self.found.raw())
    }
}

fn score_of(graph: &BookGraph, position: &Position) -> Option<Score> {
    graph.value(position).map(|value| value.score)
}

/// The expected values of selected positions, by the key that both orientations share: the store
/// may return a job's position in the other orientation.
#[derive(Debug, Default)]
pub(super) struct Expectations(HashMap<u64, Expectation>);

impl Expectations {
    /// Stores the expected values of the first `2 * most` selected positions.
    pub(super) fn note(&mut self, graph: &BookGraph, selected: &[Position], most: usize) {
        // Twice as many as are taken, as positions that are already queued are skipped.
        for position in selected.iter().take(most.saturating_mul(2)) {
            if let Some(expected) = graph.expectation(position) {
                self.0.insert(shared_zobrist_key(position), expected);
            }
        }
    }

    /// Removes and returns the expected value of a position.
    pub(super) fn take(&mut self, position: &Position) -> Option<Expectation> {
        self.0.remove(&shared_zobrist_key(position))
    }
}
