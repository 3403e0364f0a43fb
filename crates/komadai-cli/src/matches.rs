//! Plays a match between two engines and says which is the stronger one, and how sure that is.
//!
//! ```text
//! cargo run --release --example match_engines -- --first komadai --second 'komadai:MateNodes=0' \
//!     --nodes 2000 --games 400 --concurrency 2 --out target/match
//! cargo run --release --example match_engines -- --first target/release/examples/usi_engine \
//!     --second '/opt/engines/other --quiet' --option-second Threads=1 --byoyomi 100 --games 100
//! cargo run --release --example match_engines -- --first komadai --second /opt/engines/previous \
//!     --nodes 20000 --sprt 0,5 --games 10000 --out target/sprt
//! ```
//!
//! The first command has the embedded engine play itself without its mate solver; stopped by Ctrl-C, the
//! same command goes on. The second is a match of two programs at a tenth of a second a move. The
//! third stops as soon as it is clear whether the first player is stronger.

mod engine;
#[path = "../book/interrupt.rs"]
mod interrupt;
mod journal;
mod limits;
mod notation;
mod openings;
mod options;
mod plan;
mod records;
mod report;
mod summary;

use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::anyhow;
use clap::{CommandFactory as _, Parser as _};
use komadai::engine::arena::{MakeContestant, MatchError, MatchGame, SprtVerdict, Tally};

use crate::interrupt::stop_on_interrupt;
use crate::journal::Journal;
use crate::options::Options;
use crate::plan::Plan;
use crate::report::Report;

fn main() -> ExitCode {
    let options = Options::parse();
    let plan = Plan::new(&options).unwrap_or_else(|error| {
        let kind = clap::error::ErrorKind::ValueValidation;
        Options::command().error(kind, format!("{error:#}")).exit()
    });
    match run(&options, &plan) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options, plan: &Plan) -> anyhow::Result<()> {
    let stop = stop_on_interrupt()?;
    let mut tally = Tally::default();
    let mut done = vec![false; options.games];
    let mut journal = match &options.out {
        None => None,
        Some(out) => Some(Journal::open(out, options.fresh, plan, |game| {
            if let Some(done) = done.get_mut(game.number) {
                *done = true;
                tally.add(game);
            }
        })?),
    };
    let mut report = Report::new(options, plan, &tally);
    let result = match report.verdict(&tally) {
        SprtVerdict::Undecided => play(options, plan, &done, &stop, &mut |game| {
            tally.add(&game);
            report.tell(&game, &tally);
            if let Some(journal) = &mut journal {
                journal.add(&game)?;
            }
            Ok(report.verdict(&tally) == SprtVerdict::Undecided)
        }),
        _ => Ok(()),
    };
    report.finish(&tally, stop.load(Ordering::Relaxed));
    result
}

/// Plays what is not done. `hear` says whether to go on.
fn play(
    options: &Options,
    plan: &Plan,
    done: &[bool],
    stop: &Arc<AtomicBool>,
    hear: &mut dyn FnMut(MatchGame) -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    let [first, second] = plan.engines.each_ref().map(|engine| || engine.make());
    let players: [&MakeContestant<'_>; 2] = [&first, &second];
    let mut failure = None;
    let mut hear = |game| match hear(game) {
        Ok(true) => ControlFlow::Continue(()),
        Ok(false) => ControlFlow::Break(()),
        Err(error) => {
            failure = Some(error);
            ControlFlow::Break(())
        }
    };
    let played =
        plan.game.run(players, options.concurrency, &|number| done[number], stop, &mut hear);
    failure.map_or(Ok(()), Err)?;
    played.map_err(|error| match error {
        MatchError::Start { player, reason } => {
            anyhow!("{} cannot be started: {reason}", plan.names[player])
        }
        error => error.into(),
    })
}
