//! The table: a line a search.

use core::fmt;

use super::judged::Judged;
use super::outcome::Outcome;
use super::row::Row;
use super::speed::{Speed, Speeds};
use komadai_study::statistics::bootstrap;

/// Prints the head of a table for searches of this many nodes.
pub(super) fn print_head(nodes: u64, speeds: Option<&Speeds>) {
    let mut columns = vec![
        "search",
        "same move",
        "mean loss, cp",
        "iterations",
        "nodes × an iteration",
        "longest line",
        "mean leaf ply",
        "nodes to the referee's move",
        "never",
    ];
    if speeds.is_some() {
        columns.extend(["kn a CPU second", "nodes in equal time", "mean loss in equal time, cp"]);
    }
    println!("\n{nodes} nodes\n\n| {} |", columns.join(" | "));
    println!("|---|{}", "---:|".repeat(columns.len() - 1));
}

/// A line of the table.
pub(super) struct Line<'a> {
    pub(super) row: &'a Row,
    pub(super) nodes: u64,
    pub(super) judged: &'a [Judged],
    pub(super) at_equal_nodes: Vec<Outcome>,
    /// Speed, nodes, and what they led to.
    pub(super) in_equal_time: Option<(Speed, u64, Vec<Outcome>)>,
}

impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let outcomes = &self.at_equal_nodes;
        let mean = |of: fn(&Outcome) -> Option<f64>| {
            let known: Vec<f64> = outcomes.iter().filter_map(of).collect();
            (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
        };
        let or_dash = |value: Option<f64>, digits: usize| {
            value.map_or("–".to_owned(), |value| format!("{value:.digits$}"))
        };
        let same = |(judged, outcome): &(&Judged, &Outcome)| outcome.chosen == judged.best;
        let same = self.judged.iter().zip(outcomes).filter(same).count();
        let reached: Vec<Option<u64>> = outcomes.iter().map(|outcome| outcome.reached).collect();
        let never = reached.iter().filter(|reached| reached.is_none()).count();
        let to_best = match median(reached) {
            Some(nodes) => nodes.to_string(),
            None => format!("more than {}", self.nodes),
        };
        let percent = |count: usize| 100.0 * count as f64 / outcomes.len() as f64;
        write!(
            f,
            "| {} | {:.1} % | {} | {} | {} | {} | {} | {to_best} | {:.1} % |",
            self.row,
            percent(same),
            self.loss(outcomes),
            or_dash(mean(|outcome| Some(f64::from(outcome.depth))), 1),
            or_dash(mean(|outcome| outcome.growth).map(f64::exp), 2),
            or_dash(mean(|outcome| Some(f64::from(outcome.longest))), 1),
            or_dash(mean(|outcome| outcome.leaf), 1),
            percent(never),
        )?;
        if let Some((speed, nodes, outcomes)) = &self.in_equal_time {
            write!(f, " {:.0} | {nodes} | {} |", speed.nodes / 1e3, self.loss(outcomes))?;
        }
        Ok(())
    }
}

impl Line<'_> {
    /// Returns the mean loss against the referee's move with its interval.
    fn loss(&self, outcomes: &[Outcome]) -> String {
        let losses = self.judged.iter().zip(outcomes);
        let losses: Vec<f64> =
            losses.map(|(judged, outcome)| f64::from(judged.value - outcome.value)).collect();
        let loss = bootstrap(&losses);
        format!("{:.1} [{:.1}, {:.1}]", loss.mean, loss.low, loss.high)
    }
}

/// Returns the median of numbers of which the missing ones are the largest; `None` if it is one of
/// those.
pub(super) fn median(mut numbers: Vec<Option<u64>>) -> Option<u64> {
    numbers.sort_by_key(|number| number.unwrap_or(u64::MAX));
    numbers.get(numbers.len() / 2).copied().flatten()
}
