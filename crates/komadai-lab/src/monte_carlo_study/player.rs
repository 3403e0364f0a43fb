//! A player described by a preset and changes: `modern,c=1.5,leaf=search2`.

use std::str::FromStr;
use std::sync::Arc;

use anyhow::{Context as _, bail};
use komadai::engine::Parts;
use komadai::nnue::Nnue;
use komadai::prelude::*;
use komadai::search::monte_carlo::{MonteCarlo, MonteCarloOptions, TreePreset};
use komadai::search::{AlphaBeta, LogisticMoves, MoveProbability, SearchOptions};
use komadai::tsume::DfPn;

use crate::monte_carlo_study::settings::change;
use komadai_study::referee::evaluator;

/// A player's settings.
#[derive(Debug, Clone)]
pub(crate) struct Description {
    /// `None` for alpha-beta.
    tree: Option<MonteCarloOptions>,
    /// The model of the priors, if it is not that of the search.
    priors: Option<Arc<dyn MoveProbability>>,
    has_solver: bool,
    nodes: Option<u64>,
    name: String,
}

impl Description {
    /// Returns the text of the description.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the nodes of a search, if they are part of the description.
    pub(crate) fn nodes(&self) -> Option<u64> {
        self.nodes
    }

    pub(crate) fn options(&self) -> Option<&MonteCarloOptions> {
        self.tree.as_ref()
    }

    /// Returns the options of the tree for a hybrid, which has its own solvers and limits.
    pub(crate) fn of_hybrid(&self) -> anyhow::Result<MonteCarloOptions> {
        let Self { tree, priors, has_solver, nodes, name } = self;
        let is_plain = priors.is_none() && !has_solver && nodes.is_none();
        let tree = tree.clone().filter(|_| is_plain);
        tree.with_context(|| {
            format!("found {name:?}, expected a tree without priors=logistic, solver and nodes")
        })
    }

    pub(crate) fn set_playouts(&mut self, playouts: Option<u64>) {
        if let Some(tree) = &mut self.tree {
            tree.playouts = playouts;
        }
    }

    /// Returns the parts of a player with this search.
    pub(crate) fn parts(self) -> Parts {
        Parts::default().with_searcher(move |options| self.searcher(options.clone()))
    }

    /// Makes the search.
    pub(crate) fn searcher(&self, options: SearchOptions) -> Box<dyn Searcher> {
        match self.monte_carlo(options.clone()) {
            Some(searcher) => Box::new(searcher),
            None => Box::new(AlphaBeta::new(evaluator(), options)),
        }
    }

    /// Makes the tree search; alpha-beta is not one.
    pub(crate) fn monte_carlo(&self, options: SearchOptions) -> Option<MonteCarlo<Nnue>> {
        let mut tree = self.tree.clone()?;
        tree.search = options;
        let mut searcher = MonteCarlo::new(evaluator(), tree);
        if let Some(priors) = &self.priors {
            searcher.set_move_probability(Arc::clone(priors));
        }
        if self.has_solver {
            searcher.set_mate_solver(Some(Box::new(DfPn::default())));
        }
        Some(searcher)
    }
}

impl FromStr for Description {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let mut parts = text.split(',');
        let tree = match parts.next().unwrap_or_default() {
            "alpha-beta" => None,
            "plain" => Some(TreePreset::PlainUct.options()),
            other => match other.parse::<TreePreset>() {
                Ok(preset) => Some(preset.options()),
                Err(_) => {
                    bail!("found player {other:?}, expected alpha-beta, modern, ym2012 or plain")
                }
            },
        };
        let name = text.to_owned();
        let mut player = Self { tree, priors: None, has_solver: false, nodes: None, name };
        for part in parts {
            let (name, value) =
                part.split_once('=').with_context(|| format!("{part:?} is not NAME=VALUE"))?;
            player.change(name, value).with_context(|| part.to_owned())?;
        }
        Ok(player)
    }
}

impl Description {
    fn change(&mut self, name: &str, value: &str) -> anyhow::Result<()> {
        match (name, value) {
            ("priors", "logistic") => self.priors = Some(Arc::new(LogisticMoves::default())),
            ("nodes", number) => self.nodes = Some(number.parse()?),
            ("solver", "dfpn") => self.has_solver = true,
            _ => {
                let tree = self.tree.as_mut().context("alpha-beta has no such setting")?;
                change(tree, name, value)?;
            }
        }
        Ok(())
    }
}
