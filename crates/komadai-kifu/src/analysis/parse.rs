//! The reader of evaluations in comments.

use komadai_core::{Bound, Position, Score};
use komadai_movegen::is_legal;

use super::keywords::{centipawns, read_keywords, split_bound};
use super::line::read_line;
use super::{AnalysisSource, RecordAnalysis};
use crate::comment::Comment;
use crate::record::Record;
use crate::variation::Line;

/// Reads the evaluations in the comments on a position, first to last.
///
/// `after` is the position after the move that has the comments, in which the lines begin. Comments
/// that are no evaluations are passed over.
///
/// # Examples
///
/// ```
/// use komadai_core::{Position, Score};
/// use komadai_kifu::Comment;
/// use komadai_kifu::analysis::parse_analyses;
///
/// let comments = ["互角", "*評価値=-35", "*読み筋=▲２五歩△８五歩", "*深さ=8", "*エンジン=abc"];
/// let comments = comments.map(|text| Comment::Note(text.to_owned()));
/// let position = Position::hirate().after("2g2f".parse()?).after("8c8d".parse()?);
/// let analyses = parse_analyses(&comments, &position);
/// assert_eq!(analyses[0].black_score, Some(Score::cp(-35)));
/// assert_eq!(analyses[0].pv, ["2f2e".parse()?, "8d8e".parse()?]);
/// assert_eq!((analyses[0].depth, analyses[0].engine.as_deref()), (Some(8), Some("abc")));
/// # Ok::<(), komadai_core::UsiError>(())
/// ```
pub fn parse_analyses(comments: &[Comment], after: &Position) -> Vec<RecordAnalysis> {
    let mut found = Vec::new();
    for text in comments.iter().flat_map(|comment| comment.text().lines()) {
        if add_shogihome(text, after, &mut found) {
            continue;
        }
        let analysis = read_keywords(text, after)
            .or_else(|| read_floodgate(text, after))
            .or_else(|| read_kshogi(text));
        found.extend(analysis);
    }
    found
}

impl Record {
    /// Returns the evaluations in the comments on the path to the end of a line, each with the
    /// number of the move that it follows, 0 for the start.
    ///
    /// They end at the first illegal move, because the lines of evaluations need a position.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_kifu::{Line, Tolerance, parse_csa};
    ///
    /// let text = "PI\n+\n'** 20\n+7776FU\n'** 35 -3334FU\n-8384FU\n";
    /// let game = parse_csa(text, Tolerance::Strict)?.records.remove(0);
    /// let plies: Vec<usize> = game.analyses(Line::Main).iter().map(|(ply, _)| *ply).collect();
    /// assert_eq!(plies, [0, 1]);
    /// # Ok::<(), komadai_kifu::KifuError>(())
    /// ```
    pub fn analyses(&self, line: Line) -> Vec<(usize, RecordAnalysis)> {
        let Ok(mut position) = Position::from_setup_leniently(&self.setup) else {
            return Vec::new();
        };
        let at = |ply, comments: &[Comment], position: &Position| {
            parse_analyses(comments, position).into_iter().map(move |analysis| (ply, analysis))
        };
        let mut found: Vec<_> = at(0, &self.comments, &position).collect();
        for (index, played) in self.path(line).into_iter().enumerate() {
            if !is_legal(&position, played.m) {
                break;
            }
            position.do_move(played.m);
            if !played.comments.is_empty() {
                found.extend(at(index + 1, &played.comments, &position));
            }
        }
        found
    }
}

