//! The USI engine, for graphical interfaces (ShogiHome, Shogidokoro, ShogiGUI, …) and match
//! runners.

use std::io::{self, ErrorKind, Write as _};
use std::process::ExitCode;

use clap::{Args, Subcommand};
use komadai::book::open_book;
use komadai::engine::{Preset, Settings, UsiEngine, standard_bench};
use komadai::search::SearchOptions;
use komadai::search::bench::BENCH_DEPTH;
use komadai::usi::serve_stdio;
use komadai_console::{Program, stdout};

/// Run a USI engine on standard input and output.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  printf 'usi\\nposition startpos\\ngo nodes 100000\\n' | komadai engine\n\n\
                  Options are set by `setoption`; `usi` lists them. `quit` ends the engine at once. At the end \
                  of the input, a search with a limit of its own is finished first.\n\
                  Exit codes: 0 done, 1 failed, 2 bad usage."
)]
pub struct EngineArgs {
    /// Play by the ideas of a program of history, from the option `Preset` on: Yss, KfEnd,
    /// Gekisashi2002, Tacos, Bonanza2006, Gps2008, Ym2012, or Modern for the engine as it is.
    #[arg(long, value_name = "NAME", default_value_t)]
    preset: Preset,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Search a fixed list of positions and print the number of nodes and the speed.
    ///
    /// The number of nodes is the signature of the search: it changes only if the search changes.
    Bench {
        /// Search depth in plies. The signature is defined for the default depth.
        #[arg(long, default_value_t = BENCH_DEPTH)]
        #[arg(value_parser = clap::value_parser!(u32).range(1..=64))]
        depth: u32,
    },
}

impl Program for EngineArgs {
    const SUBCOMMAND: &'static str = "engine";

    fn run(&self) -> anyhow::Result<ExitCode> {
        match &self.command {
            Some(Command::Bench { depth }) => print_bench(*depth)?,
            None => match serve_stdio(self.engine()) {
                // The interface has ended, and with it the need for the engine.
                Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
                result => result?,
            },
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl EngineArgs {
    fn engine(&self) -> UsiEngine {
        let settings = Settings { preset: self.preset, ..Settings::default() };
        UsiEngine::builder().settings(settings).books(open_book).build()
    }
}

fn print_bench(depth: u32) -> io::Result<()> {
    let report = standard_bench(&SearchOptions::default(), depth);
    let first = report.statistics.first_move_cut_rate().unwrap_or_default();
    writeln!(stdout(), "first-move cut rate {:.1} %", 100.0 * first)?;
    writeln!(stdout(), "nodes {}\nnps {}", report.nodes, report.nodes_per_second())
}
