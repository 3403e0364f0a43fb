//! `train worker`: self-play for a queue.

use std::fs;
use std::io::Write as _;
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use clap::Args;
use komadai::book::queue::Completion;
use komadai::data::{GameRange, PlayedRange, Run};
use komadai::eval::Evaluator;
use komadai_base::atomic_file;
use komadai_console::{grouped, interrupted, note, stdout, stop_on_interrupt, threads};
use komadai_farm::{FarmQueue, FarmUrl, LeasedTask};

use super::share::{RunName, kind};
use crate::arguments::duration::duration;
use crate::book::farm::access::{Access, host};
use crate::book::farm::task_client::{LEASE, RETRY, TaskClient};
use crate::book::farm::timer::Timer;
use crate::train::evaluation::TeacherEvaluation;
use crate::train::progress::ProgressLine;

/// Play the games that `train generate --queue` has planned.
///
/// The records of a task become a file of the folder, NUMBER-HASH.psv in one that is named as the
/// run; the queue gets its hash and size. How the files come to the machine that collects them is
/// free: the folder may be a mounted one, or be copied (docs/machines.md).
///
/// Only tasks for this version and evaluation are played. Those that Ctrl-C or SIGTERM interrupts
/// are given back; those of a machine that has died wait again after five minutes. While the server
/// is away, the program waits for it.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: komadai train worker --queue postgres://anna@localhost/books --records records\n\n\
                  Exit codes: 0 done, 1 failed, 2 bad usage, 130 stopped by Ctrl-C or SIGTERM."
)]
pub(in crate::train) struct Options {
    /// Address of the queue: postgres://USER@HOST/DATABASE.
    #[arg(long, value_name = "URL")]
    queue: FarmUrl,
    #[command(flatten)]
    access: Access,
    /// Folder of the files of records; it is created if it does not exist.
    #[arg(long, value_name = "FOLDER")]
    records: PathBuf,
    /// File of a network that evaluates, or `<classical>`. By default the bundled network.
    #[arg(long, value_name = "FILE")]
    eval: Option<PathBuf>,
    /// Number of games at the same time; by default the number of processors.
    #[arg(long)]
    threads: Option<NonZero<usize>>,
    /// End when no task waits for this program; by default wait for further ones.
    #[arg(long)]
    until_empty: bool,
    /// End after a time such as 6h. A task that is not done by then is given back.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    exit_after: Option<Duration>,
    /// Print no progress.
    #[arg(long)]
    quiet: bool,
}

pub(in crate::train) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let stop = stop_on_interrupt()?;
    let evaluation = TeacherEvaluation::open(options.eval.as_deref())?;
    let queue = FarmQueue::open(&options.access.complete(&options.queue)?, host())?;
    fs::create_dir_all(&options.records)
        .with_context(|| format!("folder {}", options.records.display()))?;
    let timer = options.exit_after.map(|after| Timer::start(after, Arc::clone(&stop)));
    let mut worker = Worker {
        options,
        client: TaskClient { queue, stop: Arc::clone(&stop) },
        evaluation: evaluation.name(),
        progress: ProgressLine::new("games", 0),
        tasks: 0,
        failures: 0,
        games: 0,
        positions: 0,
    };
    match &evaluation {
        TeacherEvaluation::Classical(classical) => worker.work(&**classical)?,
        TeacherEvaluation::Network(nnue, _) => worker.work(nnue)?,
    }
    let (games, positions) = (grouped(worker.games), grouped(worker.positions));
    let (tasks, failures) = (worker.tasks, worker.failures);
    // With it the line of progress.
    drop(worker);
    writeln!(stdout(), "{tasks} tasks done, {games} games, {positions} positions")?;
    let is_over = timer.is_some_and(|timer| timer.is_over());
    if stop.load(Ordering::Relaxed) && !is_over {
        return Err(interrupted("stopped; the task at work waits for others"));
    }
    ensure!(tasks > 0 || failures == 0, "all tasks have failed");
    Ok(ExitCode::SUCCESS)
}

/// The work of one process.
struct Worker<'o> {
    options: &'o Options,
    client: TaskClient,
    /// The name of the evaluation.
    evaluation: &'o str,
    progress: ProgressLine,
    tasks: u64,
    failures: u64,
    games: u64,
    positions: u64,
}

