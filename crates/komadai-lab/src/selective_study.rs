//! Selective searches beside alpha-beta with and without techniques, at equal nodes and in equal
//! time.
//!
//! ```text
//! nice cargo run --release -p komadai-lab -- selective-study --equal-time --log selective.log --values referee.log
//! ```

mod judged;
mod outcome;
mod row;
mod speed;
mod table;

use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;
use komadai::eval::Classical;
use komadai::prelude::*;
use komadai_testdata::games;
use rayon::prelude::*;

use crate::games::plies;
use judged::{Judged, judge};
use komadai_study::Journal;
use komadai_study::referee::Referee;
use outcome::Outcome;
use row::Row;
use speed::Speeds;
use table::Line;

/// Compare selective searches with alpha-beta, and alpha-beta with techniques switched, by a long
/// search of the moves that they choose. All evaluate by `Classical`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  selective-study --nodes 20000 --every 80\n  \
    selective-study --equal-time --log selective.log --values referee.log\n\n\
    A row is alpha-beta, realization or abc, then settings after colons:\n  \
    realization:model=classes:surprise=100:without=NULL_MOVE\n\n\
    With --log, the same command goes on after a stop.")]
pub(crate) struct Arguments {
    /// Nodes of each search.
    #[arg(long, value_delimiter = ',', default_values_t = [100_000])]
    nodes: Vec<u64>,
    /// Compare in equal time as well: measure the nodes per second of processor time of each row,
    /// and give it the nodes that it makes in the time of the row `alpha-beta`, or else of the
    /// first row.
    #[arg(long)]
    equal_time: bool,
    /// One position in this number is used, of those of the bundled games from move 20 on.
    #[arg(long, default_value_t = 20)]
    every: usize,
    /// The first position.
    #[arg(long, default_value_t = 0)]
    first: usize,
    /// Nodes of the referee's search after each move; it chooses its own with twice as many.
    #[arg(long, default_value_t = 200_000)]
    referee: u64,
    /// File that keeps the results, from which an interrupted run goes on.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// File that keeps the referee's values.
    #[arg(long, value_name = "FILE")]
    values: Option<PathBuf>,
    /// The searches.
    #[arg(long = "row", value_name = "ROW", default_values = row::DEFAULT)]
    rows: Vec<Row>,
}

/// Number of the first move of a position.
const FIRST_MOVE: usize = 20;

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    ensure!(!arguments.rows.is_empty(), "found no row, expected one at least");
    let journal = Journal::open(arguments.log.as_deref())?;
    let referee = Referee::with_evaluator(
        Classical::default(),
        arguments.referee,
        arguments.values.as_deref(),
    )?;
    let all = games::tournament().flat_map(|game| plies(game.moves).skip(FIRST_MOVE));
    let positions: Vec<Position> = all
        .map(|(position, _)| position)
        .skip(arguments.first)
        .step_by(arguments.every.max(1))
        .collect();
    let judged: Vec<Option<Judged>> = positions
        .into_par_iter()
        .map(|position| judge(position, &referee, &journal))
        .collect::<anyhow::Result<_>>()?;
    let judged: Vec<Judged> = judged.into_iter().flatten().collect();
    ensure!(!judged.is_empty(), "no position is left, expected a smaller --every");
    println!("{} positions, referee {} nodes", judged.len(), arguments.referee);
    let speeds = match arguments.equal_time {
        true => Some(Speeds::measure(&arguments.rows, &judged, &journal)?),
        false => None,
    };
    for &nodes in &arguments.nodes {
        table::print_head(nodes, speeds.as_ref());
        for row in &arguments.rows {
            let outcomes = |nodes: u64| -> anyhow::Result<Vec<Outcome>> {
                let find = |judged| Outcome::find(row, judged, nodes, &referee, &journal);
                judged.par_iter().map(find).collect()
            };
            let at_equal_nodes = outcomes(nodes)?;
            let in_equal_time = match &speeds {
                Some(speeds) => {
                    let speed = speeds.of(row)?;
                    let nodes = speed.nodes_in_equal_time(nodes);
                    Some((speed, nodes, outcomes(nodes)?))
                }
                None => None,
            };
            println!("{}", Line { row, nodes, judged: &judged, at_equal_nodes, in_equal_time });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
