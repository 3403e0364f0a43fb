//! The moves of the hybrid and of alpha-beta in positions of games, valued by a long search.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Context as _;
use komadai::prelude::*;
use komadai::search::AlphaBeta;

use crate::monte_carlo_study::player::Description;
use komadai_study::Journal;
use komadai_study::hybrid::{Compared, HybridSearchers, Quotas, Stratum, alpha_beta};
use komadai_study::referee::Referee;
use komadai_study::statistics::bootstrap;

/// The experiment.
#[derive(Debug)]
pub(super) struct Positions<'a> {
    /// Nodes of each of the two searchers.
    pub(super) nodes: u64,
    /// The nodes of the referee, and the file of its values.
    pub(super) referee: (u64, Option<&'a Path>),
    pub(super) min_nodes: Option<u64>,
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
        let mut alone = alpha_beta(2);
        for tree in trees {
            let mut searchers = HybridSearchers::new(tree.of_hybrid()?, self.min_nodes);
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
        searchers: &mut HybridSearchers,
        alone: &mut AlphaBeta<komadai::nnue::Nnue>,
        referee: &Referee,
        journal: &Journal,
    ) -> anyhow::Result<Option<Compared>> {
        let nodes = self.nodes;
        let bar = searchers.min_nodes();
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
        let Some(other) = other else { return Ok(None) };
        let Some(compared) = searchers.compare(position, nodes, other, referee)? else {
            return Ok(None);
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
