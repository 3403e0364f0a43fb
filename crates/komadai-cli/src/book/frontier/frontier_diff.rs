//! `book frontier-diff`: changes of the frontier since an earlier state.

use std::io::{BufWriter, Write as _};
use std::path::PathBuf;

use clap::{ArgGroup, Args};
use komadai::book::{FileKind, StartPosition, WorkingBook};
use komadai::bookgraph::BookGraph;
use komadai::bookgraph::frontier::{FrontierDiff, FrontierPosition, SearchedPosition};
use komadai_console::{Output, bad_usage, note};
use serde_json::{Map, Value, json};

use crate::book::files::source::{read_graph, read_store};
use crate::book::frontier::listing::{ListingArgs, Row, Style, value_number};
use crate::book::frontier::selection::Selection;

/// Compare the frontier of a book with an earlier one.
///
/// The frontier is the set of positions at which good play leaves the book. Prints a line per
/// position that is in one frontier only: `new` if it is in the present one, `searched` if it was
/// searched since, with its value and the book's best line from there, or `unreached` if it was not
/// searched and good play no longer leads to it. The rest of a line is that of `book next`.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("earlier").args(["since", "before"]).required(true))]
#[command(after_help = "Examples:\n  \
    komadai book frontier-diff white.kbook --since \"generation 3\" --side white\n  \
    komadai book frontier-diff new.db --before old.db --side black --eval-diff 50 --json")]
pub(crate) struct Options {
    /// Book: .db, .ybb, .bin, .sbk or .kbook.
    input: PathBuf,
    /// Snapshot of a working book to compare with.
    #[arg(long, value_name = "SNAPSHOT")]
    since: Option<String>,
    /// Earlier book to compare with.
    #[arg(long, value_name = "BOOK")]
    before: Option<PathBuf>,
    #[command(flatten)]
    selection: Selection,
    #[command(flatten)]
    listing: ListingArgs,
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let (earlier, later) = graphs(options)?;
    let roots = options.selection.roots.read()?;
    let diff = FrontierDiff::between(&earlier, &later, &options.selection.options(&roots));
    let rows = |found: &[FrontierPosition]| -> Vec<Row> {
        found.iter().map(|found| Row::of_frontier(found, &roots)).collect()
    };
    let searched = diff.searched.iter().map(|found| searched_row(found, &roots)).collect();
    let groups =
        [("new", rows(&diff.new)), ("searched", searched), ("unreached", rows(&diff.unreached))];
    let mut out = BufWriter::new(Output::json_if(options.listing.json));
    if options.listing.json {
        let mut object: Map<String, Value> = groups
            .iter()
            .map(|(name, rows)| ((*name).to_owned(), rows.iter().map(Row::to_json).collect()))
            .collect();
        object.insert("kept".to_owned(), json!(diff.kept));
        writeln!(out, "{}", Value::Object(object))?;
    } else {
        for (name, rows) in &groups {
            // The value found is the point of a line about a searched position.
            let style = Style::new(false, options.listing.reasons || *name == "searched");
            for row in rows {
                write!(out, "{name}\t")?;
                row.write_line(&mut out, style)?;
            }
        }
    }
    out.flush()?;
    let counts: Vec<_> =
        groups.iter().map(|(name, rows)| format!("{} {name}", rows.len())).collect();
    note!("{}, {} as before", counts.join(", "), diff.kept);
    Ok(())
}

/// Returns the earlier and the present book.
fn graphs(
    Options { input, since, before, .. }: &Options,
) -> anyhow::Result<(BookGraph, BookGraph)> {
    if let Some(before) = before {
        return Ok((read_graph(before)?, read_graph(input)?));
    }
    let name = since.as_deref().expect("one of the two is required");
    if FileKind::of_book(input)? != FileKind::Store {
        return Err(bad_usage(format_args!(
            "{}: only a working book has snapshots, expected --before BOOK for this one",
            input.display()
        )));
    }
    let store = read_store(input)?;
    let earlier = store.graph_at(name)?;
    Ok((earlier, WorkingBook::of_store(store)?.into_graph()))
}

fn searched_row(found: &SearchedPosition, roots: &[StartPosition]) -> Row {
    let line: Vec<String> = found.best_line.iter().map(ToString::to_string).collect();
    Row::of_frontier(&found.position, roots)
        .with("value", value_number(found.value))
        .with("best_line", line.join(" "))
}
