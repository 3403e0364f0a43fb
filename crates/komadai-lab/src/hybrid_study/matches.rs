//! Games whose results are kept: the hybrid against alpha-beta, and the best child against the mean.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use komadai::analysis::EmbeddedContestant;
use komadai::engine::Parts;
use komadai::matches::{Contestant, Match, Opening, Pentanomial, Rules, TimeControl};
use komadai::search::AlphaBeta;
use komadai::search::hybrid::{ChoiceRules, Hybrid};
use komadai::search::monte_carlo::MonteCarloOptions;
use komadai::tsume::DfPn;
use komadai_testdata::openings;

use crate::arena::{elo, settings, threads};
use crate::monte_carlo_study::player::Description;
use komadai_study::Journal;
use komadai_study::referee::evaluator;

/// Memory of each player in MiB.
const HASH_MIB: usize = 64;

/// Timed games of hybrids against alpha-beta.
#[derive(Debug)]
pub(super) struct Games {
    pub(super) games: usize,
    pub(super) movetime: Duration,
    pub(super) min_nodes: Option<u64>,
}

impl Games {
    pub(super) fn run(&self, trees: &[Description], journal: &Journal) -> anyhow::Result<()> {
        let ms = self.movetime.as_millis();
        println!("Hybrid on one thread for each searcher, {ms} ms a move\n");
        print_head();
        for tree in trees {
            let hybrid = hybrid(tree.of_hybrid()?, self.min_nodes);
            for threads in [1, 2] {
                let bar =
                    self.min_nodes.map_or_else(String::new, |bar| format!(",min-nodes={bar}"));
                let name =
                    format!("hybrid {}{bar}\talpha-beta threads={threads}\t{ms} ms", tree.name());
                let match_ = NamedMatch {
                    name,
                    players: [(hybrid.clone(), 1), (alpha_beta(), threads)],
                    games: self.games,
                    control: TimeControl {
                        move_time: Some(self.movetime),
                        ..TimeControl::default()
                    },
                    concurrency: 1,
                };
                match_.play(journal)?;
            }
        }
        println!();
        Ok(())
    }
}

/// Games of `ym2012` against itself with means.
#[derive(Debug)]
pub(super) struct BestChild {
    pub(super) games: usize,
    pub(super) playouts: u64,
    pub(super) concurrency: usize,
}

impl BestChild {
    pub(super) fn run(&self, journal: &Journal) -> anyhow::Result<()> {
        let playouts = self.playouts;
        println!("The rate of the best child against the mean, {playouts} results a move\n");
        print_head();
        let player = |text: &str| -> anyhow::Result<(Parts, usize)> {
            let mut player: Description = text.parse()?;
            player.set_playouts(Some(playouts));
            Ok((player.parts(), 1))
        };
        let match_ = NamedMatch {
            name: format!("ym2012\tym2012,mean=\t{playouts} results"),
            players: [player("ym2012")?, player("ym2012,mean=")?],
            games: self.games,
            control: TimeControl::nodes(u64::MAX),
            concurrency: self.concurrency,
        };
        match_.play(journal)?;
        println!();
        Ok(())
    }
}

/// Returns the parts of a player with the hybrid.
fn hybrid(tree: MonteCarloOptions, min_nodes: Option<u64>) -> Parts {
    Parts::default().with_searcher(move |options| {
        let mut hybrid = Hybrid::new(evaluator(), options.clone(), tree.clone());
        hybrid.set_mate_solvers(|| Box::new(DfPn::default()));
        let rules = ChoiceRules::default();
        hybrid.set_rules(ChoiceRules { min_nodes: min_nodes.unwrap_or(rules.min_nodes), ..rules });
        hybrid
    })
}

fn alpha_beta() -> Parts {
    Parts::default().with_searcher(|options| AlphaBeta::new(evaluator(), options.clone()))
}

/// A match whose results are kept under its name.
struct NamedMatch {
    name: String,
    /// The players with their threads.
    players: [(Parts, usize); 2],
    games: usize,
    control: TimeControl,
    concurrency: usize,
}

impl NamedMatch {
    fn key(&self, number: usize) -> String {
        format!("game\t{}\t{number}", self.name)
    }

    /// Plays the games that have not been played yet, and prints the result of all.
    fn play(&self, journal: &Journal) -> anyhow::Result<()> {
        let openings: Result<Vec<_>, _> =
            openings::sfens().map(|sfen| Opening::from_usi(&format!("sfen {sfen}"))).collect();
        let plan = Match {
            openings: openings?,
            games: self.games,
            random_plies: 2,
            controls: [self.control.clone(), self.control.clone()],
            rules: Rules::default(),
            seed: 1,
        };
        let make = |(parts, threads): &(Parts, usize)| {
            let mut settings = settings(HASH_MIB);
            settings.threads = *threads;
            let player = EmbeddedContestant::with_parts(parts.clone(), settings)?;
            Ok(Box::new(player) as Box<dyn Contestant>)
        };
        let [first, second] = &self.players;
        let done: Vec<bool> = (0..self.games)
            .map(|number| Ok(journal.get(&self.key(number))?.is_some()))
            .collect::<anyhow::Result<_>>()?;
        let mut fault = None;
        plan.run(
            [&|| make(first), &|| make(second)],
            threads(self.concurrency),
            &|number| done[number],
            &Arc::default(),
            &mut |game| match journal.add(self.key(game.number), game.half_points().to_string()) {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    fault = Some(error);
                    ControlFlow::Break(())
                }
            },
        )?;
        fault.map_or(Ok(()), Err)?;
        self.print(journal)
    }

    fn print(&self, journal: &Journal) -> anyhow::Result<()> {
        let mut counts = [0; 3];
        let mut pairs = Pentanomial::default();
        let mut half_points = Vec::new();
        for number in 0..self.games {
            let text = journal.get(&self.key(number))?;
            let points = text.as_deref().map(str::parse::<usize>).transpose()?;
            let points = points.filter(|&points| points <= 2);
            half_points.push(points);
            if let Some(points) = points {
                counts[2 - points] += 1;
            }
        }
        for pair in half_points.chunks_exact(2) {
            if let &[Some(first), Some(second)] = pair {
                pairs.add(first + second);
            }
        }
        let [won, drawn, lost] = counts;
        let parts: Vec<&str> = self.name.split('\t').collect();
        let games = won + drawn + lost;
        let elo = elo(&pairs).unwrap_or_default();
        println!("| `{}` | `{}` | {games} | {won}, {drawn}, {lost} | {elo} |", parts[0], parts[1]);
        Ok(())
    }
}

fn print_head() {
    println!("| first | second | games | won, drawn, lost | Elo, 95 % |");
    println!("|---|---|---|---|---|");
}
