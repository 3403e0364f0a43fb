//! Searches the start position with a deep network and prints the moves of the root.
//!
//! ```text
//! cargo run --release -p komadai-onnx --features tract --example root_moves -- model.onnx
//! cargo run --release -p komadai-onnx --features tract --example root_moves -- random:192x10 400 32
//! ```
//!
//! The arguments are the model, the number of playouts and the size of batches. `random:CxB` is a
//! network of C channels and B blocks with random weights, for measurements of speed.

mod protobuf;
mod random_network;

use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context as _, Result};
use komadai_core::{Budget, Position};
use komadai_eval::Material;
use komadai_onnx::DlshogiModel;
use komadai_search::Searcher;
use komadai_search::monte_carlo::{MonteCarlo, MonteCarloOptions};
use random_network::{Network, Numbers, random_network};

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |index: usize, standard: usize| {
        arguments.get(index).map_or(Ok(standard), |text| text.parse::<usize>())
    };
    let source = arguments.first().context("the first argument is a model, or random:16x2")?;
    let model = match source.strip_prefix("random:").and_then(|size| size.split_once('x')) {
        Some((channels, blocks)) => {
            let (channels, blocks) = (channels.parse()?, blocks.parse()?);
            let (batch, numbers) = (None, Numbers::Single);
            let network = Network { channels, blocks, batch, planes2: 57, numbers };
            DlshogiModel::read(&random_network(network)[..])?
        }
        None => DlshogiModel::open(source).with_context(|| source.clone())?,
    };
    let mut options = MonteCarloOptions::modern();
    options.playouts = Some(number(1, 100).context("the number of playouts")? as u64);
    let model = model.with_batch_size(number(2, 8).context("the size of batches")?);
    // The network values the leaves; the evaluator is not used.
    let mut searcher = MonteCarlo::new(Material, options);
    searcher.set_policy_value(Some(Arc::new(model)));
    let start = Instant::now();
    searcher.search(&Position::hirate(), &Budget::unlimited(), &mut |_| {});
    let seconds = start.elapsed().as_secs_f64();
    if let Some(error) = searcher.policy_value_error() {
        anyhow::bail!("{error}: {:?}", std::error::Error::source(error));
    }
    println!("move     visits    prior     rate");
    for found in searcher.root_moves().iter().take(10) {
        println!("{:6} {:8} {:8.4} {:8.4}", found.m, found.visits, found.prior, found.rate);
    }
    println!("{:.0} playouts a second", searcher.playouts() as f64 / seconds);
    Ok(())
}
