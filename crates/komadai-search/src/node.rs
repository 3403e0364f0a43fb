//! The inner nodes of the search: fail-soft principal variation search.
//!
//! ```text
//! node(window, depth):
//!     the game has ended, or a shorter mate is known:  return
//!     the table knows enough:                          return
//!     a mate in one:                                   return
//!     well off even so (static value, null move):      return
//!     for each move, best first:
//!         leave it out if it cannot matter
//!         search it with a zero window, late moves less deep;
//!         again with more depth or window if it turns out to be better
//! ```
//!
//! Source of the method: J. Pearl, "Scout: a simple game-searching algorithm with proven optimal
//! properties", AAAI 1980; T. Marsland and M. Campbell, "Parallel search of strongly ordered game
//! trees", ACM Computing Surveys 14(4), 1982.

use komadai_core::{Bound, CheckInfo, Move};
use komadai_eval::Evaluator;
use komadai_movegen::{MoveGen, gives_check};

use crate::Techniques;
use crate::history::History;
use crate::picker::{Picker, is_tactical};
use crate::pruning::{self, LateMove, Outlook};
use crate::value::{
    INFINITE, MAX_DEPTH, MAX_EVALUATION, MAX_PLY, Value, Window, is_decided, mated, mating,
};
use crate::worker::{Known, Worker, bound_of};

/// A node whose moves are about to be searched.
#[derive(Debug, Clone, Copy)]
struct Node {
    outlook: Outlook,
    ply: usize,
    /// `None` in check.
    static_value: Option<Value>,
    table_move: Option<Move>,
}

/// A move about to be searched.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    pub(crate) m: Move,
    /// Plies to go after it.
    pub(crate) depth: i32,
    /// By how many of them the first search is shortened.
    pub(crate) reduction: i32,
    /// Whether no move has been searched before.
    pub(crate) is_first: bool,
}

/// What a move is, as far as the rules of pruning are concerned.
#[derive(Debug, Clone, Copy)]
struct Traits {
    m: Move,
    tactical: bool,
    checks: bool,
    /// Moves searched or left out before it.
    tried: usize,
}

