//! The analysis as one JSON document. Its fields are described in the README of the crate.

use komadai::Color;
use komadai::analysis::game_analysis::{Effort, SideSummary};
use komadai::core::{Language, Score};
use komadai::eval::TesujiName;
use komadai::kifu::Record;
use komadai::kifu::formation::Formations;
use komadai_console::state_json::{score, side_word};
use serde_json::{Value, json};

use super::explanations::Explained;
use super::game_file::GameFile;
use super::game_text::{GameText, MoveText};
use super::options::AnalyseArgs;

/// Returns the document.
pub(super) fn document(
    arguments: &AnalyseArgs,
    game: &GameFile,
    text: &GameText<'_>,
    explanations: &[Explained],
) -> Value {
    let analysis = text.analysis;
    let header = &game.record.header;
    let mut moves: Vec<Value> = text.moves.iter().map(|row| move_value(text, row)).collect();
    for explained in explanations {
        moves[explained.index]["explanation"] = explanation(explained);
    }
    let last = analysis.plies.last();
    json!({
        "game": {
            "file": arguments.game_file().display().to_string(),
            "number": game.number,
            "black": header.player(Color::Black),
            "white": header.player(Color::White),
            "event": header.event(),
            "start": game.record.setup,
            "moves": game.record.moves.len(),
            "formations": formations(&game.record),
        },
        "engine": {
            "name": analysis.analyst.name,
            "version": analysis.analyst.version,
            "options": analysis.analyst.options,
        },
        "effort": match arguments.effort() {
            Effort::Time(time) => json!({ "seconds": time.as_secs_f64() }),
            _ => json!({ "nodes": arguments.nodes }),
        },
        "stopped": analysis.is_stopped,
        "illegal": analysis.illegal.as_ref().map(ToString::to_string),
        "moves": moves,
        "final": last.map(|ply| json!({
            "side": side_word(ply.side),
            "score": ply.score.map(score),
            "bound": ply.score.map(|_| ply.bound),
            "black": ply.black_score().map(score),
            "black_bound": ply.score.map(|_| ply.black_bound()),
            "pv": ply.pv[..],
            "failure": ply.failure.as_ref().map(ToString::to_string),
        })),
        "summary": {
            "black": summary(&analysis.summary(Color::Black)),
            "white": summary(&analysis.summary(Color::White)),
        },
    })
}

/// Returns the analysis of a move and of the position before it.
fn move_value(text: &GameText<'_>, row: &MoveText<'_>) -> Value {
    let ply = row.ply;
    let after: Option<Score> = row.after.black_score();
    json!({
        "ply": ply.ply,
        "side": side_word(ply.side),
        "move": ply.played,
        "name": row.name,
        "sfen": row.position,
        "score": ply.score.map(score),
        "bound": ply.score.map(|_| ply.bound),
        "black": ply.black_score().map(score),
        "black_bound": ply.score.map(|_| ply.black_bound()),
        "black_after": after.map(score),
        "black_after_bound": after.map(|_| row.after.black_bound()),
        "win_after": after.map(|score| rounded(text.analysis.win_probability(score))),
        "depth": ply.depth,
        "seldepth": ply.seldepth,
        "nodes": ply.nodes,
        "ms": u64::try_from(ply.time.as_millis()).unwrap_or(u64::MAX),
        "best": ply.best_move(),
        "pv": ply.pv[..],
        "pv_names": text.line(row, &ply.pv),
        "loss": ply.loss_cp,
        "loss_bound": ply.loss_cp.map(|_| ply.loss_bound),
        "win_loss": ply.loss_probability.map(rounded),
        "tesuji": tesuji(&row.tesuji),
        "best_tesuji": tesuji(&row.best_tesuji),
        "judgement": ply.judgement.map(|judgement| judgement.name()),
        "mate": ply.mate.as_deref(),
        "missed_mate": ply.missed_mate,
        "threatmate": row.after.threatmate.as_deref(),
        "two_move_threat": row.after.two_move_threat.as_ref().map(|threat| json!({
            "first": threat.first,
            "mate": threat.mate[..],
        })),
        "parries": ply.parried_mate(row.after).map(|mate| &mate[..]),
        "threat_probability": row.after.threat_probability.map(|p| rounded(f64::from(p))),
        "failure": ply.failure.as_ref().map(ToString::to_string),
    })
}

/// Returns the names of a move as a tesuji.
fn formations(record: &Record) -> Value {
    let found = Formations::of(record);
    let names = found.names().iter().map(|named| {
        json!({
            "side": side_word(named.side), "ply": named.ply,
            "kind": named.formation.kind().to_string(),
            "id": named.formation.id(), "english": named.formation.english(),
            "japanese": named.formation.japanese(),
        })
    });
    names.collect()
}

fn tesuji(names: &[TesujiName]) -> Value {
    let value = |name: &TesujiName| {
        json!({
            "name": name.name(),
            "english": name.label(Language::English),
            "japanese": name.label(Language::Japanese),
        })
    };
    names.iter().map(value).collect()
}

fn summary(summary: &SideSummary) -> Value {
    json!({
        "moves": summary.moves,
        "compared": summary.compared,
        "average_loss": summary.average_loss_cp().map(rounded),
        "agreement": summary.agreement().map(rounded),
        "best": summary.best,
        "inaccuracies": summary.inaccuracies,
        "mistakes": summary.mistakes,
        "blunders": summary.blunders,
        "missed_mates": summary.missed_mates,
    })
}

fn explanation(explained: &Explained) -> Value {
    let groups = explained.explanation.groups.iter().map(|change| {
        json!({
            "group": change.group.name(),
            "english": change.group.label(Language::English),
            "japanese": change.group.label(Language::Japanese),
            "value": rounded(f64::from(change.value)),
        })
    });
    json!({
        "best": explained.explanation.best[..],
        "played": explained.explanation.played[..],
        "groups": groups.collect::<Value>(),
    })
}

/// Returns a number with four decimals.
fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}
