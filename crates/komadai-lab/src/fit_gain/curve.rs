//! Variance and nodes of the policy by expected gain beside those of fixed sets of classes.

use komadai::prelude::*;
use komadai::search::{ByGain, Quiescence, QuiescenceClasses};
use rayon::prelude::*;

use super::samples::with_least;
use crate::quiescence_positions::{searcher, selected};

/// The fixed sets.
const SETS: [&str; 14] = [
    "SEE",
    "Capture",
    "Safe",
    "Safe+Promote+King+Mate",
    "SEE+Escape",
    "SEE+Promote",
    "SEE+Threatmate",
    "SKEP",
    "SEE+Check",
    "SEE+Promote+Threatmate",
    "Capture+Threatmate",
    "Capture+Promote+Threatmate",
    "SKEP+Threatmate",
    "SKEP+Check",
];
/// The largest evaluation. Values beyond it are mates or decided by a rule.
const DECIDED: i32 = 20_000;

/// Prints the table.
pub(super) fn print(policy: &ByGain, least: &[f32], positions: &[Position], depth: u32) {
    let truth = values(&selected(QuiescenceClasses::ALL, depth), positions);
    println!("| method | mean | variance | nodes a position |");
    println!("|---|---|---|---|");
    let row = |name: &str, quiescence: &Quiescence| {
        let found = values(quiescence, positions);
        let pairs = found.iter().zip(&truth);
        let differences: Vec<f64> = pairs
            .filter(|(found, truth)| found.0.abs() < DECIDED && truth.0.abs() < DECIDED)
            .map(|(found, truth)| f64::from(found.0 - truth.0))
            .collect();
        let count = differences.len() as f64;
        let mean = differences.iter().sum::<f64>() / count;
        let variance = differences.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / count;
        let nodes: u64 = found.iter().map(|found| found.1).sum();
        println!(
            "| {name} | {mean:.1} | {variance:.0} | {:.2} |",
            nodes as f64 / found.len() as f64
        );
    };
    for name in SETS {
        let set: QuiescenceClasses = name.parse().expect("the names are known");
        row(name, &selected(set, depth));
    }
    for &least in least {
        let quiescence = selected(with_least(policy, least), depth);
        row(&format!("by gain, at least {least} cp a node"), &quiescence);
    }
    println!("\n{} positions, {depth} plies.", positions.len());
}

/// Returns values in centipawns and numbers of nodes.
fn values(quiescence: &Quiescence, positions: &[Position]) -> Vec<(i32, u64)> {
    let value = |position: &Position| {
        let analysis = searcher(quiescence.clone()).quiescence(position);
        (analysis.score().map_or(DECIDED, Score::raw), analysis.nodes)
    };
    positions.par_iter().map(value).collect()
}
