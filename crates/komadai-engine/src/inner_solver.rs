//! The mate solver inside a search.

use komadai_core::{Budget, Color, Move, Position};
use komadai_movegen::{CheckClass, MateReport, MateSolver};
use komadai_tsume::{DfPn, DfPnOptions, Results};

/// Memory for the attacks of one side, in MiB. The calls of a search spend some tens of thousands of nodes.
const HASH_MIB: usize = 8;

/// A df-pn solver for each side, which keep their results until the search is over.
///
/// A search calls its solver for both sides in turn, and for the same positions again in later iterations. One
/// solver would forget everything at each change of sides.
#[derive(Debug)]
pub(crate) struct InnerSolver {
    sides: [DfPn; 2],
}

impl InnerSolver {
    /// Makes the solvers. Their memory is not used before the first call.
    pub(crate) fn new() -> Self {
        let options = DfPnOptions::default().with_hash_mib(HASH_MIB).with_results(Results::Kept);
        Self { sides: Color::ALL.map(|_| DfPn::new(options)) }
    }

    fn of(&mut self, position: &Position) -> &mut DfPn {
        &mut self.sides[position.side() as usize]
    }
}

impl MateSolver for InnerSolver {
    fn solve(&mut self, position: &Position, budget: &Budget, checks: CheckClass) -> MateReport {
        self.of(position).solve(position, budget, checks)
    }

    fn solve_watched(
        &mut self,
        position: &Position,
        budget: &Budget,
        checks: CheckClass,
        watch: &mut dyn FnMut(&MateReport, &[Move]),
    ) -> MateReport {
        self.of(position).solve_watched(position, budget, checks, watch)
    }

    fn forget(&mut self) {
        self.sides.iter_mut().for_each(DfPn::forget);
    }

    fn memory_bytes(&self) -> usize {
        self.sides.iter().map(DfPn::memory_bytes).sum()
    }
}

#[cfg(test)]
mod tests {
    use komadai_movegen::MoveGen;
    use komadai_testdata::tsume::{Set, set};

    use super::*;

    #[test]
    fn a_call_for_the_other_side_loses_nothing() {
        let mut solver = InnerSolver::new();
        let budget = Budget::nodes(100_000);
        let mut nodes = [0; 3];
        for problem in set(Set::ShortSelfplay).take(20) {
            let position = Position::from_sfen(problem.sfen).expect("a position");
            solver.forget();
            nodes[0] += solver.solve(&position, &budget, CheckClass::All).nodes;
            let other = position.after(position.legal_moves()[0]);
            solver.solve(&other, &budget, CheckClass::Near);
            nodes[1] += solver.solve(&position, &budget, CheckClass::All).nodes;
            solver.forget();
            nodes[2] += solver.solve(&position, &budget, CheckClass::All).nodes;
        }
        let [first, again, anew] = nodes;
        assert!(2 * again < first && first == anew, "{nodes:?}");
    }
}
