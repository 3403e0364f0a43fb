//! A search of games in files, archives and folders, or in an index of them.

mod extract;
mod files;
mod found;
mod indexed;
mod listing;
mod options;
mod results;

use std::process::ExitCode;
use std::sync::atomic::Ordering;

use komadai_console::{interrupted, stop_on_interrupt};

use self::results::Results;
use crate::arguments::faults::exit_code;

pub(super) use self::options::Options;

pub(super) fn run(options: &Options) -> anyhow::Result<ExitCode> {
    let query = options.criteria.query()?;
    let mut results = Results::new(options)?;
    let stop = stop_on_interrupt()?;
    let mut lost = 0;
    match &options.index {
        Some(path) => indexed::search(path, options, &query, &stop, &mut results)?,
        None => lost = files::search(options, &query, &stop, &mut results)?,
    }
    results.finish()?;
    if stop.load(Ordering::Relaxed) {
        return Err(interrupted("stopped; games that were not read yet are not searched"));
    }
    Ok(exit_code(lost))
}
