//! The numbers of one side over a game.

use super::judgement::Judgement;
use super::ply_analysis::PlyAnalysis;

/// The numbers of one side over the moves that were analysed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct SideSummary {
    /// Moves with a judgement.
    pub moves: usize,
    /// Moves that were compared with the best one: those with a judgement, and those for which the
    /// values are bounds that prove none.
    pub compared: usize,
    /// Sum of the losses in centipawns.
    pub loss_cp: u64,
    /// Moves that were those of the analysis.
    pub best: usize,
    /// Inaccuracies (緩手).
    pub inaccuracies: usize,
    /// Mistakes (疑問手).
    pub mistakes: usize,
    /// Blunders (悪手).
    pub blunders: usize,
    /// Proven mates that were missed (詰み逃し).
    pub missed_mates: usize,
}

impl SideSummary {
    /// Counts moves.
    pub(super) fn of<'p>(plies: impl Iterator<Item = &'p PlyAnalysis>) -> Self {
        let mut summary = Self::default();
        for ply in plies {
            summary.compared += usize::from(ply.is_compared());
            let Some(judgement) = ply.judgement else { continue };
            summary.moves += 1;
            summary.loss_cp += ply.loss_cp.map_or(0, |loss| u64::from(loss.unsigned_abs()));
            summary.missed_mates += usize::from(ply.missed_mate);
            match judgement {
                Judgement::Best => summary.best += 1,
                Judgement::Good => {}
                Judgement::Inaccuracy => summary.inaccuracies += 1,
                Judgement::Mistake => summary.mistakes += 1,
                Judgement::Blunder => summary.blunders += 1,
            }
        }
        summary
    }

    /// Returns the average loss of a move in centipawns; `None` without moves.
    pub fn average_loss_cp(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.loss_cp as f64 / self.moves as f64)
    }

    /// Returns the share of the compared moves that were those of the analysis, 0 to 1; `None`
    /// without moves.
    pub fn agreement(&self) -> Option<f64> {
        (self.compared > 0).then(|| self.best as f64 / self.compared as f64)
    }
}
