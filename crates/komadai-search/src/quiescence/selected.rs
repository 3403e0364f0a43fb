//! Quiescence search over the moves that a policy selects.
//!
//! ```text
//! selected(window, depth):
//!     the game has ended:            return
//!     not in check:                  stand pat; return if that is enough or no depth is left
//!     ask the policy for classes
//!     for each move of these classes, or each evasion: search it with a ply less
//! ```
//!
//! Nothing is pruned but by alpha-beta, so that the value is that of minimax over the same moves. The
//! transposition table is used where the search begins and nowhere below, because entries do not say
//! how many plies were left; a policy that looks at the moves before makes even that an approximation.

use komadai_core::{Move, Score};
use komadai_eval::Evaluator;
use komadai_movegen::{MoveClass, MoveList, generate_class};

use super::Quiescent;
use super::class_filter::Membership;
use super::classes::QuiescenceClasses;
use super::method::SelectedQuiescence;
use super::policy::QuiescenceNode;
use crate::Techniques;
use crate::node::Judged;
use crate::picker::{ScoredMove, is_tactical, tactical_score};
use crate::value::{INFINITE, MAX_PLY, Value, Window, mated};
use crate::worker::{Known, Worker, bound_of};

/// No king has more squares to go to, so that every mate in one is found.
const NEIGHBOURS: u32 = 8;

/// How much is left to be searched.
#[derive(Debug, Clone, Copy)]
struct Left<'a> {
    how: &'a SelectedQuiescence,
    /// The plies since the search of selected moves began.
    plies: u32,
}

impl Left<'_> {
    /// The plies left; 0 as well where evasions have gone beyond.
    fn depth(self) -> u32 {
        self.how.depth().saturating_sub(self.plies)
    }

    fn less(self) -> Self {
        Self { plies: self.plies + 1, ..self }
    }
}

