//! Statistics as rows of names and values.

use komadai_base::text::grouped;
use komadai_core::Language;
use komadai_data::tools::Statistics;

/// Names and values under a heading.
pub(super) struct Section {
    pub(super) title: &'static str,
    pub(super) rows: Vec<(String, String)>,
}

/// Returns statistics of training data as text, a number on each line.
pub fn statistics_text(found: &Statistics, language: Language) -> String {
    let mut text = String::new();
    for section in sections(found, language) {
        text += &format!("{}\n", section.title);
        for (name, value) in &section.rows {
            // Kana and kanji take two cells of a terminal.
            let cells: usize = name.chars().map(|c| if c.is_ascii() { 1 } else { 2 }).sum();
            let blanks = " ".repeat(30_usize.saturating_sub(cells));
            text += &format!("  {name}{blanks} {value}\n");
        }
    }
    text
}

/// Returns all numbers, for the text and for the page.
pub(super) fn sections(found: &Statistics, language: Language) -> Vec<Section> {
    let all = [data, games, scores, positions];
    all.map(|section| section(found, language)).into()
}

fn data(found: &Statistics, language: Language) -> Section {
    let sample = found.duplicates.sample;
    let duplicates = format!("{:.2} %", 100.0 * found.duplicates.share);
    let duplicates = if sample == found.records {
        duplicates
    } else {
        let sample = grouped(sample);
        language.choose(
            format!("{duplicates} (of {sample} records)"),
            format!("{duplicates}（{sample} レコード中）"),
        )
    };
    let rows = vec![
        row(language.choose("files", "ファイル"), grouped(found.files)),
        row(language.choose("records", "レコード"), grouped(found.records)),
        row(language.choose("damaged", "破損"), grouped(found.damaged)),
        row(language.choose("duplicates", "重複"), duplicates),
    ];
    Section { title: language.choose("Data", "データ"), rows }
}

fn games(found: &Statistics, language: Language) -> Section {
    let games = &found.games;
    let share = |count| part(count, games.games);
    let mean = found.records as f64 / games.games.max(1) as f64;
    let [shortest, longest] = games.extremes;
    let rows = vec![
        row(language.choose("games", "対局"), grouped(games.games)),
        row(language.choose("Black won", "先手の勝ち"), share(games.black_wins)),
        row(language.choose("White won", "後手の勝ち"), share(games.white_wins)),
        row(language.choose("draws", "引き分け"), share(games.draws)),
        row(
            language.choose("ended with a mate score", "詰みの評価で終了"),
            share(games.ends_with_mate),
        ),
        row(
            language.choose("records of a game", "1 局のレコード"),
            language.choose(
                format!("{mean:.1} ({shortest} to {longest})"),
                format!("{mean:.1}（{shortest}～{longest}）"),
            ),
        ),
    ];
    Section { title: language.choose("Games", "対局"), rows }
}

fn scores(found: &Statistics, language: Language) -> Section {
    let scores = &found.scores;
    let results = found.results;
    let scale = match &found.calibration {
        Some(calibration) => format!("{:.0} cp", calibration.scale),
        None => "-".to_owned(),
    };
    let share = |count| part(count, found.records);
    let rows = vec![
        row(language.choose("side to move won", "手番側の勝ち"), share(results.wins)),
        row(language.choose("draw", "引き分け"), share(results.draws)),
        row(language.choose("side to move lost", "手番側の負け"), share(results.losses)),
        row(language.choose("mate scores", "詰みの評価"), share(scores.mates)),
        row(language.choose("mean score", "評価値の平均"), format!("{:+.0} cp", scores.mean)),
        row(
            language.choose("standard deviation", "標準偏差"),
            format!("{:.0} cp", scores.deviation),
        ),
        row(
            language.choose("median size of scores", "評価値の大きさの中央値"),
            format!("{:.0} cp", scores.median_size),
        ),
        row(language.choose("scale of results", "勝率の尺度"), scale),
    ];
    Section { title: language.choose("Scores and results", "評価値と結果"), rows }
}

fn positions(found: &Statistics, language: Language) -> Section {
    let counts = found.positions;
    let share = |count| part(count, found.records);
    let mut rows = vec![
        row(language.choose("Black to move", "先手番"), share(counts.black_to_move)),
        row(language.choose("in check", "王手がかかっている"), share(counts.checks)),
        row(language.choose("best move captures", "最善手が駒を取る"), share(counts.captures)),
        row(language.choose("best move promotes", "最善手が成る"), share(counts.promotions)),
        row(language.choose("best move drops", "最善手が打つ"), share(counts.drops)),
        row(language.choose("without best move", "最善手なし"), share(counts.without_move)),
        row(language.choose("quiet", "静かな局面"), share(counts.quiet)),
        row(language.choose("a king in the other camp", "入玉"), share(counts.entered_kings)),
    ];
    let kinds = language.choose(
        ["pawns", "lances", "knights", "silvers", "bishops", "rooks", "golds"],
        ["歩", "香", "桂", "銀", "角", "飛", "金"],
    );
    for (kind, mean) in kinds.into_iter().zip(found.mean_in_hand) {
        let name = language.choose(format!("{kind} in both hands"), format!("両者の持駒の{kind}"));
        rows.push(row(name, format!("{mean:.2}")));
    }
    Section { title: language.choose("Positions", "局面"), rows }
}

fn row(name: impl Into<String>, value: String) -> (String, String) {
    (name.into(), value)
}

/// Returns a count with its share of a whole.
fn part(count: u64, whole: u64) -> String {
    format!("{} ({:.2} %)", grouped(count), 100.0 * count as f64 / whole.max(1) as f64)
}
