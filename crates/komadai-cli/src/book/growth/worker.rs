//! `book worker`: analysis of the jobs of a file.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use komadai::book::job_file::{FileQueue, JobFile};
use komadai::book::{GrowEnd, WhenEmpty, WorkEvent, work};
use komadai::core::Analyst as _;
use komadai_console::{Progress, interrupted, stdout, stop_on_interrupt};

use crate::book::growth::analysts::AnalystOptions;

/// Analyse the jobs of a file that `book queue export` has written, and log the results.
///
/// Each result is on disk at once. After Ctrl-C, or any other interruption, the same command goes on
/// with the jobs that the log does not have. The log goes back into the book by `book log import`,
/// also a part of it, or twice.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  komadai book worker jobs.txt out.log\n  \
                  komadai book worker jobs.txt out.log --engine ./engine --engine-option Threads=1 --processes 8\n\n\
                  Exit codes: 0 all jobs are done, 1 failed or jobs are left, 2 bad usage, 130 stopped by Ctrl-C.")]
pub(crate) struct Options {
    /// File of jobs.
    file: PathBuf,
    /// Text log to write; one that exists is continued.
    log: PathBuf,
    #[command(flatten)]
    analysts: AnalystOptions,
    /// Print no progress.
    #[arg(long)]
    quiet: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let queue = FileQueue::open(JobFile::read(&options.file)?, &options.log)?;
    let (all, before) = queue.progress();
    let stop = stop_on_interrupt()?;
    let mut analysts = options.analysts.start()?;
    let identities: Vec<_> = analysts.iter().map(|analyst| analyst.identity()).collect();
    let mut progress = Progress::new("analysing", all - before, options.quiet);
    let mut on_event = |event: WorkEvent<'_>| match event {
        WorkEvent::Finished => progress.tick(String::new),
        WorkEvent::Failed { position, reason } => {
            progress.print(&format!("warning: {position}: {reason}"));
        }
        WorkEvent::Dismissed { analyst, reason } => {
            progress.print(&format!("warning: analyst {analyst} gets no more jobs: {reason}"));
        }
        _ => {}
    };
    // A text log has no place for the name of the machine.
    let worked = work(&queue, &mut analysts, "", WhenEmpty::End, &stop, &mut on_event)?;
    progress.finish();
    let (_, done) = queue.progress();
    let path = options.log.display();
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
