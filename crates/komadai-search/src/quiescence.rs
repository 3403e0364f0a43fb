//! The quiescence search, which values the leaves of the search once no capture is pending.
//!
//! The side to move may stand pat, that is, accept the static evaluation, or try a capture. In
//! check it may not stand pat and tries every evasion.
//!
//! Source of the method: L. Harris, "The heuristic search and the game of chess", IJCAI 1975; D.
//! Beal, "A generalised quiescence search algorithm", Artificial Intelligence 43(1), 1990.
//!
//! This file holds the standard method. Slower methods, for studies, are in `quiescence/`:
//! `selected.rs` tries the classes of moves that a policy chooses, `two_stage.rs` a fixed selection
//! followed by exchanges on one square.

mod class_filter;
mod selected;
mod stand_pat;
pub(crate) mod threat;
mod two_stage;

use komadai_base::clock::Instant;
use komadai_core::{Analysis, Bound, Line, Move};
use komadai_eval::Evaluator;
use komadai_movegen::MoveGen;

use crate::node::mate_in_one::MAX_KING_ESCAPES;
use crate::picker::{MoveFilter, Picker, REFUTATIONS};
use crate::quiescence_method::Quiescence;
use crate::searcher::node_visitor::{NodeVisitor as _, VisitedNode};
use crate::settings::Settings;
use crate::tactical::PieceMove;
use crate::techniques::Techniques;
use crate::transposition_table::entry::NodeResult;
use crate::value::{INFINITE, MAX_EVALUATION, MAX_PLY, Value, Window, bound_of, is_decided, mated};
use crate::worker::Worker;

impl<E: Evaluator, S: Settings> Worker<'_, E, S> {
    /// Returns the value of a position without remaining depth.
    pub(crate) fn leaf<const PV: bool>(&mut self, window: Window, ply: usize) -> Value {
        self.meter.count_quiescence();
        self.pvs[ply].clear();
        if self.meter.is_over() {
            return 0;
        }
        if let Some(value) = self.game_end(ply) {
            return value;
        }
        if self.uses(Techniques::QUIESCENCE) && ply < MAX_PLY {
            let value = if S::IS_FIXED {
                self.quiescence::<PV>(window, ply)
            } else {
                match &self.options.quiescence {
                    Quiescence::Standard => self.quiescence::<PV>(window, ply),
                    Quiescence::Selected(selection) => self.selected::<PV>(selection, window, ply),
                    Quiescence::TwoStage => self.two_stage::<PV>(window, ply),
                }
            };
            self.visit_leaf(window, value, ply);
            return value;
        }
        if self.position.has_legal_move() { self.evaluate() } else { mated(ply) }
    }

    #[inline(always)]
    fn visit_leaf(&mut self, window: Window, value: Value, ply: usize) {
        let line = self.pvs.get(ply);
        if !self.meter.is_over() {
            self.visitor.quiescence(&VisitedNode {
                position: &self.position,
                units: self.units(),
                ply,
                depth: 0,
                window,
                value,
                bound: bound_of(value, window),
                best: line.and_then(|line| line.first().copied()),
                static_value: self.frames.get(ply).and_then(|frame| frame.static_value),
                line,
            });
        }
    }

    /// Returns the value of a position in which the game has not ended, by the standard method.
    fn quiescence<const PV: bool>(&mut self, window: Window, ply: usize) -> Value {
        let hit = self.probe_table(ply);
        if !PV && let Some(value) = hit.and_then(|hit| hit.cutoff(window, 0)) {
            return value;
        }
        if hit.is_none()
            && let Some(value) = self.mate_in_one(MAX_KING_ESCAPES, ply)
        {
            return value;
        }
        let in_check = self.position.in_check();
        let mut node = QuiescenceState { best: None, best_value: -INFINITE, window, ply };
        let evaluation = self.static_evaluation(hit, ply);
        self.frames[ply].static_value = evaluation.map(|evaluation| evaluation.corrected);
        if let Some(evaluation) = evaluation {
            // Stand pat, with the table's value where it is closer to the truth.
            let value = evaluation.corrected;
            let better = hit.filter(|_| self.uses(Techniques::TABLE_VALUE));
            node.best_value = better.and_then(|hit| hit.better_estimate(value)).unwrap_or(value);
            if node.best_value >= window.beta {
                node.best_value = toward_beta(node.best_value, window.beta);
                if !hit.is_some_and(|hit| hit.has_value()) {
                    let result = NodeResult {
                        best: None,
                        value: node.best_value,
                        static_value: Some(evaluation.raw),
                        depth: 0,
                        bound: Bound::Lower,
                        pv: false,
                    };
                    self.store_in_table(&result, ply);
                }
                return node.best_value;
            }
            node.window.alpha = window.alpha.max(node.best_value);
        }
        self.search_pending_moves::<PV>(&mut node, hit.and_then(|hit| hit.best()));
        if self.meter.is_over() {
            return 0;
        }
        let QuiescenceState { best, best_value, .. } = node;
        if in_check && best_value == -INFINITE {
            return mated(ply);
        }
        let best_value = toward_beta(best_value, window.beta);
        let bound = bound_of(best_value, window);
        let static_value = evaluation.map(|evaluation| evaluation.raw);
        let pv = hit.is_some_and(|hit| hit.pv());
        let result = NodeResult { best, value: best_value, static_value, depth: 0, bound, pv };
        self.store_in_table(&result, ply);
        best_value
    }

    /// Returns the picker of a quiescence node: captures, or in check the evasions.
    #[inline]
    fn quiescence_picker(&self, table_move: Option<Move>) -> Picker {
        if self.position.in_check() {
            return Picker::new(&self.position, table_move, [None; REFUTATIONS], &self.buffer);
        }
        Picker::captures(&self.position, MoveFilter::Captures, table_move, &self.buffer)
    }

    /// Searches the captures, or in check the evasions.
    fn search_pending_moves<const PV: bool>(
        &mut self,
        node: &mut QuiescenceState,
        table_move: Option<Move>,
    ) {
        let in_check = self.position.in_check();
        let mut picker = self.quiescence_picker(table_move);
        let context = self.ordering_context(node.ply, None);
        let p = self.parameters();
        let evasions = self.earliness.between(p.early_quiescence_evasions, p.quiescence_evasions);
        let mut count = 0;
        while let Some(m) = self.next_move(&mut picker, &context) {
            let moved = PieceMove::of(&self.position, m);
            // Only once an evasion holds.
            if in_check && node.best_value > -MAX_EVALUATION {
                if count >= evasions as usize
                    && self.uses(Techniques::FEW_EVASIONS)
                    && !moved.is_capture()
                {
                    picker.skip_quiets();
                    continue;
                }
            } else if !in_check && self.is_pruned_capture(node, &moved, count) {
                count += 1;
                continue;
            }
            if node.best_value > -MAX_EVALUATION
                && self.uses(Techniques::EXCHANGE)
                && moved.is_capture()
                && !self.position.see_at_least(m, -p.quiescence_exchange)
            {
                count += 1;
                continue;
            }
            let frame = &mut self.frames[node.ply];
            (frame.move_index, frame.reduction, frame.history) = (count as u16, 0, 0);
            count += 1;
            self.do_piece_move(&moved, node.ply);
            let value = -self.leaf::<PV>(node.window.reversed(), node.ply + 1);
            self.undo_move();
            if self.meter.is_over() {
                break;
            }
            node.best_value = node.best_value.max(value);
            if value > node.window.alpha {
                node.best = Some(m);
                node.window.alpha = value;
                if PV {
                    self.set_pv(m, node.ply);
                }
                if value >= node.window.beta {
                    break;
                }
            }
        }
        picker.finish(&mut self.buffer);
    }
}

