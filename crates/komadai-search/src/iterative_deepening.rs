//! Iterative deepening: one ply more each time, within a budget.

use std::time::Instant;

use komadai_core::{Analysis, Bound, Line, Pv, Score};
use komadai_eval::Evaluator;

use crate::root::RootMove;
use crate::value::{MAX_DEPTH, Value, WON_BY_RULE, Window, is_decided};
use crate::worker::Worker;
use crate::{Statistics, Techniques};

/// One search of one position.
pub(crate) struct Deepening<'a, 'b, E: Evaluator> {
    worker: Worker<'a, E>,
    moves: Vec<RootMove>,
    /// How many of the moves get a line.
    lines: usize,
    /// The deepest iteration the budget allows.
    deepest: i32,
    start: Instant,
    progress: &'b mut dyn FnMut(&Analysis),
    /// The last finished iteration.
    finished: i32,
}

impl<'a, 'b, E: Evaluator> Deepening<'a, 'b, E> {
    pub(crate) fn new(
        worker: Worker<'a, E>,
        moves: Vec<RootMove>,
        depth: Option<u32>,
        progress: &'b mut dyn FnMut(&Analysis),
    ) -> Self {
        let lines = worker.options.multi_pv.clamp(1, moves.len().max(1));
        let deepest = depth.map_or(MAX_DEPTH, |depth| depth.clamp(1, MAX_DEPTH as u32) as i32);
        let start = Instant::now();
        Self { worker, moves, lines, deepest, start, progress, finished: 0 }
    }

    /// Deepens until the budget is used up or nothing can change any more.
    pub(crate) fn run(mut self) -> (Analysis, Statistics) {
        let analysis = self.deepen();
        (analysis, self.worker.meter.statistics())
    }

    fn deepen(&mut self) -> Analysis {
        if self.moves.is_empty() {
            return Analysis { completed: true, ..self.analysis() };
        }
        if self.worker.can_declare() {
            return self.declaration();
        }
        while self.finished < self.deepest {
            let depth = self.finished + 1;
            self.iterate(depth);
            if !self.worker.meter.is_over() {
                self.finished = depth;
                self.worker.meter.start_iteration(depth + 1);
                if let Some(together) = self.worker.meter.together() {
                    together.publish(depth, &self.moves);
                }
            } else if !self.catches_up() {
                return self.analysis();
            }
            let analysis = self.analysis();
            (self.progress)(&analysis);
            if self.is_settled() {
                break;
            }
            // Only now: the first iteration is finished whatever the budget.
            self.worker.meter.enforce();
            if self.finished < self.deepest && !self.catches_up() {
                return self.analysis();
            }
        }
        Analysis { completed: true, ..self.analysis() }
    }

    /// Takes over what faster threads have found, if that is why the iteration is over; `false` if
    /// the search is.
    fn catches_up(&mut self) -> bool {
        while self.worker.meter.is_over() {
            let Some(iteration) = self.worker.meter.overtaken() else { return false };
            (self.finished, self.moves) = (iteration.depth, iteration.moves);
        }
        true
    }

    /// Searches each line to `depth`.
    fn iterate(&mut self, depth: i32) {
        self.worker.iteration = depth;
        self.worker.longest = 0;
        for first in 0..self.lines {
            self.aspire(depth, first);
            // What one line found cannot be better than what was left for it.
            self.moves[..=first].sort_by_key(RootMove::rank);
            if self.worker.meter.is_over() {
                return;
            }
        }
    }

    /// Searches the moves from `first` on, with a narrow window first.
    fn aspire(&mut self, depth: i32, first: usize) {
        let expected = self.moves[first].value;
        let classical = self.worker.uses(Techniques::CLASSICAL_ASPIRATION);
        let mut margin = if classical { 150 } else { self.worker.parameters().aspiration };
        let mut window = Window::FULL;
        let narrow = depth >= 4 && !is_decided(expected);
        if narrow && self.worker.uses(Techniques::ASPIRATION) {
            window = Window { alpha: expected - margin, beta: expected + margin };
        }
        loop {
            let moves = &mut self.moves[first..];
            let value = self.worker.root(moves, window);
            moves.sort_by_key(RootMove::rank);
            if self.worker.meter.is_over() {
                return;
            }
            let Some(wider) = widened(window, value, margin) else { return };
            window = if classical { opened(window, value) } else { wider };
            margin *= 2;
        }
    }

    /// Whether deeper iterations will hardly change the result: all lines end in mates, and the
    /// search has gone on to twice their length, so that what was pruned or reduced had time to turn
    /// out shorter.
    fn is_settled(&self) -> bool {
        self.moves[..self.lines].iter().all(|root_move| {
            let plies = Score::from_raw(root_move.value).mate_plies();
            plies.is_some_and(|plies| 2 * plies.unsigned_abs() <= self.finished as u32)
        })
    }

    fn declaration(&mut self) -> Analysis {
        let score = Score::from_raw(WON_BY_RULE);
        let lines = vec![Line { score, bound: Bound::Exact, pv: Pv::new() }];
        Analysis { lines, completed: true, ..self.analysis() }
    }

    fn analysis(&mut self) -> Analysis {
        Analysis {
            depth: self.finished as u32,
            seldepth: self.worker.longest as u32,
            nodes: self.worker.meter.nodes(),
            time: self.start.elapsed(),
            lines: self.moves.iter().take(self.lines).filter_map(RootMove::line).collect(),
            completed: false,
        }
    }
}

/// The window to search again with, if `value` is not inside.
fn widened(window: Window, value: Value, margin: i32) -> Option<Window> {
    let Window { alpha, beta } = window;
    if value <= alpha && alpha > Window::FULL.alpha {
        let lower = if is_decided(value) { Window::FULL.alpha } else { value - 2 * margin };
        Some(Window { alpha: lower, beta: (alpha + beta) / 2 })
    } else if value >= beta && beta < Window::FULL.beta {
        let upper = if is_decided(value) { Window::FULL.beta } else { value + 2 * margin };
        Some(Window { alpha, beta: upper })
    } else {
        None
    }
}

/// The window opened on the side on which `value` failed.
fn opened(window: Window, value: Value) -> Window {
    if value <= window.alpha {
        Window { alpha: Window::FULL.alpha, ..window }
    } else {
        Window { beta: Window::FULL.beta, ..window }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_widen_on_the_side_that_failed_and_always_end_up_open() {
        let window = Window { alpha: -30, beta: 30 };
        assert_eq!(widened(window, 0, 30), None);
        assert_eq!(widened(window, -50, 30), Some(Window { alpha: -110, beta: 0 }));
        assert_eq!(widened(window, 40, 30), Some(Window { alpha: -30, beta: 100 }));
        assert_eq!(widened(Window::FULL, 31_000, 30), None);
        for value in [31_000, -31_000] {
            let mut window = window;
            for _ in 0..2 {
                if let Some(wider) = widened(window, value, 30) {
                    window = wider;
                }
            }
            assert_eq!(widened(window, value, 30), None);
        }
    }
}
