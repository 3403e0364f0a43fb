//! The ablation table: the effect of each technique on nodes to a depth and on games.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use komadai::eval::Classical;
use komadai::search::bench::bench;
use komadai::search::{SearchOptions, Techniques};

use crate::tune_search::change::Change;
use crate::tune_search::factorial::Factorial;
use crate::tune_search::factorial::record::Record;
use crate::tune_search::terms::Terms;

/// Options of `ablate`.
#[derive(Debug, Args)]
pub(crate) struct Ablate {
    /// Techniques, by the names of `Techniques` (default: all).
    techniques: Vec<String>,
    /// Number of games of one match for all, in which each pair of games switches some of them for
    /// one player or the other; 0 for none.
    #[arg(long, default_value_t = 2_000)]
    games: usize,
    /// The part of the techniques that a pair of games switches, in percent; one alone always. The
    /// fewer, the less do their effects depend on each other.
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=100))]
    share: u64,
    /// Seed of the openings, of the random moves after them and of the drawing of techniques.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// File with the results, from which the match continues.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
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
        let chosen = self.chosen()?;
        let effects = self.effects(&chosen)?;
        println!("All others as usual; {nodes} nodes to depth {} by default.", self.depth);
        if self.games > 0 {
            let Self { games, share, ref terms, .. } = *self;
            println!("{games} games at {} nodes a move; {share} % at a time.", terms.nodes);
        }
        println!("\n| technique | source | switched | nodes to depth | Elo when switched |");
        println!("|---|---|---|---|---|");
        for ((name, technique), elo) in chosen.into_iter().zip(effects) {
            let switched = usual ^ technique;
            let turned = if usual.contains(technique) { "off" } else { "on" };
            let change = 100.0 * (self.nodes(switched) as f64 / nodes as f64 - 1.0);
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

    /// Plays the games, and returns the effect of each technique as text.
    fn effects(&self, chosen: &[(String, Techniques)]) -> anyhow::Result<Vec<String>> {
        if self.games == 0 {
            return Ok(vec!["–".to_owned(); chosen.len()]);
        }
        let changes: Vec<Change> =
            chosen.iter().map(|(_, technique)| (*technique).into()).collect();
        let texts = |record: &Record| record.effects().iter().map(ToString::to_string).collect();
        let report = |record: &Record| {
            let effects: Vec<String> = texts(record);
            let lines = effects.iter().zip(chosen);
            Ok(lines.map(|(effect, (name, _))| format!("Elo {effect}  {name}\n")).collect())
        };
        let factorial = Factorial {
            changes: &changes,
            share: self.share,
            games: self.games,
            seed: self.seed,
            record: self.record.as_deref(),
            terms: &self.terms,
            is_decided: &|_| false,
            report: &report,
        };
        Ok(texts(&factorial.play()?))
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
