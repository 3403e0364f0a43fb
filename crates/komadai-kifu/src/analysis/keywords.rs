//! Comments of keywords with values: `*解析 0 候補1 時間 00:15.9 深さ 54/60 評価値 207 読み筋 ▲同　歩(87)`.

use std::time::Duration;

use komadai_core::{Bound, Position, Score};

use super::line::read_line;
use super::{AnalysisSource, RecordAnalysis};

/// Reads a comment of ShogiGUI or Kishin Analytics; `None` if it has neither value nor line.
pub(super) fn read_keywords(text: &str, after: &Position) -> Option<RecordAnalysis> {
    let source = match text {
        _ if text.starts_with("*解析 ") || text.starts_with("*検討 ") => {
            AnalysisSource::ShogiGuiAnalysis
        }
        _ if text.starts_with("*対局 ") => AnalysisSource::ShogiGuiGame,
        _ if text.starts_with("* ") && text.contains(" 評価値 ") => AnalysisSource::Kishin,
        _ => return None,
    };
    let mut analysis = RecordAnalysis::new(source);
    let (values, line) = text.split_once(" 読み筋").unwrap_or((text, ""));
    let mut words = values.split_ascii_whitespace().skip(1).peekable();
    while let Some(word) = words.next() {
        match word {
            "時間" => analysis.time = words.next().and_then(parse_time),
            "深さ" => {
                let (depth, longest) = words
                    .next()
                    .map_or(("", ""), |word| word.split_once('/').unwrap_or((word, "")));
                (analysis.depth, analysis.seldepth) = (depth.parse().ok(), longest.parse().ok());
            }
            "ノード数" => analysis.nodes = words.next().and_then(|word| word.parse().ok()),
            "評価値" => {
                let score = words.next().unwrap_or("");
                let plies = words.peek().and_then(|word| word.trim_end_matches('手').parse().ok());
                (analysis.black_score, analysis.bound) = parse_score(score, plies);
            }
            _ => {
                if let Some(rank) = word.strip_prefix("候補") {
                    analysis.rank = rank.parse().ok();
                }
            }
        }
    }
    analysis.pv = read_line(line, after);
    let says_something = analysis.black_score.is_some() || !analysis.pv.is_empty();
    says_something.then_some(analysis)
}

/// The arrows after a value that is a bound, of ShogiGUI. Shift_JIS has them, but not `≥` and `≤`.
const ARROWS: [(char, Bound); 2] = [('↑', Bound::Lower), ('↓', Bound::Upper)];

/// Returns the arrow that follows a value in a comment: `↑` if it is a lower bound, `↓` if it is an
/// upper one.
///
/// # Examples
///
/// ```
/// use komadai_core::Bound;
/// use komadai_kifu::analysis::bound_arrow;
///
/// assert_eq!(format!("*評価値=104{}", bound_arrow(Bound::Lower)), "*評価値=104↑");
/// assert_eq!(bound_arrow(Bound::Exact), "");
/// ```
pub fn bound_arrow(bound: Bound) -> &'static str {
    match bound {
        Bound::Exact => "",
        Bound::Lower => "↑",
        Bound::Upper => "↓",
    }
}

/// Splits the arrow from the end of a text.
pub(super) fn split_bound(text: &str) -> (&str, Bound) {
    for (arrow, bound) in ARROWS {
        if let Some(rest) = text.trim_end().strip_suffix(arrow) {
            return (rest.trim_end(), bound);
        }
    }
    (text, Bound::Exact)
}

/// Reads a value for Black: `207`, `-35↑`, `+詰`, `-詰5`. `plies` is a length in the next word.
fn parse_score(word: &str, plies: Option<u32>) -> (Option<Score>, Bound) {
    let (number, bound) = split_bound(word);
    let Some((sign, length)) = number.split_once('詰') else {
        return (centipawns(number), bound);
    };
    let length = length.trim_matches(|c: char| !c.is_ascii_digit()).parse().ok().or(plies);
    let mate = length.map_or(Score::MATE_OF_UNKNOWN_LENGTH, Score::mate_in);
    (Some(if sign.starts_with('-') { -mate } else { mate }), bound)
}

/// Reads a number of centipawns, which may have decimals. From 30,000 on it is a mate.
pub(super) fn centipawns(number: &str) -> Option<Score> {
    let is_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | '+' | '-');
    let value: f64 = number.parse().ok().filter(|_| number.chars().all(is_number))?;
    let largest = f64::from(Score::MAX_CP);
    Some(match value.round() {
        value if value >= largest => Score::MATE_OF_UNKNOWN_LENGTH,
        value if value <= -largest => -Score::MATE_OF_UNKNOWN_LENGTH,
        value => Score::cp(value as i32),
    })
}

/// Reads a time such as `00:15.9` or `1:02:03`.
fn parse_time(word: &str) -> Option<Duration> {
    let mut seconds = 0.0;
    for part in word.split(':') {
        let value: f64 = part.parse().ok().filter(|value| (0.0..1e6).contains(value))?;
        seconds = seconds * 60.0 + value;
    }
    // Rounded to milliseconds: 15.9 has no exact value in base 2.
    Some(Duration::from_millis((seconds * 1_000.0).round() as u64))
}
