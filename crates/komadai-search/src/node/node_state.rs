//! The state of a node and of one of its moves.

use komadai_core::Move;

use crate::history::correction::CorrectionKeys;
use crate::pruning::PruningInputs;
use crate::tactical::PieceMove;
use crate::transposition_table::hit::TtHit;
use crate::value::Value;

/// A node whose moves are about to be searched.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Node {
    pub(crate) inputs: PruningInputs,
    pub(crate) ply: usize,
    /// True if the node is expected to have a beta cutoff.
    pub(crate) cut_node: bool,
    /// The evaluator's value; `None` in check.
    pub(crate) raw_value: Option<Value>,
    /// The evaluator's value with correction; `None` in check.
    pub(crate) static_value: Option<Value>,
    pub(crate) correction_keys: Option<CorrectionKeys>,
    pub(crate) hit: Option<TtHit>,
    pub(crate) table_move: Option<Move>,
    /// True if the node is or was on a principal variation.
    pub(crate) near_pv: bool,
    /// True if the table's move captures.
    pub(crate) table_move_captures: bool,
    /// True if the moves up to the node are those of the last iteration's principal variation.
    pub(crate) on_last_line: bool,
    /// The move that is excluded while its alternatives are searched (singular extension).
    pub(crate) excluded: Option<Move>,
}

/// A move of a node, with the properties that pruning, extension and reduction depend on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Candidate {
    pub(crate) moved: PieceMove,
    pub(crate) gives_check: bool,
    /// The continuation history of a quiet move after the last two moves, or the capture history.
    pub(crate) history: i32,
    /// The index of the move in the order of its node, pruned moves counted.
    pub(crate) index: usize,
}
