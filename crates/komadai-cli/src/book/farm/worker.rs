//! `book worker`: analysis of the jobs of a file, or of a queue on a server.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::Args;
use komadai::book::job_file::{FileQueue, JobFile};
use komadai::book::queue::JobSource;
use komadai::book::{GrowEnd, WhenEmpty, WorkEvent, Worked, work};
use komadai::core::{Analyst, AnalystId};
use komadai_console::{Progress, interrupted, note, stdout, stop_on_interrupt};
use komadai_farm::{FarmQueue, FarmUrl, Relay};

use crate::arguments::duration::duration;
use crate::book::farm::access::{Access, host, note_outage};
use crate::book::farm::timer::Timer;
use crate::book::growth::analysts::AnalystOptions;

/// Analyse the jobs of a file, or of a queue on a server.
///
/// With a file that `book queue export` has written, the results go into a log, and each is on disk
/// at once. After Ctrl-C, or any other interruption, the same command goes on with the jobs that the
/// log does not have. The log goes back into the book by `book log import`, also a part of it, or
/// twice.
///
/// With --queue the jobs come from a server, and the results go there. Jobs that Ctrl-C or SIGTERM
/// interrupts are given back; those of a machine that has died wait again after five minutes. While
/// the server is away, results wait in the file --spool, and the next start sends what is left there.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  komadai book worker jobs.txt out.log\n  \
                  komadai book worker jobs.txt out.log --engine ./engine --engine-option Threads=1 --processes 8\n  \
                  komadai book worker --queue postgres://anna@localhost/books --password-file anna.txt\n  \
                  komadai book worker --queue postgres://anna@10.0.0.1/books --plain-network --until-empty\n\n\
                  Exit codes: 0 all jobs are done, 1 failed or jobs are left, 2 bad usage, 130 stopped by Ctrl-C or SIGTERM.")]
pub(crate) struct Options {
    /// File of jobs.
    #[arg(required_unless_present = "queue")]
    file: Option<PathBuf>,
    /// Text log to write; one that exists is continued.
    #[arg(required_unless_present = "queue")]
    log: Option<PathBuf>,
    /// Address of a queue, in place of the files: postgres://USER@HOST/DATABASE.
    #[arg(long, value_name = "URL", conflicts_with_all = ["file", "log"])]
    queue: Option<FarmUrl>,
    #[command(flatten)]
    access: Access,
    /// File for results while the server is away; the next start sends what is in it. Each process
    /// needs one of its own.
    #[arg(long, value_name = "FILE", default_value = "komadai-worker.spool", requires = "queue")]
    spool: PathBuf,
    /// End when the queue has no job for this machine; by default wait for further ones.
    #[arg(long, requires = "queue")]
    until_empty: bool,
    /// End after a time such as 6h. Jobs that are not done by then are given back.
    #[arg(long, value_name = "TIME", value_parser = duration, requires = "queue")]
    exit_after: Option<Duration>,
    #[command(flatten)]
    analysts: AnalystOptions,
    /// Print no progress.
    #[arg(long)]
    quiet: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    match (&options.queue, &options.file, &options.log) {
        (Some(url), ..) => options.work_on_server(url),
        (None, Some(file), Some(log)) => options.work_on_file(file, log),
        _ => unreachable!("the parser asks for a queue or for both files"),
    }
}

