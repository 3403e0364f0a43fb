//! `book policy`: which of several values of a move counts.

use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, ValueEnum};
use komadai::book::store::{Store, ViewPolicy};
use serde_json::json;

use crate::source::{find_analyst, open_store, read_store};
use crate::usage::bad_usage;

/// Shows or decides which of several values of a move counts.
///
/// Nothing is lost: the others stay in the log.
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
    /// Print one JSON object, and nothing else, on standard output.
    #[arg(long)]
    json: bool,
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
    if let Some(wanted) = options.policy {
        let store = open_store(&options.store)?;
        store.set_policy(&policy(&store, wanted, options.name.as_deref().unwrap_or_default())?)?;
    }
    let in_force = name(&read_store(&options.store)?.policy()?);
    match options.json {
        true => println!("{}", json!({ "policy": in_force })),
        false => println!("{in_force}"),
    }
    Ok(())
}

/// The policy that is meant; `engine` is the one to prefer.
fn policy(store: &Store, wanted: Policy, engine: &str) -> anyhow::Result<ViewPolicy> {
    Ok(match wanted {
        Policy::Newest => ViewPolicy::Newest,
        Policy::MostNodes => ViewPolicy::MostNodes,
        Policy::Deepest => ViewPolicy::Deepest,
        Policy::Mean => ViewPolicy::Mean,
        Policy::Prefer => match find_analyst(store, engine)? {
            Some(analyst) => ViewPolicy::Prefer(analyst),
            None => {
                let known: Vec<String> =
                    store.analysts()?.iter().map(ToString::to_string).collect();
                bail!("{engine:?} has judged nothing here, expected one of {known:?}");
            }
        },
    })
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
