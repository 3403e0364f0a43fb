//! Statistics as JSON.

use komadai::kifu::FilesReport;
use komadai::kifu::statistics::RecordStatistics;
use serde_json::{Value, json};

use super::text::{name_of, usi};

pub(super) fn of(found: &RecordStatistics, files: &FilesReport, top: usize) -> Value {
    let lengths = &found.lengths;
    let ends = found.ends();
    let ends = ends.iter().map(|&(end, games)| json!({ "end": name_of(end), "games": games }));
    let rooks = found.rooks();
    let rooks = rooks.iter().map(|&([black, white], games)| {
        json!({ "black": black.to_string(), "white": white.to_string(), "results": games })
    });
    let lines = found.first_lines();
    let lines = lines
        .iter()
        .take(top)
        .map(|&(moves, games)| json!({ "moves": usi(moves), "results": games }));
    let players = found.players();
    let players = players.iter().take(top).map(|(name, player)| {
        json!({
            "name": name, "games": player.games, "wins": player.wins, "draws": player.draws,
            "losses": player.losses, "rating": player.rating,
        })
    });
    let ratings = found.ratings();
    let ratings = ratings.iter().map(|(from, count)| json!({ "from": from, "count": count }));
    json!({
        "games": found.results.games(),
        "files": files.files,
        "failed_files": files.failed,
        "faults": files.faults,
        "lost_moves": files.lost_moves,
        "with_times": found.with_times,
        "with_variations": found.with_variations,
        "other_starts": found.other_starts,
        "results": found.results,
        "plies": {
            "mean": lengths.mean(),
            "shortest": lengths.quantile(0.0),
            "median": lengths.quantile(0.5),
            "longest": lengths.quantile(1.0),
        },
        "ends": ends.collect::<Value>(),
        "openings": rooks.collect::<Value>(),
        "first_moves": lines.collect::<Value>(),
        "players": players.collect::<Value>(),
        "ratings": ratings.collect::<Value>(),
    })
}
