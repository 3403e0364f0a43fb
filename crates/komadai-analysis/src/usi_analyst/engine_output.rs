//! The analysis in the output of an engine.

use komadai_core::{Analysis, Line, Position};
use komadai_movegen::MoveGen;
use komadai_usi::{AnalysisBuilder, Answer, BestMove, Info, Tail};

/// The reports of an engine about a position.
pub(super) struct EngineOutput<'p> {
    position: &'p Position,
    analysis: AnalysisBuilder,
    /// The last value without a variation.
    bare: Option<Line>,
    /// The first report whose variation starts with an illegal move.
    illegal: Option<String>,
}

impl<'p> EngineOutput<'p> {
    pub(super) fn new(position: &'p Position) -> Self {
        Self { position, analysis: AnalysisBuilder::new(position), bare: None, illegal: None }
    }

    pub(super) fn add(&mut self, info: &Info) {
        let first = info.pv().first();
        match first {
            Some(&m) if info.score.is_some() && self.position.is_legal(m) => {
                self.analysis.add(info)
            }
            Some(&m) if !self.position.is_legal(m) => {
                self.illegal.get_or_insert_with(|| info.to_string());
            }
            // Nodes and time are used. A value without a move counts only before a resignation.
            _ => {
                let bare = info.line().filter(|_| info.multi_pv.unwrap_or(1) == 1);
                self.bare = bare.or(self.bare.take());
                let mut effort = info.clone();
                effort.score = None;
                effort.tail = Tail::None;
                self.analysis.add(&effort);
            }
        }
    }

    /// Returns the analysis, if it is valid. That of an engine that resigns or declares a win may
    /// have a value without a variation, or no line.
    pub(super) fn into_analysis(self, answer: &Answer) -> Result<Analysis, BadOutput> {
        let bad = |text, expected| Err(BadOutput { text, expected });
        if let Some(line) = self.illegal {
            return bad(line, "a variation that begins with a legal move");
        }
        let completed = answer.analysis.completed;
        let mut analysis = Analysis { completed, ..self.analysis.into_analysis() };
        let plays = matches!(answer.best, BestMove::Move { .. });
        if !plays && analysis.lines.is_empty() {
            analysis.lines.extend(self.bare);
            return Ok(analysis);
        }
        if analysis.lines.is_empty() && completed {
            return bad(answer.best.to_string(), "a value and a variation before the answer");
        }
        Ok(analysis)
    }
}

/// An output that is not an analysis.
pub(super) struct BadOutput {
    pub(super) text: String,
    pub(super) expected: &'static str,
}
