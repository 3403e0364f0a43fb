//! The analysis in the output of an engine.

use komadai_core::{Analysis, Position};
use komadai_movegen::MoveGen;
use komadai_usi::{AnalysisBuilder, Answer, Info, Tail};

/// The reports of an engine about a position.
pub(super) struct EngineOutput<'p> {
    position: &'p Position,
    analysis: AnalysisBuilder,
    /// The first report whose variation starts with an illegal move.
    illegal: Option<String>,
}

impl<'p> EngineOutput<'p> {
    pub(super) fn new(position: &'p Position) -> Self {
        Self { position, analysis: AnalysisBuilder::new(position), illegal: None }
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
            // Nodes and time are used; a value without a move is not.
            _ => {
                let mut effort = info.clone();
                effort.score = None;
                effort.tail = Tail::None;
                self.analysis.add(&effort);
            }
        }
    }

    /// Returns the analysis, if it is valid.
    pub(super) fn into_analysis(self, answer: &Answer) -> Result<Analysis, BadOutput> {
        let bad = |text, expected| Err(BadOutput { text, expected });
        if let Some(line) = self.illegal {
            return bad(line, "a variation that begins with a legal move");
        }
        let completed = answer.analysis.completed;
        let analysis = Analysis { completed, ..self.analysis.into_analysis() };
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
