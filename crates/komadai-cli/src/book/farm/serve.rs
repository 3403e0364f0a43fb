//! `book serve`: a book that grows by a queue on a server.

use clap::Args;
use komadai::book::queue::JobQueue as _;
use komadai_console::note;
use komadai_farm::{FarmQueue, FarmUrl};

use crate::book::farm::access::{Access, host, note_outage};
use crate::book::farm::verifier::Share;
use crate::book::growth::grow::Growing;

/// Grow a working book by the workers of a queue on a server.
///
/// Selects positions as `book grow` does and hands them out; `book worker --queue` analyses them, on
/// any number of machines. Results are merged as they come. This machine analyses as well if
/// --processes is given (or --engine without --verify). There is one such program for a queue at a time.
///
/// After Ctrl-C, SIGTERM or a crash, the same command with --resume continues: what workers have
/// finished meanwhile waits in the queue. While the server is away nothing is lost; the program
/// waits for it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    komadai book serve my.kbook --queue postgres://owner@localhost/books --nodes 5000000 --positions 100000\n  \
    komadai book serve my.kbook --queue 'postgres://owner@/books?host=/run/postgresql' --resume --page 127.0.0.1:8080\n\n\
    Exit codes: 0 done, 1 failed, 2 bad usage, 130 stopped by Ctrl-C or SIGTERM.")]
pub(crate) struct Options {
    /// Address of the queue: postgres://USER@HOST/DATABASE.
    #[arg(long, value_name = "URL")]
    queue: FarmUrl,
    #[command(flatten)]
    access: Access,
    /// Search a share of the results again on this machine, such as 1%, and compare them bit for bit:
    /// depth, nodes, values and lines. Needs the engine of the workers (--engine or the embedded
    /// one). Exit code 1 if results differ.
    #[arg(long, value_name = "PERCENT", value_parser = Share::parse)]
    verify: Option<Share>,
    #[command(flatten)]
    growing: Growing,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let Options { queue, access, verify, growing } = options;
    growing.check()?;
    let queue = FarmQueue::open_as_coordinator(&access.complete(queue)?, host())?;
    queue.report_outages(note_outage);
    let verifier = verify.map(|share| growing.verifier(share)).transpose()?;
    let wants_own = growing.analysts.processes.is_some()
        || growing.analysts.engine.is_some() && verifier.is_none();
    let analysts = if wants_own { growing.analysts.start()? } else { Vec::new() };
    let counts = queue.counts()?;
    note!("the queue has {} waiting and {} leased jobs", counts.waiting, counts.leased);
    growing.run(analysts, Some(&queue), verifier)
}
