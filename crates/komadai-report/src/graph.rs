//! Evaluations over the plies of a game: as an SVG picture, and as one line of text.

mod curve;
mod drawing;
mod evaluation_graph;
mod labels;
mod point;
mod scale;
mod sparkline;
#[cfg(test)]
mod tests;

pub(crate) use drawing::{GraphInPage, graph_style};
pub use evaluation_graph::{EvaluationGraph, SecondSeries};
pub(crate) use point::losses;
pub use point::{GraphPoint, PointMark, mark_losses};
pub use sparkline::Sparkline;
