//! Quiescence search over the moves that a policy selects.
//!
//! ```text
//! selected(window, depth):
//!     the game has ended:            return
//!     may stand pat:                 stand pat; return at a beta cutoff or without remaining depth
//!     request classes of moves from the policy
//!     for each move of these classes, or each evasion: search it with a ply less
//! ```
//!
//! A side in check may stand pat or not by the selection's `InCheck`.
//!
//! Only alpha-beta prunes, unless the selection has a `ProbCut`, so that the value is that of minimax over the same moves. The
//! transposition table is used at the first node of the search and not below, because entries do
//! not contain the number of remaining plies. With a policy that depends on earlier moves even that
//! is an approximation.

use komadai_core::Move;
use komadai_eval::{Evaluator, Progress};
use komadai_movegen::{MoveClass, MoveList, generate_class};

use super::QuiescenceState;
use super::class_filter::ClassFilter;
use crate::node::static_evaluation::StaticEvaluation;
use crate::picker::ScoredMove;
use crate::probcut::DepthPair;
use crate::quiescence_method::classes::QuiescenceClasses;
use crate::quiescence_method::policy::QuiescenceNode;
use crate::quiescence_method::{InCheck, SelectedQuiescence};
use crate::settings::Settings;
use crate::tactical::{is_tactical, mvv_lva};
use crate::techniques::Techniques;
use crate::transposition_table::entry::NodeResult;
use crate::value::{INFINITE, MAX_EVALUATION, MAX_PLY, Value, Window, bound_of, is_decided, mated};
use crate::worker::Worker;

/// The neighbours of a king: with this limit, every mate in one is found.
const ALL_KING_ESCAPES: u32 = 8;

/// The ordering score of the table's move, above all others.
const TABLE_MOVE_SCORE: i32 = 1 << 24;

/// The ordering score of captures and promotions, above every history score.
const TACTICAL_SCORE: i32 = 1 << 20;

/// The selection of moves and its remaining depth.
#[derive(Debug, Clone, Copy)]
pub(super) struct Remaining<'a> {
    pub(super) selection: &'a SelectedQuiescence,
    /// Number of plies since the start of the quiescence search.
    pub(super) plies: u32,
    /// Number of plies by which a search for a cut is shallower.
    reduction: u32,
}

impl Remaining<'_> {
    /// Returns the remaining plies; 0 as well where evasions have gone beyond the depth.
    pub(super) fn depth(self) -> u32 {
        let policy = self.selection.policy();
        let depth = self.selection.depth().min(policy.max_plies());
        depth.saturating_sub(self.plies + self.reduction)
    }

    fn one_less(self) -> Self {
        Self { plies: self.plies + 1, ..self }
    }
}

