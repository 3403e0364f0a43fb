//! `book queue`: the jobs of a working book, or of a queue on a server.

use std::collections::HashSet;
use std::io::Write as _;

use anyhow::ensure;
use clap::{Args, Subcommand};
use komadai::Position;
use komadai::book::queue::{JobQueue, PlanChanges, QueueError, QueueOptions};
use komadai::bookfile::position_key::shared_zobrist_key;
use komadai_console::{bad_usage, stdout};

use crate::arguments::position::position_of;
use crate::book::farm::administration::{AddWorker, Init, Upgrade};
use crate::book::farm::export::Export;
use crate::book::farm::place::{Opened, Place, Server};
use crate::book::farm::state::{Failures, Status, Watch, Workers};

/// Manage the jobs of a working book, or a queue on a PostgreSQL server for many machines.
///
/// `export` writes jobs of a book to a file, for machines without a connection to it. The other
/// subcommands manage a queue on a server, or the jobs in a working book where that makes sense.
#[derive(Debug, Args)]
#[command(after_help = "Examples, without a server on two machines:\n  \
    komadai book queue export my.kbook jobs.txt --count 500 --nodes 5000000 --lease 24h\n  \
    komadai book worker jobs.txt out.log                  # on the other machine\n  \
    komadai book log import my.kbook out.log\n\n\
    With a server:\n  \
    komadai book queue init postgres://owner@localhost/books\n  \
    komadai book queue add-worker postgres://owner@localhost/books anna --secret anna.txt\n  \
    komadai book serve my.kbook --queue postgres://owner@localhost/books --nodes 5000000\n  \
    komadai book worker --queue postgres://anna@db.example/books --password-file anna.txt \\\n      \
        --plain-network                                   # on each machine, over a VPN\n  \
    komadai book queue watch postgres://owner@localhost/books\n\n\
    An address is postgres://USER@HOST[:PORT]/DATABASE[?schema=NAME&sslrootcert=FILE], or \
    postgres://USER@/DATABASE?host=FOLDER for a socket.")]
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
    /// Make the tables, functions and roles of a queue in a database.
    ///
    /// The user of the address becomes its coordinator. It needs the right to create roles, and
    /// schemas in that database.
    Init(Init),
    /// Bring a queue to the version of this program. Nothing changes if that fails.
    Upgrade(Upgrade),
    /// Create a login role for a person whose machines work for the queue.
    ///
    /// The role may take jobs, return results, and read nothing.
    AddWorker(AddWorker),
    /// Print the numbers of jobs and results.
    Status(Status),
    /// Print a line about the queue every few seconds, until Ctrl-C.
    Watch(Watch),
    /// List the workers with their results, failures and silence.
    Workers(Workers),
    /// List the newest failures; of a working book, the jobs that were given up.
    Failures(Failures),
    /// Let jobs wait again that were given up, and forget the failures of others.
    Retry(Retry),
    /// Remove jobs that were given up, or all tasks of a match or of self-play.
    Drop(Drop),
    /// Hand out no more jobs; results are accepted.
    Pause(Server),
    /// Hand out jobs again.
    Resume(Server),
}

#[derive(Debug, Args)]
struct Retry {
    #[command(flatten)]
    place: Place,
    /// Position of a job as SFEN; by default all jobs.
    sfens: Vec<String>,
}

#[derive(Debug, Args)]
struct Drop {
    #[command(flatten)]
    place: Place,
    /// Position of a job as SFEN.
    #[arg(required_unless_present_any = ["all", "run"], conflicts_with = "all")]
    sfens: Vec<String>,
    /// All jobs that were given up.
    #[arg(long)]
    all: bool,
    /// All tasks of a match or of self-play, by the name of the run, with their reports.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["sfens", "all"])]
    run: Option<String>,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    match &options.action {
        Action::Export(export) => export.run(),
        Action::Init(init) => init.run(),
        Action::Upgrade(upgrade) => upgrade.run(),
        Action::AddWorker(add) => add.run(),
        Action::Status(status) => status.run(),
        Action::Watch(watch) => watch.run(),
        Action::Workers(workers) => workers.run(),
        Action::Failures(failures) => failures.run(),
        Action::Retry(retry) => retry.run(),
        Action::Drop(drop) => drop.run(),
        Action::Pause(server) => {
            server.open()?.pause()?;
            writeln!(stdout(), "paused: no jobs are handed out; results are accepted")?;
            Ok(())
        }
        Action::Resume(server) => {
            server.open()?.resume()?;
            writeln!(stdout(), "jobs are handed out")?;
            Ok(())
        }
    }
}

impl Retry {
    fn run(&self) -> anyhow::Result<()> {
        let positions = positions(&self.sfens)?;
        let revived = match self.place.open()? {
            Opened::Book(store) => {
                let queue = store.queue(QueueOptions::default());
                queue.revive(&positions.map_or_else(|| failed(&queue), Ok)?)?
            }
            Opened::Server(queue) => match positions {
                Some(positions) => queue.revive(&positions)?,
                None => queue.revive_all()?,
            },
        };
        writeln!(stdout(), "{revived} jobs had failures, which are forgotten")?;
        Ok(())
    }
}

/// The positions of all jobs of a book that may have failures.
fn failed(queue: &impl JobQueue) -> Result<Vec<Position>, QueueError> {
    let waiting = queue.waiting(usize::MAX)?.into_iter().map(|job| job.position);
    Ok(waiting.chain(queue.dead()?.into_iter().map(|job| job.position)).collect())
}

impl Drop {
    fn run(&self) -> anyhow::Result<()> {
        if let Some(run) = &self.run {
            return self.drop_run(run);
        }
        let positions = positions(&self.sfens)?;
        let dropped = match self.place.open()? {
            Opened::Book(store) => {
                let queue = store.queue(QueueOptions::default());
                let dead = queue.dead()?.into_iter().map(|job| job.position);
                let keys = positions.map(|list| list.iter().map(shared_zobrist_key).collect());
                let keys: Option<HashSet<u64>> = keys;
                let is_named = |position: &Position| {
                    keys.as_ref().is_none_or(|keys| keys.contains(&shared_zobrist_key(position)))
                };
                let withdrawn: Vec<Position> = dead.filter(is_named).collect();
                queue.revive(&withdrawn)?;
                queue.plan(&PlanChanges { withdrawn, ..PlanChanges::default() })?.withdrawn
            }
            Opened::Server(queue) => queue.drop_dead(positions.as_deref())?,
        };
        writeln!(stdout(), "{dropped} jobs removed")?;
        Ok(())
    }

    fn drop_run(&self, run: &str) -> anyhow::Result<()> {
        let Opened::Server(queue) = self.place.open()? else {
            return Err(bad_usage("a working book has no tasks, expected the address of a queue"));
        };
        let dropped = queue.drop_tasks(run)?;
        ensure!(dropped > 0, "the queue has no run {run}");
        writeln!(stdout(), "{dropped} tasks removed")?;
        Ok(())
    }
}

/// The positions of arguments, `None` if there are none.
fn positions(sfens: &[String]) -> anyhow::Result<Option<Vec<Position>>> {
    if sfens.is_empty() {
        return Ok(None);
    }
    let position = |sfen: &String| position_of(sfen).map_err(bad_usage);
    sfens.iter().map(position).collect::<anyhow::Result<_>>().map(Some)
}
