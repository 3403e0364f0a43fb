//! The leaves of the search: play on until nothing is pending.
//!
//! The side to move may stand pat, that is, take the static value, or try a capture or promotion. In
//! check it has no choice but to try every evasion.
//!
//! Source of the method: L. Harris, "The heuristic search and the game of chess", IJCAI 1975; D. Beal,
//! "A generalised quiescence search algorithm", Artificial Intelligence 43(1), 1990.
//!
//! That is the standard way. The others, slower and there to be studied, are in `quiescence/`:
//! `selected.rs` tries the moves of classes that a policy chooses, `two_stage.rs` a fixed selection
//! followed by exchanges on one square.

mod class_filter;
mod classes;
mod method;
mod policy;
mod selected;
mod standalone;
mod threat;
mod two_stage;
mod value_table;
#[cfg(test)]
mod tests;

use komadai_core::{Bound, Move};
use komadai_eval::Evaluator;
use komadai_movegen::MoveGen;

use crate::Techniques;
use crate::node::WAYS_OUT;
use crate::picker::{Picker, REFUTATIONS, Wanted, gain, is_tactical};
use crate::pruning;
use crate::value::{INFINITE, MAX_EVALUATION, MAX_PLY, Value, Window, mated};
use crate::worker::{Known, Worker, bound_of};

pub use classes::{QuiescenceClasses, UnknownQuiescence};
pub use method::{Quiescence, SelectedQuiescence};
pub use policy::{ByProgress, QuiescenceNode, QuiescencePolicy};
pub(crate) use two_stage::STAGE_ONE_TABLE_BITS;
pub(crate) use value_table::ValueTable;

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
            return match &self.options.quiescence {
                Quiescence::Standard => self.quiescence::<PV>(window, ply),
                Quiescence::Selected(how) => self.selected::<PV>(how, window, ply),
                Quiescence::TwoStage => self.two_stage::<PV>(window, ply),
            };
        }
        if self.position.has_legal_move() { self.evaluate() } else { mated(ply) }
    }

    /// The value of a position in which the game has not ended.
    fn quiescence<const PV: bool>(&mut self, window: Window, ply: usize) -> Value {
        let known = self.known(ply);
        if !PV && let Some(value) = known.and_then(|known| known.settles(window, 0)) {
            return value;
        }
        let in_check = self.position.in_check();
        let mut node = Quiescent { best: None, best_value: -INFINITE, window, ply };
        let judged = self.judge(known, ply);
        self.frames[ply].static_value = judged.map(|judged| judged.corrected);
        if let Some(judged) = judged {
            let value = judged.corrected;
            let better = known.filter(|_| self.uses(Techniques::TABLE_VALUE));
            node.best_value = better.and_then(|known| known.improves(value)).unwrap_or(value);
            if node.best_value >= window.beta {
                if known.is_none() {
                    let known = Known {
                        best: None,
                        value: node.best_value,
                        static_value: Some(judged.raw),
                        depth: 0,
                        bound: Bound::Lower,
                        pv: false,
                    };
                    self.remember(known, ply);
                }
                return node.best_value;
            }
            node.window.alpha = window.alpha.max(node.best_value);
        }
        if known.is_none()
            && let Some(value) = self.mate_in_one(WAYS_OUT, ply)
        {
            return value;
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
        let static_value = judged.map(|judged| judged.raw);
        let pv = PV || known.is_some_and(|known| known.pv);
        self.remember(Known { best, value: best_value, static_value, depth: 0, bound, pv }, ply);
        best_value
    }

    /// Searches the moves that a quiescent position must not have.
    fn pending_moves<const PV: bool>(&mut self, node: &mut Quiescent, table_move: Option<Move>) {
        let stand_pat = node.best_value;
        let in_check = self.position.in_check();
        let mut picker = if in_check {
            Picker::new(&self.position, table_move, [None; REFUTATIONS], &self.buffer)
        } else {
            let wanted =
                if self.uses(Techniques::EXCHANGE) { Wanted::Winning(0) } else { Wanted::Tactical };
            Picker::tactical(&self.position, wanted, table_move, &self.buffer)
        };
        let here = self.circumstances(node.ply, None);
        let last = node.ply.checked_sub(1).and_then(|ply| self.frames[ply].current);
        let mut tried = 0;
        while let Some(m) = self.next_move(&mut picker, &here) {
            if !in_check && self.uses(Techniques::DELTA) {
                let gain = gain(&self.position, m);
                let p = self.parameters();
                if let Some(most) = pruning::delta(p, stand_pat, gain, node.window.alpha) {
                    node.best_value = node.best_value.max(most);
                    continue;
                }
            }
            if in_check
                && tried >= self.parameters().quiescence_evasions as usize
                && node.best_value > -MAX_EVALUATION
                && self.uses(Techniques::FEW_EVASIONS)
                && !is_tactical(&self.position, m)
            {
                picker.skip_quiets();
                continue;
            }
            tried += 1;
            let takes_back = last.is_some_and(|last| last.to() == m.to());
            let most = self.parameters().quiescence_captures as usize;
            if self.uses(Techniques::FEW_CAPTURES) && !in_check && tried > most && !takes_back {
                continue;
            }
            self.frames[node.ply].place = tried - 1;
            self.frames[node.ply].reduction = 0;
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
