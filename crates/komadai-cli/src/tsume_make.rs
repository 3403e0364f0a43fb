//! Tsume problems from games, training records and random positions.

mod output;
mod quota;
mod sources;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use anyhow::ensure;
use clap::Args;
use komadai::core::SplitMix64;
use komadai::problems::{Composer, ComposerOptions, Problem};
use komadai_console::{Program, StatusLine, grouped, note, stop_on_interrupt};
use rayon::prelude::*;

use output::{Collection, Output};
use quota::Quota;
use sources::{Candidates, sources};

/// Make tsume problems with one solution.
///
/// Positions in which the side to move mates come from game records of any format, from training
/// records (.psv) or from random. Each is reduced to the pieces that the mate needs, made longer by
/// taking back moves, and judged: every other check before the last move must be refuted, and no
/// piece may be left in hand. A game gives at most one problem. Prints one line per problem, the
/// easiest first: rating, plies, plies by the rules, nodes, position and main line, separated by
/// tabs.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  komadai tsume-make --random --count 10\n  \
                        komadai tsume-make games/ --count 3=20,5=20,7=10 --out problems.tsv\n\n\
                        Exit codes: 0 done, 1 the sources end before the count, or failed, 2 bad usage, 130 stopped \
                        by Ctrl-C.")]
pub struct TsumeMakeArgs {
    /// Game records, archives and folders of them, and training records (files named *.psv).
    #[arg(value_name = "PATH", required_unless_present = "random")]
    paths: Vec<PathBuf>,
    /// Random positions, without end, instead of files.
    #[arg(long, conflicts_with = "paths")]
    random: bool,
    /// Number of problems: of 3 to 15 plies together, or for each length, as 3=20,5=10.
    #[arg(long, default_value = "70")]
    count: Quota,
    /// Seed of the random choices.
    #[arg(long, default_value = "1")]
    seed: u64,
    /// Number of threads; the problems do not depend on it.
    #[arg(long, default_value = "1", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// New file for the problems. Until the end of the run they are in the file with .part after
    /// this name.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Continue a run that was interrupted, with the same arguments.
    #[arg(long, requires = "out")]
    resume: bool,
}

/// Number of games that are tried between two looks at the counts.
const BATCH: usize = 64;

impl Program for TsumeMakeArgs {
    const SUBCOMMAND: &'static str = "tsume-make";

    fn run(&self) -> anyhow::Result<ExitCode> {
        let stop = stop_on_interrupt()?;
        let mut output = Output::open(self.out.as_deref(), self.resume)?;
        let mut made = Made { quota: self.count.clone(), ..Made::default() };
        for problem in output.resumed() {
            made.take(problem);
        }
        let mut games = sources(&self.paths, self.random.then_some(self.seed));
        let mut tried = 0;
        while tried < output.tried() {
            ensure!(
                games.next().transpose()?.is_some(),
                "the sources have changed since the interruption"
            );
            tried += 1;
        }
        let line = StatusLine::new();
        let makers = Makers::new(usize::from(self.threads))?;
        while !made.quota.is_filled() {
            if stop.load(std::sync::atomic::Ordering::Relaxed) {
                return Err(output.interrupt());
            }
            let batch = self.next_batch(&mut games, tried, &made.quota)?;
            if batch.is_empty() {
                break;
            }
            tried += batch.len() as u64;
            let new = makers.make(&batch).into_iter().filter_map(|problem| made.take(problem));
            output.log(new, tried)?;
            line.set(|_| format!("{} games, problems by plies: {}", grouped(tried), made.quota));
        }
        drop(line);
        let is_filled = made.quota.is_filled();
        note!("{} games tried, problems by plies: {}", grouped(tried), made.quota);
        output.finish(&made.collection)?;
        Ok(if is_filled { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// The positions of a game, with what the problem made of them depends on.
#[derive(Debug)]
struct Job {
    candidates: Candidates,
    plies: u32,
    seed: u64,
}

impl TsumeMakeArgs {
    /// Returns the next games, after the `tried` ones. Their seeds depend on their number alone.
    fn next_batch(
        &self,
        games: &mut dyn Iterator<Item = anyhow::Result<Candidates>>,
        tried: u64,
        quota: &Quota,
    ) -> anyhow::Result<Vec<Job>> {
        let job = |(number, candidates): (u64, anyhow::Result<Candidates>)| {
            let seed = SplitMix64::mix(self.seed.wrapping_add(SplitMix64::mix(number)));
            Ok(Job { candidates: candidates?, plies: quota.target(seed), seed })
        };
        (tried..).zip(games).take(BATCH).map(job).collect()
    }
}

/// The threads that make problems.
#[derive(Debug)]
struct Makers {
    pool: rayon::ThreadPool,
    /// One for each thread.
    composers: Vec<Mutex<Composer>>,
}

impl Makers {
    fn new(threads: usize) -> anyhow::Result<Self> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        let composer = |_| Mutex::new(Composer::new(ComposerOptions::default()));
        Ok(Self { pool, composers: (0..threads).map(composer).collect() })
    }

    /// Makes at most one problem of each game, in the order of the games.
    fn make(&self, batch: &[Job]) -> Vec<Problem> {
        let made = |job: &Job| {
            let thread = rayon::current_thread_index().unwrap_or(0);
            let mut composer =
                self.composers[thread].lock().unwrap_or_else(PoisonError::into_inner);
            let mut candidates = job.candidates.clone();
            let mut random = SplitMix64::new(job.seed);
            random.shuffle(&mut candidates);
            candidates
                .iter()
                .find_map(|position| composer.compose(position, job.plies, random.next_u64()).ok())
        };
        self.pool.install(|| batch.par_iter().with_max_len(1).filter_map(made).collect())
    }
}

/// The problems of a run.
#[derive(Debug, Default)]
struct Made {
    quota: Quota,
    collection: Collection,
}

impl Made {
    /// Takes a problem if its length is wanted and it is new. Returns its text.
    fn take(&mut self, problem: Problem) -> Option<String> {
        let plies = problem.plies();
        if !self.quota.wants(plies) {
            return None;
        }
        let text = self.collection.insert(problem)?;
        self.quota.take(plies);
        Some(text)
    }
}
