//! The analysis of one position by a worker.

use std::time::Instant;

use komadai_core::{
    Analysis, Analyst, AnalystError, Bound, Budget, Line, Move, Position, Pv, Score,
};
use komadai_eval::{NetworkThreatmate, ThreatmatePredictor as _};
use komadai_movegen::{MoveGen as _, Repetition};

use super::mate_finder::{Mate, MateFinder};
use super::ply_analysis::PlyAnalysis;
use super::two_move_threat::TwoMoveThreat;

/// The findings of a worker about a position.
#[derive(Debug)]
pub(super) struct AnalysedPosition {
    analysis: Result<Analysis, AnalystError>,
    mate: Option<Pv>,
    mate_refuted: bool,
    threatmate: Option<Pv>,
    threat_probability: Option<f32>,
    two_move_threat: Option<TwoMoveThreat>,
    /// The length of the mate after the move played, if the side to move has a mate that this move
    /// keeps.
    kept_mate: Option<usize>,
}

impl AnalysedPosition {
    /// Analyses a position in which `played` was the next move of the game, if there was one.
    pub(super) fn new(
        analyst: &mut dyn Analyst,
        mates: &mut MateFinder,
        position: &Position,
        played: Option<Move>,
        budget: &Budget,
    ) -> Self {
        if let Some(score) = final_score(position, played) {
            let lines = vec![Line::exact(score, Pv::new())];
            let analysis = Analysis { lines, completed: true, ..Analysis::default() };
            return Self::without_mates(Ok(analysis));
        }
        let started = Instant::now();
        let analysis = analyst.analyse(position, budget).and_then(|mut analysis| {
            if analysis.time.is_zero() {
                analysis.time = started.elapsed();
            }
            match analysis.lines.is_empty() {
                // The time may have been too short, or the engine reports nothing.
                true => {
                    let engine = analyst.identity().to_string();
                    Err(AnalystError::NoLine { engine, position: position.to_string() })
                }
                false => Ok(analysis),
            }
        });
        let found = mates.mate(position);
        let mate_refuted = matches!(found, Mate::Refuted);
        let mate = found.line();
        let kept_mate = match (&mate, played) {
            (Some(mate), Some(m)) if mate.first() == Some(&m) => Some(mate.len() - 1),
            (Some(_), Some(m)) => mates.kept_mate(position, m),
            _ => None,
        };
        let threatmate = mates.threatmate(position);
        let two_move_threat = match threatmate {
            None => mates.two_move_threat(position),
            Some(_) => None,
        };
        let probability = NetworkThreatmate::FULL.for_games().probability(position);
        Self {
            mate,
            mate_refuted,
            threatmate,
            threat_probability: (probability > 0.0).then_some(probability),
            two_move_threat,
            kept_mate,
            ..Self::without_mates(analysis)
        }
    }

    /// Returns findings without those of the mate solver.
    fn without_mates(analysis: Result<Analysis, AnalystError>) -> Self {
        Self {
            analysis,
            mate: None,
            mate_refuted: false,
            threatmate: None,
            threat_probability: None,
            two_move_threat: None,
            kept_mate: None,
        }
    }

    /// Enters the findings into the result of a ply.
    pub(super) fn enter(self, ply: &mut PlyAnalysis) {
        match self.analysis {
            Ok(analysis) => {
                (ply.depth, ply.seldepth) = (analysis.depth, analysis.seldepth);
                (ply.nodes, ply.time) = (analysis.nodes, analysis.time);
                if let Some(best) = analysis.lines.into_iter().next() {
                    (ply.score, ply.bound, ply.pv) = (Some(best.score), best.bound, best.pv);
                }
            }
            Err(error) => ply.failure = Some(error),
        }
        if let Some(mate) = &self.mate {
            let score = Score::mate_in(u32::try_from(mate.len()).unwrap_or(u32::MAX));
            if ply.score.is_none_or(|found| found < score) {
                (ply.score, ply.bound, ply.pv) = (Some(score), Bound::Exact, mate.clone());
            }
        }
        (ply.mate, ply.mate_refuted) = (self.mate, self.mate_refuted);
        (ply.threatmate, ply.two_move_threat) = (self.threatmate, self.two_move_threat);
        ply.threat_probability = self.threat_probability;
        ply.kept_mate = self.kept_mate.map(|plies| u32::try_from(plies).unwrap_or(u32::MAX));
    }
}

/// Returns the value of a position in which the game is over: mate, or repetition after the last
/// move.
fn final_score(position: &Position, played: Option<Move>) -> Option<Score> {
    if !position.has_legal_move() {
        return Some(Score::mated_in(0));
    }
    match position.repetition() {
        _ if played.is_some() => None,
        Repetition::Draw => Some(Score::ZERO),
        Repetition::Win => Some(Score::MATE_OF_UNKNOWN_LENGTH),
        Repetition::Lose => Some(-Score::MATE_OF_UNKNOWN_LENGTH),
        _ => None,
    }
}
