//! The analysis of one position of a game, and of the move played there.

use std::time::Duration;

use komadai_core::{AnalystError, Bound, Color, Move, Pv, Score};

use super::judgement::{Judgement, Loss};
use super::two_move_threat::TwoMoveThreat;

/// The analysis of one position of a game and of the move that was played in it.
///
/// A position that could not be analysed has a [`failure`](Self::failure), and one that was not
/// reached before a stop has neither failure nor score.
#[derive(Debug, Clone, PartialEq)]
pub struct PlyAnalysis {
    /// The number of the move, from 1; for the last position of the game one more than that of the
    /// last move.
    pub ply: usize,
    /// The side to move.
    pub side: Color,
    /// The move played; `None` in the last position.
    pub played: Option<Move>,
    /// The value for the side to move: that of the search, or of the mate if the solver found a
    /// shorter one.
    pub score: Option<Score>,
    /// The relation of `score` to the value: a search that was cut off within an iteration knows
    /// only a bound.
    pub bound: Bound,
    /// The nominal depth of the search in plies.
    pub depth: u32,
    /// The length of the longest line searched in plies.
    pub seldepth: u32,
    /// The number of nodes of the search, without those of the mate solver.
    pub nodes: u64,
    /// The time of the search.
    pub time: Duration,
    /// The best line, or the mate; empty if the side to move has no legal move.
    pub pv: Pv,
    /// The mate by continuous checks that the solver proved for the side to move.
    pub mate: Option<Pv>,
    /// True if the solver proved that the side to move has no mate by continuous checks.
    pub mate_refuted: bool,
    /// The mate that the solver proved for the opponent if the side to move passed: the move before
    /// threatens mate. `None` in check.
    #[doc(alias = "詰めろ")]
    pub threatmate: Option<Pv>,
    /// The mate that the opponent threatens if the side to move passes twice: the move before leaves
    /// a two-move threat. `None` without [`two_move_nodes`](super::GameAnalyst::two_move_nodes), in
    /// check, and beside a threatmate.
    #[doc(alias = "二手スキ")]
    pub two_move_threat: Option<TwoMoveThreat>,
    /// The probability that the move before threatens mate, by
    /// [`NetworkThreatmate::FULL`](komadai_eval::NetworkThreatmate::FULL) for moves of games.
    /// `None` without a move before and in check.
    pub threat_probability: Option<f32>,
    /// The loss by the move played in centipawns, 0 or more: value of the best move less value of
    /// the move played, from the analysis of the next position, both [bounded](super::bounded_cp).
    /// 0 for the best move itself.
    ///
    /// `None` as well if the values are bounds that prove neither a mark nor that the move deserves
    /// none.
    pub loss_cp: Option<i32>,
    /// The relation of the loss to the true one: [`Bound::Lower`] if at least so much is lost.
    pub loss_bound: Bound,
    /// The same loss as a [probability of winning](super::win_probability), 0 to 1.
    pub loss_probability: Option<f64>,
    /// The judgement of the move played, from values alone or from bounds that prove it.
    pub judgement: Option<Judgement>,
    /// True if the side to move had a proven mate and the move played kept none.
    #[doc(alias = "詰み逃し")]
    pub missed_mate: bool,
    /// The reason why there is no analysis.
    pub failure: Option<AnalystError>,
    /// The length of the mate after the move played, if that move keeps a proven mate.
    pub(super) kept_mate: Option<u32>,
}

impl PlyAnalysis {
    /// Creates a result without an analysis.
    pub(super) fn unknown(ply: usize, side: Color, played: Option<Move>) -> Self {
        Self {
            ply,
            side,
            played,
            score: None,
            bound: Bound::Exact,
            depth: 0,
            seldepth: 0,
            nodes: 0,
            time: Duration::ZERO,
            pv: Pv::new(),
            mate: None,
            mate_refuted: false,
            threatmate: None,
            two_move_threat: None,
            threat_probability: None,
            loss_cp: None,
            loss_bound: Bound::Exact,
            loss_probability: None,
            judgement: None,
            missed_mate: false,
            failure: None,
            kept_mate: None,
        }
    }

    /// Returns the best move, if there is one.
    pub fn best_move(&self) -> Option<Move> {
        self.pv.first().copied()
    }

    /// Returns the value for Black (先手).
    pub fn black_score(&self) -> Option<Score> {
        self.score.map(|score| if self.side == Color::Black { score } else { -score })
    }

    /// Returns the relation of [`black_score`](Self::black_score) to the value for Black.
    pub fn black_bound(&self) -> Bound {
        if self.side == Color::Black { self.bound } else { !self.bound }
    }

    /// Judges the move played by the value of the position after it, for the side that moved; the
    /// analyst's scores have this scale.
    pub(super) fn judge(&mut self, after: Option<(Score, Bound)>, scale: f64) {
        let (Some(played), Some(best)) = (self.played, self.score) else { return };
        if self.best_move() == Some(played) {
            (self.loss_cp, self.loss_probability) = (Some(0), Some(0.0));
            self.judgement = Some(Judgement::Best);
            return;
        }
        let Some(after) = after else { return };
        let loss = Loss::between((best, self.bound), after, scale);
        if let Some(Loss { cp, probability, bound }) = loss {
            (self.loss_cp, self.loss_probability) = (Some(cp), Some(probability));
            self.loss_bound = bound;
        }
        let (after, _) = after;
        self.missed_mate = self.mate.is_some() && !(after.is_mate() && after > Score::ZERO);
        let least = self.missed_mate.then_some(Judgement::Inaccuracy);
        self.judgement = loss.map(|loss| Judgement::of_loss(loss.probability)).max(least);
    }

    /// Returns the mate that the move played parries (受け): the opponent threatened it before the
    /// move, and has no mate in `after`, the position after the move. Both are proven.
    #[doc(alias = "受け")]
    pub fn parried_mate(&self, after: &Self) -> Option<&Pv> {
        self.threatmate.as_ref().filter(|_| self.played.is_some() && after.mate_refuted)
    }

    /// Returns true if the move played can be compared with the best one.
    pub(super) fn is_compared(&self) -> bool {
        self.played.is_some() && self.best_move().is_some()
    }

    /// Returns true if the move played is the best one.
    pub fn is_best(&self) -> bool {
        self.judgement == Some(Judgement::Best)
    }
}
