//! Alpha-beta and tree search together, against alpha-beta on two threads: in positions of real games,
//! the moves on which they disagree are valued by a long search.
//!
//! ```text
//! cargo run --release -p komadai-lab -- hybrid-study --positions 1000 --nodes 20000
//! ```

mod compared;
mod stratum;

use std::path::PathBuf;

use clap::Args;
use komadai::prelude::*;
use komadai::search::hybrid::{ChoiceRules, Hybrid};
use komadai::search::monte_carlo::MonteCarloOptions;
use komadai::search::{AlphaBeta, SearchOptions};
use komadai::tsume::DfPn;
use komadai_testdata::games;

use crate::games::plies;
use crate::hybrid_study::compared::{Compared, judge, print};
use crate::hybrid_study::stratum::Stratum;
use crate::referee::{self, Referee};

/// Compare the hybrid with alpha-beta on two threads.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Number of positions, at equal distances in 77 games.
    #[arg(long, default_value_t = 1_000)]
    positions: usize,
    /// Nodes of each of the two searchers; alpha-beta on two threads has twice as many.
    #[arg(long, default_value_t = 20_000)]
    nodes: u64,
    /// Factor of the nodes that the referee has for each move.
    #[arg(long, default_value_t = 50)]
    referee: u64,
    /// Results with fewer of which the tree's opinion does not count.
    #[arg(long)]
    min_playouts: Option<u64>,
    /// A file that keeps the referee's values.
    #[arg(long)]
    cache: Option<PathBuf>,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let nodes = arguments.nodes;
    let referee =
        Referee::new(nodes.saturating_mul(arguments.referee), arguments.cache.as_deref())?;
    let options = || SearchOptions { hash_mib: 64, ..SearchOptions::default() };
    let mut hybrid = Hybrid::new(referee::evaluator(), options(), MonteCarloOptions::modern());
    hybrid.set_mate_solver(Some(Box::new(DfPn::default())));
    let mut rules = ChoiceRules::default();
    rules.min_playouts = arguments.min_playouts.unwrap_or(rules.min_playouts);
    hybrid.set_rules(rules);
    let mut alone = AlphaBeta::new(referee::evaluator(), SearchOptions { threads: 2, ..options() });
    let mut compared = Vec::new();
    for position in positions(arguments.positions) {
        hybrid.new_game();
        alone.new_game();
        let both = hybrid.search(&position, &Budget::nodes(nodes), &mut |_| {});
        let single = alone.search(&position, &Budget::nodes(2 * nodes), &mut |_| {});
        let moves = both.best_move().zip(single.best_move());
        let (Some((own, other)), Some(choice)) = (moves, hybrid.last_choice()) else { continue };
        let value = single.score().map_or(0, |score| score.raw());
        let stratum = Stratum::of(&position, value);
        compared.push(Compared {
            position,
            moves: [own, other],
            stratum,
            rule: choice.rule,
            gain: 0.0,
        });
    }
    judge(&mut compared, &referee)?;
    print(&compared);
    Ok(())
}

/// Returns positions at equal distances, from ply 20 on, with the moves before them.
fn positions(count: usize) -> Vec<Position> {
    let plies = games::tournament().flat_map(|game| plies(game.moves).skip(20));
    let all: Vec<Position> = plies.map(|(position, _)| position).collect();
    let step = all.len() as f64 / count.max(1) as f64;
    (0..count.min(all.len())).map(|index| all[(index as f64 * step) as usize].clone()).collect()
}