impl Worker<'_> {
    /// Does tasks until there are none, or until it is to stop.
    fn work<E: Evaluator>(&mut self, evaluator: &E) -> anyhow::Result<()> {
        let own = [kind(&Run::new(self.evaluation, Default::default(), 0))];
        let mut has_waited = false;
        while !self.client.is_stopped() {
            match self.client.persist(|queue| queue.claim_task(&host(), &own, LEASE))? {
                None => {}
                Some(Some(task)) => self.do_task(evaluator, &task)?,
                Some(None) if self.options.until_empty && self.tasks == 0 => {
                    return self.client.check_kinds(&own);
                }
                Some(None) if self.options.until_empty => return Ok(()),
                Some(None) => {
                    if !has_waited && !self.options.quiet {
                        note!("no task waits for {}", own[0]);
                    }
                    has_waited = true;
                    self.client.pause(RETRY);
                }
            }
        }
        Ok(())
    }

    fn do_task<E: Evaluator>(&mut self, evaluator: &E, task: &LeasedTask) -> anyhow::Result<()> {
        let (name, range) = match self.understand(task) {
            Ok(understood) => understood,
            Err(error) => return self.fail(task, &error),
        };
        let Some(played) = self.play(evaluator, task, &range) else {
            // The lease ends by itself if the server cannot be reached.
            let _ = self.client.queue.release_task(&task.lease);
            return Ok(());
        };
        if let Err(error) = self.write(&name, task, &played) {
            // Further tasks would fail as well, after all their games.
            self.fail(task, &error)?;
            return Err(error);
        }
        let report = serde_json::to_string(played.report())?;
        let finished =
            self.client.persist(|queue| queue.finish_task(&host(), &task.lease, &report))?;
        match finished {
            None => note!("warning: the queue does not know that task {} is done", task.number),
            Some(Completion::Refused(refusal)) => note!("warning: task {}: {refusal}", task.number),
            Some(Completion::AlreadyDone) => {
                note!("task {} was done by another worker before", task.number);
            }
            Some(_) => {
                self.tasks += 1;
                self.games += range.games;
                self.positions += played.report().positions();
            }
        }
        Ok(())
    }

    fn understand(&self, task: &LeasedTask) -> anyhow::Result<(RunName, GameRange)> {
        let name = task.run.parse().map_err(anyhow::Error::msg)?;
        let range: GameRange = serde_json::from_str(&task.spec).context("not a range of games")?;
        let own = Run::new(self.evaluation, range.run.options.clone(), range.run.seed);
        if range.run != own {
            bail!("found games for {}, expected ones for {}", kind(&range.run), kind(&own));
        }
        Ok((name, range))
    }

    /// Plays the games of a task, and extends its lease meanwhile. `None` if it is to stop.
    fn play<E: Evaluator>(
        &mut self,
        evaluator: &E,
        task: &LeasedTask,
        range: &GameRange,
    ) -> Option<PlayedRange> {
        let progress = &mut self.progress;
        let (before, is_quiet) = (self.games, self.options.quiet);
        self.client.with_lease(task, |stop| {
            let mut games = before;
            let threads = threads(self.options.threads);
            range.play(evaluator, threads, stop, &mut |_| {
                games += 1;
                if !is_quiet {
                    progress.report("self-play", games, None);
                }
            })
        })
    }

    fn write(&self, name: &RunName, task: &LeasedTask, played: &PlayedRange) -> anyhow::Result<()> {
        let path = name.file(&self.options.records, task.number, played.report())?;
        let folder = path.parent().unwrap_or(&self.options.records);
        fs::create_dir_all(folder).with_context(|| format!("folder {}", folder.display()))?;
        atomic_file::write(&path, played.records())
            .with_context(|| format!("file {}", path.display()))
    }

    fn fail(&mut self, task: &LeasedTask, error: &anyhow::Error) -> anyhow::Result<()> {
        self.failures += 1;
        note!("warning: task {} of the run {}: {error:#}", task.number, task.run);
        self.client
            .persist(|queue| queue.fail_task(&host(), &task.lease, &format!("{error:#}")))?;
        Ok(())
    }
}
