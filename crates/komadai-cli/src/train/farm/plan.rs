//! The planning of self-play on a queue.

use std::io::Write as _;

use anyhow::ensure;
use clap::Args;
use komadai::data::{GameRange, Run};
use komadai_console::{bad_usage, grouped, stdout};
use komadai_farm::{FarmQueue, FarmUrl, NewTask};

use super::share::{RunName, kind, range};
use crate::book::farm::access::{Access, host};

/// The arguments about a queue.
#[derive(Debug, Args)]
pub(in crate::train) struct PlanArgs {
    /// Address of a queue, postgres://USER@HOST/DATABASE: plan the games there and play none here.
    /// `train worker` plays them, `train collect` joins their records.
    #[arg(long, value_name = "URL", conflicts_with_all = ["folder", "positions", "threads", "page"], requires = "run")]
    pub(in crate::train) queue: Option<FarmUrl>,
    #[command(flatten)]
    access: Access,
    /// Name of the games on the queue, and of the folder of their records.
    #[arg(long, value_name = "NAME", requires = "queue")]
    run: Option<RunName>,
    /// Number of games of the run. With a larger number than before, further games are added.
    #[arg(long, requires = "queue", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    games: Option<u64>,
    /// Number of games of a task, which one worker plays. A task that is interrupted is played again
    /// from its start.
    #[arg(long, value_name = "GAMES", default_value_t = 500, requires = "queue",
          value_parser = clap::value_parser!(u64).range(1..=10_000))]
    per_task: u64,
    /// Remove the run from the queue. Files of records stay.
    #[arg(long, requires = "queue", conflicts_with = "games")]
    drop: bool,
}

impl PlanArgs {
    /// Plans the games of a run, or removes it.
    pub(in crate::train) fn plan(&self, url: &FarmUrl, run: &Run) -> anyhow::Result<()> {
        let queue = FarmQueue::open(&self.access.complete(url)?, host())?;
        let name = self.run.as_ref().expect("the parser asks for it");
        if self.drop {
            let dropped = queue.drop_tasks(name.as_str())?;
            writeln!(stdout(), "{dropped} tasks of the run {name} removed")?;
            return Ok(());
        }
        let games = self.games.ok_or_else(|| bad_usage("--queue needs --games or --drop"))?;
        let planned = queue.tasks(name.as_str())?;
        // The next game, and the number of the next task.
        let (mut first, mut number) = (0, 0);
        for task in &planned {
            let found = range(task)?;
            ensure!(
                found.run == *run,
                "the run {name} has other settings: found {}, expected {}",
                serde_json::to_string(&found.run)?,
                serde_json::to_string(run)?
            );
            first = found.first + found.games;
            number = task.number + 1;
        }
        let mut tasks = Vec::new();
        while first < games {
            let range =
                GameRange { run: run.clone(), first, games: self.per_task.min(games - first) };
            tasks.push(NewTask { number, spec: serde_json::to_string(&range)? });
            first += range.games;
            number += 1;
        }
        let added = queue.plan_tasks(name.as_str(), &kind(run), &tasks)?;
        let (count, games) = (planned.len() + tasks.len(), grouped(first));
        writeln!(
            stdout(),
            "{added} tasks added; the run {name} has {count} tasks of {games} games"
        )?;
        Ok(())
    }
}
