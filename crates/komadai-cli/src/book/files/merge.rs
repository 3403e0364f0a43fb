//! `book merge`: several books united.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use komadai::book::BookSource;
use komadai::bookfile::sorting::{Conflict, MergeRule, merge_records};
use komadai_console::{bad_usage, counted, tolerance};

use crate::book::files::output::WriteArgs;
use crate::book::files::source::{check_keeps_store, warn_of_source};

/// Unite several books of any formats in one, in bounded memory.
///
/// Records of a position in either orientation and with any move number are united by the rule.
#[derive(Debug, Args)]
#[command(after_help = "Example: komadai book merge older.db newer.ybb both.db --rule union-last")]
pub(crate) struct Options {
    /// Books to read, in the order that the rule refers to, and last the book to write.
    #[arg(required = true, num_args = 2.., value_names = ["IN", "OUT"])]
    books: Vec<PathBuf>,
    /// Rule for positions that occur more than once.
    #[arg(long, value_enum, default_value_t = Rule::UnionFirst)]
    rule: Rule,
    #[command(flatten)]
    write: WriteArgs,
    /// Refuse a faulty book instead of skipping and counting its faults.
    #[arg(long)]
    strict: bool,
}

/// The rule for positions that occur more than once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Rule {
    /// Keep the first record.
    First,
    /// Keep the last record.
    Last,
    /// Unite the moves and add their counts; of two values of a move, keep the first.
    UnionFirst,
    /// Unite the moves and add their counts; of two values of a move, keep the last.
    UnionLast,
    /// Unite the moves and add their counts; of two values of a move, keep the deeper one.
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
    inputs.iter().try_for_each(|input| check_keeps_store(input, output))?;
    let open = |path: &PathBuf| BookSource::open(path, tolerance(options.strict));
    let mut sources = inputs.iter().map(open).collect::<Result<Vec<_>, _>>()?;
    let books = sources.iter_mut().map(|source| counted("reading", source));
    let (counts, merged) = merge_records(books, options.rule.rule(), &options.write.sort())?;
    sources.iter().for_each(warn_of_source);
    let written = options.write.write(counted("writing", merged), output, &inputs[0])?;
    let figures = [
        ("read", counts.read),
        ("turned", counts.turned),
        ("moves with two values", counts.conflicts),
        ("skipped", sources.iter().map(BookSource::skipped).sum()),
    ];
    options.write.report(output, &written, &figures)?;
    Ok(())
}
