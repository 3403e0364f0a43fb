//! Matches without processes, between two players of the embedded engine.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread::available_parallelism;

use komadai::analysis::EmbeddedContestant;
use komadai::engine::{Parts, Settings};
use komadai::matches::{Contestant, Match, Opening, Pentanomial, Rules, Tally, TimeControl};
use komadai_testdata::openings;

/// Number of games between two reports of a long match.
const REPORTED_GAMES: u64 = 20;

/// A match from the bundled openings, each followed by two random moves and played with both
/// colours.
#[derive(Debug)]
pub(crate) struct Arena {
    pub(crate) games: usize,
    /// Nodes per move of each player.
    pub(crate) nodes: [u64; 2],
    pub(crate) seed: u64,
    pub(crate) rules: Rules,
    /// Number of games played at the same time; 0 for one per processor.
    pub(crate) concurrency: usize,
}

impl Arena {
    /// Plays the match, and returns the counts from the first player's point of view.
    pub(crate) fn play(&self, players: [(&Parts, &Settings); 2]) -> anyhow::Result<Tally> {
        let openings: Result<Vec<_>, _> =
            openings::sfens().map(|sfen| Opening::from_usi(&format!("sfen {sfen}"))).collect();
        let plan = Match {
            openings: openings?,
            games: self.games,
            random_plies: 2,
            controls: self.nodes.map(TimeControl::nodes),
            rules: self.rules.clone(),
            seed: self.seed,
        };
        let make = |(parts, settings): (&Parts, &Settings)| {
            let player = EmbeddedContestant::with_parts(parts.clone(), settings.clone())?;
            Ok(Box::new(player) as Box<dyn Contestant>)
        };
        let mut tally = Tally::default();
        plan.run(
            [&|| make(players[0]), &|| make(players[1])],
            threads(self.concurrency),
            &|_| false,
            &Arc::new(AtomicBool::new(false)),
            &mut |game| {
                tally.add(&game);
                if tally.games().is_multiple_of(REPORTED_GAMES) {
                    eprintln!("{} of {} games", counts(&tally), self.games);
                }
                ControlFlow::Continue(())
            },
        )?;
        Ok(tally)
    }
}

/// Returns this number, or that of the processors for 0.
pub(crate) fn threads(concurrency: usize) -> NonZero<usize> {
    NonZero::new(concurrency)
        .or_else(|| available_parallelism().ok())
        .unwrap_or(NonZero::<usize>::MIN)
}

/// Returns the settings shared by all players: little memory, no mate search before the search.
pub(crate) fn settings(hash_mib: usize) -> Settings {
    Settings { hash_mib, mate_hash_mib: 1, mate_nodes: 0, ..Settings::default() }
}

/// Returns the numbers of results as text.
pub(crate) fn counts(tally: &Tally) -> String {
    let [wins, draws, losses] = tally.wins_draws_losses();
    format!("{wins} won, {draws} drawn, {losses} lost")
}

/// Returns the difference in Elo with its 95 % interval, or `None` before the first pair of games.
pub(crate) fn elo(pairs: &Pentanomial) -> Option<String> {
    let elo = pairs.elo()?;
    Some(format!("{:+.0} [{:+.0}, {:+.0}]", elo.elo, elo.low, elo.high))
}
