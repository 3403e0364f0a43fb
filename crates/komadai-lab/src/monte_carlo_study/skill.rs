//! Matches between neighbouring levels of strength.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::Context as _;
use clap::Args;
use komadai::analysis::EmbeddedContestant;
use komadai::engine::{Parts, Settings};
use komadai::eval::Classical;
use komadai::matches::{Contestant, Match, Opening, Rules, Tally, TimeControl};
use komadai::search::monte_carlo::{MonteCarloOptions, Skill, Skilled};
use komadai_testdata::openings;

/// Options of `skill`.
#[derive(Debug, Args)]
pub(crate) struct Levels {
    /// The weakest level.
    #[arg(long, default_value_t = 1)]
    from: u8,
    /// The strongest level.
    #[arg(long, default_value_t = Skill::LEVELS)]
    to: u8,
    /// Other strengths instead of the levels: results and temperature, weakest first.
    #[arg(long, value_name = "RESULTS,TEMPERATURE", value_parser = read_strength)]
    strength: Vec<Skill>,
    /// Number of games of each match, in pairs with colours exchanged.
    #[arg(long, default_value_t = 200)]
    games: usize,
    /// Seed of the random moves after the openings.
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn read_strength(text: &str) -> Result<Skill, String> {
    let read = |(results, temperature): (&str, &str)| {
        Some(Skill::new(results.parse().ok()?, temperature.parse().ok()?))
    };
    let skill = text.split_once(',').and_then(read);
    skill.ok_or_else(|| format!("found {text:?}, expected two numbers, such as 64,0.5"))
}

impl Levels {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let levels: Option<Vec<Skill>> = (self.from..=self.to).map(Skill::level).collect();
        let strengths = match self.strength.is_empty() {
            true => levels.with_context(|| format!("levels are 1 to {}", Skill::LEVELS))?,
            false => self.strength.clone(),
        };
        println!("| stronger | weaker | won, drawn, lost | Elo (95 %) |");
        println!("|---|---|---|---|");
        let show = |skill: Skill| {
            format!("{} results, temperature {}", skill.playouts(), skill.temperature())
        };
        for pair in strengths.windows(2) {
            let tally = self.versus(pair[1], pair[0])?;
            let [wins, draws, losses] = tally.wins_draws_losses();
            let (stronger, weaker) = (show(pair[1]), show(pair[0]));
            let elo = tally.pairs().elo().map_or_else(String::new, |elo| {
                format!("{:+.0} [{:+.0}, {:+.0}]", elo.elo, elo.low, elo.high)
            });
            println!("| {stronger} | {weaker} | {wins}, {draws}, {losses} | {elo} |");
        }
        Ok(())
    }

    fn versus(&self, first: Skill, second: Skill) -> anyhow::Result<Tally> {
        let openings: Result<Vec<_>, _> =
            openings::sfens().map(|sfen| Opening::from_usi(&format!("sfen {sfen}"))).collect();
        let plan = Match {
            openings: openings?,
            games: self.games,
            random_plies: 2,
            controls: [(); 2].map(|()| TimeControl::nodes(u64::MAX)),
            rules: Rules::default(),
            seed: self.seed,
        };
        let make = |skill: Skill, seed: u64| {
            let parts = Parts::default().with_searcher(move |options| {
                let mut tree = MonteCarloOptions::modern();
                (tree.seed, tree.search) = (seed, options.clone());
                Skilled::new(Classical::default(), tree, skill)
            });
            let mut settings = Settings::default();
            (settings.hash_mib, settings.mate_hash_mib) = (16, 1);
            settings.mate_nodes = 0;
            let player = EmbeddedContestant::with_parts(parts, settings)?;
            Ok(Box::new(player) as Box<dyn Contestant>)
        };
        let mut tally = Tally::default();
        let mut on_game = |game| {
            tally.add(&game);
            ControlFlow::Continue(())
        };
        let threads = std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        let seeds = [self.seed, self.seed.wrapping_add(1)];
        plan.run(
            [&|| make(first, seeds[0]), &|| make(second, seeds[1])],
            threads,
            &|_| false,
            &Arc::new(AtomicBool::new(false)),
            &mut on_game,
        )?;
        Ok(tally)
    }
}
