//! Matches between changed parameters and the defaults.

use std::str::FromStr;

use anyhow::{Context as _, ensure};
use clap::Args;
use komadai::search::Parameters;

use crate::arena::{elo, settings};
use crate::tune_search::terms::Terms;

/// Options of `compare`.
#[derive(Debug, Args)]
pub(crate) struct Compare {
    /// The changes, by the names of `Parameters`: `reduction_slope=450`.
    #[arg(required = true)]
    changes: Vec<Change>,
    /// Number of games.
    #[arg(long, default_value_t = 400)]
    games: usize,
    /// Seed of the random moves after the openings.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    terms: Terms,
}

/// A parameter with its new value.
#[derive(Debug, Clone)]
struct Change {
    name: String,
    value: i32,
}

impl FromStr for Change {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let (name, value) = text.split_once('=').context("expected NAME=VALUE")?;
        ensure!(Parameters::default().get(name).is_some(), "there is no parameter {name}");
        Ok(Self { name: name.to_owned(), value: value.parse()? })
    }
}

impl Compare {
    pub(crate) fn run(&self) -> anyhow::Result<()> {
        let usual = settings(16);
        let mut changed = usual.clone();
        for Change { name, value } in &self.changes {
            changed.parameters.set(name, *value);
            let kept = changed.parameters.get(name);
            ensure!(kept == Some(*value), "{name} is limited to {}", kept.unwrap_or_default());
        }
        let pairs = self.terms.play([&changed, &usual], self.games, self.seed)?;
        println!("Elo {}", elo(&pairs).context("no pair of games was finished")?);
        Ok(())
    }
}
