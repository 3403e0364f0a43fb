//! The data of a report as JSON. Values are centipawns for Black, or mates in USI notation; moves
//! are in USI notation, positions in SFEN.

use komadai::book::games::{PruneCandidate, UseGroup, WinDrawLoss};
use komadai::bookgraph::Basis;
use komadai::report::book_page::{
    Disagreement, EnginePair, FirstMove, LineEnd, LineMove, MainLines, MatchData, ReportData,
    ValueChange, ValueChanges, WorkingData,
};
use komadai_console::state_json::{count, score, side_word, state};
use serde_json::{Value, json};

use crate::book::growth::branches::point_json;
use crate::book::working::sources::share_json;
use crate::book::working::undo::tombstone_json;

/// Returns all data, in the order of the page.
pub(super) fn of(data: &ReportData) -> Value {
    json!({
        "title": data.title,
        "root": data.root,
        "window": data.window,
        "eval_diff": data.eval_diff,
        "now": state(&data.now),
        "frontier_steps": data.frontier_steps.iter().map(count).collect::<Value>(),
        "depths": {
            "by_plies": data.depths.by_plies,
            "repetitions": data.depths.repetitions,
            "perpetual_checks": data.depths.perpetual_checks,
            "without_value": data.depths.without_value,
        },
        "first_moves": data.first_moves.iter().map(first_move).collect::<Value>(),
        "lines": data.lines.iter().map(lines).collect::<Value>(),
        "working": data.working.as_ref().map(working),
    })
}

fn first_move(first: &FirstMove) -> Value {
    json!({
        "move": first.m,
        "value": score(first.value),
        "plies": first.plies,
        "basis": match first.basis {
            Basis::Leaf => "leaf",
            Basis::Repetition => "repetition",
            Basis::PerpetualCheck => "perpetual check",
        },
        "games": first.games,
        "results": results(first.results),
    })
}

fn lines(lines: &MainLines) -> Value {
    json!({
        "side": side_word(lines.side),
        "lines": lines.lines,
        "left_out": lines.omitted,
        "moves": lines.moves.iter().map(line_move).collect::<Value>(),
    })
}

fn line_move(listed: &LineMove) -> Value {
    json!({
        "move": listed.m,
        "value": score(listed.value),
        "games": listed.games,
        "results": results(listed.results),
        "end": listed.end.map(|end| match end {
            LineEnd::LeavesBook => "leaves book",
            LineEnd::Joins => "joins",
            LineEnd::OutsideWindow => "outside window",
            _ => "goes on",
        }),
        "next": listed.next.iter().map(line_move).collect::<Value>(),
    })
}

fn working(working: &WorkingData) -> Value {
    let deletions = &working.deletions;
    let inputs = working.inputs.iter();
    json!({
        "policy": format!("{:?}", working.policy),
        "history": working.history.iter().map(state).collect::<Value>(),
        "changes": working.changes.as_ref().map(changes),
        "engines": working.engines.iter().map(share_json).collect::<Value>(),
        "all_engines": working.all_engines,
        "pairs": working.pairs.iter().map(pair).collect::<Value>(),
        "matches": working.matches.as_ref().map(matches),
        "deletions": {
            "in_force": deletions.in_force,
            "undone": deletions.undone,
            "latest": deletions.latest.iter().map(tombstone_json).collect::<Value>(),
        },
        "inputs": inputs.map(|input| json!({ "name": input.name, "games": input.games })).collect::<Value>(),
        "all_inputs": working.all_inputs,
    })
}

fn changes(changes: &ValueChanges) -> Value {
    let change = |change: &ValueChange| {
        json!({
            "position": change.position,
            "before": score(change.before),
            "after": score(change.after),
            "best_before": change.best_before,
            "best_after": change.best_after,
        })
    };
    json!({
        "since": changes.since,
        "compared": changes.compared,
        "changed": changes.changed,
        "gained": changes.gained,
        "lost": changes.lost,
        "biggest": changes.biggest.iter().map(change).collect::<Value>(),
    })
}

fn pair(pair: &EnginePair) -> Value {
    let apart = |apart: &Disagreement| {
        json!({
            "position": apart.position,
            "move": apart.m,
            "one": score(apart.one),
            "other": score(apart.other),
        })
    };
    json!({
        "one": pair.one.to_string(),
        "other": pair.other.to_string(),
        "moves": pair.moves,
        "scale": pair.shift.map(|shift| json!({
            "slope": shift.robust.slope,
            "intercept": shift.robust.intercept,
            "spread": shift.robust.spread,
            "correlation": shift.correlation,
        })),
        "furthest": pair.furthest.iter().map(apart).collect::<Value>(),
    })
}

fn matches(matches: &MatchData) -> Value {
    json!({
        "games": matches.games,
        "unusable": matches.unusable,
        "results": results(matches.results),
        "by_generation": matches.by_generation.groups.iter().map(group).collect::<Value>(),
        "by_opponent": matches.by_opponent.groups.iter().map(group).collect::<Value>(),
        "opponents": matches.opponents,
        "candidates": matches.candidates.iter().map(candidate).collect::<Value>(),
        "all_candidates": matches.all_candidates,
        "branches": matches.branches.iter().map(point_json).collect::<Value>(),
    })
}

fn group(group: &UseGroup) -> Value {
    json!({
        "generation": group.generation,
        "opponent": group.opponent,
        "results": results(group.results),
        "mean_length": group.mean_length,
        "longest": group.longest,
        "left": group.left,
        "scored": group.scored,
        "ahead": group.ahead,
        "mean_score": group.mean_score,
        "own_thought_at": group.own_thought_at,
        "opponent_thought_at": group.opponent_thought_at,
        "mean_lead_ms": group.mean_lead_ms,
    })
}

fn candidate(candidate: &PruneCandidate) -> Value {
    json!({
        "position": candidate.position,
        "move": candidate.m,
        "opponent": candidate.opponent,
        "results": results(candidate.results),
        "reason": candidate.reason.name(),
        "hold": candidate.hold.map(|hold| hold.name()),
        "distinct_games": candidate.distinct_games,
        "alternatives": candidate.alternatives,
        "games": candidate.games.iter().map(|game| game.number).collect::<Vec<_>>(),
    })
}

fn results(results: WinDrawLoss) -> Value {
    json!([results.wins, results.draws, results.losses])
}
