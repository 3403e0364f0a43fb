//! One search of the root moves.

use core::ops::ControlFlow;

use komadai_core::Move;
use komadai_eval::Evaluator;
use komadai_movegen::MoveGen;
use smallvec::SmallVec;

use crate::node::move_search::MoveSearch;
use crate::pruning::{self, LateMove};
use crate::root_move::RootMove;
use crate::settings::Settings;
use crate::tactical::{PieceMove, is_tactical};
use crate::techniques::Techniques;
use crate::value::{INFINITE, Value, Window, bound_of};
use crate::worker::Worker;

/// Root moves from this index on are reduced: the first two are searched to full depth.
const FIRST_REDUCED_ROOT_MOVE: usize = 2;

/// The smallest iteration that reduces root moves. Shallower ones cost next to nothing.
const MIN_REDUCED_ITERATION: i32 = 3;

impl<E: Evaluator, S: Settings> Worker<'_, E, S> {
    /// Searches `moves` to `root_depth` and returns the best value.
    ///
    /// The first move and all moves better than `window.alpha` get a result of this iteration. When
    /// the budget runs out, the results found until then stay.
    pub(crate) fn root(&mut self, moves: &mut [RootMove], window: Window) -> Value {
        let mut open = window;
        let mut best = -INFINITE;
        self.enter_root();
        let mut deferred: SmallVec<[usize; 8]> = SmallVec::new();
        let mut flow = ControlFlow::Continue(());
        for (index, root_move) in moves.iter_mut().enumerate() {
            if flow.is_break() {
                break;
            }
            if index > 0
                && let Some((abdada, key)) = self.abdada_entry(root_move.m, self.root_depth)
                && abdada.is_searching(key)
            {
                deferred.push(index);
            } else {
                flow = self.search_root_move(root_move, index, window, &mut open, &mut best);
            }
        }
        for index in deferred {
            if flow.is_continue() {
                flow =
                    self.search_root_move(&mut moves[index], index, window, &mut open, &mut best);
            }
        }
        best
    }

    /// Searches one move with what is left of the window, and stores its result.
    fn search_root_move(
        &mut self,
        root_move: &mut RootMove,
        index: usize,
        window: Window,
        open: &mut Window,
        best: &mut Value,
    ) -> ControlFlow<()> {
        let search = self.root_move_search(root_move.m, index, *best);
        let mut value = self.search_move::<true>(search, *open, 0);
        if value > open.alpha && !self.meter.is_over() {
            value -= self.pseudo_search_penalty(root_move.m, value, self.root_depth);
        }
        if self.meter.is_over() {
            return ControlFlow::Break(());
        }
        *best = (*best).max(value);
        if value > open.alpha || index == 0 {
            open.alpha = open.alpha.max(value);
            root_move.value = value;
            root_move.bound = bound_of(value, window);
            root_move.iteration = self.iteration;
            root_move.pv.set(root_move.m, &self.pvs[1]);
        } else {
            // A search of the same iteration with another window may have raised this move. Its
            // result no longer counts, or the move would rank before better ones.
            root_move.iteration = root_move.iteration.min(self.iteration - 1);
        }
        if value >= window.beta { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Initialises the frames that the first plies read.
    fn enter_root(&mut self) {
        let evaluation = self.static_evaluation(None, 0);
        self.frames[0].static_value = evaluation.map(|evaluation| evaluation.corrected);
        self.frames[1].cutoffs = 0;
        self.frames[2].cutoffs = 0;
        self.null_move_min_ply = 0;
    }

    fn root_move_search(&self, m: Move, index: usize, best_value: Value) -> MoveSearch {
        let is_reduced = self.uses(Techniques::LATE_MOVE_REDUCTION)
            && index >= FIRST_REDUCED_ROOT_MOVE
            && self.iteration >= MIN_REDUCED_ITERATION
            && !self.position.in_check()
            && !is_tactical(&self.position, m)
            && !self.position.gives_check(m);
        let late = LateMove { depth: self.root_depth, index, improving: true };
        let p = self.parameters();
        let reduction = pruning::late_move_reduction(p, &late) - p.reduction_root;
        MoveSearch {
            moved: PieceMove::of(&self.position, m),
            depth: self.root_depth - 1,
            reduction: is_reduced.then_some(reduction),
            index,
            cut_node: false,
            best_value,
        }
    }
}
