//! A search with its settings, from a text.

use core::fmt;
use core::str::FromStr;

use anyhow::{Context as _, bail};
use komadai::core::Analysis;
use komadai::eval::Classical;
use komadai::prelude::*;
use komadai::search::selective::{MoveModel, RealizationOptions, RealizationProbability};
use komadai::search::{AlphaBeta, SearchOptions, Searcher, Techniques};

/// The searches without `--row`.
pub(super) const DEFAULT: [&str; 6] = [
    "realization",
    "realization:surprise=100",
    "realization:surprise=off",
    "realization:model=classes",
    "alpha-beta:without=LATE_MOVE_REDUCTION",
    "alpha-beta",
];

/// Size of the transposition table in MiB.
const HASH_MIB: usize = 64;

/// A search with its settings.
#[derive(Debug, Clone)]
pub(super) struct Row {
    text: String,
    kind: Kind,
}

#[derive(Debug, Clone)]
enum Kind {
    AlphaBeta(Box<SearchOptions>),
    Realization(Box<RealizationOptions>),
}

impl Row {
    /// Searches a position; returns the mean distance of the leaves as well, if it is counted.
    pub(super) fn search(
        &self,
        position: &Position,
        budget: &Budget,
        progress: &mut dyn FnMut(&Analysis),
    ) -> (Analysis, Option<f64>) {
        match &self.kind {
            Kind::AlphaBeta(options) => {
                let mut searcher = AlphaBeta::new(Classical::default(), (**options).clone());
                (searcher.search(position, budget, progress), None)
            }
            Kind::Realization(options) => {
                let mut searcher =
                    RealizationProbability::new(Classical::default(), (**options).clone());
                let analysis = searcher.search(position, budget, progress);
                (analysis, searcher.statistics().mean_leaf_depth())
            }
        }
    }
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Row {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let mut parts = text.split(':');
        let mut options = RealizationOptions::default();
        options.search.hash_mib = HASH_MIB;
        let name = parts.next().unwrap_or_default();
        for part in parts {
            let (name, value) = part.split_once('=').context("expected NAME=VALUE")?;
            change(&mut options, name, value).with_context(|| part.to_owned())?;
        }
        let kind = match name {
            "alpha-beta" => Kind::AlphaBeta(Box::new(options.search)),
            "realization" => Kind::Realization(Box::new(options)),
            _ => bail!("expected alpha-beta or realization"),
        };
        Ok(Self { text: text.to_owned(), kind })
    }
}

/// Changes one setting.
fn change(options: &mut RealizationOptions, name: &str, value: &str) -> anyhow::Result<()> {
    match name {
        "model" => {
            options.model = match value {
                "softmax" => MoveModel::Softmax,
                "classes" => MoveModel::Classes,
                _ => bail!("expected softmax or classes"),
            }
        }
        "surprise" if value == "off" => options.surprise_cost = None,
        "surprise" => options.surprise_cost = Some(value.parse()?),
        "table-move" => options.table_move_cost = value.parse()?,
        "with" => options.search.techniques |= technique(value)?,
        "without" => options.search.techniques -= technique(value)?,
        _ => bail!("expected model, surprise, table-move, with or without"),
    }
    Ok(())
}

fn technique(name: &str) -> anyhow::Result<Techniques> {
    Techniques::from_name(name).context("expected a technique such as NULL_MOVE")
}
