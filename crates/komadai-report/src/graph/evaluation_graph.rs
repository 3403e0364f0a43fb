//! The description of a graph.

use komadai_core::Language;

use super::point::GraphPoint;
use crate::theme::SvgTheme;

/// An SVG graph of the evaluations of a game (評価値グラフ), written by `Display`.
///
/// The x axis is the number of moves, the y axis the value for Black, upwards, on a scale that is
/// compressed for large values: `2/π · atan(centipawns / 800)`, with mates at its ends. The area
/// between the curve and zero has the colour of the side that leads. Moves with a
/// [mark](crate::PointMark) have a dot, and blunders their names where there is room. A line joins
/// values up to two plies apart, as many records hold those of one player only; longer gaps stay
/// open.
///
/// [`game_points`](crate::game_points) makes the points of a record, and
/// [`mark_losses`](crate::mark_losses) marks them. A terminal gets the same values from
/// [`Sparkline`](crate::Sparkline).
///
/// # Examples
///
/// ```
/// use komadai_core::{Color, Score};
/// use komadai_report::{EvaluationGraph, GraphPoint, SecondSeries, mark_losses};
///
/// let values = [30, 45, 20, 60, -700, -650];
/// let points = (0..).zip(values).map(|(ply, cp)| GraphPoint::new(ply, Some(Score::cp(cp))));
/// let mut points: Vec<GraphPoint> = points.collect();
/// mark_losses(&mut points, Color::White);
/// let names = ["White’s engine", "another engine"].map(str::to_owned);
/// let picture = EvaluationGraph {
///     second: Some(SecondSeries { points: points[..3].to_vec(), names }),
///     title: Some("White – Black".to_owned()),
///     ..EvaluationGraph::new(points)
/// };
/// assert!(picture.to_string().starts_with("<svg xmlns"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "a graph does nothing until it is written"]
pub struct EvaluationGraph {
    /// The evaluations, in any order.
    pub points: Vec<GraphPoint>,
    /// A second series, such as the values of another engine, as a dashed line.
    pub second: Option<SecondSeries>,
    /// The heading, which is drawn above the graph and is its accessible name.
    pub title: Option<String>,
    /// The language of labels; English by default.
    pub language: Language,
    /// The colours. By default they follow the light or dark mode of the viewer.
    pub theme: SvgTheme,
    /// Width and height in CSS pixels, 720 and 240 by default; they are clamped to 240–4,000 and
    /// 140–4,000.
    pub size: (u32, u32),
    /// A ply that is marked by a vertical line.
    pub cursor: Option<u32>,
}

/// A second series of values, with the names of both for the legend.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SecondSeries {
    /// The values, in any order.
    pub points: Vec<GraphPoint>,
    /// The names of the first and of the second series.
    pub names: [String; 2],
}

impl EvaluationGraph {
    /// A graph of these points.
    pub fn new(points: impl IntoIterator<Item = GraphPoint>) -> Self {
        Self {
            points: points.into_iter().collect(),
            second: None,
            title: None,
            language: Language::English,
            theme: SvgTheme::Auto,
            size: (720, 240),
            cursor: None,
        }
    }

    /// Returns width and height in CSS pixels, within their limits.
    pub(super) fn pixels(&self) -> (i32, i32) {
        let (width, height) = self.size;
        (width.clamp(240, 4_000) as i32, height.clamp(140, 4_000) as i32)
    }
}
