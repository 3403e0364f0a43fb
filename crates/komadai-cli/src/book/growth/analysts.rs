//! Who analyses: the embedded engine on all cores, or processes.

use std::num::NonZero;
use std::time::Duration;

use anyhow::{Context as _, bail, ensure};
use clap::{ArgAction, Args};
use komadai::book::queue::JobSettings;
use komadai::book::{Analyst, GrowOptions};
use komadai::engine::{Memory, SearchAnalyst, UsiAnalyst};
use komadai::eval::Classical;
use komadai::search::SearchOptions;

use crate::engine::{Engine, read_option};

/// How long an engine may take to start.
const PATIENCE: Duration = Duration::from_secs(90);

/// The part of the command line about analysts.
#[derive(Debug, Args)]
pub(crate) struct AnalystOptions {
    /// A command that speaks USI and analyses; the embedded engine if left out.
    #[arg(long, value_name = "COMMAND")]
    pub engine: Option<String>,
    /// A USI option of that engine.
    #[arg(long, value_name = "NAME=VALUE", action = ArgAction::Append, value_parser = read_option, requires = "engine")]
    pub engine_option: Vec<(String, String)>,
    /// How many analyse at once; as many as there are cores if left out.
    #[arg(long, visible_alias = "threads", value_name = "P")]
    pub processes: Option<NonZero<usize>>,
    /// How many moves of a position get a value.
    #[arg(long, default_value_t = NonZero::new(3).expect("3 is not 0"), value_name = "K")]
    pub multi_pv: NonZero<u16>,
    /// The size of each embedded engine's table.
    #[arg(long, default_value_t = 4, value_name = "MIB")]
    pub hash_mib: usize,
}

impl AnalystOptions {
    /// What is to be known of a position.
    pub(crate) fn grow(&self, nodes: u64) -> GrowOptions {
        let settings = JobSettings {
            nodes: Some(nodes),
            multi_pv: self.multi_pv.get(),
            ..JobSettings::default()
        };
        GrowOptions::new(settings)
    }

    /// Starts them.
    pub(crate) fn start(&self) -> anyhow::Result<Vec<Box<dyn Analyst>>> {
        let cores = || std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN);
        let count = self.processes.unwrap_or_else(cores);
        let Some(command) = &self.engine else {
            return Ok((0..count.get()).map(|_| self.embedded()).collect());
        };
        let Engine::Process(config) = Engine::new(command, &self.engine_option, PATIENCE)? else {
            bail!("--engine {command:?}: the embedded engine analyses without --engine");
        };
        let pool = UsiAnalyst::launch_pool(&config, count)
            .with_context(|| format!("--engine {command:?}"))?;
        let boxed = pool.into_iter().map(|mut analyst| {
            let asked =
                self.engine_option.iter().any(|(name, _)| name.eq_ignore_ascii_case("MultiPV"));
            ensure!(!asked, "--engine-option MultiPV: say --multi-pv");
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
        // What one analysis finds does not depend on those before, nor on the number of threads.
        Box::new(SearchAnalyst::new("Classical", Classical::default(), options, Memory::Fresh))
    }
}
