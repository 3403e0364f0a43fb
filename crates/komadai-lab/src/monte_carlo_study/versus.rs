//! Matches between two settings.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::Args;
use komadai::analysis::EmbeddedContestant;
use komadai::engine::Settings;
use komadai::matches::{Contestant, Match, Opening, Rules, Tally, TimeControl};
use komadai_testdata::openings;

use crate::monte_carlo_study::player::Description;

/// Options of `match`.
#[derive(Debug, Args)]
pub(crate) struct Versus {
    /// The first player: a preset and changes.
    first: Description,
    /// The second player.
    second: Description,
    /// Number of games, in pairs with colours exchanged.
    #[arg(long, default_value_t = 100)]
    games: usize,
    /// Nodes per move of each player.
    #[arg(long, num_args = 1..=2, default_values_t = [u64::MAX])]
    nodes: Vec<u64>,
    /// Results per move of each player.
    #[arg(long, num_args = 1..=2)]
    playouts: Vec<u64>,
    /// Memory of each player in MiB.
    #[arg(long, default_value_t = 64)]
    hash: usize,
    /// Seed of the random moves after the openings.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

impl Versus {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let openings: Result<Vec<_>, _> =
            openings::sfens().map(|sfen| Opening::from_usi(&format!("sfen {sfen}"))).collect();
        let of = |values: &[u64], side: usize| values.get(side).or(values.first()).copied();
        let nodes = [0, 1].map(|side| of(&self.nodes, side).unwrap_or(u64::MAX));
        let plan = Match {
            openings: openings?,
            games: self.games,
            random_plies: 2,
            controls: nodes.map(TimeControl::nodes),
            rules: Rules::default(),
            seed: self.seed,
        };
        let make = |description: &Description, side: usize| {
            let mut description = description.clone();
            description.set_playouts(of(&self.playouts, side));
            let mut settings = Settings::default();
            settings.hash_mib = self.hash;
            settings.mate_hash_mib = 1;
            settings.mate_nodes = 0;
            let player = EmbeddedContestant::with_parts(description.parts(), settings)?;
            Ok(Box::new(player) as Box<dyn Contestant>)
        };
        let stop = Arc::new(AtomicBool::new(false));
        let mut tally = Tally::default();
        let mut on_game = |game| {
            tally.add(&game);
            ControlFlow::Continue(())
        };
        let threads = std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        plan.run(
            [&|| make(&self.first, 0), &|| make(&self.second, 1)],
            threads,
            &|_| false,
            &stop,
            &mut on_game,
        )?;
        let [wins, draws, losses] = tally.wins_draws_losses();
        println!("{wins} won, {draws} drawn, {losses} lost");
        for (name, usage) in ["first", "second"].into_iter().zip(tally.usage()) {
            let cpu = usage.mean_cpu().unwrap_or_default();
            println!("{name}: {cpu:.1?} of CPU time and {:.0} nodes a move", usage.mean_nodes());
        }
        if let Some(elo) = tally.pairs().elo() {
            println!("Elo {:+.0} [{:+.0}, {:+.0}]", elo.elo, elo.low, elo.high);
        }
        Ok(())
    }
}
