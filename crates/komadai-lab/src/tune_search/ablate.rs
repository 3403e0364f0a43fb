//! The ablation table: the effect of each technique on nodes to a depth and on games.

use anyhow::Context as _;
use clap::Args;
use komadai::engine::Settings;
use komadai::eval::Classical;
use komadai::search::bench::bench;
use komadai::search::{SearchOptions, Techniques};

use crate::arena::{elo, settings};
use crate::tune_search::terms::Terms;

/// Options of `ablate`.
#[derive(Debug, Args)]
pub(crate) struct Ablate {
    /// Techniques, by the names of `Techniques` (default: all).
    techniques: Vec<String>,
    /// Number of games of each against the default; 0 for none.
    #[arg(long, default_value_t = 400)]
    games: usize,
    /// Depth of the search of the fixed list of positions, in plies.
    #[arg(long, default_value_t = 11, value_parser = clap::value_parser!(u32).range(1..=40))]
    depth: u32,
    #[command(flatten)]
    terms: Terms,
}

impl Ablate {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let usual = Techniques::default();
        let nodes = self.nodes(usual);
        println!("All others as usual; {nodes} nodes to depth {} by default.", self.depth);
        println!("{} games at {} nodes a move for each row.\n", self.games, self.terms.nodes);
        println!("| technique | source | switched | nodes to depth | Elo when switched |");
        println!("|---|---|---|---|---|");
        for (name, technique) in self.chosen()? {
            let switched = usual ^ technique;
            let turned = if usual.contains(technique) { "off" } else { "on" };
            let change = 100.0 * (self.nodes(switched) as f64 / nodes as f64 - 1.0);
            let elo = self.elo(switched)?;
            let source = source(&name).with_context(|| format!("{name} has no source"))?;
            println!("| `{name}` | {source} | {turned} | {change:+.0} % | {elo} |");
        }
        Ok(())
    }

    fn chosen(&self) -> anyhow::Result<Vec<(String, Techniques)>> {
        // `mates` measures the solver.
        let all = Techniques::all() - Techniques::ANY_MATE_SOLVER;
        let known = all.iter_names().filter(|(_, technique)| technique.bits().count_ones() == 1);
        if self.techniques.is_empty() {
            return Ok(known.map(|(name, found)| (name.to_owned(), found)).collect());
        }
        let find = |name: &String| {
            let found = Techniques::from_name(name).filter(|found| found.bits().count_ones() == 1);
            found.map(|found| (name.clone(), found)).with_context(|| format!("no technique {name}"))
        };
        self.techniques.iter().map(find).collect()
    }

    fn nodes(&self, techniques: Techniques) -> u64 {
        let options = SearchOptions { techniques, ..SearchOptions::default() };
        bench(&Classical::default(), &options, self.depth).nodes
    }

    fn elo(&self, techniques: Techniques) -> anyhow::Result<String> {
        if self.games == 0 {
            return Ok("–".to_owned());
        }
        let usual = settings(16);
        let switched = Settings { techniques, ..usual.clone() };
        let pairs = self.terms.play([&switched, &usual], self.games, 1)?;
        elo(&pairs).context("no pair of games was finished")
    }
}

/// A row for each technique of `Techniques`: its name, a tab, author, title and year. Many techniques of chess
/// programs were published only as part of a program.
const SOURCES: &str = include_str!("sources.tsv");

/// Returns the source of the technique with this name.
fn source(technique: &str) -> Option<&'static str> {
    let mut rows = SOURCES.lines().filter_map(|row| row.split_once('\t'));
    rows.find(|(name, _)| *name == technique).map(|(_, source)| source)
}