impl Options {
    fn work_on_file(&self, file: &Path, log: &Path) -> anyhow::Result<()> {
        let queue = FileQueue::open(JobFile::read(file)?, log)?;
        let (all, before) = queue.progress();
        let stop = stop_on_interrupt()?;
        let mut analysts = self.analysts.start()?;
        let identities: Vec<_> = analysts.iter().map(|analyst| analyst.identity()).collect();
        let mut progress = Progress::new("analysing", all - before, self.quiet);
        let mut on_event = |event: WorkEvent<'_>| match event {
            WorkEvent::Finished => progress.tick(String::new),
            other => warning(&other).iter().for_each(|line| progress.print(line)),
        };
        // A text log has no place for the name of the machine.
        let worked = work(&queue, &mut analysts, "", WhenEmpty::End, &stop, &mut on_event)?;
        progress.finish();
        let (_, done) = queue.progress();
        let path = log.display();
        writeln!(stdout(), "{path}: {} jobs done now, {done} of {all} in all", worked.finished)?;
        if done == all {
            return Ok(());
        }
        if worked.end == GrowEnd::Stopped {
            let note = format!("stopped at {done} of {all} jobs; the same command continues");
            return Err(interrupted(note));
        }
        queue.check_engines(&identities)?;
        bail!("{} jobs are left: the analysts have failed at them", all - done)
    }

    fn work_on_server(&self, url: &FarmUrl) -> anyhow::Result<()> {
        let stop = stop_on_interrupt()?;
        let url = self.access.complete(url)?;
        let queue = FarmQueue::open(&url, host())?;
        queue.report_outages(note_outage);
        let queue = Relay::open(queue, &url.to_string(), &self.spool)?;
        let mut analysts = self.analysts.start()?;
        let identity = analysts.first().map(|analyst| analyst.identity());
        self.announce(analysts.len(), identity.as_ref());
        let when_empty = if self.until_empty { WhenEmpty::End } else { WhenEmpty::Wait };
        let timer = self.exit_after.map(|after| Timer::start(after, Arc::clone(&stop)));
        let worked = self.work(&queue, &mut analysts, when_empty, &stop);
        let report = queue.close(CLOSING);
        for (result, reason) in &report.refused {
            note!("warning: {}: the queue has refused the result: {reason}", result.position);
        }
        let worked = worked?;
        writeln!(stdout(), "{} jobs done, {} failures", worked.finished, worked.failures)?;
        if report.left > 0 {
            let spool = self.spool.display();
            bail!("{} results wait in {spool}; the same command sends them", report.left);
        }
        if !report.refused.is_empty() {
            bail!("the queue has refused {} results", report.refused.len());
        }
        match worked.end {
            GrowEnd::Stopped if timer.is_some_and(|timer| timer.is_over()) => Ok(()),
            GrowEnd::Stopped => Err(interrupted("stopped; the jobs at work wait for others")),
            GrowEnd::NoAnalysts => bail!("all analysts have failed"),
            _ if worked.finished == 0 && worked.failures > 0 => bail!("all analyses have failed"),
            _ => Ok(()),
        }
    }

    fn announce(&self, count: usize, identity: Option<&AnalystId>) {
        if let Some(identity) = identity.filter(|_| !self.quiet) {
            note!("{count} analysts, {identity}, on {}", host());
        }
    }

    fn work(
        &self,
        queue: &impl JobSource,
        analysts: &mut [Box<dyn Analyst>],
        when_empty: WhenEmpty,
        stop: &Arc<AtomicBool>,
    ) -> anyhow::Result<Worked> {
        let start = Instant::now();
        let mut finished = 0_u64;
        let mut last = start;
        let mut is_idle = self.quiet;
        let mut on_event = |event: WorkEvent<'_>| match event {
            WorkEvent::Finished => {
                finished += 1;
                is_idle = self.quiet;
                if !self.quiet && (finished == 1 || last.elapsed() >= REPORT) {
                    last = Instant::now();
                    let minutes = start.elapsed().as_secs_f64() / 60.0;
                    note!("{finished} jobs done, {:.1} a minute", finished as f64 / minutes);
                }
            }
            WorkEvent::Idle if !is_idle => {
                is_idle = true;
                note!("no job waits for this machine now, or the queue is paused");
            }
            other => warning(&other).iter().for_each(|line| note!("{line}")),
        };
        Ok(work(queue, analysts, &host(), when_empty, stop, &mut on_event)?)
    }
}

/// The time within which a worker that ends sends its results: a spot machine has half a minute.
const CLOSING: Duration = Duration::from_secs(20);

/// The time between two lines about the progress.
const REPORT: Duration = Duration::from_secs(60);

/// Returns the warning about an event, if there is one.
fn warning(event: &WorkEvent<'_>) -> Option<String> {
    match event {
        WorkEvent::Failed { position, reason } => Some(format!("warning: {position}: {reason}")),
        WorkEvent::Dismissed { analyst, reason } => {
            Some(format!("warning: analyst {analyst} gets no more jobs: {reason}"))
        }
        _ => None,
    }
}
