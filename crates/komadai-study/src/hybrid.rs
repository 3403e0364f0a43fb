//! Alpha-beta and Monte Carlo tree search together, beside the statements of ym-shogi's author.
//!
//! Source: ym将棋の技術的特徴.

mod compare;
mod log;
mod measure;
mod options;
mod page;
mod strata;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub use crate::hybrid::compare::{Compared, HybridSearchers, alpha_beta};
pub use crate::hybrid::options::HybridOptions;
pub(crate) use crate::hybrid::page::{NAME, page};
pub use crate::hybrid::strata::{Quotas, Stratum};

use crate::findings::Findings;
use crate::parts::Parts;

impl HybridOptions {
    /// Makes all experiments that the folder does not have yet. `command` is the one that the page
    /// names.
    ///
    /// # Errors
    ///
    /// If a file cannot be read or written, and if `stop` ended the study.
    pub fn measure(&self, command: &str, stop: &Arc<AtomicBool>) -> anyhow::Result<Findings> {
        let parts = Parts {
            source: NAME,
            command,
            folder: self.folder.clone(),
            stop,
            threads: self.threads.get(),
        };
        let mut found = Findings::new(NAME, command);
        if let Some(path) = &self.log {
            log::measure(path, &mut found)?;
        }
        found.extend(parts.part("mates", |found| measure::mates(self, &parts, found))?);
        found.extend(parts.part("positions", |found| measure::positions(self, &parts, found))?);
        found.extend(parts.part("searches", |found| measure::searches(self, &parts, found))?);
        Ok(found)
    }
}
