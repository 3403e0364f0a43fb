//! The state of a quiescence node while its moves are searched.

use komadai_core::Move;

use crate::value::{Value, Window};

/// The best result so far of a quiescence node, and its remaining window.
pub(super) struct QuiescenceState {
    pub(super) best: Option<Move>,
    pub(super) best_value: Value,
    pub(super) window: Window,
    pub(super) ply: usize,
}
