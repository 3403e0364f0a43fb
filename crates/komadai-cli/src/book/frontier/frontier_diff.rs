//! `book frontier-diff`: what became of the positions that were to be searched.

use std::io::{self, BufWriter, Write as _};
use std::path::PathBuf;

use clap::{ArgGroup, Args};
use komadai::book::{BookKind, WorkingBook};
use komadai::bookgraph::BookGraph;
use komadai::bookgraph::frontier::{FrontierDiff, FrontierPosition, SearchedPosition};
use komadai::core::UsiPosition;
use serde_json::{Map, Value, json};

use crate::listing::{Row, Style, value_number};
use crate::selection::Selection;
use crate::source::{read_graph, read_store};
use crate::usage::bad_usage;

/// Compares where good play leaves a book now and where it left it before.
///
/// Prints a line for each position: `new` if only good play of now comes there, `searched` with the value
/// found since and how the book goes on, or `unreached` if it was never searched and good play does not
/// come there any more. Then `sfen …` and the moves that lead there, as `book next` prints them.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("earlier").args(["since", "before"]).required(true))]
#[command(after_help = "Examples:\n  \
    book frontier-diff white.kbook --since \"generation 3\" --side white\n  \
    book frontier-diff new.db --before old.db --side black --eval-diff 50 --json")]
pub(crate) struct Options {
    /// The book.
    input: PathBuf,
    /// Of a working book: the snapshot to compare with.
    #[arg(long, value_name = "SNAPSHOT")]
    since: Option<String>,
    /// An earlier book, to compare with.
    #[arg(long, value_name = "BOOK")]
    before: Option<PathBuf>,
    #[command(flatten)]
    selection: Selection,
    /// Say in further columns why each position is or was to be searched.
    #[arg(long)]
    reasons: bool,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let (earlier, later) = graphs(options)?;
    let diff = FrontierDiff::between(&earlier, &later, &options.selection.options()?);
    let roots = options.selection.roots.said();
    let rows = |found: &[FrontierPosition]| -> Vec<Row> {
        found.iter().map(|found| Row::of_frontier(found, &roots)).collect()
    };
    let searched = diff.searched.iter().map(|found| searched_row(found, &roots)).collect();
    let groups =
        [("new", rows(&diff.new)), ("searched", searched), ("unreached", rows(&diff.unreached))];
    let mut out = BufWriter::new(io::stdout().lock());
    if options.json {
        let mut object: Map<String, Value> = groups
            .iter()
            .map(|(name, rows)| ((*name).to_owned(), rows.iter().map(Row::to_json).collect()))
            .collect();
        object.insert("kept".to_owned(), json!(diff.kept));
        writeln!(out, "{}", Value::Object(object))?;
    } else {
        for (name, rows) in &groups {
            // What was found is what one asks for of a position that was searched.
            let style = Style::new(false, options.reasons || *name == "searched");
            for row in rows {
                write!(out, "{name}\t")?;
                row.write_line(&mut out, style)?;
            }
        }
    }
    out.flush()?;
    let counts: Vec<_> =
        groups.iter().map(|(name, rows)| format!("{} {name}", rows.len())).collect();
    eprintln!("{}, {} as before", counts.join(", "), diff.kept);
    Ok(())
}

/// The book before and now.
fn graphs(
    Options { input, since, before, .. }: &Options,
) -> anyhow::Result<(BookGraph, BookGraph)> {
    if let Some(before) = before {
        return Ok((read_graph(before)?, read_graph(input)?));
    }
    let name = since.as_deref().expect("one of the two is required");
    if BookKind::of_file(input)? != BookKind::Store {
        return Err(bad_usage(format_args!(
            "{}: only a working book has snapshots; --before BOOK compares with another book",
            input.display()
        )));
    }
    let store = read_store(input)?;
    let earlier = store.graph_at(name)?;
    Ok((earlier, WorkingBook::of_store(store)?.into_graph()))
}

fn searched_row(found: &SearchedPosition, roots: &[UsiPosition]) -> Row {
    let line: Vec<String> = found.best_line.iter().map(ToString::to_string).collect();
    Row::of_frontier(&found.position, roots)
        .with("value", value_number(found.value))
        .with("best_line", line.join(" "))
}
