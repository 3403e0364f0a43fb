//! Mates that the tree proves, and false proofs.

use clap::Args;
use komadai::prelude::*;
use komadai::search::SearchOptions;
use komadai_testdata::tsume::{Expected, Set, set};

use crate::monte_carlo_study::player::Description;

/// Options of `proofs`.
#[derive(Debug, Args)]
pub(crate) struct Proofs {
    /// The settings.
    #[arg(default_value = "modern")]
    player: Description,
    /// Results of each search.
    #[arg(long, default_value_t = 10_000)]
    playouts: u64,
}

impl Proofs {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let mut player = self.player.clone();
        player.set_playouts(Some(self.playouts));
        let options = SearchOptions { hash_mib: 64, ..SearchOptions::default() };
        let Some(mut searcher) = player.monte_carlo(options) else { return Ok(()) };
        let mut wins = |sfen: &str| {
            // Two positions have the side in check that has just moved; they are no positions.
            let Ok(position) = Position::from_sfen(sfen) else { return false };
            searcher.new_game();
            let analysis = searcher.search(&position, &Budget::unlimited(), &mut |_| {});
            analysis.score().is_some_and(|score| score.is_mate() && score.raw() > 0)
        };
        for length in [1, 3, 5, 7, 9, 11] {
            let problems: Vec<_> = set(Set::ShortSelfplay)
                .filter(|problem| problem.expected == Expected::ShortestMate(length))
                .collect();
            let proven = problems.iter().filter(|problem| wins(problem.sfen)).count();
            println!("mates in {length}: {proven} of {} proven", problems.len());
        }
        let problems: Vec<_> = set(Set::NoMate).collect();
        let proven: Vec<_> = problems.iter().filter(|problem| wins(problem.sfen)).collect();
        println!("no mate by checks: {} of {} proven won", proven.len(), problems.len());
        for problem in proven {
            println!("  {} {}", problem.id, problem.sfen);
        }
        Ok(())
    }
}
