//! The sentences of a glossary of computer shogi that can be measured: mate search, pruning, move
//! ordering, castles, quiescence, selective searches, hashing and the Monte Carlo method.
//!
//! Source: コンピュータ将棋の知識 (2009).

mod castles;
mod claims;
mod mates;
mod options;
mod page;
mod searches;
mod small;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub use crate::glossary::options::GlossaryOptions;
pub(crate) use crate::glossary::page::{NAME, page};

use crate::findings::Findings;
use crate::parts::Parts;

impl GlossaryOptions {
    /// Makes all experiments that the folder does not have yet. `command` is the one that the page
    /// names.
    ///
    /// # Errors
    ///
    /// If a file cannot be written, and if `stop` ended the study.
    pub fn measure(&self, command: &str, stop: &Arc<AtomicBool>) -> anyhow::Result<Findings> {
        let parts = Parts {
            source: NAME,
            command,
            folder: self.folder.clone(),
            stop,
            threads: self.threads.get(),
        };
        let mut found = Findings::new(NAME, command);
        found.extend(parts.part("castles", |found| {
            castles::measure(found);
            Ok(())
        })?);
        found.extend(parts.part("points-and-keys", |found| {
            small::points(found);
            small::keys(found);
            Ok(())
        })?);
        found.extend(parts.part("mates", |found| mates::measure(self, &parts, found))?);
        found.extend(parts.part("techniques", |found| searches::techniques(self, &parts, found))?);
        found.extend(parts.part("selective", |found| searches::selective(self, &parts, found))?);
        found.extend(parts.part("quiescence", |found| small::quiescence(self, stop, found))?);
        Ok(found)
    }
}