impl<E: Evaluator> Worker<'_, E> {
    /// The value of the position for the side to move, searched to `depth` plies.
    ///
    /// Fail-soft: outside the window the value is a bound. `PV` is whether the window is more than
    /// one wide, so that a line is wanted. Meaningless once the budget is used up.
    pub(crate) fn node<const PV: bool>(&mut self, window: Window, depth: i32, ply: usize) -> Value {
        if depth <= 0 {
            return self.leaf::<PV>(window, ply);
        }
        self.frames[ply].pv.clear();
        if self.meter.is_over() {
            return 0;
        }
        if let Some(value) = self.ended(ply) {
            return value;
        }
        if ply >= MAX_PLY {
            return self.evaluate();
        }
        let window = if self.uses(Techniques::MATE_DISTANCE) {
            match pruning::mate_distance(window, ply) {
                Ok(narrowed) => narrowed,
                Err(value) => return value,
            }
        } else {
            window
        };
        let known = self.known(ply);
        if !PV && let Some(value) = known.and_then(|known| known.settles(window, depth)) {
            return value;
        }
        if known.is_none()
            && let Some(value) = self.mate_in_one(ply)
        {
            return value;
        }
        let node = self.look::<PV>(known, window, depth, ply);
        if !PV && let Some(value) = self.cut_without_moves(&node) {
            return value;
        }
        self.best_of_moves::<PV>(node)
    }

    /// The value if the side to move mates at once.
    pub(crate) fn mate_in_one(&mut self, ply: usize) -> Option<Value> {
        if !self.uses(Techniques::MATE_IN_ONE) || self.position.in_check() {
            return None;
        }
        let m = self.position.mate_in_one()?;
        self.frames[ply].pv.set(m, &[]);
        let value = mating(ply + 1);
        let (depth, bound) = (MAX_DEPTH, Bound::Exact);
        self.remember(Known { best: Some(m), value, static_value: None, depth, bound }, ply);
        Some(value)
    }

    /// Gathers what the rules need to know.
    fn look<const PV: bool>(
        &mut self,
        known: Option<Known>,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Node {
        let static_value = if self.position.in_check() {
            None
        } else {
            Some(known.and_then(|known| known.static_value).unwrap_or_else(|| self.evaluate()))
        };
        self.frames[ply].static_value = static_value;
        let earlier = ply.checked_sub(2).and_then(|ply| self.frames[ply].static_value);
        let improving = match (static_value, earlier) {
            (Some(now), Some(then)) => now > then,
            _ => static_value.is_some(),
        };
        let value = static_value.unwrap_or(-INFINITE);
        let better = known.filter(|_| !PV).and_then(|known| known.improves(value));
        let outlook = Outlook {
            window,
            depth,
            static_value: if static_value.is_some() { better.unwrap_or(value) } else { value },
            improving,
        };
        Node { outlook, ply, static_value, table_move: known.and_then(|known| known.best) }
    }

    /// The value of a node that need not be searched move by move.
    fn cut_without_moves(&mut self, node: &Node) -> Option<Value> {
        let Node { outlook, ply, .. } = *node;
        node.static_value?;
        if self.uses(Techniques::REVERSE_FUTILITY) && pruning::reverse_futility(&outlook) {
            return Some(outlook.static_value);
        }
        if !self.uses(Techniques::NULL_MOVE) || self.frames[ply - 1].current.is_none() {
            return None;
        }
        let reduction = pruning::null_move(&outlook)?;
        let beta = outlook.window.beta;
        self.do_null_move(ply);
        let window = Window::zero(beta - 1).reversed();
        let value = -self.node::<false>(window, outlook.depth - 1 - reduction, ply + 1);
        self.position.undo_null_move();
        if self.meter.is_over() {
            return Some(0);
        }
        // A mate found after passing is not a mate with the move.
        (value >= beta).then(|| if is_decided(value) { beta } else { value })
    }

    fn best_of_moves<const PV: bool>(&mut self, node: Node) -> Value {
        let Node { outlook, ply, .. } = node;
        let info = CheckInfo::new(&self.position);
        self.frames[ply].quiets.clear();
        self.frames[ply + 2].killers = [None; 2];
        let killers = self.frames[ply].killers;
        let mut picker = Picker::new(&self.position, node.table_move, killers, &self.buffer);
        let mut window = outlook.window;
        let mut best = None;
        let mut best_value = -INFINITE;
        let mut tried = 0;
        while let Some(m) = self.next_move(&mut picker) {
            let traits = Traits {
                m,
                tactical: is_tactical(&self.position, m),
                checks: gives_check(&self.position, &info, m),
                tried,
            };
            tried += 1;
            if best_value > -MAX_EVALUATION
                && let Some(most) = self.leave_out(&node, &traits, &mut picker)
            {
                best_value = best_value.max(most);
                continue;
            }
            let step = self.step::<PV>(&node, &traits);
            let value = self.search_move::<PV>(step, window, ply);
            if self.meter.is_over() {
                break;
            }
            best_value = best_value.max(value);
            if value > window.alpha {
                best = Some(m);
                window.alpha = value;
                if PV {
                    self.set_pv(m, ply);
                }
                if value >= window.beta {
                    break;
                }
            }
            if !traits.tactical {
                self.frames[ply].quiets.push(m);
            }
        }
        picker.finish(&mut self.buffer);
        if self.meter.is_over() {
            return 0;
        }
        if tried == 0 {
            return mated(ply);
        }
        if best_value >= window.beta
            && let Some(m) = best
        {
            self.learn(m, outlook.depth, ply);
        }
        self.remember(
            Known {
                best,
                value: best_value,
                static_value: node.static_value,
                depth: outlook.depth,
                bound: bound_of(best_value, outlook.window),
            },
            ply,
        );
        best_value
    }

    /// The most a move is trusted to reach, if that is why it is not searched. Evasions always are.
    fn leave_out(&self, node: &Node, traits: &Traits, picker: &mut Picker) -> Option<Value> {
        node.static_value?;
        let Traits { m, tactical, checks, tried } = *traits;
        let outlook = &node.outlook;
        let nothing = -INFINITE;
        if !tactical && !checks {
            if self.uses(Techniques::LATE_MOVE_PRUNING) && pruning::late_move(outlook, tried) {
                picker.stop_ordering();
                return Some(nothing);
            }
            if self.uses(Techniques::FUTILITY) {
                let depth = outlook.depth - 1 - self.reduction::<false>(node, traits);
                if let Some(most) = pruning::futility(outlook, depth) {
                    return Some(most);
                }
            }
        }
        // A sacrifice may mate.
        if !checks
            && self.uses(Techniques::EXCHANGE_PRUNING)
            && let Some(allowance) = pruning::exchange_allowance(outlook.depth, !tactical)
            && !self.position.see_at_least(m, -allowance)
        {
            return Some(nothing);
        }
        None
    }

    /// How deep a move is searched.
    fn step<const PV: bool>(&self, node: &Node, traits: &Traits) -> Step {
        let extension = traits.checks
            && self.uses(Techniques::CHECK_EXTENSION)
            && pruning::check_extension(
                node.ply,
                self.iteration,
                !self.position.see_at_least(traits.m, 0),
            );
        let reduction = if extension || (traits.tactical && traits.tried < 4) {
            0
        } else {
            self.reduction::<PV>(node, traits)
        };
        Step {
            m: traits.m,
            depth: node.outlook.depth - 1 + i32::from(extension),
            reduction,
            is_first: traits.tried == 0,
        }
    }

    /// By how many plies a move is reduced.
    fn reduction<const PV: bool>(&self, node: &Node, traits: &Traits) -> i32 {
        if !self.uses(Techniques::LATE_MOVE_REDUCTION) || node.static_value.is_none() {
            return 0;
        }
        let history =
            if traits.tactical { 0 } else { self.history.get(self.position.side(), traits.m) };
        pruning::late_move_reduction(&LateMove {
            depth: node.outlook.depth,
            tried: traits.tried,
            pv: PV,
            improving: node.outlook.improving,
            checks: traits.checks,
            history: history * 1_024 / History::MAX,
        })
    }

    /// Does a move, searches what follows, and undoes it.
    pub(crate) fn search_move<const PV: bool>(
        &mut self,
        step: Step,
        window: Window,
        ply: usize,
    ) -> Value {
        self.do_move(step.m, ply);
        let value = self.after_move::<PV>(step, window, ply + 1);
        self.undo_move();
        value
    }

    /// The value of the move that has just been done, for the side that did it.
    fn after_move<const PV: bool>(&mut self, step: Step, window: Window, next: usize) -> Value {
        let Step { depth, reduction, is_first, .. } = step;
        let test = Window::zero(window.alpha).reversed();
        if reduction > 0 {
            let value = -self.node::<false>(test, depth - reduction, next);
            if value <= window.alpha {
                return value;
            }
        }
        if !PV {
            return -self.node::<false>(window.reversed(), depth, next);
        }
        if !is_first && self.uses(Techniques::ZERO_WINDOW) {
            let value = -self.node::<false>(test, depth, next);
            if value <= window.alpha || value >= window.beta {
                return value;
            }
        }
        -self.node::<true>(window.reversed(), depth, next)
    }

    /// Remembers the move that refuted the line, rewards it, and blames the quiet ones tried before.
    fn learn(&mut self, best: Move, depth: i32, ply: usize) {
        let quiet = !is_tactical(&self.position, best);
        if quiet && self.uses(Techniques::KILLERS) {
            self.frames[ply].add_killer(best);
        }
        if !self.uses(Techniques::HISTORY) {
            return;
        }
        let side = self.position.side();
        let bonus = (depth * depth * 16).min(1_600);
        if quiet {
            self.history.update(side, best, bonus);
        }
        for &m in &self.frames[ply].quiets {
            self.history.update(side, m, -bonus);
        }
    }
}

#[cfg(test)]
mod tests {
    use komadai_core::{Budget, Position};
    use komadai_eval::Classical;

    use super::*;
    use crate::meter::Meter;
    use crate::{SearchOptions, TranspositionTable};

    #[test]
    fn lines_end_at_the_last_ply() {
        // In check and not, with captures and drops at hand.
        for sfen in [
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
            "1n1sg+N3/l8/pppg1p1kl/3P4p/Pn2P1pp1/1PPK+sP2P/B3S1PGN/2B4S1/L1RG4L b R2Pp 1",
        ] {
            let position = Position::from_sfen(sfen).unwrap();
            let (table, options) = (TranspositionTable::new(1), SearchOptions::default());
            let (budget, mut history) = (Budget::unlimited(), History::new());
            let meter = Meter::new(&budget);
            let mut worker =
                Worker::new(&Classical, &table, &options, &mut history, meter, &position);
            worker.iteration = MAX_DEPTH;
            for ply in MAX_PLY - 6..=MAX_PLY {
                for depth in 0..5 {
                    worker.node::<true>(Window::FULL, depth, ply);
                    assert!(worker.longest <= MAX_PLY);
                }
            }
            assert_eq!(worker.longest, MAX_PLY);
        }
    }
}
