//! `book queue`: the jobs of a working book.

use std::io::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::{Args, Subcommand};
use komadai::Position;
use komadai::book::job_file::JobFile;
use komadai::book::queue::{
    JobQueue as _, JobSettings, LeaseRequest, NewJob, PlanChanges, QueueOptions,
};
use komadai::book::store::Store;
use komadai::bookgraph::frontier::in_turn;
use komadai_base::atomic_file::write_atomically;
use komadai_console::{bad_usage, stdout};

use crate::book::files::source::{check_is_another, open_store};
use crate::book::frontier::selection::Selection;

/// Export jobs of a working book to a file, for machines without a connection to it.
#[derive(Debug, Args)]
#[command(after_help = "Example, on two machines:\n  \
    komadai book queue export my.kbook jobs.txt --count 500 --nodes 5000000 --lease 24h\n  \
    komadai book worker jobs.txt out.log                  # on the other machine\n  \
    komadai book log import my.kbook out.log")]
pub(crate) struct Options {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Lease waiting jobs and write them to a text file. If fewer wait than are wanted, positions
    /// at which good play leaves the book are added first.
    ///
    /// Nobody else gets these jobs until the lease ends. Then they wait again; a result that comes
    /// later is still merged. A file that is lost costs only the search.
    Export(Box<Export>),
}

#[derive(Debug, Args)]
struct Export {
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

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    match &options.action {
        Action::Export(export) => export.run(),
    }
}

impl Export {
    fn run(&self) -> anyhow::Result<()> {
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

/// Reads a time such as `90s`, `30m`, `24h` or `7d`.
fn duration(text: &str) -> Result<Duration, String> {
    const UNITS: [(char, u64); 4] = [('s', 1), ('m', 60), ('h', 3_600), ('d', 86_400)];
    let expected = || format!("found {text:?}, expected a time such as 30m, 24h or 7d");
    let unit = UNITS.iter().find(|(unit, _)| text.ends_with(*unit)).ok_or_else(expected)?;
    let number: u64 = text[..text.len() - 1].parse().map_err(|_| expected())?;
    let seconds = number.checked_mul(unit.1).filter(|seconds| (1..=1 << 32).contains(seconds));
    seconds.map(Duration::from_secs).ok_or_else(expected)
}

/// A time that prints in the largest unit that it is a multiple of.
struct Span(Duration);

impl std::fmt::Display for Span {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
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
    fn times_have_a_unit() {
        for (text, seconds) in [("90s", 90), ("30m", 1_800), ("24h", 86_400), ("7d", 604_800)] {
            assert_eq!(duration(text), Ok(Duration::from_secs(seconds)));
        }
        for text in ["", "h", "24", "-1h", "0d", "1.5h", "24 h", "時", "99999999999999999999d"] {
            assert!(duration(text).is_err(), "{text}");
        }
        assert_eq!(Span(Duration::from_secs(172_800)).to_string(), "2 days");
        assert_eq!(Span(Duration::from_secs(86_400)).to_string(), "1 day");
        assert_eq!(Span(Duration::from_secs(5_400)).to_string(), "90 minutes");
    }
}
