//! The values in the comments of a record.

use std::ops::ControlFlow;

use komadai_core::Position;
use komadai_kifu::analysis::{RecordAnalysis, parse_analyses};
use komadai_kifu::{Comment, Line, Notation, Record};

use crate::graph::{GraphPoint, mark_losses};

/// Returns the value of each position of a game, read from its comments, with marks of the moves
/// that lost value and the names of all moves.
///
/// There is one point for the start and for each move up to the first illegal one. If a position
/// has several values, the last one of the best line counts. See [`mark_losses`] for the marks.
///
/// # Examples
///
/// ```
/// use komadai_core::Score;
/// use komadai_kifu::{Notation, Tolerance, parse_csa};
/// use komadai_report::{EvaluationGraph, game_points};
///
/// let text = "PI\n+\n'** 20\n+7776FU\n'** 35\n-8384FU\n";
/// let game = parse_csa(text, Tolerance::Strict)?.records.remove(0);
/// let points = game_points(&game, Notation::Japanese);
/// let scores: Vec<Option<Score>> = points.iter().map(|point| point.score).collect();
/// assert_eq!(scores, [Some(Score::cp(20)), Some(Score::cp(35)), None]);
/// assert_eq!(points[1].label.as_deref(), Some("▲７六歩"));
/// println!("{}", EvaluationGraph::new(points));
/// # Ok::<(), komadai_kifu::KifuError>(())
/// ```
pub fn game_points(record: &Record, notation: Notation) -> Vec<GraphPoint> {
    let mut points = vec![GraphPoint::new(0, None)];
    if let Ok(start) = Position::from_setup_leniently(&record.setup) {
        let mut moves = Vec::new();
        // An illegal move ends the points; those before it have been visited.
        let _ = record.replay(|_, played| {
            moves.push(played.m);
            ControlFlow::Continue(())
        });
        let names = notation.names(&start, &moves);
        points.extend(
            (1..)
                .zip(names)
                .map(|(ply, name)| GraphPoint { label: Some(name), ..GraphPoint::new(ply, None) }),
        );
    }
    for (ply, analysis) in record.analyses(Line::Main) {
        if is_of_best_line(&analysis)
            && let Some(score) = analysis.black_score
            && let Some(point) = points.get_mut(ply)
        {
            (point.score, point.bound) = (Some(score), analysis.bound);
        }
    }
    mark_losses(&mut points, record.setup.side);
    points
}

/// Returns the last analysis of the best line with a value in the comments on a position.
pub(super) fn analysis_in(comments: &[Comment], after: &Position) -> Option<RecordAnalysis> {
    let analyses = parse_analyses(comments, after).into_iter().rev();
    let mut valued = analyses.filter(|analysis| analysis.black_score.is_some());
    valued.find(is_of_best_line)
}

fn is_of_best_line(analysis: &RecordAnalysis) -> bool {
    analysis.rank.is_none_or(|rank| rank == 1)
}
