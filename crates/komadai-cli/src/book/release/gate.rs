//! `book release`: a book for play, written once its values come from one engine.

use std::convert::Infallible;
use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use komadai::book::FileKind;
use komadai::book::release::{Remedy, remedies};
use komadai_console::{bad_usage, grouped, note, print_json};
use serde_json::{Value, json};

use super::leaves::LeafArgs;
use crate::book::files::output::WriteArgs;
use crate::book::files::source::check_is_another;
use crate::book::frontier::cost::CostArgs;
use crate::book::frontier::listing::{Style, print};

/// Write the propagated values of a working book for play, unless too many of them still come from
/// another engine.
///
/// The leaves of the lines that `book next` follows with the same arguments count: the moves by
/// which good play leaves the book. Their values decide all others on these lines. If more of them
/// than --max-stale come from another source than the wanted engine, nothing is written, the exit
/// code is 1, and standard output has the positions to analyse again, a line each as of `book
/// next`, most leaves first. `book refresh --first FILE` reads such lines.
///
/// Values with less than --min-nodes count as those of another source. Sources that differ only in
/// the number of lines, the size of the table or the threads are one engine. Analyses can move a
/// line elsewhere, so a second attempt may name further positions.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    komadai book release grown.kbook grown.db\n  \
    komadai book release grown.kbook grown.ybb --engine \"engine 2.0\" --max-stale 1 --nodes 1000000 --cost 500000 > mend.txt")]
pub(crate) struct Options {
    /// Working book.
    store: PathBuf,
    /// Book to write: .db, .ybb, .bin or .sbk.
    output: PathBuf,
    #[command(flatten)]
    leaves: LeafArgs,
    /// Maximum share of leaves from other sources, in percent.
    #[arg(long, value_name = "PERCENT", default_value_t = 5.0, value_parser = percentage)]
    max_stale: f64,
    #[command(flatten)]
    cost: CostArgs,
    #[command(flatten)]
    write: WriteArgs,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let Options { store, output, write, .. } = options;
    if write.kind(output)? == FileKind::Store {
        return Err(bad_usage(format_args!(
            "{}: a working book, expected a name ending in .db, .ybb, .bin or .sbk",
            output.display()
        )));
    }
    check_is_another(store, output)?;
    let leaves = options.leaves.read(store)?;
    leaves.source_lines().iter().for_each(|line| note!("{line}"));
    let (all, stale) = (leaves.all.len(), leaves.stale());
    let most = (options.max_stale / 100.0 * all as f64).floor() as usize;
    if stale <= most {
        let graph = leaves.book.graph();
        let valued = graph.records().filter_map(|record| graph.valued_record(&record.position));
        let written = write.write(valued.map(Ok::<_, Infallible>), output, store)?;
        if !write.is_json() {
            written.print(output, &[("leaves", all as u64), ("stale leaves", stale as u64)])?;
            return Ok(());
        }
        let mut object = written.to_json(output, &[]);
        object["released"] = json!(true);
        object["sources_of_leaves"] = leaves.to_json();
        print_json(&object)?;
        return Ok(());
    }

    let remedies = remedies(&leaves.all, |leaf| leaves.is_stale(leaf));
    let mut cleared = 0;
    let is_needed = |remedy: &&Remedy| {
        let is_needed = stale - cleared > most;
        cleared += remedy.leaves.len();
        is_needed
    };
    let needed = remedies.iter().take_while(is_needed).count();
    let rows = remedies.iter().map(|remedy| leaves.row(remedy));
    let cost = options.cost.of(needed);
    let summary = [
        ("released", json!(false)),
        ("sources_of_leaves", leaves.to_json()),
        ("needed", json!(needed)),
        ("cost", cost.map_or(Value::Null, |cost| cost.to_json())),
    ];
    print(rows, Style::new(write.is_json(), false), &summary)?;
    note!(
        "{} positions to analyse again; the first {} clear the way, as far as lines stay",
        grouped(remedies.len() as u64),
        grouped(needed as u64)
    );
    cost.iter().for_each(|cost| note!("{}", cost.to_line()));
    let engine = leaves.engine.as_ref().map_or("no engine".to_owned(), ToString::to_string);
    bail!(
        "{}: not released: {} of {} leaves ({:.1} %) do not come from {engine:?} with enough nodes, expected at most {} %",
        store.display(),
        grouped(stale as u64),
        grouped(all as u64),
        leaves.stale_percent(),
        options.max_stale
    )
}

fn percentage(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if (0.0..=100.0).contains(&number) => Ok(number),
        _ => Err("expected a percentage from 0 to 100".to_owned()),
    }
}
