//! Null moves in their older form: a reduction R of two plies, or of three at depth 6 and more.
//!
//! Source of R: the glossary of computer shogi (2009), after E. Heinz, "Adaptive null-move
//! pruning", ICCA Journal 22(3), 1999.

use crate::pruning::PruningInputs;
use crate::value::is_decided;

/// Returns the reduction in plies, the ply of the null move included; `None` if no null move is
/// tried.
pub(crate) fn reduction(inputs: &PruningInputs) -> Option<i32> {
    let PruningInputs { window, depth, .. } = *inputs;
    (depth >= 2 && !is_decided(window.beta)).then_some(if depth >= 6 { 4 } else { 3 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Window;

    #[test]
    fn the_reduction_depends_on_the_depth_alone() {
        let reduction = |depth, evaluation| {
            let window = Window::zero(99);
            super::reduction(&PruningInputs { window, depth, evaluation, improving: false })
        };
        assert_eq!(reduction(6, -500), Some(4));
        assert_eq!(reduction(5, -500), Some(3));
        assert_eq!(reduction(1, 500), None);
    }
}
