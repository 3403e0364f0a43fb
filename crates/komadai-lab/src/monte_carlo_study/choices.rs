//! The moves that players choose in positions of real games, valued by a long search.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::Args;
use komadai::prelude::*;
use komadai::search::SearchOptions;
use komadai_testdata::judged;

use crate::monte_carlo_study::choice::{Choice, in_parallel};
use crate::monte_carlo_study::played;
use crate::monte_carlo_study::player::Description;
use crate::monte_carlo_study::referee::{Referee, bootstrap};

/// Options of `choices`.
#[derive(Debug, Args)]
pub(crate) struct Choices {
    /// The players; the others are compared with the first.
    #[arg(required = true)]
    players: Vec<Description>,
    /// Nodes of each search, but for players with `nodes=` of their own.
    #[arg(long, default_value_t = 20_000)]
    nodes: u64,
    /// Nodes of the referee for each move.
    #[arg(long, default_value_t = 200_000)]
    referee: u64,
    /// A file of moves that were played, in the place of the positions: each line has the moves of a game as
    /// `position` has them, up to the move to judge.
    #[arg(long, value_name = "FILE")]
    played: Option<PathBuf>,
    /// Every how many of the 1,000 positions, or of the lines, is taken.
    #[arg(long, default_value_t = 4)]
    every: usize,
    /// A file that keeps the referee's values.
    #[arg(long)]
    cache: Option<PathBuf>,
    /// Number of searches at the same time.
    #[arg(long, default_value_t = 2)]
    concurrency: usize,
}

impl Choices {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let referee = Referee::new(self.referee, self.cache.as_deref())?;
        let every = self.every.max(1);
        let (positions, played) = match &self.played {
            Some(path) => played::read(path, every)?,
            None => {
                let all = judged::game_positions().step_by(every);
                let positions: Result<_, _> =
                    all.map(|judged| Position::from_sfen(judged.sfen)).collect();
                (positions?, Vec::new())
            }
        };
        println!("| player | mean value, cp | against the first | different moves | playouts |");
        println!("|---|---|---|---|---|");
        let mut first: Option<Vec<Choice>> = None;
        if !played.is_empty() {
            let found = self.played(&positions, &played, &referee)?;
            let values: f64 = found.iter().map(|choice| choice.value).sum();
            println!("| as played | {:.1} | | | |", values / found.len() as f64);
            first = Some(found);
        }
        for player in &self.players {
            let found = self.choices(player, &positions, &referee)?;
            let of_first = first.as_ref().unwrap_or(&found);
            let pairs = || found.iter().zip(of_first);
            let gains: Vec<f64> = pairs().map(|(own, other)| own.value - other.value).collect();
            let gain = bootstrap(&gains);
            let values: f64 = found.iter().map(|choice| choice.value).sum();
            println!(
                "| `{}` | {:.1} | {:+.1} [{:+.1}, {:+.1}] | {} | {:.0} |",
                player.name(),
                values / found.len() as f64,
                gain.mean,
                gain.low,
                gain.high,
                pairs().filter(|(own, other)| own.m != other.m).count(),
                found.iter().map(|choice| choice.playouts as f64).sum::<f64>() / found.len() as f64,
            );
            first.get_or_insert(found);
        }
        Ok(())
    }

    /// Returns the moves that were played, with their values.
    fn played(
        &self,
        positions: &[Position],
        played: &[Move],
        referee: &Referee,
    ) -> anyhow::Result<Vec<Choice>> {
        let next = AtomicUsize::new(0);
        in_parallel(self.concurrency, || {
            let mut found = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let (Some(position), Some(&m)) = (positions.get(index), played.get(index)) else {
                    return Ok(found);
                };
                let value = f64::from(referee.value(position, m)?);
                found.push((index, Choice { m, value, playouts: 0 }));
            }
        })
    }

    /// Returns the moves of a player, in the order of the positions.
    fn choices(
        &self,
        player: &Description,
        positions: &[Position],
        referee: &Referee,
    ) -> anyhow::Result<Vec<Choice>> {
        let next = AtomicUsize::new(0);
        let budget = Budget::nodes(player.nodes().unwrap_or(self.nodes));
        in_parallel(self.concurrency, || {
            let options = || SearchOptions { hash_mib: 32, ..SearchOptions::default() };
            let mut tree = player.monte_carlo(options());
            let mut alpha_beta = player.searcher(options());
            let mut found = Vec::new();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(position) = positions.get(index) else { return Ok(found) };
                let searcher: &mut dyn Searcher = match &mut tree {
                    Some(tree) => tree,
                    None => &mut *alpha_beta,
                };
                searcher.new_game();
                let Some(m) = searcher.search(position, &budget, &mut |_| {}).best_move() else {
                    continue;
                };
                let playouts = tree.as_ref().map_or(0, |tree| tree.playouts());
                let value = f64::from(referee.value(position, m)?);
                found.push((index, Choice { m, value, playouts }));
            }
        })
    }
}
