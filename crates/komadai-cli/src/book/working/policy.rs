//! `book policy`: the choice among several values of a move.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, ValueEnum};
use komadai::book::store::{Store, ViewPolicy};
use komadai_console::{bad_usage, print_json, stdout};
use serde_json::json;

use crate::book::files::source::{find_analyst, open_store, read_store};

/// Show or set the policy that chooses among several values of a move.
///
/// The values that are not chosen stay in the log.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    komadai book policy grown.kbook\n  \
    komadai book policy grown.kbook most-nodes\n  \
    komadai book policy grown.kbook prefer \"engine 2.0\"")]
pub(crate) struct Options {
    /// Working book.
    store: PathBuf,
    /// Policy to set; without it, the present one is shown.
    #[arg(value_enum)]
    policy: Option<Policy>,
    /// Engine to prefer, by name or by name and version.
    name: Option<String>,
    /// Print one JSON object, and nothing else, on standard output.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Policy {
    /// The newest value.
    Newest,
    /// The value with the most nodes.
    MostNodes,
    /// The value with the greatest depth.
    Deepest,
    /// The mean of the engines' newest values.
    Mean,
    /// The newest value of the named engine, or else the newest value.
    Prefer,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    if options.name.is_some() != (options.policy == Some(Policy::Prefer)) {
        return Err(bad_usage("expected the name of an engine after `prefer`, and only there"));
    }
    if let Some(wanted) = options.policy {
        let store = open_store(&options.store)?;
        store.set_policy(&policy(&store, wanted, options.name.as_deref().unwrap_or_default())?)?;
    }
    let in_force = name(&read_store(&options.store)?.policy()?);
    if options.json {
        print_json(&json!({ "policy": in_force }))?;
    } else {
        writeln!(stdout(), "{in_force}")?;
    }
    Ok(())
}

/// Returns the policy; `engine` is the engine to prefer.
fn policy(store: &Store, wanted: Policy, engine: &str) -> anyhow::Result<ViewPolicy> {
    Ok(match wanted {
        Policy::Newest => ViewPolicy::Newest,
        Policy::MostNodes => ViewPolicy::MostNodes,
        Policy::Deepest => ViewPolicy::Deepest,
        Policy::Mean => ViewPolicy::Mean,
        Policy::Prefer => match find_analyst(store, engine)? {
            Some(analyst) => ViewPolicy::Prefer(analyst),
            None => {
                let names: Vec<String> =
                    store.analysts()?.iter().map(ToString::to_string).collect();
                bail!("{engine:?} has no evaluations here, expected one of {names:?}");
            }
        },
    })
}

/// Returns the name of a policy.
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
