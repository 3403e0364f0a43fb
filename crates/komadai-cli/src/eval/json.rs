//! Explanations as JSON.

use komadai::core::{Language, PieceKind, Position};
use komadai::eval::{Explanation, Group, Term, TermChange};
use komadai_console::state_json::side_word;
use serde_json::{Value, json};

use super::comparison::Comparison;

/// Returns the explanation of a position; values are for Black.
pub(super) fn explanation(position: &Position, explanation: &Explanation, network: i32) -> Value {
    json!({
        "sfen": position,
        "side": side_word(position.side()),
        "score": explanation.score().raw(),
        "black": rounded(explanation.sum()),
        "network": network,
        "terms": explanation.largest().iter().map(term).collect::<Value>(),
    })
}

/// Returns the comparison of two positions; values are for Black.
pub(super) fn comparison(comparison: &Comparison) -> Value {
    json!({
        "before": position(&comparison.first, &comparison.before, comparison.networks[0]),
        "after": position(&comparison.second, &comparison.after, comparison.networks[1]),
        "move": comparison.m,
        "change": rounded(comparison.difference.sum()),
        "changes": comparison.difference.changes().iter().map(change).collect::<Value>(),
    })
}

fn position(position: &Position, explanation: &Explanation, network: i32) -> Value {
    json!({
        "sfen": position,
        "side": side_word(position.side()),
        "score": explanation.score().raw(),
        "black": rounded(explanation.sum()),
        "network": network,
    })
}

fn term(term: &Term) -> Value {
    json!({
        "group": group(term.group),
        "english": term.label(Language::English),
        "japanese": term.label(Language::Japanese),
        "owner": side_word(term.owner),
        "index": term.index,
        "place": term.group.place(term.index),
        "piece": term.kind.map(PieceKind::to_sfen),
        "square": term.square,
        "king": term.king,
        "times": rounded(term.times),
        "late": rounded(term.late),
        "value": rounded(term.value),
        "visits": term.visits,
    })
}

fn change(change: &TermChange) -> Value {
    json!({
        "group": group(change.group),
        "english": change.label(Language::English),
        "japanese": change.label(Language::Japanese),
        "owner": side_word(change.owner),
        "value": rounded(change.value()),
        "before": change.before.as_ref().map(term),
        "after": change.after.as_ref().map(term),
    })
}

fn group(group: Group) -> Value {
    json!({
        "name": group.name(),
        "english": group.label(Language::English),
        "japanese": group.label(Language::Japanese),
    })
}

/// Returns a value with three decimals. The further digits of an `f32` are noise.
fn rounded(value: f32) -> f64 {
    (f64::from(value) * 1000.0).round() / 1000.0
}
