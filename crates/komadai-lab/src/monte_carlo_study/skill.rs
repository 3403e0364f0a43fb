//! Matches between neighbouring levels of strength.

use anyhow::Context as _;
use clap::Args;
use komadai::engine::Parts;
use komadai::eval::Classical;
use komadai::matches::{Rules, Tally};
use komadai::search::monte_carlo::{MonteCarloOptions, Skill, Skilled};

use crate::arena::{Arena, elo, settings};

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
        let strengths = if self.strength.is_empty() {
            let levels: Option<Vec<Skill>> = (self.from..=self.to).map(Skill::level).collect();
            levels.with_context(|| format!("levels are 1 to {}", Skill::LEVELS))?
        } else {
            self.strength.clone()
        };
        println!("| stronger | weaker | won, drawn, lost | Elo (95 %) |");
        println!("|---|---|---|---|");
        for pair in strengths.windows(2) {
            let tally = self.versus(pair[1], pair[0])?;
            let [wins, draws, losses] = tally.wins_draws_losses();
            let (stronger, weaker) = (show(pair[1]), show(pair[0]));
            let elo = elo(tally.pairs()).unwrap_or_default();
            println!("| {stronger} | {weaker} | {wins}, {draws}, {losses} | {elo} |");
        }
        Ok(())
    }

    fn versus(&self, first: Skill, second: Skill) -> anyhow::Result<Tally> {
        let arena = Arena {
            games: self.games,
            nodes: [u64::MAX; 2],
            seed: self.seed,
            rules: Rules::default(),
            concurrency: 0,
        };
        let [first, second] = [parts(first, self.seed), parts(second, self.seed.wrapping_add(1))];
        let settings = settings(16);
        arena.play([(&first, &settings), (&second, &settings)])
    }
}

fn show(skill: Skill) -> String {
    format!("{} results, temperature {}", skill.playouts(), skill.temperature())
}

fn parts(skill: Skill, seed: u64) -> Parts {
    Parts::default().with_searcher(move |options| {
        let search = options.clone();
        let tree = MonteCarloOptions { seed, search, ..MonteCarloOptions::modern() };
        Skilled::new(Classical::default(), tree, skill)
    })
}
