//! Statistics as rows of names and values.

use komadai_base::text::grouped;
use komadai_data::tools::Statistics;

/// Names and values under a heading.
pub(super) struct Section {
    pub(super) title: &'static str,
    pub(super) rows: Vec<(String, String)>,
}

/// Returns statistics of training data as text, a number on each line.
pub fn statistics_text(found: &Statistics) -> String {
    let mut text = String::new();
    for section in sections(found) {
        text += &format!("{}\n", section.title);
        for (name, value) in &section.rows {
            text += &format!("  {name:<30} {value}\n");
        }
    }
    text
}

/// Returns all numbers, for the text and for the page.
pub(super) fn sections(found: &Statistics) -> Vec<Section> {
    vec![data(found), games(found), scores(found), positions(found)]
}

fn data(found: &Statistics) -> Section {
    let sample = found.duplicates.sample;
    let duplicates = format!("{:.2} %", 100.0 * found.duplicates.share);
    let duplicates = if sample == found.records {
        duplicates
    } else {
        format!("{duplicates} (of {} records)", grouped(sample))
    };
    let rows = vec![
        row("files", grouped(found.files)),
        row("records", grouped(found.records)),
        row("damaged", grouped(found.damaged)),
        row("duplicates", duplicates),
    ];
    Section { title: "Data", rows }
}

fn games(found: &Statistics) -> Section {
    let games = &found.games;
    let share = |count| part(count, games.games);
    let mean = found.records as f64 / games.games.max(1) as f64;
    let [shortest, longest] = games.extremes;
    let rows = vec![
        row("games", grouped(games.games)),
        row("Black won", share(games.black_wins)),
        row("White won", share(games.white_wins)),
        row("draws", share(games.draws)),
        row("ended with a mate score", share(games.ends_with_mate)),
        row("records of a game", format!("{mean:.1} ({shortest} to {longest})")),
    ];
    Section { title: "Games", rows }
}

fn scores(found: &Statistics) -> Section {
    let scores = &found.scores;
    let results = found.results;
    let scale = match &found.calibration {
        Some(calibration) => format!("{:.0} cp", calibration.scale),
        None => "-".to_owned(),
    };
    let share = |count| part(count, found.records);
    let rows = vec![
        row("side to move won", share(results.wins)),
        row("draw", share(results.draws)),
        row("side to move lost", share(results.losses)),
        row("mate scores", share(scores.mates)),
        row("mean score", format!("{:+.0} cp", scores.mean)),
        row("standard deviation", format!("{:.0} cp", scores.deviation)),
        row("median size of scores", format!("{:.0} cp", scores.median_size)),
        row("scale of results", scale),
    ];
    Section { title: "Scores and results", rows }
}

fn positions(found: &Statistics) -> Section {
    let counts = found.positions;
    let share = |count| part(count, found.records);
    let mut rows = vec![
        row("Black to move", share(counts.black_to_move)),
        row("in check", share(counts.checks)),
        row("best move captures", share(counts.captures)),
        row("best move promotes", share(counts.promotions)),
        row("best move drops", share(counts.drops)),
        row("without best move", share(counts.without_move)),
        row("quiet", share(counts.quiet)),
        row("a king in the other camp", share(counts.entered_kings)),
    ];
    let kinds = ["pawns", "lances", "knights", "silvers", "bishops", "rooks", "golds"];
    for (kind, mean) in kinds.into_iter().zip(found.mean_in_hand) {
        rows.push(row(format!("{kind} in both hands"), format!("{mean:.2}")));
    }
    Section { title: "Positions", rows }
}

fn row(name: impl Into<String>, value: String) -> (String, String) {
    (name.into(), value)
}

/// Returns a count with its share of a whole.
fn part(count: u64, whole: u64) -> String {
    format!("{} ({:.2} %)", grouped(count), 100.0 * count as f64 / whole.max(1) as f64)
}
