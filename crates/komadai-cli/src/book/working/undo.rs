//! `book undo`: a list of deletions, and their undoing.

use std::io::{self, Write as _};
use std::path::PathBuf;

use anyhow::ensure;
use clap::Args;
use komadai::book::clock::seconds_since_1970;
use komadai::book::store::Tombstone;
use komadai_base::text::printable;
use komadai_console::{bad_usage, date, print_json, stdout};
use serde_json::{Value, json};

use crate::book::files::source::{open_store, read_store};

/// Restore deleted moves with all their data.
///
/// With --list, lists all deletions with their reasons and games.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  komadai book undo grown.kbook --list\n  komadai book undo grown.kbook 3 4\n  \
    komadai book undo grown.kbook --last"
)]
pub(crate) struct Options {
    /// Working book.
    store: PathBuf,
    /// Numbers of the deletions to undo.
    ids: Vec<u64>,
    /// Undo the newest deletion in force and those made together with it.
    #[arg(long, conflicts_with_all = ["ids", "list"])]
    last: bool,
    /// List all deletions, including undone ones.
    #[arg(long, conflicts_with = "ids")]
    list: bool,
    /// Print JSON, and nothing else, on standard output.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    if !options.list && !options.last && options.ids.is_empty() {
        return Err(bad_usage("expected numbers of deletions, --last or --list"));
    }
    let store =
        if options.list { read_store(&options.store)? } else { open_store(&options.store)? };
    let tombstones = store.tombstones()?;
    if options.list {
        if options.json {
            print_json(&tombstones.iter().map(tombstone_json).collect())?;
        } else {
            tombstones.iter().try_for_each(print)?;
        }
        return Ok(());
    }
    let ids = if options.last { last(&tombstones) } else { options.ids.clone() };
    ensure!(!ids.is_empty(), "{}: no deletion is in force", options.store.display());
    let undone = store.undo(&ids, seconds_since_1970())?;
    if options.json {
        print_json(&json!({ "undone": undone, "ids": ids }))?;
    } else {
        writeln!(stdout(), "{undone} deletions undone")?;
    }
    Ok(())
}

/// Returns the newest deletion in force and those of the same time.
fn last(tombstones: &[Tombstone]) -> Vec<u64> {
    let in_force = || tombstones.iter().filter(|tombstone| tombstone.undone.is_none());
    let newest = in_force().next_back().map(|tombstone| tombstone.deletion.when);
    let made_together = in_force().filter(|tombstone| Some(tombstone.deletion.when) == newest);
    made_together.map(|tombstone| tombstone.id).collect()
}

fn print(tombstone: &Tombstone) -> io::Result<()> {
    let deletion = &tombstone.deletion;
    let state = match tombstone.undone {
        None => "in force".to_owned(),
        Some(when) => format!("undone {}", date(when)),
    };
    let what = deletion.m.map_or("all moves".to_owned(), |m| m.to_string());
    writeln!(
        stdout(),
        "{}: {what} in {}\n  {}, {state}, generation {}\n  {}",
        tombstone.id,
        deletion.position,
        date(deletion.when),
        deletion.generation,
        printable(&deletion.reason),
    )?;
    if !deletion.games.is_empty() {
        let games: Vec<String> = deletion.games.iter().map(ToString::to_string).collect();
        writeln!(stdout(), "  games {}", games.join(" "))?;
    }
    Ok(())
}

/// Returns a deletion as a JSON object.
pub(crate) fn tombstone_json(tombstone: &Tombstone) -> Value {
    let deletion = &tombstone.deletion;
    json!({
        "id": tombstone.id,
        "sfen": deletion.position,
        "move": deletion.m,
        "reason": deletion.reason,
        "when": deletion.when,
        "generation": deletion.generation,
        "games": deletion.games,
        "undone": tombstone.undone,
    })
}
