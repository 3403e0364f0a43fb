//! The analysis of a game.

use komadai_core::{AnalystId, Bound, Color, Score};
use komadai_kifu::ReplayError;

use super::judgement::scaled_win_probability;
use super::ply_analysis::PlyAnalysis;
use super::side_summary::SideSummary;

/// The analysis of a game, position by position.
#[derive(Debug, Clone, PartialEq)]
pub struct GameAnalysis {
    /// The engine with the options that change its values.
    pub analyst: AnalystId,
    /// The size of a centipawn of its scores: [`Analyst::scale`](komadai_core::Analyst::scale).
    pub scale: f64,
    /// The positions before the moves that were analysed, and the one after the last of them, in
    /// order.
    pub plies: Vec<PlyAnalysis>,
    /// The move that cannot be played, if the record has one; the analysis ends before it.
    pub illegal: Option<ReplayError>,
    /// True if the stop flag ended the analysis early.
    pub is_stopped: bool,
}

impl GameAnalysis {
    /// Returns the analyses of the moves, each with the analysis of the position after it.
    pub fn moves(&self) -> impl Iterator<Item = (&PlyAnalysis, &PlyAnalysis)> {
        self.plies.iter().zip(self.plies.iter().skip(1))
    }

    /// Returns the probability with which the side wins that has this score of the analyst:
    /// [`win_probability`](super::win_probability) of the score divided by the [`scale`](Self::scale).
    pub fn win_probability(&self, score: Score) -> f64 {
        scaled_win_probability(score, self.scale)
    }

    /// Returns the numbers of a side over its moves.
    pub fn summary(&self, side: Color) -> SideSummary {
        SideSummary::of(self.moves().map(|(ply, _)| ply).filter(|ply| ply.side == side))
    }

    /// Returns the number of positions whose analysis failed.
    pub fn failures(&self) -> usize {
        self.plies.iter().filter(|ply| ply.failure.is_some()).count()
    }

    /// Judges all moves, when all positions have been analysed.
    pub(super) fn judge(&mut self) {
        for index in 1..self.plies.len() {
            let kept = self.plies[index - 1].kept_mate.map(Score::mated_in);
            let after = &mut self.plies[index];
            // A mate that was proven before the move counts for the position after it as well.
            if let Some(mated) = kept.filter(|mated| after.score.is_none_or(|score| score > *mated))
            {
                (after.score, after.bound) = (Some(mated), Bound::Exact);
            }
            let value = after.score.map(|score| (-score, !after.bound));
            self.plies[index - 1].judge(value, self.scale);
        }
    }
}
