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
    pub(super) mod frontier_diff;
    pub(super) mod listing;
    pub(super) mod next;
    pub(super) mod opponent;
    pub(super) mod refutations;
    pub(super) mod rejoin;
    pub(super) mod selection;
    pub(super) mod unsolved;
}

/// Growth of working books by analysis and by games.
pub(crate) mod growth {
    pub(super) mod analysts;
    pub(super) mod generation_progress;
    pub(super) mod generation_tables;
    pub(super) mod generations;
    pub(super) mod grow;
    pub(super) mod growth_report;
    pub(super) mod players;
}

pub(crate) mod report;

/// Working books: inputs, engines, policies, deletions, snapshots, logs, maintenance.
mod working {
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

use clap::{Args, Subcommand};
use komadai_console::Program;

use self::files::{convert, info, merge, probe, propagate, sort, validate};
use self::frontier::{frontier_diff, next, opponent, refutations, rejoin, unsolved};
use self::growth::{generations, grow};
use self::working::{import, log, maintenance, policy, prune, refresh, snapshot, sources, undo};

/// Read, convert, value, grow, prune and show opening books.
#[derive(Debug, Args)]
#[command(after_help = "Example: komadai book propagate in.db out.db\n\n\
                  Exit codes: 0 done, 1 failed or faults found, 2 bad usage. The format of a book is recognised \
                  by its content. Working books (.kbook) contain every evaluation with its engine, games, \
                  deletions that can be undone, and jobs.")]
pub struct BookArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Info(info::Options),
    Probe(probe::Options),
    Convert(convert::Options),
    Sort(sort::Options),
    Merge(merge::Options),
    Validate(validate::Options),
    Propagate(propagate::Options),
    Next(next::Options),
    FrontierDiff(frontier_diff::Options),
    Refutations(refutations::Options),
    Rejoin(rejoin::Options),
    Unsolved(unsolved::Options),
    Opponent(opponent::Options),
    Grow(grow::Options),
    Match(Box<generations::Options>),
    Report(report::Options),
    Import(import::Options),
    Sources(sources::Options),
    Refresh(refresh::Options),
    Policy(policy::Options),
    Prune(prune::Options),
    Undo(undo::Options),
    Snapshot(snapshot::Options),
    Log(log::Options),
    Check(maintenance::CheckOptions),
    Compact(maintenance::CompactOptions),
}

impl Program for BookArgs {
    const SUBCOMMAND: &'static str = "book";

    fn run(&self) -> anyhow::Result<ExitCode> {
        match &self.command {
            Command::Info(options) => info::run(options),
            Command::Probe(options) => probe::run(options),
            Command::Convert(options) => convert::run(options),
            Command::Sort(options) => sort::run(options),
            Command::Merge(options) => merge::run(options),
            Command::Validate(options) => validate::run(options),
            Command::Propagate(options) => propagate::run(options),
            Command::Next(options) => next::run(options),
            Command::FrontierDiff(options) => frontier_diff::run(options),
            Command::Refutations(options) => refutations::run(options),
            Command::Rejoin(options) => rejoin::run(options),
            Command::Unsolved(options) => unsolved::run(options),
            Command::Opponent(options) => opponent::run(options),
            Command::Grow(options) => grow::run(options),
            Command::Match(options) => generations::run(options),
            Command::Report(options) => report::run(options),
            Command::Import(options) => import::run(options),
            Command::Sources(options) => sources::run(options),
            Command::Refresh(options) => refresh::run(options),
            Command::Policy(options) => policy::run(options),
            Command::Prune(options) => prune::run(options),
            Command::Undo(options) => undo::run(options),
            Command::Snapshot(options) => snapshot::run(options),
            Command::Log(options) => log::run(options),
            Command::Check(options) => maintenance::check(options),
            Command::Compact(options) => maintenance::compact(options),
        }?;
        Ok(ExitCode::SUCCESS)
    }
}
