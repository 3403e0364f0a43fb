//! The question to the mate solver.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use komadai::core::{Budget, Position, Pv};
use komadai::movegen::MateResult;
use komadai::tsume::{DfPn, DfPnOptions, Goal};

/// Size of the tables of the solver in MiB.
const HASH_MIB: usize = 64;

/// A mate of the side to move that is proven.
pub(super) struct ProvenMate {
    pub(super) line: Pv,
    /// True if no shorter one exists.
    pub(super) is_shortest: bool,
    pub(super) nodes: u64,
}

/// Returns the mate that the solver proves within this number of nodes.
pub(super) fn find_mate(
    position: &Position,
    nodes: u64,
    stop: &Arc<AtomicBool>,
) -> Option<ProvenMate> {
    if nodes == 0 {
        return None;
    }
    let goal = Goal::ShortMate;
    let mut solver = DfPn::new(DfPnOptions { hash_mib: HASH_MIB, goal, ..DfPnOptions::default() });
    let budget = Budget { stop: Some(Arc::clone(stop)), ..Budget::nodes(nodes) };
    let report = solver.solve_mate(position, &budget);
    match report.result {
        MateResult::Mate { line, shortest } => {
            Some(ProvenMate { line, is_shortest: shortest, nodes: report.nodes })
        }
        _ => None,
    }
}
