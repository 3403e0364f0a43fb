//! The move of the hybrid beside that of alpha-beta alone, valued by a long search.

use std::str::FromStr;

use komadai::nnue::Nnue;
use komadai::prelude::*;
use komadai::search::hybrid::{ChoiceRules, Hybrid};
use komadai::search::monte_carlo::MonteCarloOptions;
use komadai::search::{AlphaBeta, SearchOptions};
use komadai::tsume::DfPn;

use crate::referee::{self, Referee};

/// A position in which the two have been compared.
#[derive(Debug, Clone, PartialEq)]
pub struct Compared {
    /// The move of the hybrid.
    pub m: Move,
    /// The rule that chose it, without blanks.
    pub rule: String,
    /// The results of the tree.
    pub results: u64,
    /// The nodes of alpha-beta that a mate of the tree has decided.
    pub proofs: u64,
    /// By how much the move is better than that of alpha-beta alone, in centipawns.
    pub gain: i32,
    /// True if that is another move.
    pub differs: bool,
}

impl Compared {
    /// Returns the text of a line of a file.
    pub fn to_text(&self) -> String {
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

/// The searchers of a hybrid.
#[derive(Debug)]
pub struct HybridSearchers {
    hybrid: Hybrid<Nnue>,
    rules: ChoiceRules,
}

fn options(threads: usize) -> SearchOptions {
    SearchOptions { hash_mib: 64, threads, ..SearchOptions::default() }
}

/// Returns the alpha-beta search with which a hybrid is compared.
pub fn alpha_beta(threads: usize) -> AlphaBeta<Nnue> {
    AlphaBeta::new(referee::evaluator(), options(threads))
}

impl HybridSearchers {
    /// Returns a hybrid with this tree search, and with a mate solver for each searcher. With fewer
    /// nodes than `min_nodes` the opinion of the tree does not count.
    pub fn new(tree: MonteCarloOptions, min_nodes: Option<u64>) -> Self {
        let mut hybrid = Hybrid::new(referee::evaluator(), options(1), tree);
        hybrid.set_mate_solvers(|| Box::new(DfPn::default()));
        let mut rules = ChoiceRules::default();
        rules.min_nodes = min_nodes.unwrap_or(rules.min_nodes);
        hybrid.set_rules(rules);
        Self { hybrid, rules }
    }

    /// The nodes below which the opinion of the tree does not count.
    pub fn min_nodes(&self) -> u64 {
        self.rules.min_nodes
    }

    /// Compares the hybrid's move after this many nodes of each searcher with another move; `None`
    /// without a move.
    ///
    /// # Errors
    ///
    /// Returns the error of the referee.
    pub fn compare(
        &mut self,
        position: &Position,
        nodes: u64,
        other: Move,
        referee: &Referee,
    ) -> anyhow::Result<Option<Compared>> {
        self.hybrid.new_game();
        let found = self.hybrid.search(position, &Budget::nodes(nodes), &mut |_| {});
        let (Some(m), Some(choice)) = (found.best_move(), self.hybrid.last_choice()) else {
            return Ok(None);
        };
        let gain = match m == other {
            true => 0,
            false => referee.value(position, m)? - referee.value(position, other)?,
        };
        Ok(Some(Compared {
            m,
            rule: choice.rule.to_string().replace(' ', "-"),
            results: self.hybrid.tree().playouts(),
            proofs: self.hybrid.used_proofs(),
            gain,
            differs: m != other,
        }))
    }
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
