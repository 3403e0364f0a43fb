//! A search with its settings, from a text.

use core::fmt;
use core::str::FromStr;

use anyhow::{Context as _, bail};
use komadai::core::Analysis;
use komadai::eval::Classical;
use komadai::prelude::*;
use komadai::search::selective::{AbcOptions, MoveModel, RealizationOptions, Selective};
use komadai::search::{AlphaBeta, SearchOptions, Searcher, Techniques};

/// The searches without `--row`.
pub(super) const DEFAULT: [&str; 7] = [
    "realization",
    "abc",
    "alpha-beta",
    "alpha-beta:with=REGRESSION_PROBCUT",
    "alpha-beta:with=PROBABILITY_REDUCTION",
    "alpha-beta:with=INFORMATION_EXTENSION",
    "alpha-beta:without=LATE_MOVE_REDUCTION",
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
    Selective(Box<Settings>),
}

/// A selective search, with the settings of both kinds.
#[derive(Debug, Clone, Default)]
struct Settings {
    is_abc: bool,
    realization: RealizationOptions,
    abc: AbcOptions,
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
            Kind::Selective(settings) => {
                let Settings { is_abc, realization, abc } = (**settings).clone();
                let mut searcher = if is_abc {
                    Selective::abc(Classical::default(), abc)
                } else {
                    Selective::realization_probability(Classical::default(), realization)
                };
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
        let name = parts.next().unwrap_or_default();
        let mut search = SearchOptions { hash_mib: HASH_MIB, ..SearchOptions::default() };
        let mut settings = Settings { is_abc: name == "abc", ..Settings::default() };
        for part in parts {
            let (name, value) = part.split_once('=').context("expected NAME=VALUE")?;
            change(&mut settings, &mut search, name, value).with_context(|| part.to_owned())?;
        }
        let kind = match name {
            "alpha-beta" => Kind::AlphaBeta(Box::new(search)),
            "realization" | "abc" => {
                settings.realization.search = search.clone();
                settings.abc.search = search;
                Kind::Selective(Box::new(settings))
            }
            _ => bail!("expected alpha-beta, realization or abc"),
        };
        Ok(Self { text: text.to_owned(), kind })
    }
}

/// Changes one setting.
fn change(
    settings: &mut Settings,
    search: &mut SearchOptions,
    name: &str,
    value: &str,
) -> anyhow::Result<()> {
    let Settings { realization, abc, .. } = settings;
    match name {
        "model" => {
            let model = match value {
                "softmax" => MoveModel::Softmax,
                "classes" => MoveModel::Classes,
                _ => bail!("expected softmax or classes"),
            };
            (realization.model, abc.order) = (model, model);
        }
        "surprise" if value == "off" => realization.surprise_cost = None,
        "surprise" => realization.surprise_cost = Some(value.parse()?),
        "table-move" => realization.table_move_cost = value.parse()?,
        "margin" => abc.margin = value.parse()?,
        "with" => search.techniques |= technique(value)?,
        "without" => search.techniques -= technique(value)?,
        _ => bail!("expected model, surprise, table-move, margin, with or without"),
    }
    Ok(())
}

fn technique(name: &str) -> anyhow::Result<Techniques> {
    Techniques::from_name(name).context("expected a technique such as NULL_MOVE")
}
