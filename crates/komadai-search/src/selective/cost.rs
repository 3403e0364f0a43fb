//! The unit of budgets and of what moves cost.

use crate::value::MAX_DEPTH;

/// Hundredths of a nat, or of a free move.
pub(super) type Cost = i32;

/// The hundredths of a nat.
pub(super) const NAT: Cost = 100;

/// The cost of a move that is as good as any other.
pub(super) const PLY: Cost = 100;

/// The largest cost, that of the probability e⁻³⁰: more than any budget.
pub(super) const LARGEST_COST: Cost = 30 * NAT;

/// Returns the cost of a move with this probability: −100 ln p, rounded.
pub(super) fn cost_of(probability: f32) -> Cost {
    let cost = -(NAT as f32) * probability.ln();
    // A model that gives no number makes the move as dear as one that it excludes.
    if cost.is_nan() { LARGEST_COST } else { (cost.round() as Cost).clamp(0, LARGEST_COST) }
}

/// The number of iterations that raise all budgets by a nat or a move, so that their entries in the
/// transposition table are not deeper than those of proven mates.
pub(super) const MAX_STEPS: i32 = MAX_DEPTH / table_depth(NAT);

/// Returns a budget as the depth of an entry of the transposition table, in fifths of a nat: the
/// table weighs depth against age, and five moves of a good player's line cost about a nat each.
pub(super) const fn table_depth(budget: Cost) -> i32 {
    budget / (NAT / 5)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_finite() {
        for (probability, cost) in [(1.0, 0), (0.0, LARGEST_COST), (f32::NAN, LARGEST_COST)] {
            assert_eq!(cost_of(probability), cost);
        }
        assert_eq!(cost_of((-2.0_f32).exp()), 200);
    }
}
