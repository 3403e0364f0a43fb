//! The unit of budgets and of what moves cost.

/// Hundredths of a nat.
pub(super) type Cost = i32;

/// The hundredths of a nat.
pub(super) const NAT: Cost = 100;

/// The largest cost, that of the probability e⁻³⁰: more than any budget.
pub(super) const LARGEST_COST: Cost = 30 * NAT;

/// Returns the cost of a move with this probability: −100 ln p, rounded.
pub(super) fn cost_of(probability: f32) -> Cost {
    let cost = -(NAT as f32) * probability.ln();
    // A model that gives no number makes the move as dear as one that it excludes.
    if cost.is_nan() { LARGEST_COST } else { (cost.round() as Cost).clamp(0, LARGEST_COST) }
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
