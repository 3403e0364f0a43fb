//! The moves of the hybrid and of alpha-beta in positions of games, valued by a long search.

use std::collections::BTreeMap;
use std::path::Path;
use std::str::FromStr;

use anyhow::Context as _;
use komadai::prelude::*;
use komadai::search::hybrid::{ChoiceRules, Hybrid};
use komadai::search::monte_carlo::MonteCarloOptions;
use komadai::search::{AlphaBeta, SearchOptions};
use komadai::tsume::DfPn;

use super::strata::{Quotas, Stratum};
use crate::journal::Journal;
use crate::monte_carlo_study::player::Description;
use crate::referee::{self, Referee};
use crate::statistics::bootstrap;

/// The experiment.
#[derive(Debug)]
pub(super) struct Positions<'a> {
    /// Nodes of each of the two searchers.
    pub(super) nodes: u64,
    /// The nodes of the referee, and the file of its values.
    pub(super) referee: (u64, Option<&'a Path>),
    pub(super) min_nodes: Option<u64>,
}

/// A position in which the two have been compared.
#[derive(Debug, PartialEq)]
struct Compared {
    /// The move of the hybrid.
    m: Move,
    /// The rule that chose it, without blanks.
    rule: String,
    /// The results of the tree.
    results: u64,
    /// The nodes of alpha-beta that a mate of the tree has decided.
    proofs: u64,
    /// By how much the move is better than that of alpha-beta alone, in centipawns.
    gain: i32,
    differs: bool,
}

impl Compared {
    fn to_text(&self) -> String {
        let Self { m, rule, results, proofs, gain, differs } = self;
        format!("{m} {rule} {results} {proofs} {gain} {differs}")
    }
}

impl FromStr for Compared {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let parts: Vec<&str> = text.split(' ').collect();
        let [m, rule, results, proofs, gain, differs] = parts[..] else {
            anyhow::bail!("found {text:?}, expected move, rule, results, proofs, gain, differs")
        };
        Ok(Self {
            m: m.parse()?,
            rule: rule.to_owned(),
            results: results.parse()?,
            proofs: proofs.parse()?,
            gain: gain.parse()?,
            differs: differs.parse()?,
        })
    }
}

/// The searchers of one tree, with the tree's name.
struct Searchers {
    hybrid: Hybrid<komadai::nnue::Nnue>,
    rules: ChoiceRules,
}

impl Searchers {
    fn new(tree: MonteCarloOptions, min_nodes: Option<u64>) -> Self {
        let mut hybrid = Hybrid::new(referee::evaluator(), options(1), tree);
        hybrid.set_mate_solvers(|| Box::new(DfPn::default()));
        let mut rules = ChoiceRules::default();
        rules.min_nodes = min_nodes.unwrap_or(rules.min_nodes);
        hybrid.set_rules(rules);
        Self { hybrid, rules }
    }
}

fn options(threads: usize) -> SearchOptions {
    SearchOptions { hash_mib: 64, threads, ..SearchOptions::default() }
}

impl Positions<'_> {
    pub(super) fn run(
        &self,
        trees: &[Description],
        quotas: &Quotas,
        journal: &Journal,
    ) -> anyhow::Result<()> {
        let (nodes, file) = self.referee;
        let referee = Referee::new(nodes, file)?;
        let sample = quotas.sample();
        println!(
            "{} positions, {} nodes for each searcher, referee {nodes} nodes\n",
            sample.len(),
            self.nodes
        );
        println!("| tree | positions | number | other move | mean gain of all, cp | results |");
        println!("|---|---|---|---|---|---|");
        let mut alone = AlphaBeta::new(referee::evaluator(), options(2));
        for tree in trees {
            let mut searchers = Searchers::new(tree.of_hybrid()?, self.min_nodes);
            let mut compared = Vec::new();
            for (position, stratum) in &sample {
                let found = self.compare(
                    tree.name(),
                    position,
                    &mut searchers,
                    &mut alone,
                    &referee,
                    journal,
                )?;
                compared.extend(found.map(|found| (*stratum, found)));
            }
            print(tree.name(), &compared);
        }
        println!();
        Ok(())
    }

    /// Returns the comparison in a position, `None` without a move.
    fn compare(
        &self,
        name: &str,
        position: &Position,
        searchers: &mut Searchers,
        alone: &mut AlphaBeta<komadai::nnue::Nnue>,
        referee: &Referee,
        journal: &Journal,
    ) -> anyhow::Result<Option<Compared>> {
        let nodes = self.nodes;
        let bar = searchers.rules.min_nodes;
        let key = format!("position\t{name}\t{nodes}\t{bar}\t{}\t{position}", referee.nodes());
        if let Some(known) = journal.get(&key)? {
            return known.parse().map(Some).context(key);
        }
        // All trees are compared with the same move.
        let other: Option<Move> = journal
            .get_or_find(format!("alone\t{nodes}\t{position}"), || {
                alone.new_game();
                let found = alone.search(position, &Budget::nodes(2 * nodes), &mut |_| {});
                Ok(found.best_move().map_or_else(|| "none".to_owned(), |m| m.to_string()))
            })?
            .parse()
            .ok();
        let hybrid = &mut searchers.hybrid;
        hybrid.new_game();
        let found = hybrid.search(position, &Budget::nodes(nodes), &mut |_| {});
        let moves = found.best_move().zip(other);
        let (Some((m, other)), Some(choice)) = (moves, hybrid.last_choice()) else {
            return Ok(None);
        };
        let gain = match m == other {
            true => 0,
            false => referee.value(position, m)? - referee.value(position, other)?,
        };
        let compared = Compared {
            m,
            rule: choice.rule.to_string().replace(' ', "-"),
            results: hybrid.tree().playouts(),
            proofs: hybrid.used_proofs(),
            gain,
            differs: m != other,
        };
        journal.add(key, compared.to_text())?;
        Ok(Some(compared))
    }
}

/// Prints the gains of a tree by stratum and by rule.
fn print(tree: &str, compared: &[(Stratum, Compared)]) {
    let mut groups: BTreeMap<(usize, String), Vec<&Compared>> = BTreeMap::new();
    for (stratum, one) in compared {
        for group in [
            (0, "all".to_owned()),
            (1 + *stratum as usize, stratum.to_string()),
            (1 + Stratum::ALL.len(), format!("rule: {}", one.rule)),
        ] {
            groups.entry(group).or_default().push(one);
        }
    }
    for ((_, name), group) in groups {
        let gains: Vec<f64> = group.iter().map(|one| f64::from(one.gain)).collect();
        let gain = bootstrap(&gains);
        let differing = group.iter().filter(|one| one.differs).count();
        let results: u64 = group.iter().map(|one| one.results).sum();
        println!(
            "| `{tree}` | {name} | {} | {differing} | {:+.1} [{:+.1}, {:+.1}] | {} |",
            group.len(),
            gain.mean,
            gain.low,
            gain.high,
            results / group.len() as u64,
        );
    }
    let used = compared.iter().filter(|(_, one)| one.proofs > 0).count();
    println!("| `{tree}` | alpha-beta used a mate of the tree | {used} | | | |");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comparison_survives_the_file() {
        let compared = Compared {
            m: "7g7f".parse().expect("a move"),
            rule: "few-playouts".to_owned(),
            results: 1_234,
            proofs: 0,
            gain: -56,
            differs: true,
        };
        assert_eq!(compared.to_text().parse::<Compared>().expect("a comparison"), compared);
        let error = "7g7f 1".parse::<Compared>().expect_err("cut off").to_string();
        assert!(error.contains("found \"7g7f 1\""), "{error}");
    }
}
