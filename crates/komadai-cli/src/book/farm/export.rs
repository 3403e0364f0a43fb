//! `book queue export`: jobs of a working book as a file.

use std::fmt;
use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::Args;
use komadai::Position;
use komadai::book::job_file::JobFile;
use komadai::book::queue::{
    JobQueue as _, JobSettings, LeaseRequest, NewJob, PlanChanges, QueueOptions,
};
use komadai::book::store::Store;
use komadai::bookgraph::frontier::in_turn;
use komadai_base::atomic_file::write_atomically;
use komadai_console::{bad_usage, stdout};

use crate::arguments::duration::duration;
use crate::book::files::source::{check_is_another, open_store};
use crate::book::frontier::selection::Selection;

#[derive(Debug, Args)]
pub(super) struct Export {
    /// Working book.
    store: PathBuf,
    /// Text file to write.
    file: PathBuf,
    /// Maximum number of jobs.
    #[arg(long, default_value_t = 100, value_name = "N")]
    count: usize,
    /// Time until the jobs wait again, such as 30m, 24h or 7d.
    #[arg(long, default_value = "24h", value_parser = duration)]
    lease: Duration,
    /// About the nodes for each added position.
    #[arg(long, default_value_t = 200_000)]
    nodes: u64,
    /// Number of moves of an added position that get a value.
    #[arg(long, default_value_t = 3, value_name = "K")]
    multi_pv: u16,
    /// Export the waiting jobs alone, without adding positions.
    #[arg(long)]
    waiting: bool,
    #[command(flatten)]
    selection: Selection,
}

impl Export {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        if self.count == 0 || self.nodes == 0 {
            return Err(bad_usage("--count, --nodes: expected at least 1"));
        }
        check_is_another(&self.store, &self.file)?;
        let mut store = open_store(&self.store)?;
        if !self.waiting {
            self.add_jobs(&mut store)?;
        }
        let request = LeaseRequest {
            worker: format!("file {}", self.file.display()),
            analyst: None,
            count: self.count,
            duration_ms: self.lease.as_millis().try_into().unwrap_or(u64::MAX),
        };
        let jobs = JobFile::lease(&store, &request)?;
        let path = self.file.display();
        if jobs.jobs.is_empty() {
            bail!("{}: no job waits, and no position is left to be added", self.store.display());
        }
        // Without the file nobody can do the jobs.
        if let Err(error) = write_atomically(&self.file, |out| jobs.write(out)) {
            jobs.release(&store)?;
            return Err(error).with_context(|| path.to_string());
        }
        writeln!(stdout(), "{path}: {} jobs, leased for {}", jobs.jobs.len(), Span(self.lease))?;
        Ok(())
    }

    /// Plans positions of the frontier until as many jobs wait as are wanted.
    fn add_jobs(&self, store: &mut Store) -> anyhow::Result<()> {
        let queue = store.queue(QueueOptions::default());
        let wanted = self.count as u64;
        if queue.counts()?.waiting >= wanted {
            return Ok(());
        }
        let graph = store.graph()?;
        let frontiers = self.selection.by_side()?;
        let of_side =
            |options| graph.frontier(options).iter().map(|found| found.position).collect();
        let mut selected = in_turn(frontiers.iter().map(of_side).collect::<Vec<Vec<Position>>>());
        let settings = JobSettings {
            nodes: Some(self.nodes),
            multi_pv: self.multi_pv,
            ..JobSettings::default()
        };
        loop {
            let missing = wanted.saturating_sub(queue.counts()?.waiting);
            let positions = selected.by_ref().take(usize::try_from(missing)?);
            let job = |position| NewJob { position, priority: 0, settings: settings.clone() };
            let jobs: Vec<NewJob> = positions.map(job).collect();
            // Positions that are leased or done are not added again: go on with others.
            if jobs.is_empty() {
                return Ok(());
            }
            queue.plan(&PlanChanges::wanted(jobs))?;
        }
    }
}

/// A time that prints in the largest unit that it is a multiple of.
struct Span(Duration);

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        let units = [(86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second")];
        let (length, unit) = units
            .into_iter()
            .find(|(length, _)| seconds.is_multiple_of(*length))
            .expect("every number of seconds is a multiple of one");
        let count = seconds / length;
        write!(f, "{count} {unit}{}", if count == 1 { "" } else { "s" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_print_in_the_largest_unit() {
        for (seconds, text) in [(172_800, "2 days"), (86_400, "1 day"), (5_400, "90 minutes")] {
            assert_eq!(Span(Duration::from_secs(seconds)).to_string(), text);
        }
    }
}
