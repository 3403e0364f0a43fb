//! Conformance reports of engines.

mod output;

use std::process::ExitCode;
use std::sync::atomic::Ordering;
use std::time::Duration;

use clap::{ArgAction, Args};
use komadai::usi::EngineConfig;
use komadai::usi::conformance::{Outcome, TestLimits, check_engine};
use komadai_console::{
    Appearance, StatusLine, bad_usage, describe, interrupted, print_json, stdout, stop_on_interrupt,
};

use crate::arguments::engine::{Engine, all_options, own_program, read_option};

/// Check whether an engine keeps the rules of USI.
///
/// Starts the engine as often as needed and speaks to it as GUIs do, and as broken programs do: names
/// and options, positions, each kind of `go`, pondering, mates, unusual lines, and the end of the
/// process. Each check has an id, its result, what was found, the rule and where that is stated.
/// An engine that is dead or mute ends the checks that need it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    komadai usi check ./my-engine\n  \
    komadai usi check 'python3 engine.py' --option EvalDir=eval --wait 30 --nodes 200\n  \
    komadai usi check komadai --json\n\n\
    `komadai` is the embedded engine, as a process of its own.\n\
    Exit codes: 0 all checks passed or do not apply, 1 some failed, 2 bad usage, 130 stopped by Ctrl-C.")]
pub(super) struct Options {
    /// Command of the engine.
    engine: String,
    /// USI option of the engine; it may be given several times.
    #[arg(long = "option", value_name = "NAME=VALUE",
          action = ArgAction::Append, value_parser = read_option)]
    options: Vec<(String, String)>,
    /// Nodes of a search.
    #[arg(long, default_value_t = 2_000, value_name = "N")]
    nodes: u64,
    /// Time of a search under a clock.
    #[arg(long, default_value_t = 500, value_name = "MS",
          value_parser = clap::value_parser!(u64).range(50..=60_000))]
    time: u64,
    /// Tolerated delay of an answer beyond its time.
    #[arg(long, default_value_t = 1_000, value_name = "MS",
          value_parser = clap::value_parser!(u64).range(1..=60_000))]
    margin: u64,
    /// Maximum wait for the answer to a search without a time.
    #[arg(long, default_value_t = 10, value_name = "SECONDS",
          value_parser = clap::value_parser!(u64).range(1..=3_600))]
    wait: u64,
    /// Maximum time for an engine to start, and to become ready.
    #[arg(long, default_value_t = 30, value_name = "SECONDS",
          value_parser = clap::value_parser!(u64).range(1..=3_600))]
    start_timeout: u64,
    #[command(flatten)]
    appearance: Appearance,
    /// Print one JSON object, and nothing else, on standard output.
    #[arg(long)]
    json: bool,
    /// Print only the checks that failed.
    #[arg(long, conflicts_with = "json")]
    failed: bool,
}

pub(super) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let config = options.config().map_err(|error| bad_usage(describe(&error)))?;
    let limits = TestLimits {
        nodes: options.nodes,
        time: Duration::from_millis(options.time),
        margin: Duration::from_millis(options.margin),
        wait: Duration::from_secs(options.wait),
        ..TestLimits::default()
    };
    let stop = stop_on_interrupt()?;
    let status = StatusLine::new();
    let report = check_engine(&config, &limits, &stop, &mut |check| {
        status.set(|_| check.id().to_owned());
    });
    drop(status);
    let language = options.appearance.language();
    if options.json {
        print_json(&output::json(&report, language))?;
    } else {
        output::write(&mut stdout(), &report, language, options.failed)?;
    }
    if stop.load(Ordering::Relaxed) {
        return Err(interrupted("stopped; the other checks were not made"));
    }
    let failed = report.count(Outcome::Fail);
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl Options {
    /// Returns the program of the engine; that of the embedded one is this program.
    fn config(&self) -> anyhow::Result<EngineConfig> {
        let patience = Duration::from_secs(self.start_timeout);
        let mut config = match Engine::new(&self.engine, &self.options, patience)? {
            Engine::Process(config) => *config,
            Engine::Embedded(_) => {
                let mut config = own_program()?;
                config.options = all_options(&self.engine, &self.options)?;
                config
            }
        };
        config.patience.launch = patience;
        config.patience.ready = patience;
        Ok(config)
    }
}
