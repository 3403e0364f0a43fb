//! `book merge`: several books as one.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use komadai::book::BookSource;
use komadai::bookfile::sorting::{Conflict, MergeRule, merge_records};

use crate::counted::counted;
use crate::output::WriteArgs;
use crate::source::{tolerance, warn_of_source};
use crate::usage::bad_usage;

/// Makes one book of several, of whatever formats, in bounded memory.
///
/// A position is one record, whatever its orientation and its move number; the rule says what becomes of
/// those that several books have, or one has twice.
#[derive(Debug, Args)]
#[command(after_help = "Example: book merge older.db newer.ybb both.db --rule union-last")]
pub(crate) struct Options {
    /// The books to read, the more important or the older ones first, and last the book to write.
    #[arg(required = true, num_args = 2.., value_names = ["IN", "OUT"])]
    books: Vec<PathBuf>,
    /// What becomes of a position that comes more than once.
    #[arg(long, value_enum, default_value_t = Rule::UnionFirst)]
    rule: Rule,
    #[command(flatten)]
    write: WriteArgs,
    /// Refuse a faulty book instead of skipping and counting its faults.
    #[arg(long)]
    strict: bool,
}

/// What becomes of a position that comes more than once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Rule {
    /// The first record, whole.
    First,
    /// The last record, whole.
    Last,
    /// The moves of all, counts added; of two values of a move the first.
    UnionFirst,
    /// The moves of all, counts added; of two values of a move the last.
    UnionLast,
    /// The moves of all, counts added; of two values of a move the one that looked further ahead.
    UnionDeeper,
}

impl Rule {
    fn rule(self) -> MergeRule {
        match self {
            Self::First => MergeRule::First,
            Self::Last => MergeRule::Last,
            Self::UnionFirst => MergeRule::Union(Conflict::First),
            Self::UnionLast => MergeRule::Union(Conflict::Last),
            Self::UnionDeeper => MergeRule::Union(Conflict::Deeper),
        }
    }
}

pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let Some((output, inputs)) = options.books.split_last().filter(|(_, rest)| !rest.is_empty())
    else {
        return Err(bad_usage("expected books to read and, last, the book to write"));
    };
    options.write.kind(output)?;
    let open = |path: &PathBuf| BookSource::open(path, tolerance(options.strict));
    let mut sources = inputs.iter().map(open).collect::<Result<Vec<_>, _>>()?;
    let books = sources.iter_mut().map(|source| counted("reading", source));
    let merged = merge_records(books, options.rule.rule(), &options.write.sort())?;
    sources.iter().for_each(warn_of_source);
    let counts = *merged.counts();
    let written = options.write.write(counted("writing", merged), output, &inputs[0])?;
    let figures = [
        ("read", counts.read),
        ("turned", counts.turned),
        ("moves with two values", counts.conflicts),
        ("skipped", sources.iter().map(BookSource::skipped).sum()),
    ];
    options.write.report(output, &written, &figures);
    Ok(())
}
