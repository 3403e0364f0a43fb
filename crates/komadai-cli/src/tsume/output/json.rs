//! Answers as JSON, one object a line. The fields are described in the README of the crate.

use std::path::PathBuf;

use komadai::core::Language;
use komadai::kifu::Notation;
use komadai::movegen::MateResult;
use komadai::problems::composition::CompositionReport;
use serde_json::{Value, json};

use super::solved::{Solved, limit_word};
use crate::tsume::extras::Extras;
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
        "sfen": solved.position,
        "result": result_word(solved),
        "plies": (!line.is_empty()).then_some(line.len()),
        "shortest": (!line.is_empty()).then_some(solved.is_shortest()),
        "moves": (!line.is_empty()).then_some(line),
        "first": solved.first(),
        "mate_within": report.mate_within,
        "no_mate_within": solved.no_mate_within(),
        "limit": report.limit.map(limit_word),
        "nodes": report.nodes,
        "ms": u64::try_from(solved.elapsed.as_millis()).unwrap_or(u64::MAX),
        "memory_bytes": report.memory_bytes,
    });
    if arguments.language() == Language::Japanese {
        let names = solved.names(line, Notation::Japanese);
        value["names"] = json!((!line.is_empty()).then_some(names));
    }
    add_extras(&mut value, solved.extras);
    value
}

/// Adds what was asked for.
fn add_extras(value: &mut Value, extras: &Extras) {
    if let Some(all) = &extras.all {
        let first_moves = all.first_moves.iter();
        let lines = all.lines.as_ref();
        value["all"] = json!({
            "first_moves": first_moves
                .map(|first| json!({
                    "move": first.m,
                    "mate_within": first.plies,
                    "shortest": first.is_exact,
                }))
                .collect::<Value>(),
            "undecided": all.undecided[..],
            "lines": lines.ok().map(|lines| &lines.lines),
            "complete": lines.is_ok_and(|lines| lines.is_complete),
            "error": lines.err().map(ToString::to_string),
        });
    }
    if let Some(composition) = &extras.composition {
        value["composition"] = match composition {
            Ok(report) => composition_value(report),
            Err(error) => json!({ "error": error.to_string() }),
        };
    }
    for (name, written) in [("tree", &extras.tree), ("certificate", &extras.certificate)] {
        let paths = |files: &Vec<PathBuf>| -> Vec<String> {
            files.iter().map(|file| file.display().to_string()).collect()
        };
        match written {
            None => {}
            Some(Ok(files)) => value[name] = json!({ "files": paths(files) }),
            Some(Err(error)) => value[name] = json!({ "error": error }),
        }
    }
}

fn composition_value(report: &CompositionReport) -> Value {
    let cooks = report.cooks.iter().map(|cook| {
        json!({
            "ply": cook.ply,
            "kind": cook.kind.to_string(),
            "japanese": cook.kind.japanese(),
            "tolerated": cook.kind.is_tolerated(),
            "moves": cook.moves[..],
            "plies": cook.plies,
        })
    });
    let leftover = report.leftover.iter();
    json!({
        "sound": report.is_complete().then_some(report.is_sound()),
        "strict": report.lengths.strict,
        "literature": report.lengths.literature,
        "line": report.line[..],
        "leftover": leftover.map(|(kind, count)| (kind.to_kanji().to_string(), json!(count)))
            .collect::<serde_json::Map<_, _>>(),
        "cooks": cooks.collect::<Value>(),
        "unsettled": report.unsettled.iter()
            .map(|(ply, m)| json!({ "ply": ply, "move": m })).collect::<Value>(),
        "examined_from": report.examined_from,
    })
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
