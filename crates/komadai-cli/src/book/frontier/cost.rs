//! The cost of searching positions.

use clap::Args;
use komadai_console::grouped;
use serde_json::{Value, json};

/// The arguments about the cost of searches.
#[derive(Debug, Args)]
pub(crate) struct CostArgs {
    /// Print the cost of searching the positions, with a core that searches so many nodes a second.
    #[arg(long, value_name = "NODES_PER_S", value_parser = clap::value_parser!(u64).range(1..))]
    cost: Option<u64>,
    /// For `--cost`: nodes per position.
    #[arg(long, default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
}

/// The cost of searching a number of positions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cost {
    positions: u64,
    nodes_each: u64,
    nodes_per_second: u64,
}

impl CostArgs {
    /// Returns the cost of searching these positions; `None` if it is not asked for.
    pub(crate) fn of(&self, positions: usize) -> Option<Cost> {
        let nodes_per_second = self.cost?;
        Some(Cost { positions: positions as u64, nodes_each: self.nodes, nodes_per_second })
    }
}

impl Cost {
    /// The nodes of all searches. The product of two 64-bit numbers fits.
    fn nodes(self) -> u128 {
        u128::from(self.positions) * u128::from(self.nodes_each)
    }

    fn core_days(self) -> f64 {
        self.nodes() as f64 / self.nodes_per_second as f64 / 86_400.0
    }

    /// Returns the cost as a line of text.
    pub(crate) fn to_line(self) -> String {
        format!(
            "cost: {} positions × {} nodes = {:.3e} nodes, {} at {} nodes/s",
            grouped(self.positions),
            grouped(self.nodes_each),
            self.nodes() as f64,
            core_time(self.core_days()),
            grouped(self.nodes_per_second)
        )
    }

    /// Returns the cost as a JSON object.
    pub(crate) fn to_json(self) -> Value {
        json!({
            "positions": self.positions,
            "nodes_each": self.nodes_each,
            "nodes": self.nodes() as f64,
            "nodes_per_second": self.nodes_per_second,
            "core_days": self.core_days(),
        })
    }
}

/// Returns a time of one core in days, in hours below a tenth of a day, or in seconds.
fn core_time(days: f64) -> String {
    match days {
        days if days >= 0.1 => format!("{days:.2} core-days"),
        days if days * 24.0 >= 0.1 => format!("{:.2} core-hours", days * 24.0),
        days => format!("{:.2} core-seconds", days * 86_400.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_of_a_million_positions_cost_three_core_years() {
        let arguments = CostArgs { cost: Some(500_000), nodes: 200_000_000 };
        let cost = arguments.of(250_000).unwrap();
        assert_eq!(cost.nodes(), 50_000_000_000_000);
        assert!((cost.core_days() - 1_157.407).abs() < 0.001, "{}", cost.core_days());
        assert!(cost.to_line().contains("1157.41 core-days"), "{}", cost.to_line());
        assert!(arguments.of(9).unwrap().to_line().contains("1.00 core-hours"), "middle unit");
        let arguments = CostArgs { nodes: 50_000_000, ..arguments };
        assert!(arguments.of(1).unwrap().to_line().contains("100.00 core-seconds"), "small unit");
        assert!(CostArgs { cost: None, ..arguments }.of(1).is_none());
        let most = CostArgs { cost: Some(1), nodes: u64::MAX }.of(usize::MAX).unwrap();
        assert!(most.core_days().is_finite());
    }
}
