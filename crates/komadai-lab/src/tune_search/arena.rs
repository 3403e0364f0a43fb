//! Short matches between two settings of the embedded player, without processes.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use clap::Args;
use komadai::analysis::EmbeddedContestant;
use komadai::engine::Settings;
use komadai::matches::{
    Adjudication, Contestant, Match, Opening, Pentanomial, Rules, Tally, TimeControl,
};
use komadai_testdata::openings;

/// Number of games between two reports of a long match.
const REPORTED_GAMES: u64 = 20;

/// The conditions of the games.
#[derive(Debug, Clone, Args)]
pub(crate) struct Terms {
    /// Nodes per move.
    #[arg(long, default_value_t = 5_000)]
    pub(crate) nodes: u64,
    /// Number of games played at the same time; 0 for one per processor.
    #[arg(long, default_value_t = 0)]
    concurrency: usize,
    /// Value in centipawns at which a game ends, when for three moves of each side both agree on it;
    /// 0 to play all games to their end.
    #[arg(long, default_value_t = 0)]
    adjudicate: i32,
}

impl Terms {
    /// Plays `games` games in pairs with colours exchanged, and returns the counts of pairs from the first
    /// player's point of view.
    pub(crate) fn play(
        &self,
        players: [&Settings; 2],
        games: usize,
        seed: u64,
    ) -> anyhow::Result<Pentanomial> {
        self.play_with(self.threads(), players, games, seed)
    }

    /// Plays as [`Terms::play`], with another number of games at the same time.
    pub(crate) fn play_with(
        &self,
        threads: NonZero<usize>,
        players: [&Settings; 2],
        games: usize,
        seed: u64,
    ) -> anyhow::Result<Pentanomial> {
        let openings: Result<Vec<_>, _> =
            openings::sfens().map(|sfen| Opening::from_usi(&format!("sfen {sfen}"))).collect();
        let plan = Match {
            openings: openings?,
            games,
            random_plies: 2,
            controls: [(); 2].map(|()| TimeControl::nodes(self.nodes)),
            rules: self.rules(),
            seed,
        };
        let make = |settings: &Settings| {
            let player = EmbeddedContestant::new(settings.clone())?;
            Ok(Box::new(player) as Box<dyn Contestant>)
        };
        let [first, second] = players;
        let stop = Arc::new(AtomicBool::new(false));
        let mut tally = Tally::default();
        let mut on_game = |game| {
            tally.add(&game);
            if tally.games().is_multiple_of(REPORTED_GAMES) {
                let [wins, draws, losses] = tally.wins_draws_losses();
                eprintln!("{wins} won, {draws} drawn, {losses} lost of {games} games");
            }
            ControlFlow::Continue(())
        };
        plan.run([&|| make(first), &|| make(second)], threads, &|_| false, &stop, &mut on_game)?;
        Ok(*tally.pairs())
    }

    fn rules(&self) -> Rules {
        let agreed = Adjudication { score_cp: self.adjudicate, moves: 3 };
        let adjudication = (self.adjudicate > 0).then_some(agreed);
        Rules { adjudication, ..Rules::default() }
    }

    /// Returns the number of games played at the same time.
    pub(crate) fn threads(&self) -> NonZero<usize> {
        NonZero::new(self.concurrency)
            .or_else(|| std::thread::available_parallelism().ok())
            .unwrap_or(NonZero::<usize>::MIN)
    }
}

/// Returns the settings shared by all players: little memory, no mate search before the search.
pub(crate) fn settings() -> Settings {
    let mut settings = Settings::default();
    settings.hash_mib = 16;
    settings.mate_hash_mib = 1;
    settings.mate_nodes = 0;
    settings
}
