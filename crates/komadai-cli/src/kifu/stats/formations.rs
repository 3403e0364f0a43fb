//! Castles or strategies and their results, as text and JSON.

use std::fmt::Write as _;

use komadai::kifu::formation::{Formation, FormationKind};
use komadai::kifu::statistics::{FormationResults, FormationStatistics};
use komadai_console::{grouped, padded};
use serde_json::{Value, json};

/// The widths of the columns of names.
const NAME_CELLS: usize = 32;
const BOTH_CELLS: usize = 56;

/// Returns the castles or strategies, and the most frequent pairs of them.
pub(super) fn text(found: &FormationStatistics, top: usize) -> String {
    let mut text = String::new();
    let kind = found.kind();
    head(&mut text, &kind.to_string(), BOTH_CELLS);
    for (formation, results) in found.results() {
        let name = format!("{}{}", padded(formation.english(), NAME_CELLS), formation.japanese());
        row(&mut text, &name, BOTH_CELLS, &results);
    }
    _ = writeln!(text, "no {kind} known by name: {}", grouped(found.without()));
    let pairs = found.pairs();
    if top > 0 && !pairs.is_empty() {
        text.push('\n');
        head(&mut text, &format!("{kind} against {kind}"), BOTH_CELLS);
        for ([own, other], results) in pairs.into_iter().take(top) {
            let name = format!("{own} – {other}");
            row(&mut text, &name, BOTH_CELLS, &results);
        }
    }
    text
}

fn head(text: &mut String, title: &str, cells: usize) {
    let [games, won, drawn, lost] = ["games", "won", "drawn", "lost"];
    let (points, interval) = ("points %", "95 %");
    _ = writeln!(
        text,
        "{} {games:>8} {won:>8} {drawn:>7} {lost:>8} {points:>8}  {interval:16} above the ratings",
        padded(title, cells),
    );
}

fn row(text: &mut String, name: &str, cells: usize, results: &FormationResults) {
    let FormationResults { wins, draws, losses, rated, .. } = *results;
    let [games, wins, draws, losses] = [results.games(), wins, draws, losses].map(grouped);
    let [share, low, high] = results.share().unwrap_or_default().map(|share| 100.0 * share);
    let interval = format!("[{low:.1}, {high:.1}]");
    let above = results
        .above_expectation()
        .map_or("-".to_owned(), |above| format!("{:+.1} % in {}", 100.0 * above, grouped(rated)));
    let name = padded(name, cells);
    _ = writeln!(
        text,
        "{name} {games:>8} {wins:>8} {draws:>7} {losses:>8} {share:>8.1}  {interval:16} {above}"
    );
}

/// Returns the same as a document.
pub(super) fn value(found: &FormationStatistics, games: u64, top: usize) -> Value {
    let kind = found.kind().to_string();
    let results = found.results().into_iter().map(|(formation, results)| {
        let mut value = results_value(&results);
        value[&kind] = name(formation);
        value
    });
    let pairs = found.pairs().into_iter().take(top);
    let pairs = pairs.map(|([own, other], results)| {
        let mut value = results_value(&results);
        (value[&kind], value["opponent"]) = (name(own), name(other));
        value
    });
    let all = match found.kind() {
        FormationKind::Castle => "castles",
        FormationKind::Strategy => "strategies",
    };
    json!({
        "games": games,
        all: results.collect::<Value>(),
        "pairs": pairs.collect::<Value>(),
        "without": found.without(),
    })
}

fn name(formation: Formation) -> Value {
    json!({
        "id": formation.id(), "english": formation.english(), "japanese": formation.japanese(),
    })
}

fn results_value(results: &FormationResults) -> Value {
    json!({
        "games": results.games(), "wins": results.wins, "draws": results.draws,
        "losses": results.losses,
        "share": results.share().map(|[share, ..]| share),
        "interval": results.share().map(|[_, low, high]| [low, high]),
        "rated": results.rated,
        "above_ratings": results.above_expectation(),
    })
}
