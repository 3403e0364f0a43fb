//! Next-move problems, solved by the methods of quiescence search.

use std::path::PathBuf;

use anyhow::{Context as _, ensure};
use clap::Args;
use komadai::core::Budget;
use komadai::eval::Classical;
use komadai::prelude::*;
use komadai::search::{AlphaBeta, Quiescence, SearchOptions, Techniques};
use komadai_base::file;
use komadai_testdata::next_moves;
use rayon::prelude::*;

use super::find::COLUMNS;
use komadai_study::statistics::sign_test;

/// The methods of the table.
const METHODS: [&str; 8] =
    ["SEE", "SKEP", "Bonanza", "Rating", "TwoStage", "Dynamic", "Standard", "All"];

/// Options of `solve`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  next-moves solve problems.tsv --depth 3 --names SEE,SKEP")]
pub(crate) struct Solve {
    /// File of the problems, as `find` writes it; without it the bundled ones.
    problems: Option<PathBuf>,
    /// Depth of the search in plies, before the quiescence search.
    #[arg(long, default_value_t = 3)]
    depth: u32,
    /// Nodes after which a search is given up. Problems that any method gives up are left out.
    #[arg(long, default_value_t = 100_000_000)]
    nodes: u64,
    /// Methods to compare; the others are compared with the first one.
    #[arg(long, value_delimiter = ',', default_values = METHODS)]
    names: Vec<Quiescence>,
}

/// A position and its best move.
struct Problem {
    position: Position,
    best: Move,
}

/// The search of one problem by one method.
#[derive(Debug, Clone, Copy)]
struct Attempt {
    is_right: bool,
    /// False if the search was given up.
    is_whole: bool,
    quiescence_nodes: u64,
}

impl Solve {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let problems = match &self.problems {
            Some(path) => {
                let text =
                    file::read_text(path, u64::MAX).with_context(|| path.display().to_string())?;
                read(&text).with_context(|| path.display().to_string())?
            }
            None => next_moves::rows()
                .map(|row| problem(row.sfen, row.best))
                .collect::<anyhow::Result<_>>()?,
        };
        let attempts: Vec<Vec<Attempt>> =
            self.names.iter().map(|method| self.attempts(method, &problems)).collect();
        let is_whole = |&index: &usize| attempts.iter().all(|method| method[index].is_whole);
        let whole: Vec<usize> = (0..problems.len()).filter(is_whole).collect();
        println!("| method | right | quiescence nodes | against {} | p |", self.names[0]);
        println!("|---|---|---|---|---|");
        for (method, attempts_of) in self.names.iter().zip(&attempts) {
            let right = whole.iter().filter(|&&index| attempts_of[index].is_right).count();
            let nodes: u64 = whole.iter().map(|&index| attempts_of[index].quiescence_nodes).sum();
            let only = |one: &[Attempt], other: &[Attempt]| {
                whole.iter().filter(|&&i| one[i].is_right && !other[i].is_right).count() as u32
            };
            let (more, fewer) = (only(attempts_of, &attempts[0]), only(&attempts[0], attempts_of));
            let p = sign_test(more, fewer);
            println!("| {method} | {right} | {nodes} | +{more} −{fewer} | {p:.3} |");
        }
        println!("\n{} of {} problems, depth {}.", whole.len(), problems.len(), self.depth);
        Ok(())
    }

    /// Lets a method search all problems.
    fn attempts(&self, method: &Quiescence, problems: &[Problem]) -> Vec<Attempt> {
        // The standard method needs its own pruning; that of the main search hides the methods.
        let pruning = Techniques::EXCHANGE | Techniques::DELTA | Techniques::FEW_CAPTURES;
        let options = SearchOptions {
            techniques: Techniques::SOUND | Techniques::QUIESCENCE | pruning,
            quiescence: method.clone(),
            ..SearchOptions::default()
        };
        let budget = Budget { depth: Some(self.depth), ..Budget::nodes(self.nodes) };
        let attempt = |problem: &Problem| {
            let mut searcher = AlphaBeta::new(Classical::default(), options.clone());
            let analysis = searcher.search(&problem.position, &budget, &mut |_| {});
            Attempt {
                is_right: analysis.best_move() == Some(problem.best),
                is_whole: analysis.completed,
                quiescence_nodes: searcher.statistics().quiescence_nodes,
            }
        };
        problems.par_iter().map(attempt).collect()
    }
}

/// Reads the problems of a file of `find`.
fn read(text: &str) -> anyhow::Result<Vec<Problem>> {
    let mut lines = (1..).zip(text.lines());
    let first = lines.next().map(|(_, line)| line);
    ensure!(first == Some(COLUMNS), "line 1: expected the columns {COLUMNS:?}");
    let problems: anyhow::Result<Vec<Problem>> = lines
        .map(|(number, line)| {
            let mut cells = line.split('\t');
            let [sfen, best] = [cells.next(), cells.next()].map(Option::unwrap_or_default);
            problem(sfen, best).with_context(|| format!("line {number}"))
        })
        .collect();
    let problems = problems?;
    ensure!(!problems.is_empty(), "no problems");
    Ok(problems)
}

fn problem(sfen: &str, best: &str) -> anyhow::Result<Problem> {
    let (position, best) = (Position::from_sfen(sfen)?, best.parse()?);
    ensure!(position.is_legal(best), "{best} is not legal");
    Ok(Problem { position, best })
}
