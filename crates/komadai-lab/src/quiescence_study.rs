//! Compares the methods of quiescence search with a full-width search of the same depth, on
//! positions of the bundled games from move 30 on.
//!
//! ```text
//! cargo run --release -p komadai-lab -- quiescence-study --positions 200
//! ```

use clap::Args;
use komadai::eval::{Classical, Progress};
use komadai::movegen::DeclarationRule;
use komadai::prelude::*;
use komadai::search::{AlphaBeta, Quiescence, SearchOptions, SelectedQuiescence, Techniques};
use komadai_testdata::games;

use crate::games::plies;

/// Compare the methods of quiescence search with a full-width search. The difference of the values
/// is in centipawns for the side to move; positions in which either finds a mate are skipped.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  quiescence-study --positions 200 --depth 4 --names SEE,SKEP,Dynamic"
)]
pub(crate) struct Arguments {
    /// Approximate number of positions.
    #[arg(long, default_value_t = 200)]
    positions: usize,
    /// Depth of both searches in plies.
    #[arg(long, default_value_t = 4)]
    depth: u32,
    /// Methods to compare.
    #[arg(long, value_delimiter = ',', default_values = Quiescence::NAMES)]
    names: Vec<Quiescence>,
}

/// The first move number of the positions.
const FIRST_MOVE: usize = 30;
/// The largest evaluation. Values beyond it are mates or decided by a rule.
const DECIDED: i32 = 20_000;

/// Returns positions that are not in check, evenly spread over the games.
fn positions(wanted: usize) -> Vec<Position> {
    let mut all = Vec::new();
    for game in games::tournament() {
        for (mut position, m) in plies(game.moves).skip(FIRST_MOVE) {
            position.do_move(m);
            if !position.in_check() {
                all.push(position);
            }
        }
    }
    let every = (all.len() / wanted.max(1)).max(1);
    all.into_iter().step_by(every).collect()
}

fn searcher(techniques: Techniques, quiescence: Quiescence) -> AlphaBeta<Classical> {
    let declaration = DeclarationRule::None;
    let evaluator: Classical = Default::default();
    let options = SearchOptions { techniques, quiescence, declaration, ..SearchOptions::default() };
    AlphaBeta::new(evaluator, options)
}

/// The sums of values, for their mean and variance.
#[derive(Debug, Default, Clone, Copy)]
struct Spread {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Spread {
    fn add(&mut self, value: f64) {
        self.count += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    fn mean(self) -> f64 {
        self.sum / self.count
    }

    fn variance(self) -> f64 {
        self.squares / self.count - self.mean() * self.mean()
    }
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let positions = positions(arguments.positions);
    let mut full_width = searcher(Techniques::SOUND, Quiescence::Standard);
    let budget = Budget::depth(arguments.depth);
    let mut nodes = 0;
    let mut truths = Vec::new();
    for position in &positions {
        full_width.new_game();
        let analysis = full_width.search(position, &budget, &mut |_| {});
        nodes += analysis.nodes;
        truths.push(analysis.score().map_or(DECIDED, |score| score.raw()));
    }
    println!("| way | mean | variance | opening | middle | end | nodes |");
    println!("|---|---|---|---|---|---|---|");
    for method in &arguments.names {
        let method = match method {
            Quiescence::Selected(selection) => {
                let selection = SelectedQuiescence::clone(selection);
                Quiescence::Selected(selection.with_depth(arguments.depth))
            }
            other => other.clone(),
        };
        // The standard method needs its own pruning.
        let pruning = Techniques::EXCHANGE | Techniques::DELTA | Techniques::FEW_CAPTURES;
        let mut candidate = searcher(Techniques::QUIESCENCE | pruning, method.clone());
        let (mut all, mut bands, mut nodes) = (Spread::default(), [Spread::default(); 3], 0);
        for (position, &truth) in positions.iter().zip(&truths) {
            candidate.new_game();
            let analysis = candidate.quiescence(position);
            nodes += analysis.nodes;
            let value = analysis.score().map_or(DECIDED, |score| score.raw());
            if value.abs() < DECIDED && truth.abs() < DECIDED {
                let difference = f64::from(value - truth);
                all.add(difference);
                let progress = Progress::of(position).get();
                bands[usize::from(progress > 4) + usize::from(progress > 9)].add(difference);
            }
        }
        let [opening, middle, end] = bands.map(Spread::variance);
        println!(
            "| {method} | {:.0} | {:.0} | {opening:.0} | {middle:.0} | {end:.0} | {nodes} |",
            all.mean(),
            all.variance(),
        );
    }
    println!("\n{} positions; the full-width search took {nodes} nodes.", positions.len());
    Ok(())
}
