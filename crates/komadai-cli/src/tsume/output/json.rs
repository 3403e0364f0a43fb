//! Answers as JSON, one object a line. The fields are described in the README of the crate.

use komadai::core::Move;
use komadai::kifu::Notation;
use komadai::movegen::MateResult;
use serde_json::{Value, json};

use super::{Solved, limit_word};
use crate::tsume::options::TsumeArgs;

/// Returns the object of an answer with its line end.
pub(super) fn object(solved: &Solved<'_>, arguments: &TsumeArgs) -> String {
    format!("{}\n", value(solved, arguments))
}

/// Returns an answer as a value.
fn value(solved: &Solved<'_>, arguments: &TsumeArgs) -> Value {
    let report = solved.report;
    let line = solved.line();
    let mut value = json!({
        "id": solved.id,
        "sfen": solved.position.to_string(),
        "result": result_word(solved),
        "plies": (!line.is_empty()).then_some(line.len()),
        "shortest": (!line.is_empty()).then_some(solved.is_shortest()),
        "moves": (!line.is_empty()).then(|| line.iter().map(Move::to_string).collect::<Vec<_>>()),
        "first": solved.first().map(|m| m.to_string()),
        "mate_within": report.mate_within,
        "no_mate_within": solved.no_mate_within(),
        "limit": report.limit.map(limit_word),
        "nodes": report.nodes,
        "ms": u64::try_from(solved.elapsed.as_millis()).unwrap_or(u64::MAX),
        "memory_bytes": report.memory_bytes,
    });
    if arguments.japanese {
        let names = solved.names(line, Notation::Japanese);
        value["names"] = json!((!line.is_empty()).then_some(names));
    }
    value
}

/// Returns the word for a result.
pub(super) fn result_word(solved: &Solved<'_>) -> &'static str {
    match solved.report.result {
        MateResult::Mate { .. } | MateResult::MateWithoutLine { .. } => "mate",
        MateResult::NoMate => "nomate",
        _ => "unknown",
    }
}

/// Returns the id of an answer; `None` if the line is none.
pub(super) fn id_of(line: &str) -> Option<String> {
    let value: Value = serde_json::from_str(line).ok()?;
    value["id"].as_str().map(str::to_owned)
}