/// Reads `* 104 -3334FU +2726FU #1234 ↑`: value, line, nodes and bound. A text without the star
/// counts if a line follows the value.
fn read_floodgate(text: &str, after: &Position) -> Option<RecordAnalysis> {
    let (rest, has_star) = match text.strip_prefix('*') {
        Some(rest) => (rest, true),
        None => (text.strip_prefix(' ')?, false),
    };
    let (rest, bound) = split_bound(rest);
    let (number, rest) = rest.trim_start().split_once(' ').unwrap_or((rest.trim(), ""));
    let mut analysis = RecordAnalysis::new(AnalysisSource::Floodgate);
    (analysis.black_score, analysis.bound) = (Some(centipawns(number)?), bound);
    let (line, nodes) = rest.split_once('#').unwrap_or((rest, ""));
    analysis.nodes = nodes.trim().parse().ok();
    analysis.pv = read_line(line, after);
    (has_star || !analysis.pv.is_empty()).then_some(analysis)
}

/// Reads `#指し手[72]` and `#形勢[-35]`.
fn read_kshogi(text: &str) -> Option<RecordAnalysis> {
    let rest = text.strip_prefix("#指し手[").or_else(|| text.strip_prefix("#形勢["))?;
    let mut analysis = RecordAnalysis::new(AnalysisSource::KShogi);
    analysis.black_score = Some(centipawns(rest.split_once(']')?.0)?);
    Some(analysis)
}

/// Adds a line of ShogiHome, `*評価値=-35`, to the analysis that the lines before it began. A key
/// that occurs again begins another analysis. Returns false if the text is no such line.
fn add_shogihome(text: &str, after: &Position, found: &mut Vec<RecordAnalysis>) -> bool {
    let (source, rest) = match (text.strip_prefix('*'), text.strip_prefix('#')) {
        (Some(rest), _) => (AnalysisSource::ShogiHomePlayer, rest),
        (_, Some(rest)) => (AnalysisSource::ShogiHomeResearch, rest),
        (None, None) => return false,
    };
    let Some((key, value)) = rest.split_once('=') else { return false };
    let mut read = RecordAnalysis::new(source);
    match key {
        "評価値" | "詰み" => {
            let (value, bound) = split_bound(value);
            let score = if key == "詰み" { parse_mate(value) } else { centipawns(value.trim()) };
            // A bound without a value is nothing.
            (read.black_score, read.bound) = (score, score.map_or(Bound::Exact, |_| bound));
        }
        "読み筋" => read.pv = read_line(value, after),
        "深さ" => read.depth = value.trim().parse().ok(),
        "ノード数" => read.nodes = value.trim().parse().ok(),
        "エンジン" => read.engine = Some(value.to_owned()),
        _ => return false,
    }
    if read == RecordAnalysis::new(source) {
        return true;
    }
    match found.iter_mut().rfind(|begun| begun.source == source) {
        Some(begun) if !overlap(begun, &read) => {
            if begun.black_score.is_none() {
                (begun.black_score, begun.bound) = (read.black_score, read.bound);
            }
            begun.depth = begun.depth.or(read.depth);
            begun.nodes = begun.nodes.or(read.nodes);
            begun.engine = begun.engine.take().or(read.engine);
            if begun.pv.is_empty() {
                begun.pv = read.pv;
            }
        }
        _ => found.push(read),
    }
    true
}

/// Returns true if both have the same value.
fn overlap(one: &RecordAnalysis, other: &RecordAnalysis) -> bool {
    (one.black_score.is_some() && other.black_score.is_some())
        || (one.depth.is_some() && other.depth.is_some())
        || (one.nodes.is_some() && other.nodes.is_some())
        || (one.engine.is_some() && other.engine.is_some())
        || (!one.pv.is_empty() && !other.pv.is_empty())
}

/// Reads `先手勝ち:7手`; the length may be missing.
fn parse_mate(value: &str) -> Option<Score> {
    let (side, length) = value.split_once(':').unwrap_or((value, ""));
    let plies = length.trim().trim_end_matches('手').parse().ok();
    let mate = plies.map_or(Score::MATE_OF_UNKNOWN_LENGTH, Score::mate_in);
    match side.trim() {
        "先手勝ち" => Some(mate),
        "後手勝ち" => Some(-mate),
        _ => None,
    }
}
