//! A match whose games workers play, by a queue on a server.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{bail, ensure};
use komadai::matches::MatchGame;
use komadai_console::note;
use komadai_farm::{FarmQueue, FarmUrl, NewTask, TaskState};

use super::options::MatchArgs;
use super::pair::{Pair, kind, read_report};
use super::plan::Plan;
use crate::book::farm::access::host;
use crate::book::farm::task_client::TaskClient;

/// The time between two looks for results.
const LOOK: Duration = Duration::from_secs(1);

/// The time without a result after which missing pairs are planned again.
const PLAN_AGAIN: Duration = Duration::from_secs(60);

/// The number of pairs whose results are fetched at once.
const AT_ONCE: u32 = 64;

/// Plans the pairs that are not `done`, and waits for their games. `on_game` receives each game and
/// returns whether to continue; if not, pairs that workers have are still waited for.
pub(super) fn play_on_queue(
    options: &MatchArgs,
    plan: &Plan,
    url: &FarmUrl,
    done: &[bool],
    stop: &Arc<AtomicBool>,
    on_game: &mut dyn FnMut(MatchGame) -> anyhow::Result<bool>,
) -> anyhow::Result<()> {
    let run = options.queue.run.as_deref().expect("the parser asks for it");
    let kind = kind(options)?;
    let queue = FarmQueue::open(&options.queue.access.complete(url)?, host())?;
    let client = TaskClient { queue, stop: Arc::clone(stop) };
    let is_done = |pair: usize| done.iter().skip(2 * pair).take(2).all(|&done| done);
    let mut missing: Vec<usize> =
        (0..options.games.div_ceil(2)).filter(|&pair| !is_done(pair)).collect();
    let mut tasks = Vec::with_capacity(missing.len());
    for &pair in &missing {
        let spec = serde_json::to_string(&Pair::new(options, plan, pair)?)?;
        tasks.push(NewTask { number: pair as u64, spec });
    }
    let planned = client.persist(|queue| queue.plan_tasks(run, &kind, &tasks))?;
    if planned.is_none() {
        return Ok(());
    }
    if !options.quiet {
        let pairs = missing.len();
        note!("{pairs} pairs wait for workers with these players (match-worker), as the run {run}");
    }
    let mut planned_at = Instant::now();
    let mut given_up = 0;
    let mut is_decided = false;
    while !missing.is_empty() && !client.is_stopped() {
        // The number first: what is reported between the two calls is found by the next round.
        let at_work = match is_decided {
            true => client.persist(|queue| queue.withdraw_tasks(run))?,
            false => None,
        };
        let reports = client.persist(|queue| queue.task_reports(run, AT_ONCE))?;
        let reports = reports.unwrap_or_default();
        let mut numbers = Vec::new();
        if reports.is_empty() {
            if at_work == Some(0) {
                break;
            }
            client.pause(LOOK);
            if !is_decided && planned_at.elapsed() >= PLAN_AGAIN {
                // Somebody may have removed the run.
                tasks.retain(|task| missing.contains(&(task.number as usize)));
                client.persist(|queue| queue.plan_tasks(run, &kind, &tasks))?;
                planned_at = Instant::now();
            }
        }
        for task in reports {
            let pair = usize::try_from(task.number)?;
            if !missing.contains(&pair) {
                numbers.push(task.number);
                continue;
            }
            match task.state {
                TaskState::Done { worker, report } => match read_report(plan, pair, &report) {
                    Ok(games) => {
                        for game in games.into_iter().filter(|game| !done[game.number]) {
                            is_decided |= !on_game(game)?;
                        }
                    }
                    Err(error) => {
                        let reason = format!("{error:#}");
                        note!("warning: {worker}, pair {pair}: {reason}");
                        client.persist(|queue| queue.refuse_task(run, task.number, &reason))?;
                        continue;
                    }
                },
                TaskState::Dead { reason } => {
                    note!("warning: pair {pair} was given up: {reason}");
                    given_up += 1;
                }
                TaskState::Waiting | TaskState::Leased { .. } => {}
            }
            missing.retain(|&missing| missing != pair);
            numbers.push(task.number);
        }
        // Their games are in the log.
        if !numbers.is_empty() {
            client.persist(|queue| queue.forget_tasks(run, &numbers))?;
        }
    }
    if client.is_stopped() {
        return Ok(());
    }
    // The log has everything.
    client.persist(|queue| queue.drop_tasks(run))?;
    ensure!(given_up == 0, "{given_up} pairs were given up by the workers");
    if !missing.is_empty() && !is_decided {
        bail!("{} pairs are missing", missing.len());
    }
    Ok(())
}
