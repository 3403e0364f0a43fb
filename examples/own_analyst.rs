//! A book whose values come from an analyst of one's own.
//!
//! ```text
//! cargo run --example own_analyst
//! ```

use komadai::book::{BatchEnd, LoggedAnalysis, analyse_all};
use komadai::bookgraph::{BookGraph, GraphChange};
use komadai::core::{AnalystError, AnalystId};
use komadai::eval::Classical;
use komadai::prelude::*;
use komadai::{Analysis, Line};

/// Looks one move ahead. A program that asks a server or another engine has the same shape.
struct OnePly;

impl Analyst for OnePly {
    // The book keeps the name with every value, because the scales of engines differ.
    fn identity(&self) -> AnalystId {
        AnalystId::new("one ply", "1.0")
    }

    fn analyse(&mut self, position: &Position, _: &Budget) -> Result<Analysis, AnalystError> {
        let value = |m| -Classical::default().evaluate_position(&position.after(m));
        let moves = position.legal_moves();
        let best = moves.iter().map(|&m| (value(m), m)).max();
        let lines = best.map(|(score, m)| Line::exact(score, [m].into_iter().collect()));
        Ok(Analysis { lines: lines.into_iter().collect(), ..Analysis::default() })
    }
}

fn main() -> anyhow::Result<()> {
    let start = Position::hirate();
    let positions = ["7g7f", "2g2f", "5g5f"].map(|m| start.after(m.parse().expect("a move")));

    // Two analysts share the positions, one thread each; results arrive in the order of the
    // positions.
    let mut book = BookGraph::from_records([])?;
    let end = analyse_all(&mut [OnePly, OnePly], &positions, &Budget::unlimited(), |at, found| {
        let position = positions[at].clone();
        let logged =
            LoggedAnalysis::new(position, found.expect("it never fails"), OnePly.identity());
        book.apply(&[GraphChange::Add(logged.to_record())]).expect("a legal move");
    });
    assert_eq!(end, BatchEnd::Done);
    for position in &positions {
        let value = book.value(position).expect("it was analysed");
        println!("{}: {}", position.to_usi_position(), value.score);
    }
    Ok(())
}
