//! `match-worker`: games of matches for a queue.

use std::io::Write as _;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use clap::{ArgAction, Args};
use komadai::book::queue::{Completion, QueueError, Refusal};
use komadai::matches::{ContestantFactory, Ending, MatchGame};
use komadai_console::{Program, interrupted, note, stdout, stop_on_interrupt, threads};
use komadai_farm::{FarmQueue, FarmUrl, LeasedTask, MAX_REPORT};

use crate::arguments::duration::duration;
use crate::arguments::engine::{Engine, embedded_options};
use crate::book::farm::access::{Access, host};
use crate::book::farm::task_client::{LEASE, RETRY, TaskClient};
use crate::book::farm::timer::Timer;
use crate::matches::pair::{Pair, PairPlayer, is_engine_name, kinds, report};

/// Play the games of matches that `match --queue` has planned.
///
/// A worker plays pairs for whose players it has engines: the embedded player of this version,
/// and those that --engine names. It starts no other programs. Pairs that Ctrl-C or SIGTERM
/// interrupts are given back; those of a machine that has died wait again after five minutes.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    komadai match --first new --second old --movetime 200 --games 2000 --sprt 0,5 --out new-old \\\n      \
        --queue postgres://owner@localhost/books --run new-old\n  \
    komadai match-worker --queue postgres://anna@localhost/books --engine new=./new --engine old='./old --quiet' \\\n      \
        --concurrency 4\n\n\
    Exit codes: 0 done, 1 failed, 2 bad usage, 130 stopped by Ctrl-C or SIGTERM.")]
pub struct MatchWorkerArgs {
    /// Address of the queue: postgres://USER@HOST/DATABASE.
    #[arg(long, value_name = "URL")]
    queue: FarmUrl,
    #[command(flatten)]
    access: Access,
    /// Command of an engine, by the name that matches have for it.
    #[arg(long, value_name = "NAME=COMMAND", action = ArgAction::Append, value_parser = read_engine)]
    engine: Vec<(String, String)>,
    /// Number of games at the same time; by default the number of processors. Games by time need a
    /// core for each thread of an engine.
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZero<usize>>,
    /// End when no pair waits for these engines; by default wait for further ones.
    #[arg(long)]
    until_empty: bool,
    /// End after a time such as 6h. Pairs that are not done by then are given back.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    exit_after: Option<Duration>,
    /// Print no progress.
    #[arg(long)]
    quiet: bool,
}

fn read_engine(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=').filter(|(name, _)| is_engine_name(name));
    let (name, command) = pair.ok_or_else(|| format!("found {text:?}, expected NAME=COMMAND"))?;
    if embedded_options(name).is_some() {
        return Err(format!("{name} is the embedded player, expected another name"));
    }
    Ok((name.to_owned(), command.to_owned()))
}

impl Program for MatchWorkerArgs {
    const SUBCOMMAND: &'static str = "match-worker";

