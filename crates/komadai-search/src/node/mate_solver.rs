//! Mates found by a solver that the user has handed to the search.
//!
//! A search that only counts plies finds a mate of fifteen late; a solver that only gives check
//! finds it at once. It is called at the root, at other nodes of the principal variation, and at
//! nodes where the evaluation has just risen much, which is often because the king has lost its
//! cover, or where a prediction finds a mate probable. At the root all checks are tried, at other
//! nodes those near the king.
//!
//! A tree search beside this one proves mates too, which count at the same nodes but the last kind.
//!
//! Source of the method: the appeal document of ym-shogi: df-pn at the nodes of the principal
//! variation, with all checks at the root and some at the others; two searches that read each
//! other's tables.

use komadai_core::{Bound, Move, Pv};
use komadai_eval::{Evaluator, MatePrediction};
use komadai_movegen::{MateReport, MateResult, MoveGen};

use super::solver_use::Place;
use crate::settings::Settings;
use crate::techniques::Techniques;
use crate::transposition_table::entry::NodeResult;
use crate::value::{MAX_DEPTH, MAX_PLY, Value, mated, mating};
use crate::worker::Worker;

/// The smallest depth of a node of the principal variation at which the solver is called. Untuned.
const MIN_DEPTH: i32 = 3;

/// The smallest depth of another node at which the solver is called. Untuned.
const MIN_SWING_DEPTH: i32 = 4;

/// The smallest depth of a node at which a mate is predicted. Untuned.
const MIN_PREDICTED_DEPTH: i32 = 3;

/// The rise of the static evaluation since the side's last turn, in centipawns, from which the
/// solver is called. Untuned.
const SWING: Value = 400;

impl<E: Evaluator, S: Settings> Worker<'_, E, S> {
    /// Returns the value of a node of the principal variation, if the solver finds a mate.
    pub(crate) fn solved_mate(&mut self, depth: i32, ply: usize) -> Option<Value> {
        if self.solver.is_none() || depth < MIN_DEPTH {
            return None;
        }
        let line = self.solve(Place::Variation)?;
        self.adopt_mate(line, ply, true)
    }

    /// Returns the value of another node, if the evaluation has risen much and the solver finds a
    /// mate.
    pub(crate) fn solved_mate_after_swing(
        &mut self,
        static_value: Option<Value>,
        depth: i32,
        ply: usize,
    ) -> Option<Value> {
        if self.solver.is_none() || depth < MIN_SWING_DEPTH {
            return None;
        }
        let now = static_value?;
        let then = self.previous_static_value(ply)?;
        if now - then < SWING {
            return None;
        }
        let line = self.solve(Place::Swing)?;
        self.adopt_mate(line, ply, false)
    }

    /// Returns the value of a node, if a mate is probable by its position and the solver finds one.
    pub(crate) fn solved_mate_after_prediction(
        &mut self,
        depth: i32,
        ply: usize,
        pv: bool,
    ) -> Option<Value> {
        if self.solver.is_none()
            || depth < MIN_PREDICTED_DEPTH
            || !self.uses(Techniques::PREDICTED_MATE_SOLVER)
        {
            return None;
        }
        let least = self.parameters().mate_log_odds as f32 / 100.0;
        if MatePrediction::FITTED.log_odds(&self.position) < least {
            return None;
        }
        let line = self.solve(Place::Predicted)?;
        self.adopt_mate(line, ply, pv)
    }

    /// Returns the value of a node of the principal variation that a tree search beside this one
    /// has proved to be won or lost by mate.
    #[inline]
    pub(super) fn proved_by_tree(&mut self, ply: usize) -> Option<Value> {
        let proofs = self.proofs?;
        let line = proofs.line(&self.position)?;
        let value = self.adopt_mate(line, ply, true);
        if value.is_some() {
            proofs.count_use();
        }
        value
    }

    /// Returns the mate by the side to move at the root that a tree search beside this one has
    /// proved.
    pub(crate) fn root_won_by_tree(&self) -> Option<Pv> {
        let proofs = self.proofs?;
        let line = proofs.line(&self.position)?;
        let line = Some(line).filter(|line| line.len() % 2 == 1 && line.len() <= MAX_PLY);
        line.inspect(|_| proofs.count_use())
    }

    /// Stores a mate of the node at `ply`, whose line has an odd length if the side to move mates,
    /// and returns its value.
    fn adopt_mate(&mut self, line: Pv, ply: usize, pv: bool) -> Option<Value> {
        let end = ply + line.len();
        if end > MAX_PLY {
            return None;
        }
        self.longest = self.longest.max(end);
        let best = line.first().copied();
        let value = if line.len() % 2 == 1 { mating(end) } else { mated(end) };
        self.pvs[ply] = line;
        // A mate is final: no deeper search can replace it.
        let depth = MAX_DEPTH;
        let bound = Bound::Exact;
        let result = NodeResult { best, value, static_value: None, depth, bound, pv };
        // A search whose entries have keys of its own has not looked for the place.
        self.probe_table(ply);
        self.store_in_table(&result, ply);
        Some(value)
    }

    /// Returns the mate that the solver finds for the side to move at the root.
    pub(crate) fn solve_root(&mut self) -> Option<Pv> {
        self.solve(Place::Root).filter(|line| line.len() <= MAX_PLY)
    }

    fn solve(&mut self, place: Place) -> Option<Pv> {
        if S::IS_FIXED || !self.uses(place.technique()) {
            return None;
        }
        let key = self.position.key();
        let usage = self.solver.as_mut()?;
        let nodes = usage.nodes_to_spend(key, self.meter.nodes(), place)?;
        let budget = self.meter.part(nodes);
        let MateReport { result, nodes, .. } = usage.solve(&self.position, &budget, place);
        self.meter.add_nodes(nodes);
        match result {
            MateResult::Mate { line, .. } if self.is_mate(&line) => Some(line),
            _ => None,
        }
    }

    /// Checks that a line mates before the game ends by another rule.
    fn is_mate(&self, line: &[Move]) -> bool {
        let mut position = self.position.clone();
        for &m in line {
            let is_over = self.options.max_moves.is_some_and(|limit| limit.is_reached(&position));
            if is_over || !position.is_legal(m) {
                return false;
            }
            position.do_move(m);
        }
        line.len() % 2 == 1 && position.in_check() && !position.has_legal_move()
    }
}
