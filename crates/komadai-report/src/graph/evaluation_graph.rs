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
/// # Examples
///
/// ```
/// use komadai_core::{Color, Score};
/// use komadai_report::{EvaluationGraph, GraphPoint, mark_losses};
///
/// let values = [30, 45, 20, 60, -700, -650];
/// let points = (0..).zip(values).map(|(ply, cp)| GraphPoint::new(ply, Some(Score::cp(cp))));
/// let mut points: Vec<GraphPoint> = points.collect();
/// mark_losses(&mut points, Color::White);
/// let picture = EvaluationGraph::new(points).title("White – Black").to_string();
/// assert!(picture.starts_with("<svg xmlns"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "a graph does nothing until it is written"]
pub struct EvaluationGraph {
    pub(super) points: Vec<GraphPoint>,
    pub(super) second: Option<Second>,
    pub(super) title: Option<String>,
    pub(super) language: Language,
    pub(super) theme: SvgTheme,
    pub(super) size: (i32, i32),
    pub(super) cursor: Option<u32>,
}

/// A second series of values, with the names of both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Second {
    pub(super) points: Vec<GraphPoint>,
    pub(super) names: [String; 2],
}

impl EvaluationGraph {
    /// A graph of these points, in any order.
    pub fn new(points: impl IntoIterator<Item = GraphPoint>) -> Self {
        Self {
            points: sorted(points),
            second: None,
            title: None,
            language: Language::English,
            theme: SvgTheme::Auto,
            size: (720, 240),
            cursor: None,
        }
    }

    /// Adds a second series, such as the values of another engine, as a dashed line, and a legend
    /// with the names of both series.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Score;
    /// use komadai_report::{EvaluationGraph, GraphPoint};
    ///
    /// let point = |(ply, cp)| GraphPoint::new(ply, Some(Score::cp(cp)));
    /// let ours = [(0, 30), (1, 45), (2, 20)].map(point);
    /// let theirs = [(0, 10), (1, 60), (2, -20)].map(point);
    /// let graph = EvaluationGraph::new(ours).second_series(theirs, ["komadai", "another"]);
    /// assert!(graph.to_string().contains("another"));
    /// ```
    pub fn second_series(
        mut self,
        points: impl IntoIterator<Item = GraphPoint>,
        names: [&str; 2],
    ) -> Self {
        self.second = Some(Second { points: sorted(points), names: names.map(str::to_owned) });
        self
    }

    /// Sets the heading, which is drawn above the graph and is its accessible name.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = Some(title.into());
        self
    }

    /// Sets the language of labels; English by default.
    pub fn language(mut self, language: Language) -> Self {
        self.language = language;
        self
    }

    /// Sets the colours. By default they follow the light or dark mode of the viewer.
    pub fn theme(mut self, theme: SvgTheme) -> Self {
        self.theme = theme;
        self
    }

    /// Sets width and height in CSS pixels, 720 and 240 by default; they are clamped to 240–4,000
    /// and 140–4,000.
    pub fn size(mut self, width: u32, height: u32) -> Self {
        self.size = (width.clamp(240, 4_000) as i32, height.clamp(140, 4_000) as i32);
        self
    }

    /// Marks a ply by a vertical line.
    pub fn cursor(mut self, ply: u32) -> Self {
        self.cursor = Some(ply);
        self
    }
}

fn sorted(points: impl IntoIterator<Item = GraphPoint>) -> Vec<GraphPoint> {
    let mut points: Vec<GraphPoint> = points.into_iter().collect();
    points.sort_by_key(|point| point.ply);
    points
}