    fn run(&self) -> anyhow::Result<ExitCode> {
        let stop = stop_on_interrupt()?;
        let queue = FarmQueue::open(&self.access.complete(&self.queue)?, host())?;
        let timer = self.exit_after.map(|after| Timer::start(after, Arc::clone(&stop)));
        let client = TaskClient { queue, stop };
        let kinds = kinds(self.engine.iter().map(|(name, _)| name.as_str()));
        let state = State::default();
        let count = threads(self.concurrency).get();
        if !self.quiet {
            note!("{count} games at the same time, on {}", host());
        }
        let play = || self.work(&client, &kinds, &state);
        let play = &play;
        let errors: Vec<anyhow::Error> = thread::scope(|scope| {
            let started: Vec<_> = (0..count).map(|_| scope.spawn(play)).collect();
            let ended = started.into_iter().map(|thread| match thread.join() {
                Ok(ended) => ended,
                Err(_) => bail!("a thread has failed"),
            });
            ended.filter_map(Result::err).collect()
        });
        let games = state.games.into_inner();
        writeln!(stdout(), "{games} games played")?;
        if let Some(error) = errors.into_iter().next() {
            return Err(error);
        }
        let is_over = timer.is_some_and(|timer| timer.is_over());
        if client.is_stopped() && !is_over {
            return Err(interrupted("stopped; the pairs at work wait for others"));
        }
        if games == 0 {
            ensure!(state.failures.into_inner() == 0, "all pairs have failed");
            client.check_kinds(&kinds)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Counts of all threads.
#[derive(Debug, Default)]
struct State {
    games: AtomicU64,
    failures: AtomicU64,
    /// Nothing waited at some time.
    has_waited: AtomicBool,
}

impl MatchWorkerArgs {
    /// Plays pairs until there are none, or until it is to stop.
    fn work(&self, client: &TaskClient, kinds: &[String], state: &State) -> anyhow::Result<()> {
        // All threads are one worker: a machine with a fault must not count as two.
        let name = host();
        while !client.is_stopped() {
            let claimed = match client.persist(|queue| queue.claim_task(&name, kinds, LEASE)) {
                Err(QueueError::Refused(Refusal::Dismissed { .. })) => {
                    bail!("{name} has failed too often, see the warnings")
                }
                claimed => claimed?,
            };
            match claimed {
                None => return Ok(()),
                Some(None) if self.until_empty => return Ok(()),
                Some(None) => {
                    if !state.has_waited.swap(true, Ordering::Relaxed) && !self.quiet {
                        note!("no pair waits for these engines");
                    }
                    client.pause(RETRY);
                }
                Some(Some(task)) => self.play(client, &name, &task, state)?,
            }
        }
        Ok(())
    }

    /// Plays a pair.
    fn play(
        &self,
        client: &TaskClient,
        name: &str,
        task: &LeasedTask,
        state: &State,
    ) -> anyhow::Result<()> {
        let played = client.with_lease(task, |stop| self.games(task, stop));
        match played {
            Ok(Some((report, count))) => {
                let finished =
                    client.persist(|queue| queue.finish_task(name, &task.lease, &report))?;
                match finished {
                    Some(Completion::Accepted | Completion::AcceptedLate) => {
                        state.games.fetch_add(count as u64, Ordering::Relaxed);
                    }
                    // It was played by others, or is not wanted any more.
                    _ => note!("pair {} of the match {} was not needed", task.number, task.run),
                }
            }
            Err(error) if !client.is_stopped() => {
                state.failures.fetch_add(1, Ordering::Relaxed);
                let reason = format!("{error:#}");
                note!("warning: pair {} of the match {}: {reason}", task.number, task.run);
                client.persist(|queue| queue.fail_task(name, &task.lease, &reason))?;
            }
            Ok(None) | Err(_) => {
                // A lease that is not given back ends by itself.
                let _ = client.queue.release_task(&task.lease);
            }
        }
        Ok(())
    }

    /// Plays the games of a pair. Returns the report and the number of games; `None` if it was
    /// interrupted.
    fn games(
        &self,
        task: &LeasedTask,
        stop: &Arc<AtomicBool>,
    ) -> anyhow::Result<Option<(String, usize)>> {
        let pair: Pair = serde_json::from_str(&task.spec).context("no pair of games")?;
        let [first, second] = &pair.players;
        let engines = [self.engine(&pair, first)?, self.engine(&pair, second)?];
        let (first, second) = (|| engines[0].start(), || engines[1].start());
        let players: [&ContestantFactory<'_>; 2] = [&first, &second];
        let mut games = Vec::new();
        let mut on_game = |game| {
            games.push(game);
            ControlFlow::Continue(())
        };
        let one = NonZero::<usize>::MIN;
        pair.game.run(players, one, &|_| false, stop, &mut on_game)?;
        if games.len() < pair.game.games {
            return Ok(None);
        }
        // A machine on which an engine does not run must not decide the match.
        let is_fault = |game: &MatchGame| matches!(game.game.verdict.ending, Ending::Fault(_));
        if let Some(first) = games.first().filter(|_| games.iter().all(is_fault)) {
            let ending = first.game.verdict.ending;
            bail!("both games ended by a fault of an engine: {ending}");
        }
        let report = report(&games);
        let length = report.len();
        ensure!(
            length <= MAX_REPORT,
            "the games have {length} bytes, expected at most {MAX_REPORT}"
        );
        Ok(Some((report, games.len())))
    }

    fn engine(&self, pair: &Pair, player: &PairPlayer) -> anyhow::Result<Engine> {
        let command = if embedded_options(&player.name).is_some() {
            &player.name
        } else {
            let own = self.engine.iter().find(|(name, _)| *name == player.name);
            &own.with_context(|| format!("no engine has the name {:?}", player.name))?.1
        };
        let patience = Duration::from_secs(pair.start_timeout);
        let mut engine = Engine::new(command, &player.options, patience)?;
        engine.set_declaration(pair.game.rules.declaration);
        Ok(engine)
    }
}
