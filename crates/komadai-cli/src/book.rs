//! Opening books: files, values, frontiers, working books, growth, reports.

/// Book files: inspection, conversion, sorting, merging, validation, propagated values.
pub(crate) mod files {
    pub(super) mod convert;
    pub(super) mod info;
    pub(super) mod lookup;
    pub(super) mod merge;
    pub(super) mod output;
    pub(super) mod probe;
    pub(super) mod propagate;
    pub(super) mod sort;
    pub(super) mod source;
    pub(super) mod validate;
}

/// Positions to search: where good play leaves a book, and where a book is in doubt.
mod frontier {
    pub(super) mod cost;
    pub(super) mod frontier_diff;
    pub(super) mod listing;
    pub(super) mod next;
    pub(super) mod opponent;
    pub(super) mod refutations;
    pub(super) mod rejoin;
    pub(super) mod rival;
    pub(super) mod selection;
    pub(super) mod traps;
    pub(super) mod unsolved;
}

/// Jobs for other machines: as files, or by a queue on a server.
pub(crate) mod farm {
    pub(crate) mod access;
    pub(super) mod administration;
    pub(super) mod export;
    pub(super) mod place;
    pub(super) mod queue;
    pub(super) mod queue_page;
    pub(super) mod serve;
    pub(super) mod state;
    pub(crate) mod task_client;
    pub(crate) mod timer;
    pub(super) mod verifier;
    pub(super) mod worker;
}

/// Growth of working books by analysis and by games.
pub(crate) mod growth {
    pub(super) mod analysts;
    pub(crate) mod branches;
    pub(super) mod generation_progress;
    pub(super) mod generation_tables;
    pub(crate) mod generations;
    pub(super) mod grow;
    pub(super) mod growth_page;
    pub(super) mod growth_report;
    pub(super) mod players;
    pub(super) mod shiba;
}

mod prune_limits;
pub(crate) mod report;

/// Working books before they are played: the values that decide them, and their state.
mod release {
    pub(super) mod doctor;
    pub(super) mod gate;
    mod leaves;
}

/// Working books: inputs, engines, policies, deletions, snapshots, logs, maintenance.
mod working {
    pub(super) mod calibration;
    pub(super) mod games;
    pub(super) mod import;
    pub(super) mod log;
    pub(super) mod maintenance;
    pub(super) mod policy;
    pub(super) mod prune;
    pub(super) mod refresh;
    pub(super) mod snapshot;
    pub(super) mod sources;
    pub(super) mod undo;
}

use std::process::ExitCode;

use clap::Args;
use komadai_console::Program;

use self::farm::{queue, serve, worker};
use self::files::{convert, info, merge, probe, propagate, sort, validate};
use self::frontier::{frontier_diff, next, opponent, refutations, rejoin, traps, unsolved};
use self::growth::{branches, generations, grow, shiba};
use self::release::{doctor, gate};
use self::working::{
    calibration, games, import, log, maintenance, policy, prune, refresh, snapshot, sources, undo,
};
use crate::arguments::subcommands;

/// Read, convert, value, grow, prune and show opening books.
#[derive(Debug, Args)]
#[command(after_help = "Example: komadai book propagate in.db out.db\n\n\
                  Exit codes: 0 done, 1 failed or faults found, 2 bad usage, 130 stopped by Ctrl-C. The format of a book is recognised \
                  by its content. Working books (.kbook) contain every evaluation with its engine, games, \
                  deletions that can be undone, and jobs.")]
pub struct BookArgs {
    #[command(subcommand)]
    command: Command,
}

subcommands! { ():
    Info(info::Options) => info::run,
    Probe(probe::Options) => probe::run,
    Convert(convert::Options) => convert::run,
    Sort(sort::Options) => sort::run,
    Merge(merge::Options) => merge::run,
    Validate(validate::Options) => validate::run,
    Propagate(propagate::Options) => propagate::run,
    Next(next::Options) => next::run,
    FrontierDiff(frontier_diff::Options) => frontier_diff::run,
    Refutations(refutations::Options) => refutations::run,
    Rejoin(rejoin::Options) => rejoin::run,
    Unsolved(unsolved::Options) => unsolved::run,
    Opponent(opponent::Options) => opponent::run,
    Traps(traps::Options) => traps::run,
    Grow(grow::Options) => grow::run,
    Queue(queue::Options) => queue::run,
    Serve(Box<serve::Options>) => serve::run,
    Worker(worker::Options) => worker::run,
    Match(Box<generations::Options>) => generations::run,
    Shiba(Box<shiba::Options>) => shiba::run,
    Branches(branches::Options) => branches::run,
    Report(report::Options) => report::run,
    Import(import::Options) => import::run,
    Sources(sources::Options) => sources::run,
    Games(games::Options) => games::run,
    Refresh(refresh::Options) => calibration::run,
    Release(gate::Options) => gate::run,
    Doctor(doctor::Options) => doctor::run,
    Policy(policy::Options) => policy::run,
    Prune(prune::Options) => prune::run,
    Undo(undo::Options) => undo::run,
    Snapshot(snapshot::Options) => snapshot::run,
    Log(log::Options) => log::run,
    Check(maintenance::CheckOptions) => maintenance::check,
    Compact(maintenance::CompactOptions) => maintenance::compact,
}

impl Program for BookArgs {
    const SUBCOMMAND: &'static str = "book";

    fn run(&self) -> anyhow::Result<ExitCode> {
        self.command.run().map(|()| ExitCode::SUCCESS)
    }
}
