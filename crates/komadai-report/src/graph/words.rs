//! Graphs in words, for screen readers.

use core::fmt;

use komadai_core::{Language, Score};

use super::evaluation_graph::EvaluationGraph;
use super::point::{GraphPoint, PointMark};
use crate::value_text::ValueText;

/// The largest number of blunders that are listed.
const MOST_LISTED: usize = 12;

/// The content of a graph in words, not escaped.
pub(super) struct Description<'a>(pub(super) &'a EvaluationGraph);

impl fmt::Display for Description<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(EvaluationGraph { points, language, .. }) = *self;
        let scores = || points.iter().filter_map(|point| Some((point.score?, point.bound.sign())));
        let score = |&(score, _): &(Score, _)| score;
        let (Some(least), Some(most), Some(last)) =
            (scores().min_by_key(score), scores().max_by_key(score), scores().next_back())
        else {
            return f.write_str(language.choose("No evaluations.", "評価値なし。"));
        };
        let count = scores().count();
        let text = |(score, sign)| format!("{sign}{}", ValueText(score, *language));
        let (least, most, last) = (text(least), text(most), text(last));
        match language {
            Language::English => write!(
                f,
                "{count} evaluations for Black: from {least} to {most}, {last} at the end."
            )?,
            Language::Japanese => {
                write!(f, "先手から見た評価値{count}個。最小 {least}、最大 {most}、最後 {last}。")?
            }
        }
        let mut blunders = points.iter().filter(|point| point.mark == Some(PointMark::Blunder));
        for (index, point) in blunders.by_ref().take(MOST_LISTED).enumerate() {
            f.write_str(match index {
                0 => language.choose(" Blunders: ", "悪手："),
                _ => language.choose(", ", "、"),
            })?;
            write!(f, "{}", PointName(point))?;
        }
        if blunders.next().is_some() {
            f.write_str(" …")?;
        }
        Ok(())
    }
}

/// The ply and the move of a point: `58 ▲５八金右`.
pub(super) struct PointName<'a>(pub(super) &'a GraphPoint);

impl fmt::Display for PointName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.ply)?;
        match &self.0.label {
            Some(label) => write!(f, " {label}"),
            None => Ok(()),
        }
    }
}
