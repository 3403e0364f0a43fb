//! Proof-number search and df-pn on the bundled problems, for what a glossary says of them.
//!
//! ```text
//! cargo run --release -p komadai-lab -- proof-number-study
//! ```

mod outcome;
mod tables;

use anyhow::ensure;
use clap::Args;
use komadai::movegen::{CheckClass, MateResult, MateSolver as _};
use komadai::prelude::*;
use komadai::tsume::{DfPn, DfPnOptions, PnSearch, Techniques, is_mating_line};
use komadai_testdata::tsume::{Expected, Problem, set};

use crate::thread_clock;
use outcome::{Method, Outcome, SETS};

/// Compare solvers on the bundled problems: proof-number search on a tree, df-pn without additions,
/// and df-pn as the solver uses it.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  proof-number-study --nodes 20000 --every 4\n\n\
    The answers are compared with what is known of the problems, and lines are replayed.")]
pub(crate) struct Arguments {
    /// Maximum number of nodes of a search.
    #[arg(long, default_value_t = 50_000)]
    nodes: u64,
    /// One problem in this number is used.
    #[arg(long, default_value_t = 1)]
    every: usize,
    /// Size of the tree and of the tables in MiB.
    #[arg(long, default_value_t = 64)]
    hash_mib: usize,
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    let Arguments { nodes, hash_mib, every } = *arguments;
    ensure!(every > 0, "--every is 0, expected at least 1");
    let most = PnSearch::MAX_MEMORY_MIB;
    ensure!((1..=most).contains(&hash_mib), "--hash-mib is {hash_mib}, expected 1 to {most}");
    let with =
        |techniques| DfPn::new(DfPnOptions { hash_mib, techniques, ..DfPnOptions::default() });
    let mut tree = PnSearch::new(hash_mib);
    let mut bare = with(Techniques::empty());
    let mut df_pn = with(Techniques::default());
    let budget = Budget::nodes(nodes);
    let mut outcomes = Vec::new();
    for (set_of, _) in SETS {
        for problem in set(set_of).step_by(every) {
            // Some positions without a mate have a king that could be taken.
            let Ok(position) = Position::from_sfen(problem.sfen) else { continue };
            for method in Method::ALL {
                let start = thread_clock::now();
                let all = CheckClass::All;
                let report = match method {
                    Method::Tree => tree.solve(&position, &budget, all),
                    Method::BareDfPn => bare.solve(&position, &budget, all),
                    Method::DfPn => df_pn.solve(&position, &budget, all),
                };
                let seconds = (thread_clock::now() - start).as_secs_f64();
                let verdict = match &report.result {
                    MateResult::NoMate => Some(false),
                    _ => report.is_mate().then_some(true),
                };
                if let MateResult::Mate { line, .. } = &report.result {
                    let is_mate = is_mating_line(&position, line);
                    ensure!(is_mate, "{}: {line} by {} is no mate", problem.id, method.name());
                }
                check(&problem, verdict, method)?;
                let (plies, nodes) = (plies(&problem), report.nodes);
                outcomes.push(Outcome { set: set_of, method, plies, verdict, nodes, seconds });
            }
        }
    }
    print!("{}", tables::by_set(&outcomes));
    print!("{}", tables::by_length(&outcomes));
    Ok(())
}

fn plies(problem: &Problem) -> Option<u32> {
    match problem.expected {
        Expected::ShortestMate(plies) => Some(plies),
        _ => None,
    }
}

/// Refuses an answer that contradicts what is known.
fn check(problem: &Problem, verdict: Option<bool>, method: Method) -> anyhow::Result<()> {
    let known = match problem.expected {
        Expected::NoMate => Some(false),
        Expected::Unknown => None,
        _ => Some(true),
    };
    if let (Some(known), Some(found)) = (known, verdict) {
        let word = |mate| if mate { "mate" } else { "no mate" };
        let (found_word, known_word, name) = (word(found), word(known), method.name());
        ensure!(found == known, "{}: {found_word} by {name}, expected {known_word}", problem.id);
    }
    Ok(())
}
