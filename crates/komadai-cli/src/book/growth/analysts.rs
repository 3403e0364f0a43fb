//! Analysts: the embedded engine on all cores, or processes that speak USI.

use std::num::NonZero;
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use clap::{ArgAction, Args};
use komadai::analysis::{Memory, SearchAnalyst, UsiAnalyst};
use komadai::book::GrowOptions;
use komadai::book::queue::JobSettings;
use komadai::core::Analyst;
use komadai::search::SearchOptions;
use komadai_console::threads;

use crate::arguments::engine::{Engine, read_option};

/// Maximum time for an engine to start.
const PATIENCE: Duration = Duration::from_secs(90);

/// The arguments about analysts.
#[derive(Debug, Args)]
pub(crate) struct AnalystOptions {
    /// Command of a USI engine that analyses; by default the embedded engine.
    #[arg(long, value_name = "COMMAND")]
    pub engine: Option<String>,
    /// USI option of that engine.
    #[arg(long, value_name = "NAME=VALUE", action = ArgAction::Append, value_parser = read_option, requires = "engine")]
    pub engine_option: Vec<(String, String)>,
    /// Number of analysts; by default one per core.
    #[arg(long, visible_alias = "threads", value_name = "P")]
    pub processes: Option<NonZero<usize>>,
    /// Number of moves of a position that get a value.
    #[arg(long, default_value_t = NonZero::new(3).expect("3 is not 0"), value_name = "K")]
    pub multi_pv: NonZero<u16>,
    /// Transposition table of each embedded engine.
    #[arg(long, default_value_t = 4, value_name = "MIB")]
    pub hash_mib: usize,
}

impl AnalystOptions {
    /// Returns the settings of the analyses, with a number of nodes each.
    pub(crate) fn grow(&self, nodes: u64) -> GrowOptions {
        let settings = JobSettings {
            nodes: Some(nodes),
            multi_pv: self.multi_pv.get(),
            ..JobSettings::default()
        };
        GrowOptions::new(settings)
    }

    /// Starts the analysts.
    pub(crate) fn start(&self) -> anyhow::Result<Vec<Box<dyn Analyst>>> {
        self.start_some(threads(self.processes))
    }

    /// Starts one analyst.
    pub(crate) fn start_one(&self) -> anyhow::Result<Box<dyn Analyst>> {
        let mut one = self.start_some(NonZero::<usize>::MIN)?;
        one.pop().context("no analyst has started")
    }

    fn start_some(&self, count: NonZero<usize>) -> anyhow::Result<Vec<Box<dyn Analyst>>> {
        let Some(command) = &self.engine else {
            return Ok((0..count.get()).map(|_| self.embedded()).collect());
        };
        let Engine::Process(config) = Engine::new(command, &self.engine_option, PATIENCE)? else {
            bail!(
                "--engine {command:?}: expected a program; the embedded engine analyses without --engine"
            );
        };
        let pool = UsiAnalyst::launch_pool(&config, count)
            .with_context(|| format!("--engine {command:?}"))?;
        let boxed = pool.into_iter().map(|mut analyst| {
            let is_set =
                self.engine_option.iter().any(|(name, _)| name.eq_ignore_ascii_case("MultiPV"));
            ensure!(!is_set, "--engine-option MultiPV: expected --multi-pv instead");
            if self.multi_pv.get() > 1 {
                analyst.set_multi_pv(NonZero::from(self.multi_pv))?;
            }
            Ok(Box::new(analyst) as Box<dyn Analyst>)
        });
        boxed.collect()
    }

    fn embedded(&self) -> Box<dyn Analyst> {
        let multi_pv = usize::from(self.multi_pv.get());
        let options =
            SearchOptions { hash_mib: self.hash_mib, multi_pv, ..SearchOptions::default() };
        // Without memory, a result depends neither on earlier analyses nor on the number of
        // analysts.
        Box::new(SearchAnalyst::standard(options, Memory::Fresh))
    }
}