impl<E: Evaluator, S: Settings> Worker<'_, E, S> {
    /// Returns the value of a position in which the game has not ended.
    // Inlined, it would slow down every leaf of the standard method.
    #[inline(never)]
    pub(super) fn selected<const PV: bool>(
        &mut self,
        selection: &SelectedQuiescence,
        window: Window,
        ply: usize,
    ) -> Value {
        let remaining = Remaining { selection, plies: 0, reduction: 0 };
        let hit = self.probe_table(ply);
        if !PV && let Some(value) = hit.and_then(|hit| hit.cutoff(window, 0)) {
            return value;
        }
        if hit.is_none()
            && let Some(value) = self.mate_in_one(ALL_KING_ESCAPES, ply)
        {
            return value;
        }
        let evaluation = self.standing_evaluation(remaining, hit, ply);
        let table_move = hit.and_then(|hit| hit.best());
        let node = self.selected_node::<PV>(remaining, evaluation, table_move, window, ply);
        if self.meter.is_over() {
            return 0;
        }
        let QuiescenceState { best, best_value, .. } = node;
        let static_value = evaluation.map(|evaluation| evaluation.raw);
        let bound = bound_of(best_value, window);
        let pv = PV || hit.is_some_and(|hit| hit.pv());
        let result = NodeResult { best, value: best_value, static_value, depth: 0, bound, pv };
        self.store_in_table(&result, ply);
        best_value
    }

    /// Returns the value of a position below the first node.
    fn selected_leaf<const PV: bool>(
        &mut self,
        remaining: Remaining<'_>,
        window: Window,
        ply: usize,
    ) -> Value {
        self.meter.count_quiescence();
        self.pvs[ply].clear();
        if self.meter.is_over() {
            return 0;
        }
        if let Some(value) = self.game_end(ply) {
            return value;
        }
        if ply >= MAX_PLY {
            return self.evaluate();
        }
        // For the place of a mate only: see the module documentation.
        self.probe_table(ply);
        if let Some(value) = self.mate_in_one(ALL_KING_ESCAPES, ply) {
            return value;
        }
        let evaluation = self.standing_evaluation(remaining, None, ply);
        self.selected_node::<PV>(remaining, evaluation, None, window, ply).best_value
    }

    fn selected_node<const PV: bool>(
        &mut self,
        remaining: Remaining<'_>,
        evaluation: Option<StaticEvaluation>,
        table_move: Option<Move>,
        window: Window,
        ply: usize,
    ) -> QuiescenceState {
        let mut node = QuiescenceState { best: None, best_value: -INFINITE, window, ply };
        self.frames[ply].static_value = evaluation.map(|evaluation| evaluation.corrected);
        if let Some(evaluation) = evaluation {
            let correction = self.correction(remaining);
            let value = evaluation.corrected + correction;
            node.best_value = value.clamp(-MAX_EVALUATION, MAX_EVALUATION);
            node.window.alpha = window.alpha.max(node.best_value);
            if node.best_value >= window.beta || remaining.depth() == 0 {
                return node;
            }
        }
        if !self.position.in_check()
            && let Some(value) = self.shallow_cut(remaining, evaluation, node.window, ply)
        {
            node.best_value = value;
            return node;
        }
        let start = self.buffer.len();
        self.push_selected(remaining, &node, table_move);
        for index in start..self.buffer.len() {
            let m = self.buffer[index].m();
            self.frames[ply].move_index = (index - start) as u16;
            self.frames[ply].reduction = 0;
            self.do_move(m, ply);
            let window = node.window.reversed();
            let value = -self.selected_leaf::<PV>(remaining.one_less(), window, ply + 1);
            self.undo_move();
            if self.meter.is_over() || self.update_best::<PV>(&mut node, m, value) {
                break;
            }
        }
        self.buffer.truncate(start);
        if node.best_value == -INFINITE {
            node.best_value = mated(ply);
        }
        node
    }

    /// Returns a bound of the window, if a shallower search decides that the value is outside
    /// ([`ProbCut`](crate::ProbCut)).
    fn shallow_cut(
        &mut self,
        remaining: Remaining<'_>,
        evaluation: Option<StaticEvaluation>,
        window: Window,
        ply: usize,
    ) -> Option<Value> {
        let probcut = remaining.selection.probcut()?;
        let pair = DepthPair::find(&probcut.pairs, remaining.depth())?;
        let by = &pair.bands[DepthPair::band(Progress::of(&self.position))];
        let [above, below] = by.bounds(probcut.confidence, window);
        let reduction = remaining.reduction + pair.deep - pair.shallow;
        let shallower = Remaining { reduction, ..remaining };
        let is_above = |worker: &mut Self, value: Value| {
            let window = Window::zero(value - 1);
            let node = worker.selected_node::<false>(shallower, evaluation, None, window, ply);
            node.best_value >= value
        };
        if !is_decided(window.beta) && !is_decided(above) && is_above(self, above) {
            return Some(window.beta);
        }
        if !is_decided(window.alpha) && !is_decided(below) && !is_above(self, below + 1) {
            return Some(window.alpha);
        }
        None
    }

    /// Updates the best result by the value of a move; returns whether that is a beta cutoff.
    pub(super) fn update_best<const PV: bool>(
        &mut self,
        node: &mut QuiescenceState,
        m: Move,
        value: Value,
    ) -> bool {
        node.best_value = node.best_value.max(value);
        if value > node.window.alpha {
            node.best = Some(m);
            node.window.alpha = value;
            if PV {
                self.set_pv(m, node.ply);
            }
        }
        value >= node.window.beta
    }

    /// Appends the moves to search, best first, to the buffer.
    fn push_selected(
        &mut self,
        remaining: Remaining<'_>,
        node: &QuiescenceState,
        table_move: Option<Move>,
    ) {
        let stands = node.best_value > -INFINITE;
        let tries_classes = stands && remaining.selection.in_check() == InCheck::Classes;
        let list = if self.position.in_check() && !tries_classes {
            let class = MoveClass::EVASIONS | MoveClass::USEFUL;
            let mut evasions = MoveList::new();
            generate_class(&self.position, class, &mut evasions);
            evasions
        } else {
            self.chosen_moves(remaining, node)
        };
        self.push_in_order(&list, table_move);
    }

    /// Appends moves to the buffer in order: the table's move, captures and promotions, then by
    /// history.
    pub(super) fn push_in_order(&mut self, moves: &[Move], table_move: Option<Move>) {
        let uses_history = self.uses(Techniques::HISTORY);
        let start = self.buffer.len();
        for &m in moves {
            let score = if table_move == Some(m) {
                TABLE_MOVE_SCORE
            } else if is_tactical(&self.position, m) {
                TACTICAL_SCORE + mvv_lva(&self.position, m)
            } else if uses_history {
                self.history.own.butterfly.get(self.position.side(), m)
            } else {
                0
            };
            self.buffer.push(ScoredMove::new(m, score));
        }
        self.buffer[start..].sort_unstable_by(|a, b| b.cmp(a));
    }

    /// Returns the moves that the policy chooses, with checks after an unparried threatmate.
    fn chosen_moves(&mut self, remaining: Remaining<'_>, node: &QuiescenceState) -> MoveList {
        use QuiescenceClasses as Class;
        let policy = remaining.selection.policy();
        let fixed = policy.fixed();
        // The threatmate is costly to predict, so only if it can change the classes.
        let needs_threatmate = fixed.is_none_or(|fixed| {
            fixed.contains(Class::THREATMATE) && !fixed.intersects(Class::CHECK | Class::ALL)
        });
        let log_odds = if needs_threatmate {
            self.threatmate_log_odds(remaining.selection)
        } else {
            f32::NEG_INFINITY
        };
        let units = self.units();
        let node = QuiescenceNode {
            position: &self.position,
            static_score: units.score(node.best_value),
            alpha: units.score(node.window.alpha),
            beta: units.score(node.window.beta),
            depth_left: remaining.depth(),
            plies: remaining.plies,
            threatmate_log_odds: log_odds,
        };
        let mut classes = fixed.unwrap_or_else(|| policy.classes(&node));
        if classes.contains(Class::THREATMATE) && log_odds > 0.0 {
            classes |= Class::CHECK;
        }
        let mut list = MoveList::new();
        let model = remaining.selection.probability();
        ClassFilter::new(&self.position, classes, model).generate(&mut list);
        policy.select(&node, list)
    }

    /// Returns the log odds that the move two plies earlier was a threatmate, from the position
    /// after it.
    fn threatmate_log_odds(&mut self, selection: &SelectedQuiescence) -> f32 {
        if self.position.history().len() < 2 {
            return f32::NEG_INFINITY;
        }
        // The evaluator's state need not follow, because the move is done again below.
        let last = self.position.undo_move();
        let log_odds = selection.threatmate().log_odds(&self.position);
        match last {
            Some(m) => self.position.do_move(m),
            None => self.position.do_null_move(),
        }
        log_odds
    }
}
