//! Solutions of tsume problems (詰将棋): mate, no mate, or unknown when the budget is spent.

mod answer;
mod extras;
mod input;
mod options;
mod output;
mod play;
mod results_file;
mod status;

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::bail;
use komadai_console::{Pipeline, Program, bad_usage};

use answer::Solver;
use input::{Problem, Problems};
use options::Method;
use results_file::{Refused, Results};
use status::{Answer, Status, Verdict};

pub use options::TsumeArgs;
pub(crate) use options::one_problem;

impl Program for TsumeArgs {
    const SUBCOMMAND: &'static str = "tsume";

    fn run(&self) -> anyhow::Result<ExitCode> {
        self.check()?;
        if self.play { play::play(self) } else { solve_all(self) }
    }
}

fn solve_all(arguments: &TsumeArgs) -> anyhow::Result<ExitCode> {
    let inputs = arguments.inputs()?;
    extras::create_folders(arguments)?;
    let threads = arguments.threads.get();
    let (threads, threads_each) = if inputs.is_position() { (1, threads) } else { (threads, 1) };
    if arguments.solver == Method::Pn && threads_each > 1 {
        return Err(bad_usage("--threads above 1 for a single SFEN needs --solver df-pn"));
    }
    let status = Status::new(inputs.bytes);
    let mut problems = Problems::new(inputs);
    let read = problems.bytes_read();
    let mut refused = Refused::default();
    let mut results = Results::open(arguments, &mut problems, &mut refused)?;
    // Set where the results can no longer be written, so that searches end at once.
    let stop = Arc::new(AtomicBool::new(false));
    let pipeline = Pipeline { threads, stop: Arc::clone(&stop) };
    let worker = || Solver::new(arguments, threads_each, Arc::clone(&stop), &status);
    let written = pipeline.run(
        problems,
        worker,
        |solver: &mut Solver<'_>, problem: Problem| solver.answer(&problem),
        |answers: Vec<Answer>, is_last_ready| {
            for answer in answers {
                status.count(&answer);
                match answer.text {
                    Ok(text) => results.write(&text)?,
                    Err(error) if answer.verdict == Verdict::Failed => bail!(error),
                    Err(error) => refused.note(&error),
                }
            }
            if is_last_ready { results.flush() } else { Ok(()) }
        },
        || status.show(read.load(Ordering::Relaxed)),
    );
    drop(status);
    written?;
    results.finish()?;
    refused.exit_code()
}
