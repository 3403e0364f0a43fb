//! The selective searches, compared with plain recursions, and their rules.

mod abc;
mod limits;
mod naive;
mod signature;
mod surprise;
mod threads;

use std::sync::Arc;

use komadai_core::{Analysis, Budget, Move, Position};
use komadai_eval::Classical;
use komadai_search::selective::{RealizationOptions, Selective};
use komadai_search::{MoveProbability, SearchOptions, Searcher, Techniques};

/// A model in which each move has the same probability, whatever the others are.
#[derive(Debug)]
struct Constant(f32);

impl MoveProbability for Constant {
    fn scores(&self, _: &Position, moves: &[Move]) -> Vec<f32> {
        vec![self.0.ln(); moves.len()]
    }

    fn probabilities(&self, _: &Position, moves: &[Move]) -> Vec<f32> {
        vec![self.0; moves.len()]
    }
}

fn searcher(options: RealizationOptions) -> Selective<Classical> {
    let search = SearchOptions { hash_mib: 1, ..options.search };
    Selective::realization_probability(
        Classical::default(),
        RealizationOptions { search, ..options },
    )
}

/// The search without any technique, whose costs are those of the model.
fn plain(techniques: Techniques) -> RealizationOptions {
    let search = SearchOptions { techniques, ..SearchOptions::default() };
    RealizationOptions { search, table_move_cost: u32::MAX, ..RealizationOptions::default() }
}

fn search(options: RealizationOptions, position: &Position, nats: u32) -> Analysis {
    searcher(options).search(position, &Budget::depth(nats), &mut |_| {})
}

fn with_model(
    options: RealizationOptions,
    model: impl MoveProbability + 'static,
    position: &Position,
    nats: u32,
) -> Analysis {
    let mut searcher = searcher(options);
    searcher.set_move_probability(Arc::new(model));
    searcher.search(position, &Budget::depth(nats), &mut |_| {})
}
