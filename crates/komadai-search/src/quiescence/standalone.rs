//! The quiescence search by itself, for studies.

use komadai_core::{Analysis, Line, Score};
use komadai_eval::Evaluator;

use crate::searcher::node_visitor::NodeVisitor;
use crate::stopwatch::Stopwatch;
use crate::value::Window;
use crate::worker::Worker;

impl<E: Evaluator, V: NodeVisitor> Worker<'_, E, V> {
    /// Returns the quiescence value of the position as an analysis. The position itself counts as a
    /// node.
    pub(crate) fn quiescence_analysis(mut self) -> Analysis {
        let stopwatch = Stopwatch::start();
        let value = self.leaf::<true>(Window::FULL, 0);
        let line = Line::exact(Score::from_raw(value), self.frames[0].pv.clone());
        Analysis {
            depth: 0,
            seldepth: self.longest as u32,
            nodes: 1 + self.meter.nodes(),
            time: stopwatch.elapsed(),
            lines: vec![line],
            completed: true,
        }
    }
}
