//! The moves of a node, one after the other.

use core::ops::ControlFlow;

use komadai_core::{CheckInfo, Move};
use komadai_eval::Evaluator;
use komadai_movegen::{MoveGen, gives_check};
use smallvec::SmallVec;

use super::Node;
use super::history_update::Tried;
use super::singular::Verdict;
use crate::Techniques;
use crate::history::Follower;
use crate::picker::{Picker, REFUTATIONS, capture_history, gain, is_tactical};
use crate::pruning::{self, LateMove, PLY};
use crate::tesuji::Routine;
use crate::value::{INFINITE, MAX_EVALUATION, Value, Window, is_decided, mated};
use crate::worker::{Known, Worker, bound_of};

/// A move about to be searched.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Step {
    pub(crate) m: Move,
    /// Plies to go after it.
    pub(crate) depth: i32,
    /// By how much the first search is shortened, in 1,024ths of a ply; `None` for not at all.
    pub(crate) reduction: Option<i32>,
    /// Moves searched or left out before it.
    pub(crate) tried: usize,
    /// Whether the node is expected to be cut off.
    pub(crate) cut: bool,
    /// The best value so far.
    pub(crate) best_value: Value,
}

/// What a move is, as far as the rules of pruning are concerned.
#[derive(Debug, Clone, Copy)]
pub(super) struct Traits {
    pub(super) m: Move,
    pub(super) tactical: bool,
    pub(super) checks: bool,
    follower: Follower,
    /// Whether it refuted a sibling, or the last move elsewhere.
    refutes: bool,
    /// Moves searched or left out before it.
    tried: usize,
}

/// What the moves so far have shown.
struct Found {
    /// What is left of the node's window.
    window: Window,
    best: Option<Move>,
    value: Value,
    tried: Tried,
}

impl Found {
    fn new(window: Window) -> Self {
        Self { window, best: None, value: -INFINITE, tried: Tried::default() }
    }
}

/// Why the rest of a node's moves is not searched.
enum End {
    /// A move was good enough, or the budget is used up.
    Cut,
    /// The alternatives to the table's move have settled the node.
    Settled(Value),
}

/// The moves that another thread was searching when it was their turn, with their reductions.
type PutOff = SmallVec<[(Traits, i32); 4]>;

