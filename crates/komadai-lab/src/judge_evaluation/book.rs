//! Agreement of the values of a book with a search of the same positions that visits many more
//! nodes.

use std::io::BufReader;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context as _, ensure};
use clap::Args;
use komadai::bookgraph::BookGraph;
use komadai::eval::Evaluator;
use komadai::kifu::Tolerance;
use komadai::prelude::*;
use komadai::search::{AlphaBeta, SearchOptions};
use komadai_base::file::open_regular;
use rayon::prelude::*;

use crate::judge_evaluation::evaluators::{AnyEvaluation, Loaded, centipawns};
use komadai_study::statistics::{median, pearson, spearman};

/// Largest value in the book and in the search, in centipawns: decided positions would make every
/// correlation high.
const MOST_CP: i32 = 1_000;

/// Options of `book`.
#[derive(Debug, Args)]
pub(crate) struct Book {
    /// Book in YaneuraOu's text format.
    book: PathBuf,
    /// Number of positions, spread over the book.
    #[arg(long, default_value_t = 200)]
    count: usize,
    /// Nodes of the search of each position.
    #[arg(long, default_value_t = 3_000_000)]
    nodes: u64,
    #[command(flatten)]
    evaluation: AnyEvaluation,
}

impl Book {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let name = || self.book.display().to_string();
        let file = open_regular(&self.book).with_context(name)?;
        let book =
            BookGraph::from_db(BufReader::new(file), Tolerance::Strict).with_context(name)?;
        let mut values: Vec<(Position, i32)> = book
            .records()
            .filter_map(|record| {
                let value = book.value(&record.position)?.score.to_cp()?;
                Some((record.position, value))
            })
            .filter(|&(_, value)| value.abs() <= MOST_CP)
            .collect();
        // By key: an order that does not depend on the values, and mixes the lengths of the lines.
        values.sort_by_key(|(position, _)| position.key());
        values.truncate(self.count);
        ensure!(values.len() >= 3, "{}: fewer than three positions have a value", name());
        let pairs = match self.evaluation.load()? {
            Loaded::Classical(evaluator) => self.search(&values, &evaluator),
            Loaded::Network(evaluator) => self.search(&values, &evaluator),
            Loaded::Linear(evaluator) => self.search(&values, &evaluator),
        };
        println!(
            "{} positions, {} nodes each: correlation {:.3}, rank correlation {:.3}, \
             median difference {:.0} cp",
            pairs.len(),
            self.nodes,
            pearson(&pairs),
            spearman(&pairs),
            median(pairs.iter().map(|(book, deep)| (book - deep).abs()).collect())
        );
        Ok(())
    }

    /// Returns the value of each position in the book and by the search.
    fn search<E: Evaluator + Send + Sync>(
        &self,
        values: &[(Position, i32)],
        evaluator: &Arc<E>,
    ) -> Vec<(f64, f64)> {
        let one = |(position, value): &(Position, i32)| {
            let options = SearchOptions { hash_mib: 64, ..SearchOptions::default() };
            let mut searcher = AlphaBeta::new(Arc::clone(evaluator), options);
            let found = searcher.search(position, &Budget::nodes(self.nodes), &mut |_| {});
            let deep = found.score().map(centipawns)?;
            (deep.abs() <= MOST_CP).then_some((f64::from(*value), f64::from(deep)))
        };
        values.par_iter().filter_map(one).collect()
    }
}
