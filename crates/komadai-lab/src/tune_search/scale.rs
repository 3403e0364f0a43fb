//! The speed-up of several threads: the time to a depth compared with one thread.

use std::time::Duration;

use clap::Args;
use komadai::eval::Classical;
use komadai::prelude::*;
use komadai::search::{AlphaBeta, SearchOptions};
use komadai_testdata::openings;

/// Options of `scale`.
#[derive(Debug, Args)]
pub(crate) struct Scale {
    /// Number of threads to compare with one.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(2..=1024))]
    threads: u32,
    /// Depth to reach, in plies.
    #[arg(long, default_value_t = 19, value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: u32,
    /// Number of openings to search.
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(2..=200))]
    positions: u32,
}

/// The time and nodes of a search.
#[derive(Debug, Clone, Copy, Default)]
struct Cost {
    time: Duration,
    nodes: u64,
}

impl Cost {
    /// Returns the thousands of nodes a second.
    fn speed(self) -> f64 {
        self.nodes as f64 / self.time.as_secs_f64() / 1_000.0
    }
}

impl Scale {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let every = openings::sfens().count() / self.positions as usize;
        let (mut alone, mut together) = (self.searcher(1), self.searcher(self.threads as usize));
        let (mut total, mut ratios) = ([Cost::default(); 2], Vec::new());
        for sfen in openings::sfens().step_by(every.max(1)).take(self.positions as usize) {
            let position = Position::from_sfen(sfen)?;
            let costs = [&mut alone, &mut together].map(|searcher| self.cost(searcher, &position));
            for (total, cost) in total.iter_mut().zip(costs) {
                total.time += cost.time;
                total.nodes += cost.nodes;
            }
            ratios.push((costs[0].time.as_secs_f64() / costs[1].time.as_secs_f64()).ln());
        }
        let [one, many] = total;
        println!("{} positions to depth {}:", ratios.len(), self.depth);
        println!("1 thread: {:.1?}, {:.0} thousand nodes a second", one.time, one.speed());
        println!("{} threads: {:.1?}, {:.0} thousand", self.threads, many.time, many.speed());
        println!("in all {:.2} times as soon", one.time.as_secs_f64() / many.time.as_secs_f64());
        let [low, mean, high] = geometric_mean(&ratios);
        println!("geometric mean of the positions {mean:.2}, 95 % [{low:.2}, {high:.2}]");
        Ok(())
    }

    fn searcher(&self, threads: usize) -> AlphaBeta<Classical> {
        let options = SearchOptions { threads, hash_mib: 256, ..SearchOptions::default() };
        AlphaBeta::new(Classical::default(), options)
    }

    fn cost(&self, searcher: &mut AlphaBeta<Classical>, position: &Position) -> Cost {
        searcher.new_game();
        let budget = Budget::depth(self.depth);
        let analysis = searcher.search(position, &budget, &mut |_| {});
        Cost { time: analysis.time, nodes: analysis.nodes }
    }
}

/// Returns the geometric mean of numbers given by their logarithms, between its 95 % bounds.
fn geometric_mean(logarithms: &[f64]) -> [f64; 3] {
    let count = logarithms.len() as f64;
    let mean = logarithms.iter().sum::<f64>() / count;
    let squares: f64 = logarithms.iter().map(|x| (x - mean).powi(2)).sum();
    let error = 1.96 * (squares / (count - 1.0) / count).sqrt();
    [mean - error, mean, mean + error].map(f64::exp)
}
