//! Alpha-beta and tree search together, with any settings of the tree, against alpha-beta alone: the
//! moves on which they disagree in positions of real games, and games; and the rate of the best
//! child against the mean.
//!
//! ```text
//! nice cargo run --release -p komadai-lab -- hybrid-study --log hybrid.log --cache referee.log
//! nice cargo run --release -p komadai-lab -- hybrid-study --only positions --tree ym2012 --positions 100 --ahead 40
//! nice cargo run --release -p komadai-lab -- hybrid-study --only games --tree ym2012 --games 200 --movetime 1000
//! ```
//!
//! Without options it makes all experiments, which takes days. With `--log`, what has been found
//! stays in a file, and the same command goes on from there.

mod matches;
mod positions;

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use komadai_study::Journal;
use komadai_study::hybrid::Quotas;

use crate::monte_carlo_study::player::Description;
use matches::{BestChild, Games};
use positions::Positions;

/// Compare the hybrid with alpha-beta, in positions and in games.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The tree of the hybrid: a preset and changes, as `monte-carlo-study` has them; several are
    /// compared.
    #[arg(long, value_name = "TREE")]
    #[arg(default_values = ["modern", "modern,bonus=0.1", "ym2012", "ym2012,bonus=0"])]
    tree: Vec<Description>,
    /// The experiments; all of them by default.
    #[arg(long, value_enum)]
    only: Vec<Experiment>,
    /// Number of positions in three strata.
    #[arg(long, default_value_t = 1_000)]
    positions: usize,
    /// Those of them that are ahead in material without an attack; the others are level or losing,
    /// half of them each.
    #[arg(long, default_value_t = 400)]
    ahead: usize,
    /// Nodes of each of the two searchers; alpha-beta on two threads has twice as many.
    #[arg(long, default_value_t = 20_000)]
    nodes: u64,
    /// Factor of the nodes that the referee has for each move.
    #[arg(long, default_value_t = 50)]
    referee: u64,
    /// Number of nodes of the tree search below which its opinion does not count.
    #[arg(long)]
    min_nodes: Option<u64>,
    /// Games of each tree against alpha-beta on one thread, and on two.
    #[arg(long, default_value_t = 40)]
    games: usize,
    /// Time of a move in these games, in milliseconds.
    #[arg(long, default_value_t = 300)]
    movetime: u64,
    /// Games of the best child's rate against the mean.
    #[arg(long, default_value_t = 1_000)]
    best_child_games: usize,
    /// Results of a move in those games.
    #[arg(long, default_value_t = 3_000)]
    playouts: u64,
    /// Games of that kind at the same time; 0 for one per processor. The others are timed, and
    /// played one after another.
    #[arg(long, default_value_t = 0)]
    concurrency: usize,
    /// A file that keeps what has been found.
    #[arg(long)]
    log: Option<PathBuf>,
    /// A file that keeps the referee's values.
    #[arg(long)]
    cache: Option<PathBuf>,
}

/// An experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Experiment {
    /// The moves of hybrid and alpha-beta in positions of games, judged by a long search.
    Positions,
    /// Timed games of the hybrid against alpha-beta.
    Games,
    /// Games of `ym2012` against itself with means in the place of the best child.
    BestChild,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let journal = Journal::open(arguments.log.as_deref())?;
    let trees = &arguments.tree;
    for experiment in Experiment::value_variants() {
        if !arguments.only.is_empty() && !arguments.only.contains(experiment) {
            continue;
        }
        match experiment {
            Experiment::Positions => {
                let quotas = Quotas::new(arguments.positions, arguments.ahead)?;
                let &Arguments { nodes, referee, min_nodes, ref cache, .. } = arguments;
                let referee = (nodes.saturating_mul(referee), cache.as_deref());
                Positions { nodes, referee, min_nodes }.run(trees, &quotas, &journal)?;
            }
            Experiment::Games => {
                let movetime = Duration::from_millis(arguments.movetime);
                let &Arguments { games, min_nodes, .. } = arguments;
                Games { games, movetime, min_nodes }.run(trees, &journal)?;
            }
            Experiment::BestChild => {
                let &Arguments { best_child_games, playouts, concurrency, .. } = arguments;
                BestChild { games: best_child_games, playouts, concurrency }.run(&journal)?;
            }
        }
    }
    Ok(())
}
