//! The state of a node and of one of its moves.

use komadai_core::Move;

use crate::history::correction::CorrectionKeys;
use crate::history::piece_to::PieceTo;
use crate::pruning::PruningInputs;
use crate::transposition_table::hit::TtHit;
use crate::value::Value;

/// A node whose moves are about to be searched.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) inputs: PruningInputs,
    pub(super) ply: usize,
    /// True if the node is expected to have a beta cutoff.
    pub(super) cut_node: bool,
    /// The evaluator's value; `None` in check.
    pub(super) raw_value: Option<Value>,
    /// The evaluator's value with correction; `None` in check.
    pub(super) static_value: Option<Value>,
    pub(super) correction_keys: Option<CorrectionKeys>,
    pub(super) hit: Option<TtHit>,
    pub(super) table_move: Option<Move>,
    /// True if the node is or was on a principal variation.
    pub(super) near_pv: bool,
    /// The move that is excluded while its alternatives are searched (singular extension).
    pub(super) excluded: Option<Move>,
}

/// A move of a node, with the properties that pruning, extension and reduction depend on.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) m: Move,
    pub(super) is_tactical: bool,
    pub(super) gives_check: bool,
    pub(super) piece_to: PieceTo,
    /// True if it is a killer move or the counter move.
    pub(super) is_refutation: bool,
    /// The index of the move in the order of its node, pruned moves counted.
    pub(super) index: usize,
}
