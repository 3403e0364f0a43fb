//! Matches between two engines: which is the stronger one, and how certain that is.

mod declaration;
mod farm;
mod game_json;
mod journal;
mod limits;
mod live;
mod options;
pub(crate) mod pair;
mod plan;
mod queue_args;
mod records;
mod standing;

use std::io;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::anyhow;
use komadai::matches::{ContestantFactory, MatchError, MatchGame, SprtVerdict, Tally};
use komadai_base::text::printable;

use self::farm::play_on_queue;
use self::journal::Journal;
use self::live::MatchPage;
use crate::arguments::engine::Started;

pub(crate) use self::journal::{LoggedMatch, read_log};
pub use self::options::MatchArgs;
pub(crate) use self::options::{read_adjudication, read_sprt};
use self::plan::Plan;
use self::standing::Standing;
pub(crate) use self::standing::{MatchEnd, of_opponent};
use komadai_console::{Program, bad_usage, describe, interrupted, note, stop_on_interrupt};

impl Program for MatchArgs {
    const SUBCOMMAND: &'static str = "match";

    fn run(&self) -> anyhow::Result<ExitCode> {
        let plan = Plan::new(self).map_err(|error| bad_usage(describe(&error)))?;
        let stop = stop_on_interrupt()?;
        match play_planned(self, &plan, &stop)? {
            MatchEnd::Over => Ok(ExitCode::SUCCESS),
            MatchEnd::Stopped => Err(stopped_match(self.out.is_some())),
        }
    }
}

/// Plays the match of a command line, and prints its result.
pub(crate) fn play_and_print(
    options: &MatchArgs,
    stop: &Arc<AtomicBool>,
) -> anyhow::Result<MatchEnd> {
    let plan = Plan::new(options).map_err(|error| bad_usage(describe(&error)))?;
    play_planned(options, &plan, stop)
}

fn play_planned(
    options: &MatchArgs,
    plan: &Plan,
    stop: &Arc<AtomicBool>,
) -> anyhow::Result<MatchEnd> {
    play_match(options, plan, stop, |standing, tally, end| standing.finish(tally, end))
}

/// Plays the match of a command line, and prints its standing at the end on standard error only.
pub(crate) fn play_quietly(
    options: &MatchArgs,
    stop: &Arc<AtomicBool>,
) -> anyhow::Result<MatchEnd> {
    let plan = Plan::new(options).map_err(|error| bad_usage(describe(&error)))?;
    play_match(options, &plan, stop, |standing, tally, _| {
        let [first, second] = plan.names.each_ref().map(|name| printable(name));
        note!("{first} vs {second}: {}", standing.line(tally));
        Ok(())
    })
}

/// Returns the error of a match that Ctrl-C has ended.
pub(crate) fn stopped_match(is_logged: bool) -> anyhow::Error {
    interrupted(if is_logged { "stopped; the same command continues" } else { "stopped" })
}

/// Plays the games that are not in the log yet; `finish` gets the result.
fn play_match(
    options: &MatchArgs,
    plan: &Plan,
    stop: &Arc<AtomicBool>,
    finish: impl FnOnce(&Standing<'_>, &Tally, MatchEnd) -> io::Result<()>,
) -> anyhow::Result<MatchEnd> {
    if options.queue.queue.is_some() {
        // Before the log is made.
        pair::kind(options)?;
    }
    let mut tally = Tally::default();
    let mut done = vec![false; options.games];
    let mut journal = match &options.out {
        None => None,
        Some(out) => Some(Journal::open(out, options.fresh, plan.head(), |game| {
            if let Some(done) = done.get_mut(game.number) {
                *done = true;
                tally.add(game);
            }
        })?),
    };
    let mut standing = Standing::new(options, plan, &tally);
    let server = options.page.start()?;
    let page = server.as_ref().map(|server| Arc::new(MatchPage::new(server, &plan.names, stop)));
    page.iter().for_each(|page| page.show(&standing, &tally, None));
    let start = |player| {
        let started = plan.start(player)?;
        Ok(match &page {
            Some(page) => page.watch(player, started),
            None => started,
        })
    };
    let result = match standing.verdict(&tally) {
        SprtVerdict::Undecided => {
            let mut on_game = |game: MatchGame| {
                tally.add(&game);
                standing.report(&game, &tally);
                page.iter().for_each(|page| page.show(&standing, &tally, Some(&game)));
                if let Some(journal) = &mut journal {
                    journal.add(&game)?;
                }
                Ok(standing.verdict(&tally) == SprtVerdict::Undecided)
            };
            match &options.queue.queue {
                Some(url) => play_on_queue(options, plan, url, &done, stop, &mut on_game),
                None => play_games(options, plan, &start, &done, stop, &mut on_game),
            }
        }
        _ => Ok(()),
    };
    let is_stopped = stop.load(Ordering::Relaxed) && !standing.is_over(&tally);
    let end = if is_stopped { MatchEnd::Stopped } else { MatchEnd::Over };
    let printed = finish(&standing, &tally, end);
    result?;
    printed?;
    Ok(end)
}

/// Plays the games that are not `done`. `on_game` receives each game and returns whether to
/// continue.
fn play_games(
    options: &MatchArgs,
    plan: &Plan,
    start: &(dyn Fn(usize) -> Started + Sync),
    done: &[bool],
    stop: &Arc<AtomicBool>,
    on_game: &mut dyn FnMut(MatchGame) -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    let (first, second) = (|| start(0), || start(1));
    let players: [&ContestantFactory<'_>; 2] = [&first, &second];
    let mut failure = None;
    let mut on_game = |game| match on_game(game) {
        Ok(true) => ControlFlow::Continue(()),
        Ok(false) => ControlFlow::Break(()),
        Err(error) => {
            failure = Some(error);
            ControlFlow::Break(())
        }
    };
    let played =
        plan.game.run(players, options.concurrency, &|number| done[number], stop, &mut on_game);
    failure.map_or(Ok(()), Err)?;
    played.map_err(|error| match error {
        MatchError::Start { player, reason } => {
            anyhow!("{} cannot be started: {reason}", printable(&plan.names[player]))
        }
        error => error.into(),
    })
}