impl<E: Evaluator> Worker<'_, E> {
    /// Searches the moves of a node.
    pub(super) fn best_of_moves<const PV: bool>(&mut self, node: &Node) -> Value {
        let ply = node.ply;
        let info = CheckInfo::new(&self.position);
        let here = self.circumstances(ply, Some(&info));
        let refutations = self.refutations(ply);
        let mut picker = Picker::new(&self.position, node.table_move, refutations, &self.buffer);
        let mut found = Found::new(node.outlook.window);
        let mut count = 0;
        let routine = self.routine();
        let mut put_off = PutOff::new();
        let mut end = ControlFlow::Continue(());
        while end.is_continue()
            && let Some(m) = self.next_move(&mut picker, &here)
        {
            if node.excluded == Some(m) {
                continue;
            }
            let traits = Traits {
                m,
                tactical: is_tactical(&self.position, m),
                checks: gives_check(&self.position, &info, m),
                follower: Follower::of(&self.position, m),
                refutes: refutations.contains(&Some(m)),
                tried: count,
            };
            count += 1;
            let reduction = self.reduction(node, &traits);
            if found.value > -MAX_EVALUATION
                && let Some(most) = self.leave_out(node, &traits, reduction, &mut picker)
            {
                found.value = found.value.max(most);
            } else if traits.tried > 0
                && let Some((busy, key)) = self.shared_out(m, node.outlook.depth)
                && busy.contains(key)
            {
                put_off.push((traits, reduction));
            } else {
                end = self.try_move::<PV>(node, &traits, reduction, &routine, &mut found);
            }
        }
        for (traits, reduction) in put_off {
            if end.is_continue() {
                end = self.try_move::<PV>(node, &traits, reduction, &routine, &mut found);
            }
        }
        picker.finish(&mut self.buffer);
        match end {
            _ if self.meter.is_over() => 0,
            ControlFlow::Break(End::Settled(value)) => value,
            _ if count > 0 => self.conclude(node, &found),
            _ if node.excluded.is_some() => node.outlook.window.alpha,
            _ => mated(ply),
        }
    }

    /// Searches one move of a node.
    #[inline]
    fn try_move<const PV: bool>(
        &mut self,
        node: &Node,
        traits: &Traits,
        reduction: i32,
        routine: &Routine<'_>,
        found: &mut Found,
    ) -> ControlFlow<End> {
        let (m, ply) = (traits.m, node.ply);
        let mut extension = 0;
        if node.table_move == Some(m) {
            match self.compare_alternatives::<PV>(node, m) {
                Verdict::Extend(plies) => extension = plies,
                Verdict::Cut(value) => return ControlFlow::Break(End::Settled(value)),
            }
            if self.meter.is_over() {
                return ControlFlow::Break(End::Cut);
            }
        }
        if extension == 0 {
            extension = self.plain_extension::<PV>(node, traits);
        }
        if extension == 0 {
            extension = self.tesuji_extension(routine, m, ply);
        }
        let reduces = node.outlook.depth >= 2
            && traits.tried > 0
            && self.uses(Techniques::LATE_MOVE_REDUCTION);
        let step = Step {
            m,
            depth: node.outlook.depth - 1 + extension,
            reduction: reduces.then(|| self.adjusted::<PV>(node, traits, reduction)),
            tried: traits.tried,
            cut: node.cut,
            best_value: found.value,
        };
        let mut value = self.search_move::<PV>(step, found.window, ply);
        if value > found.window.alpha
            && !self.meter.is_over()
            && self.only_delays(m, value, node.outlook.depth)
        {
            value -= self.parameters().delay_penalty;
        }
        if self.meter.is_over() {
            return ControlFlow::Break(End::Cut);
        }
        found.value = found.value.max(value);
        if value > found.window.alpha {
            found.best = Some(m);
            found.window.alpha = value;
            if PV {
                self.set_pv(m, ply);
            }
            if value >= found.window.beta {
                self.frames[ply].cutoffs += 1;
                self.meter.count_cut(traits.tried);
                return ControlFlow::Break(End::Cut);
            }
        }
        found.tried.add(m, traits.tactical);
        ControlFlow::Continue(())
    }

    /// Draws the conclusions from a node's moves and returns its value.
    fn conclude(&mut self, node: &Node, found: &Found) -> Value {
        let Found { best, value: found, ref tried, .. } = *found;
        let (window, depth) = (node.outlook.window, node.outlook.depth);
        let mut value = found;
        if found >= window.beta && !is_decided(found) && !is_decided(window.beta) {
            // Far above the window, a deep search is trusted more than a shallow one.
            value = (found * depth + window.beta) / (depth + 1);
        }
        match best {
            Some(m) => self.learn(m, tried, node),
            None => self.reward_last_move(node),
        }
        if node.excluded.is_some() {
            return value;
        }
        let bound = bound_of(value, window);
        let known =
            Known { best, value, static_value: node.raw_value, depth, bound, pv: node.near_pv };
        self.remember(known, node.ply);
        self.remember_hand(&known, node.ply);
        self.learn_correction(node, &known);
        value
    }

    /// Quiet moves to try early.
    fn refutations(&self, ply: usize) -> [Option<Move>; REFUTATIONS] {
        let [first, second] = self.frames[ply].killers;
        let counter = if self.uses(Techniques::COUNTER_MOVES) {
            self.history.counters.get(self.earlier(ply, 1))
        } else {
            None
        };
        [first, second, counter]
    }

    /// The most a move is trusted to reach, if that is why it is not searched. Evasions always are.
    fn leave_out(
        &self,
        node: &Node,
        traits: &Traits,
        reduction: i32,
        picker: &mut Picker,
    ) -> Option<Value> {
        node.static_value?;
        let Traits { m, tactical, checks, tried, .. } = *traits;
        let (p, outlook) = (self.parameters(), &node.outlook);
        let nothing = Some(-INFINITE);
        if self.uses(Techniques::LATE_MOVE_PRUNING)
            && tried >= pruning::late_move_count(p, outlook.depth, outlook.improving)
        {
            picker.skip_quiets();
            if !tactical && !checks {
                return nothing;
            }
        }
        if self.uses(Techniques::LAST_PLIES_EXCHANGE)
            && outlook.depth <= 2
            && !checks
            && !self.position.see_at_least(m, 0)
        {
            return nothing;
        }
        let depth = outlook.depth - 1 - reduction / PLY;
        if tactical || checks {
            let history =
                if tactical { capture_history(&self.position, self.history, m) } else { 0 };
            if !checks
                && self.uses(Techniques::CAPTURE_FUTILITY)
                && let Some(most) =
                    pruning::capture_futility(p, outlook, depth, gain(&self.position, m))
            {
                return Some(most);
            }
            let allowance = pruning::capture_allowance(p, outlook.depth, history);
            return (self.uses(Techniques::EXCHANGE_PRUNING)
                && !self.position.see_at_least(m, -allowance))
            .then_some(-INFINITE);
        }
        let history = self.answer_history(node.ply, traits.follower);
        if self.uses(Techniques::HISTORY_PRUNING) && history < -p.history_pruning * outlook.depth {
            return nothing;
        }
        let depth = depth + history / p.history_ply;
        if self.uses(Techniques::FUTILITY)
            && let Some(most) = pruning::futility(p, outlook, depth)
        {
            return Some(most);
        }
        let allowance = pruning::quiet_allowance(p, depth);
        (self.uses(Techniques::EXCHANGE_PRUNING) && !self.position.see_at_least(m, -allowance))
            .then_some(-INFINITE)
    }

    /// How well a quiet move did as an answer to the last moves and with these pawns.
    fn answer_history(&self, ply: usize, follower: Follower) -> i32 {
        if !self.uses(Techniques::CONTINUATION_HISTORY) {
            return 0;
        }
        let continuation = &self.history.continuation;
        continuation.after(self.earlier(ply, 1)).get(follower)
            + continuation.after(self.earlier(ply, 2)).get(follower)
    }

    /// By how much a move is reduced, as far as depth and order tell.
    fn reduction(&self, node: &Node, traits: &Traits) -> i32 {
        if !self.uses(Techniques::LATE_MOVE_REDUCTION) {
            return 0;
        }
        let outlook = &node.outlook;
        let late =
            LateMove { depth: outlook.depth, tried: traits.tried, improving: outlook.improving };
        pruning::late_move_reduction(self.parameters(), &late)
    }

    /// The reduction with all that is known about the node and the move.
    fn adjusted<const PV: bool>(&self, node: &Node, traits: &Traits, reduction: i32) -> i32 {
        let p = self.parameters();
        let mut r = reduction;
        if node.near_pv {
            r -= p.reduction_pv;
        }
        if PV {
            r -= p.reduction_pv / 2;
        }
        if node.cut {
            r += p.reduction_cut;
        }
        if node.table_move.is_some_and(|m| is_tactical(&self.position, m)) {
            r += p.reduction_table_capture;
        }
        if self.frames[node.ply + 1].cutoffs > 2 {
            r += p.reduction_cutoffs;
        }
        if traits.checks {
            r -= p.reduction_check;
        }
        if traits.refutes {
            r -= p.reduction_killer;
        }
        if node.static_value.is_none() {
            r -= PLY;
        }
        r - self.success(node.ply, traits) * PLY / p.reduction_history
    }

    /// How well a move did elsewhere, all histories together.
    fn success(&self, ply: usize, traits: &Traits) -> i32 {
        if traits.tactical {
            let history = if self.uses(Techniques::CAPTURE_HISTORY) {
                capture_history(&self.position, self.history, traits.m)
            } else {
                0
            };
            return 4 * gain(&self.position, traits.m) + history;
        }
        let mut sum = self.answer_history(ply, traits.follower);
        if self.uses(Techniques::HISTORY) {
            sum += 2 * self.history.butterfly.get(self.position.side(), traits.m);
        }
        sum
    }

    /// Does a move, searches what follows, and undoes it.
    pub(crate) fn search_move<const PV: bool>(
        &mut self,
        step: Step,
        window: Window,
        ply: usize,
    ) -> Value {
        self.frames[ply].place = step.tried;
        self.frames[ply].reduction = 0;
        let shared_out = self.shared_out(step.m, step.depth + 1);
        if let Some((busy, key)) = shared_out {
            busy.enter(key);
        }
        self.do_move(step.m, ply);
        let value = self.after_move::<PV>(step, window, ply);
        self.undo_move();
        if let Some((busy, key)) = shared_out {
            busy.leave(key);
        }
        value
    }

    /// The value of the move that has just been done, for the side that did it.
    fn after_move<const PV: bool>(&mut self, step: Step, window: Window, ply: usize) -> Value {
        let Step { mut depth, reduction, tried, cut, best_value, .. } = step;
        let next = ply + 1;
        let test = Window::zero(window.alpha).reversed();
        if let Some(reduction) = reduction {
            let shallow = (depth - reduction.div_euclid(PLY)).clamp(1.min(depth), depth + 1);
            self.frames[ply].reduction = reduction.max(0);
            let value = -self.node::<false>(test, shallow, next, true);
            self.frames[ply].reduction = 0;
            if value <= window.alpha || self.meter.is_over() {
                return value;
            }
            let p = self.parameters();
            let far_better = value > best_value + p.deeper_margin + 2 * depth;
            let hardly_better = value < best_value + p.shallower_margin;
            if shallow < depth {
                depth += i32::from(far_better) - i32::from(hardly_better);
            }
            if !PV {
                if shallow >= depth {
                    return value;
                }
                return -self.node::<false>(test, depth, next, !cut);
            }
            if shallow < depth && self.uses(Techniques::ZERO_WINDOW) {
                let value = -self.node::<false>(test, depth, next, !cut);
                if value <= window.alpha || value >= window.beta {
                    return value;
                }
            }
            return -self.node::<true>(window.reversed(), depth, next, false);
        }
        if !PV {
            return -self.node::<false>(window.reversed(), depth, next, !cut);
        }
        if tried > 0 && self.uses(Techniques::ZERO_WINDOW) {
            let value = -self.node::<false>(test, depth, next, true);
            if value <= window.alpha || value >= window.beta {
                return value;
            }
        }
        -self.node::<true>(window.reversed(), depth, next, false)
    }
}