impl<E: Evaluator, S: Settings> Worker<'_, E, S> {
    /// Returns whether a capture, the move with this index, is pruned by the evaluation; the value
    /// of the node rises to what the capture is trusted to reach.
    ///
    /// Checks and recaptures never are: what they gain is not what they take.
    fn is_pruned_capture(
        &self,
        node: &mut QuiescenceState,
        moved: &PieceMove,
        index: usize,
    ) -> bool {
        let last = node.ply.checked_sub(1).and_then(|ply| self.frames[ply].current);
        if last.is_some_and(|last| last.to() == moved.m.to()) {
            return false;
        }
        let p = self.parameters();
        let alpha = node.window.alpha;
        let Some(static_value) = self.frames[node.ply].static_value else { return false };
        let base = static_value + p.delta_margin;
        let is_late =
            self.uses(Techniques::FEW_CAPTURES) && index >= p.quiescence_captures as usize;
        let gain = moved.gain() * p.capture_gain / 100;
        let most = self.uses(Techniques::DELTA).then_some(base + gain);
        let is_futile = most.is_some_and(|most| most <= alpha);
        // The values of exchanges are larger, as those of `gain`.
        let needed = 100 * (alpha - base) / p.capture_gain;
        let may_lose = || {
            self.uses(Techniques::DELTA)
                && self.uses(Techniques::EXCHANGE)
                && !self.position.see_at_least(moved.m, needed)
        };
        // The test for a check and the exchange are dear: they come last.
        if !(is_late || is_futile || may_lose()) || self.position.gives_check(moved.m) {
            return false;
        }
        if !is_late {
            let value = if is_futile { most.unwrap_or(base) } else { base.min(alpha) };
            node.best_value = node.best_value.max(value);
        }
        true
    }
}

/// Returns a value above the window nearer to it: the quiescence search has not looked at quiet
/// replies, so that it promises too much (Stockfish).
fn toward_beta(value: Value, beta: Value) -> Value {
    if value > beta && !is_decided(value) { (value + beta) / 2 } else { value }
}

/// The best result so far of a quiescence node, and its remaining window.
struct QuiescenceState {
    best: Option<Move>,
    best_value: Value,
    window: Window,
    ply: usize,
}

impl<E: Evaluator, S: Settings> Worker<'_, E, S> {
    /// Returns the quiescence value of the position as an analysis. The position itself counts as a
    /// node.
    pub(crate) fn quiescence_analysis(mut self) -> Analysis {
        let start = Instant::now();
        let value = self.leaf::<true>(Window::FULL, 0);
        let line = Line::exact(self.units().score(value), self.pvs[0].clone());
        Analysis {
            depth: 0,
            seldepth: self.longest as u32,
            nodes: 1 + self.meter.nodes(),
            time: start.elapsed(),
            lines: vec![line],
            completed: true,
        }
    }
}

#[cfg(test)]
mod tests;
