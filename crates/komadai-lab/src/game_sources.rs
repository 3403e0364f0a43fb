//! The sources of games to fit predictions to: the bundled ones, files, and self-play.

use std::convert::Infallible;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use anyhow::anyhow;
use komadai::data::{SelfPlayOptions, generate};
use komadai::eval::Classical;
use komadai::prelude::*;

use crate::arena::threads;
use crate::recorded_games::{Game, Link, bundled, each};

/// Returns the games of the files, or the bundled games if there are no files.
pub(crate) fn read(files: &[PathBuf]) -> anyhow::Result<Vec<Game>> {
    if files.is_empty() {
        return Ok(bundled().collect());
    }
    let mut found = Vec::new();
    each(files, &mut |game| {
        found.push(game);
        Ok(())
    })?;
    Ok(found)
}

/// Self-play games that end with mate, a repetition or the limit of moves, not with a decided
/// score. They are the games of the seeds from 1 on.
pub(crate) fn self_played(count: u64, nodes: u64) -> Vec<Game> {
    let options =
        SelfPlayOptions { nodes, decided_cp: i32::MAX, hash_mib: 1, ..SelfPlayOptions::default() };
    let mut found = Vec::new();
    let evaluator: Classical = Default::default();
    let seed = |number: u64| (number < count).then_some(number + 1);
    let played: Result<(), Infallible> =
        generate(&evaluator, &options, threads(0), &seed, &AtomicBool::new(false), &mut |game| {
            let mut link = Link::default();
            for at in &game.positions {
                if let Ok(position) = at
                    .position
                    .to_setup()
                    .map_err(|error| anyhow!(error))
                    .and_then(|setup| Ok(Position::from_setup(&setup)?))
                {
                    found.extend(link.add(&position, Some(at.best_move)));
                }
            }
            found.extend(link.finish());
            Ok(ControlFlow::Continue(()))
        });
    let Ok(()) = played;
    found
}
