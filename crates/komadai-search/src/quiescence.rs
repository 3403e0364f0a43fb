//! The leaves of the search: play on until nothing is pending.
//!
//! The side to move may stand pat, that is, take the static value, or try a capture or promotion. In
//! check it has no choice but to try every evasion.
//!
//! Source of the method: L. Harris, "The heuristic search and the game of chess", IJCAI 1975; D. Beal,
//! "A generalised quiescence search algorithm", Artificial Intelligence 43(1), 1990.

use komadai_core::Move;
use komadai_eval::Evaluator;
use komadai_movegen::MoveGen;

use crate::Techniques;
use crate::picker::{Picker, Wanted, gain};
use crate::pruning;
use crate::value::{INFINITE, MAX_PLY, Value, Window, mated};
use crate::worker::{Known, Worker, bound_of};

impl<E: Evaluator> Worker<'_, E> {
    /// The value of a position without depth left.
    pub(crate) fn leaf<const PV: bool>(&mut self, window: Window, ply: usize) -> Value {
        self.frames[ply].pv.clear();
        if self.meter.is_over() {
            return 0;
        }
        if let Some(value) = self.ended(ply) {
            return value;
        }
        if self.uses(Techniques::QUIESCENCE) && ply < MAX_PLY {
            return self.quiescence::<PV>(window, ply);
        }
        if self.position.has_legal_move() { self.evaluate() } else { mated(ply) }
    }

    /// The value of a position in which the game has not ended.
    fn quiescence<const PV: bool>(&mut self, window: Window, ply: usize) -> Value {
        let known = self.known(ply);
        if !PV && let Some(value) = known.and_then(|known| known.settles(window, 0)) {
            return value;
        }
        if known.is_none()
            && let Some(value) = self.mate_in_one(ply)
        {
            return value;
        }
        let in_check = self.position.in_check();
        let mut node = Quiescent { best: None, best_value: -INFINITE, window, ply };
        let mut static_value = None;
        if !in_check {
            let stored = known.and_then(|known| known.static_value);
            let value = stored.unwrap_or_else(|| self.evaluate());
            static_value = Some(value);
            node.best_value = known.and_then(|known| known.improves(value)).unwrap_or(value);
            if node.best_value >= window.beta {
                return node.best_value;
            }
            node.window.alpha = window.alpha.max(node.best_value);
        }
        self.pending_moves::<PV>(&mut node, known.and_then(|known| known.best));
        if self.meter.is_over() {
            return 0;
        }
        let Quiescent { best, best_value, .. } = node;
        if in_check && best_value == -INFINITE {
            return mated(ply);
        }
        let bound = bound_of(best_value, window);
        self.remember(Known { best, value: best_value, static_value, depth: 0, bound }, ply);
        best_value
    }

    /// Searches the moves that a quiescent position must not have.
    fn pending_moves<const PV: bool>(&mut self, node: &mut Quiescent, table_move: Option<Move>) {
        let stand_pat = node.best_value;
        let in_check = self.position.in_check();
        let mut picker = if in_check {
            Picker::new(&self.position, table_move, [None; 2], &self.buffer)
        } else {
            let wanted =
                if self.uses(Techniques::EXCHANGE) { Wanted::Winning } else { Wanted::Tactical };
            Picker::quiescence(&self.position, wanted, table_move, &self.buffer)
        };
        while let Some(m) = self.next_move(&mut picker) {
            if !in_check && self.uses(Techniques::DELTA) {
                let gain = gain(&self.position, m);
                if let Some(most) = pruning::delta(stand_pat, gain, node.window.alpha) {
                    node.best_value = node.best_value.max(most);
                    continue;
                }
            }
            self.do_move(m, node.ply);
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

/// A node of the quiescence search at work.
struct Quiescent {
    best: Option<Move>,
    best_value: Value,
    window: Window,
    ply: usize,
}