impl<E: Evaluator> Worker<'_, E> {
    /// The value of a position in which the game has not ended.
    // Inlined, it would weigh on every leaf of the standard way.
    #[inline(never)]
    pub(super) fn selected<const PV: bool>(
        &mut self,
        how: &SelectedQuiescence,
        window: Window,
        ply: usize,
    ) -> Value {
        let left = Left { how, plies: 0 };
        let known = self.known(ply);
        if !PV && let Some(value) = known.and_then(|known| known.settles(window, 0)) {
            return value;
        }
        if known.is_none()
            && let Some(value) = self.mate_in_one(NEIGHBOURS, ply)
        {
            return value;
        }
        let judged = self.judge(known, ply);
        let table_move = known.and_then(|known| known.best);
        let node = self.selected_node::<PV>(left, judged, table_move, window, ply);
        if self.meter.is_over() {
            return 0;
        }
        let Quiescent { best, best_value, .. } = node;
        let static_value = judged.map(|judged| judged.raw);
        let bound = bound_of(best_value, window);
        let pv = PV || known.is_some_and(|known| known.pv);
        self.remember(Known { best, value: best_value, static_value, depth: 0, bound, pv }, ply);
        best_value
    }

    /// The value further down.
    fn selected_leaf<const PV: bool>(
        &mut self,
        left: Left<'_>,
        window: Window,
        ply: usize,
    ) -> Value {
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
        if let Some(value) = self.mate_in_one(NEIGHBOURS, ply) {
            return value;
        }
        let judged = self.judge(None, ply);
        self.selected_node::<PV>(left, judged, None, window, ply).best_value
    }

    fn selected_node<const PV: bool>(
        &mut self,
        left: Left<'_>,
        judged: Option<Judged>,
        table_move: Option<Move>,
        window: Window,
        ply: usize,
    ) -> Quiescent {
        let mut node = Quiescent { best: None, best_value: -INFINITE, window, ply };
        self.frames[ply].static_value = judged.map(|judged| judged.corrected);
        if let Some(judged) = judged {
            node.best_value = judged.corrected;
            node.window.alpha = window.alpha.max(node.best_value);
            if node.best_value >= window.beta || left.depth() == 0 {
                return node;
            }
        }
        let start = self.buffer.len();
        self.push_selected(left, &node, table_move);
        for index in start..self.buffer.len() {
            let m = self.buffer[index].m();
            self.frames[ply].place = index - start;
            self.frames[ply].reduction = 0;
            self.do_move(m, ply);
            let value = -self.selected_leaf::<PV>(left.less(), node.window.reversed(), ply + 1);
            self.undo_move();
            if self.meter.is_over() || self.improves::<PV>(&mut node, m, value) {
                break;
            }
        }
        self.buffer.truncate(start);
        if node.best_value == -INFINITE {
            node.best_value = mated(ply);
        }
        node
    }

    /// Takes in what a move is worth, and says whether the node is cut off.
    pub(super) fn improves<const PV: bool>(
        &mut self,
        node: &mut Quiescent,
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
    fn push_selected(&mut self, left: Left<'_>, node: &Quiescent, table_move: Option<Move>) {
        let mut list = MoveList::new();
        if self.position.in_check() {
            let class = MoveClass::EVASIONS | MoveClass::USEFUL;
            generate_class(&self.position, class, &mut list);
        } else {
            let classes = self.chosen_classes(left, node);
            Membership::new(&self.position, classes, left.how.probability()).generate(&mut list);
        }
        self.push_in_order(&list, table_move);
    }

    /// Appends moves to the buffer: the table's, captures and promotions, then the most successful.
    pub(super) fn push_in_order(&mut self, moves: &[Move], table_move: Option<Move>) {
        let uses_history = self.uses(Techniques::HISTORY);
        let start = self.buffer.len();
        for &m in moves {
            let score = if table_move == Some(m) {
                1 << 24
            } else if is_tactical(&self.position, m) {
                (1 << 20) + tactical_score(&self.position, m)
            } else if uses_history {
                self.history.butterfly.get(self.position.side(), m)
            } else {
                0
            };
            self.buffer.push(ScoredMove::new(m, score));
        }
        self.buffer[start..].sort_unstable_by(|a, b| b.cmp(a));
    }

    /// What the policy wants, with checks where a threatmate stands.
    fn chosen_classes(&mut self, left: Left<'_>, node: &Quiescent) -> QuiescenceClasses {
        use QuiescenceClasses as Class;
        let policy = left.how.policy();
        let fixed = policy.fixed();
        // A question about the moves before is asked only if it may matter.
        let asks = fixed.is_none_or(|fixed| {
            fixed.contains(Class::THREATMATE) && !fixed.intersects(Class::CHECK | Class::ALL)
        });
        let log_odds = if asks { self.threatmate_log_odds(left.how) } else { f32::NEG_INFINITY };
        let classes = fixed.unwrap_or_else(|| {
            policy.classes(&QuiescenceNode {
                position: &self.position,
                static_score: Score::from_raw(node.best_value),
                alpha: Score::from_raw(node.window.alpha),
                beta: Score::from_raw(node.window.beta),
                depth_left: left.depth(),
                plies: left.plies,
                threatmate_log_odds: log_odds,
            })
        });
        if classes.contains(Class::THREATMATE) && log_odds > 0.0 {
            classes | Class::CHECK
        } else {
            classes
        }
    }

    /// The odds that the move two plies earlier was a threatmate: a look back at the position after it.
    fn threatmate_log_odds(&mut self, how: &SelectedQuiescence) -> f32 {
        if self.position.history().len() < 2 {
            return f32::NEG_INFINITY;
        }
        // The evaluator's state need not follow: the position comes back as it was.
        let last = self.position.undo_move();
        let log_odds = how.threatmate().log_odds(&self.position);
        match last {
            Some(m) => self.position.do_move(m),
            None => self.position.do_null_move(),
        }
        log_odds
    }
}
