//! `book policy`: which of several values of a move counts.

use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, ValueEnum};
use komadai::book::ViewPolicy;

use crate::source::{find_analyst, open_store, read_store};
use crate::usage::bad_usage;

/// Shows or decides which of several values of a move counts. Nothing is lost: the others stay in the log.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    book policy grown.kbook\n  \
    book policy grown.kbook most-nodes\n  \
    book policy grown.kbook prefer \"engine 2.0\"")]
pub(crate) struct Options {
    /// The working book.
    store: PathBuf,
    /// The policy; without it, the one in force is shown.
    #[arg(value_enum)]
    policy: Option<Policy>,
    /// The engine to prefer: its name, or name and version.
    name: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Policy {
    /// The value logged last.
    Newest,
    /// The value with most nodes.
    MostNodes,
    /// The value that looked ahead furthest.
    Deepest,
    /// The mean of what the engines last said.
    Mean,
    /// The newest value of the engine named, or else the newest.
    Prefer,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    if options.name.is_some() != (options.policy == Some(Policy::Prefer)) {
        return Err(bad_usage("an engine is to be named after `prefer`, and only there"));
    }
    let Some(wanted) = options.policy else {
        println!("{}", name(&read_store(&options.store)?.policy()?));
        return Ok(());
    };
    let store = open_store(&options.store)?;
    let policy = match wanted {
        Policy::Newest => ViewPolicy::Newest,
        Policy::MostNodes => ViewPolicy::MostNodes,
        Policy::Deepest => ViewPolicy::Deepest,
        Policy::Mean => ViewPolicy::Mean,
        Policy::Prefer => {
            let wanted = options.name.as_deref().unwrap_or_default();
            match find_analyst(&store, wanted)? {
                Some(analyst) => ViewPolicy::Prefer(analyst),
                None => {
                    let known: Vec<String> =
                        store.analysts()?.iter().map(ToString::to_string).collect();
                    bail!("{wanted:?} has judged nothing here, expected one of {known:?}");
                }
            }
        }
    };
    store.set_policy(&policy)?;
    println!("{}", name(&policy));
    Ok(())
}

/// A policy in words.
pub(crate) fn name(policy: &ViewPolicy) -> String {
    match policy {
        ViewPolicy::Newest => "newest".to_owned(),
        ViewPolicy::MostNodes => "most-nodes".to_owned(),
        ViewPolicy::Deepest => "deepest".to_owned(),
        ViewPolicy::Mean => "mean".to_owned(),
        ViewPolicy::Prefer(analyst) => format!("prefer {analyst}"),
        other => format!("{other:?}"),
    }
}
