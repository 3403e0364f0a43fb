//! Playouts and leaves per second.

use std::time::Instant;

use clap::Args;
use komadai::prelude::*;
use komadai::search::SearchOptions;
use komadai_testdata::positions;

use crate::monte_carlo_study::player::Description;

/// Options of `speed`.
#[derive(Debug, Args)]
pub(crate) struct Speed {
    /// The settings to measure.
    #[arg(default_values = ["modern", "modern,mean=1", "ym2012", "plain", "ym2012,plies=64"])]
    players: Vec<Description>,
    /// Results of each search.
    #[arg(long, default_value_t = 50_000)]
    playouts: u64,
    /// Number of threads.
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

impl Speed {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        println!("| results a second | nodes a second | mean length | settings |");
        println!("|---|---|---|---|");
        for player in &self.players {
            let mut player = player.clone();
            player.set_playouts(Some(self.playouts));
            let Some(mut searcher) = player.monte_carlo(SearchOptions {
                hash_mib: 256,
                threads: self.threads,
                ..SearchOptions::default()
            }) else {
                continue;
            };
            let (mut nodes, mut playouts) = (0, 0);
            let start = Instant::now();
            for bench in positions::bench() {
                let position = Position::from_sfen(bench.sfen).expect("the positions are valid");
                searcher.new_game();
                nodes += searcher.search(&position, &Budget::unlimited(), &mut |_| {}).nodes;
                playouts += searcher.playouts();
            }
            let seconds = start.elapsed().as_secs_f64();
            println!(
                "| {:.0} | {:.0} | {:.1} | {:?} |",
                playouts as f64 / seconds,
                nodes as f64 / seconds,
                nodes as f64 / playouts as f64,
                player.options().map(|options| (options.leaf, options.backup)),
            );
        }
        Ok(())
    }
}
