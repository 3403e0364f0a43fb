//! The tables of the study, in Markdown.

use std::fmt::Write as _;

use super::outcome::{Method, Outcome, SETS};
use komadai_study::statistics::median;

/// Returns the answers, nodes and times of each method on each set.
pub(super) fn by_set(outcomes: &[Outcome]) -> String {
    let mut text = "| problems | method | mate / none / undecided | nodes | median nodes | s |\n\
                    |---|---|---|---|---|---|\n"
        .to_owned();
    for (set, name) in SETS {
        for method in Method::ALL {
            let of = |outcome: &&Outcome| outcome.set == set && outcome.method == method;
            let chosen: Vec<&Outcome> = outcomes.iter().filter(of).collect();
            if chosen.is_empty() {
                continue;
            }
            let count = |verdict| chosen.iter().filter(|one| one.verdict == verdict).count();
            let answers =
                format!("{} / {} / {}", count(Some(true)), count(Some(false)), count(None));
            let nodes = nodes(&chosen);
            let seconds: f64 = chosen.iter().map(|one| one.seconds).sum();
            let (total, sum, method) = (chosen.len(), nodes.iter().sum::<f64>(), method.name());
            let middle = median(nodes);
            writeln!(
                text,
                "| {name}, {total} | {method} | {answers} | {sum:.0} | {middle:.0} | {seconds:.1} |"
            )
            .expect("strings take any text");
        }
    }
    text
}

/// Returns the nodes of each method on the mates of each length.
pub(super) fn by_length(outcomes: &[Outcome]) -> String {
    let mut text = "\n| plies | problems | method | found | mean nodes | worst |\n\
                    |---|---|---|---|---|---|\n"
        .to_owned();
    for plies in (1..=11).step_by(2) {
        for method in Method::ALL {
            let of = |one: &&Outcome| one.plies == Some(plies) && one.method == method;
            let chosen: Vec<&Outcome> = outcomes.iter().filter(of).collect();
            if chosen.is_empty() {
                continue;
            }
            let found = chosen.iter().filter(|one| one.verdict == Some(true)).count();
            let (nodes, total) = (nodes(&chosen), chosen.len());
            let mean = nodes.iter().sum::<f64>() / total as f64;
            let worst = nodes.iter().copied().fold(0.0, f64::max);
            let name = method.name();
            writeln!(text, "| {plies} | {total} | {name} | {found} | {mean:.0} | {worst:.0} |")
                .expect("strings take any text");
        }
    }
    text
}

fn nodes(outcomes: &[&Outcome]) -> Vec<f64> {
    outcomes.iter().map(|one| one.nodes as f64).collect()
}

#[cfg(test)]
mod tests {
    use komadai_testdata::tsume::Set;

    use super::*;

    fn outcome(method: Method, plies: Option<u32>, verdict: Option<bool>, nodes: u64) -> Outcome {
        let seconds = nodes as f64 * 2e-6;
        Outcome { set: Set::NoMate, method, plies, verdict, nodes, seconds }
    }

    #[test]
    fn tables_count_answers_and_nodes() {
        let outcomes = [
            outcome(Method::Tree, None, Some(false), 10),
            outcome(Method::Tree, None, None, 500_000),
            outcome(Method::Tree, Some(3), Some(true), 20),
        ];
        let sets = by_set(&outcomes);
        let row = "| no mates, 3 | proof-number search | 1 / 1 / 1 | 500030 | 20 | 1.0 |";
        assert!(sets.lines().any(|line| line == row), "{sets}");
        let lengths = by_length(&outcomes);
        let row = "| 3 | 1 | proof-number search | 1 | 20 | 20 |";
        assert!(lengths.lines().any(|line| line == row), "{lengths}");
        assert_eq!(lengths.matches("proof-number").count(), 1);
    }
}
