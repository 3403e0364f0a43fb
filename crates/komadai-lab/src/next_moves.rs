//! Next-move problems: positions of games with one best move, and the methods of quiescence search
//! that find it.

mod find;
mod solve;

use clap::{Args, Subcommand};

/// Find next-move problems (次の一手) in games, or let the methods of quiescence search solve them.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    Find(find::Find),
    Solve(solve::Solve),
}

pub(crate) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    match &arguments.task {
        Task::Find(find) => find.run(),
        Task::Solve(solve) => solve.run(),
    }
}
