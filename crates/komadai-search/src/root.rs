//! The root: its moves, and one search of them.

use core::cmp::Reverse;
use core::ops::ControlFlow;

use komadai_core::{Bound, Line, Move, Position, Pv, Score};
use komadai_eval::Evaluator;
use komadai_movegen::{MoveGen, MoveList, generate_useful};
use smallvec::SmallVec;

use crate::Techniques;
use crate::node::Step;
use crate::picker::is_tactical;
use crate::pruning::{self, LateMove};
use crate::value::{INFINITE, Value, Window};
use crate::worker::{Worker, bound_of};

/// A root move and the latest that is known about it.
#[derive(Debug, Clone)]
pub(crate) struct RootMove {
    pub(crate) m: Move,
    /// −[`INFINITE`] before the first result.
    pub(crate) value: Value,
    bound: Bound,
    pv: Pv,
    /// The iteration that says so; 0 for none.
    iteration: i32,
}

impl RootMove {
    fn new(m: Move) -> Self {
        Self { m, value: -INFINITE, bound: Bound::Exact, pv: Pv::new(), iteration: 0 }
    }

    /// What to report; `None` before the first result.
    pub(crate) fn line(&self) -> Option<Line> {
        let Self { value, bound, .. } = *self;
        let score = Score::from_raw(value);
        (self.iteration > 0).then(|| Line { score, bound, pv: self.pv.clone() })
    }

    /// The order after a search: results of the latest iteration first, best first.
    pub(crate) fn rank(&self) -> Reverse<(i32, Value)> {
        Reverse((self.iteration, self.value))
    }
}

/// The moves to choose from: those of `only` that are legal, or all that are of use.
pub(crate) fn root_moves(position: &Position, only: Option<&[Move]>) -> Vec<RootMove> {
    let mut list = MoveList::new();
    match only {
        Some(moves) => {
            for (index, &m) in moves.iter().enumerate() {
                if !moves[..index].contains(&m) && position.is_legal(m) {
                    list.push(m);
                }
            }
        }
        None => generate_useful(position, &mut list),
    }
    list.into_iter().map(RootMove::new).collect()
}

impl<E: Evaluator> Worker<'_, E> {
    /// Searches `moves` to the depth of the iteration and returns the best value.
    ///
    /// Moves better than `window.alpha` get a result of this iteration, and the first one in any
    /// case. When the budget runs out, what was found until then stays.
    pub(crate) fn root(&mut self, moves: &mut [RootMove], window: Window) -> Value {
        let mut open = window;
        let mut best = -INFINITE;
        self.enter_root();
        let mut put_off: SmallVec<[usize; 8]> = SmallVec::new();
        let mut end = ControlFlow::Continue(());
        for (tried, root_move) in moves.iter_mut().enumerate() {
            if end.is_break() {
                break;
            }
            if tried > 0
                && let Some((busy, key)) = self.shared_out(root_move.m, self.iteration)
                && busy.contains(key)
            {
                put_off.push(tried);
            } else {
                end = self.try_root_move(root_move, tried, window, &mut open, &mut best);
            }
        }
        for tried in put_off {
            if end.is_continue() {
                end = self.try_root_move(&mut moves[tried], tried, window, &mut open, &mut best);
            }
        }
        best
    }

    /// Searches one move with what is left of the window, and remembers what it leads to.
    fn try_root_move(
        &mut self,
        root_move: &mut RootMove,
        tried: usize,
        window: Window,
        open: &mut Window,
        best: &mut Value,
    ) -> ControlFlow<()> {
        let step = self.root_step(root_move.m, tried, *best);
        let mut value = self.search_move::<true>(step, *open, 0);
        if value > open.alpha
            && !self.meter.is_over()
            && self.only_delays(root_move.m, value, self.iteration)
        {
            value -= self.parameters().delay_penalty;
        }
        if self.meter.is_over() {
            return ControlFlow::Break(());
        }
        *best = (*best).max(value);
        if value > open.alpha || tried == 0 {
            open.alpha = open.alpha.max(value);
            root_move.value = value;
            root_move.bound = bound_of(value, window);
            root_move.iteration = self.iteration;
            root_move.pv.set(root_move.m, &self.frames[1].pv);
        } else {
            // A narrower window may have promised more.
            root_move.iteration = root_move.iteration.min(self.iteration - 1);
        }
        if value >= window.beta { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Gives the first plies what their nodes expect of the one before.
    fn enter_root(&mut self) {
        let judged = self.judge(None, 0);
        self.frames[0].static_value = judged.map(|judged| judged.corrected);
        self.frames[1].cutoffs = 0;
        self.frames[2].cutoffs = 0;
        self.null_from = 0;
    }

    fn root_step(&self, m: Move, tried: usize, best_value: Value) -> Step {
        let reduces = self.uses(Techniques::LATE_MOVE_REDUCTION)
            && tried >= 2
            && self.iteration >= 3
            && !self.position.in_check()
            && !is_tactical(&self.position, m)
            && !self.position.gives_check(m);
        let late = LateMove { depth: self.iteration, tried, improving: true };
        let p = self.parameters();
        let reduction = pruning::late_move_reduction(p, &late) - p.reduction_pv;
        Step {
            m,
            depth: self.iteration - 1,
            reduction: reduces.then_some(reduction),
            tried,
            cut: false,
            best_value,
        }
    }
}
