//! The search by realization probability beside alpha-beta, at equal nodes.

mod row;

use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;
use komadai::eval::Classical;
use komadai::prelude::*;
use komadai::search::{AlphaBeta, SearchOptions, Searcher};
use komadai_testdata::games;
use rayon::prelude::*;

use crate::games::plies;
use crate::referee::Referee;
use crate::statistics::bootstrap;
use row::Row;

/// Compare searches by realization probability with alpha-beta at equal nodes, by a long search of
/// the moves that they choose. All evaluate by `Classical`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  selective-study --nodes 20000 --every 80\n\n\
    A row is alpha-beta or realization, then settings after colons:\n  \
    realization:model=classes:surprise=100:without=NULL_MOVE")]
pub(crate) struct Arguments {
    /// Nodes of each search.
    #[arg(long, value_delimiter = ',', default_values_t = [20_000, 100_000])]
    nodes: Vec<u64>,
    /// One position in this number is used, of those of the bundled games from move 20 on.
    #[arg(long, default_value_t = 80)]
    every: usize,
    /// The first position.
    #[arg(long, default_value_t = 0)]
    first: usize,
    /// Nodes of the referee's search after each move; it chooses its own with twice as many.
    #[arg(long, default_value_t = 200_000)]
    referee: u64,
    /// File that keeps the referee's values.
    #[arg(long, value_name = "FILE")]
    values: Option<PathBuf>,
    /// The searches.
    #[arg(long = "row", value_name = "ROW", default_values = row::DEFAULT)]
    rows: Vec<Row>,
}

/// Number of the first move of a position.
const FIRST_MOVE: usize = 20;

/// Values beyond this, in centipawns, decide a game: one move is as good as another.
const OPEN: i32 = 1_500;

/// A position, the referee's move and its value.
struct Judged {
    position: Position,
    best: Move,
    value: i32,
}

/// The result of one search of a row.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    is_same: bool,
    loss: f64,
    depth: f64,
    longest: f64,
    /// The mean distance of the leaves, if the search counts them.
    leaf: Option<f64>,
    /// The factor of the nodes from one iteration to the next, as a logarithm.
    growth: Option<f64>,
    nanoseconds: f64,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
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
        .map(|position| judge(position, &referee))
        .collect::<anyhow::Result<_>>()?;
    let judged: Vec<Judged> = judged.into_iter().flatten().collect();
    ensure!(!judged.is_empty(), "no position is left, expected a smaller --every");
    println!("{} positions, referee {} nodes", judged.len(), arguments.referee);
    for &nodes in &arguments.nodes {
        println!("\n{nodes} nodes\n");
        println!(
            "| search | same move | mean loss, cp | iterations | deepest line | mean leaf ply \
             | nodes × an iteration | kn/s |\n|---|---|---|---|---|---|---|---|"
        );
        for row in &arguments.rows {
            let outcomes: Vec<Outcome> = judged
                .par_iter()
                .map(|judged| outcome(row, judged, nodes, &referee))
                .collect::<anyhow::Result<_>>()?;
            print(row, &outcomes, nodes);
        }
    }
    Ok(())
}

/// Returns a position with the referee's move, unless the game is decided or there is no choice.
fn judge(position: Position, referee: &Referee<Classical>) -> anyhow::Result<Option<Judged>> {
    if position.legal_moves().len() < 2 {
        return Ok(None);
    }
    let options = SearchOptions { hash_mib: 64, ..SearchOptions::default() };
    let mut search = AlphaBeta::new(Classical::default(), options);
    let analysis = search.search(&position, &Budget::nodes(2 * referee.nodes()), &mut |_| {});
    let Some(best) = analysis.best_move() else { return Ok(None) };
    let value = referee.value(&position, best)?;
    Ok((value.abs() <= OPEN).then_some(Judged { position, best, value }))
}

fn outcome(
    row: &Row,
    judged: &Judged,
    nodes: u64,
    referee: &Referee<Classical>,
) -> anyhow::Result<Outcome> {
    let mut iterations: Vec<u64> = Vec::new();
    let (analysis, leaf) = row.search(&judged.position, &Budget::nodes(nodes), &mut |analysis| {
        iterations.push(analysis.nodes);
    });
    let chosen = analysis.best_move().expect("a position with moves has a best one");
    let value = referee.value(&judged.position, chosen)?;
    Ok(Outcome {
        is_same: chosen == judged.best,
        loss: f64::from(judged.value - value),
        depth: f64::from(analysis.depth),
        longest: f64::from(analysis.seldepth),
        leaf,
        growth: growth(&iterations),
        nanoseconds: analysis.time.as_nanos() as f64,
    })
}

/// Returns the logarithm of the mean factor of the nodes from one iteration to the next, without
/// the first three iterations, which hardly search.
fn growth(iterations: &[u64]) -> Option<f64> {
    let (first, last) = (*iterations.get(2)?, *iterations.last()?);
    let steps = iterations.len() - 3;
    (steps > 0).then(|| (last as f64 / first as f64).ln() / steps as f64)
}

fn print(row: &Row, outcomes: &[Outcome], nodes: u64) {
    let count = outcomes.len() as f64;
    let mean = |of: fn(&Outcome) -> f64| outcomes.iter().map(of).sum::<f64>() / count;
    let mean_of_some = |of: fn(&Outcome) -> Option<f64>| {
        let known: Vec<f64> = outcomes.iter().filter_map(of).collect();
        (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
    };
    let same = 100.0 * mean(|outcome| f64::from(u8::from(outcome.is_same)));
    let losses: Vec<f64> = outcomes.iter().map(|outcome| outcome.loss).collect();
    let loss = bootstrap(&losses);
    let leaf =
        mean_of_some(|outcome| outcome.leaf).map_or("–".to_owned(), |leaf| format!("{leaf:.1}"));
    let growth = mean_of_some(|outcome| outcome.growth)
        .map_or("–".to_owned(), |growth| format!("{:.2}", growth.exp()));
    println!(
        "| {row} | {same:.1} % | {:.1} [{:.1}, {:.1}] | {:.1} | {:.1} | {leaf} | {growth} | {:.0} |",
        loss.mean,
        loss.low,
        loss.high,
        mean(|outcome| outcome.depth),
        mean(|outcome| outcome.longest),
        nodes as f64 / mean(|outcome| outcome.nanoseconds) * 1e6,
    );
}

#[cfg(test)]
mod tests {
    use super::growth;

    #[test]
    fn growth_is_the_factor_of_an_iteration() {
        assert_eq!(growth(&[1, 2, 10]), None);
        let growth = growth(&[1, 2, 10, 30, 90]).unwrap();
        assert!((growth.exp() - 3.0).abs() < 1e-9);
    }
}
