//! Tsume problems from games, training records and random positions.

mod quota;
mod sources;

use std::collections::HashSet;
use std::fs::{File, rename};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, ensure};
use clap::Args;
use komadai::compose::{Composer, ComposerOptions, Problem};
use komadai::core::SplitMix64;
use komadai_console::Program;
use komadai_console::note;
use komadai_console::output::stdout;
use rayon::prelude::*;

use quota::Quota;
use sources::{Candidate, sources};

/// Make tsume problems with one solution.
///
/// Positions in which the side to move mates come from game records of any format, from training records (.psv) or
/// from random. Each is reduced to the pieces that the mate needs, made longer by taking back moves, and judged:
/// every other check before the last move must be refuted, and no piece may be left in hand. A game gives at most one
/// problem. Prints one line per problem: position, plies, rating and main line, separated by tabs.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  komadai tsume-make --random --count 10\n  \
                        komadai tsume-make games/ --count 3=20,5=20,7=10 --out problems.tsv\n\n\
                        Exit codes: 0 done, 1 the sources end before the count, or failed, 2 bad usage.")]
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
    /// New file for the problems. Until the end of the run, it has the ending .part.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Number of positions that are tried between two looks at the counts.
const BATCH: usize = 64;

impl Program for TsumeMakeArgs {
    const SUBCOMMAND: &'static str = "tsume-make";

    fn run(&self) -> anyhow::Result<ExitCode> {
        let mut candidates = sources(&self.paths, self.random.then_some(self.seed));
        let mut out = Out::create(self.out.as_deref())?;
        let threads = usize::from(self.threads);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        let mut run = Run { quota: self.count.clone(), ..Run::default() };
        let mut composers: Vec<Composer> =
            (0..threads).map(|_| Composer::new(ComposerOptions::default())).collect();
        while !run.quota.is_filled() {
            let mut batch = Vec::with_capacity(BATCH);
            for candidate in candidates.by_ref() {
                let candidate = candidate?;
                if run.last_game == Some(candidate.game) {
                    continue;
                }
                let index = run.tried + batch.len() as u64;
                let seed = SplitMix64::mix(self.seed.wrapping_add(SplitMix64::mix(index)));
                batch.push((candidate, run.quota.target(seed), seed));
                if batch.len() == BATCH {
                    break;
                }
            }
            if batch.is_empty() {
                break;
            }
            run.tried += batch.len() as u64;
            for problem in run.select(compose(&pool, &mut composers, &batch)) {
                out.write(&problem)?;
            }
            out.flush()?;
        }
        out.finish(self.out.as_deref())?;
        note!("{} positions tried, problems by plies: {}", run.tried, run.quota);
        Ok(if run.quota.is_filled() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// Makes the problems of a batch, each thread those of a part of it.
fn compose(
    pool: &rayon::ThreadPool,
    composers: &mut [Composer],
    batch: &[(Candidate, u32, u64)],
) -> Vec<(u64, Problem)> {
    let part = batch.len().div_ceil(composers.len());
    let made = |(composer, part): (&mut Composer, &[(Candidate, u32, u64)])| {
        let problem = |(candidate, plies, seed): &(Candidate, u32, u64)| {
            let problem = composer.compose(&candidate.position, *plies, *seed).ok()?;
            Some((candidate.game, problem))
        };
        part.iter().filter_map(problem).collect::<Vec<_>>()
    };
    pool.install(|| {
        composers.par_iter_mut().zip(batch.par_chunks(part)).flat_map_iter(made).collect()
    })
}

/// The state of a run.
#[derive(Debug, Default)]
struct Run {
    quota: Quota,
    tried: u64,
    /// The positions of the problems so far.
    seen: HashSet<String>,
    /// The game of the last problem.
    last_game: Option<u64>,
}

impl Run {
    /// Selects the new problems of wanted lengths, at most one of a game.
    fn select(&mut self, made: Vec<(u64, Problem)>) -> Vec<Problem> {
        let mut selected = Vec::new();
        for (game, problem) in made {
            let is_new = self.last_game != Some(game)
                && self.quota.wants(problem.plies())
                && self.seen.insert(problem.position.to_string());
            if is_new {
                self.quota.take(problem.plies());
                self.last_game = Some(game);
                selected.push(problem);
            }
        }
        selected
    }
}

/// The place of the problems.
#[derive(Debug)]
enum Out {
    Stdout(BufWriter<komadai_console::output::Output>),
    File(BufWriter<File>),
}

fn part_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

impl Out {
    fn create(path: Option<&Path>) -> anyhow::Result<Self> {
        let Some(path) = path else { return Ok(Self::Stdout(BufWriter::new(stdout()))) };
        ensure!(!path.exists(), "{} exists; expected the name of a new file", path.display());
        let part = part_of(path);
        let cannot_create = || format!("cannot create {}", part.display());
        let file = File::options().write(true).create_new(true).open(&part);
        Ok(Self::File(BufWriter::new(file.with_context(cannot_create)?)))
    }

    fn write(&mut self, problem: &Problem) -> std::io::Result<()> {
        match self {
            Self::Stdout(out) => writeln!(out, "{problem}"),
            Self::File(out) => writeln!(out, "{problem}"),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match self {
            Self::Stdout(out) => out.flush(),
            Self::File(out) => out.flush(),
        }
    }

    /// Ends the run: the file is on the disk under its name.
    fn finish(mut self, path: Option<&Path>) -> anyhow::Result<()> {
        self.flush()?;
        if let (Self::File(out), Some(path)) = (self, path) {
            let cannot_write = || format!("cannot write {}", path.display());
            out.get_ref().sync_all().with_context(cannot_write)?;
            rename(part_of(path), path).with_context(cannot_write)?;
        }
        Ok(())
    }
}
