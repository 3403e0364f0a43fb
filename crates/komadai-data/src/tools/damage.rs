//! The damage that a tool has found.

use std::collections::BTreeMap;
use std::path::Path;

use super::fault::{Damaged, Fault, FaultKind, Place};

/// The treatment of damage in the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum OnDamage {
    /// The first damage ends the tool with an error.
    #[default]
    Refuse,
    /// Damaged records are skipped and counted. A file that its manifest contradicts is skipped as
    /// a whole by the tools that write.
    Skip,
}

/// The number of places of each kind that are kept.
const LISTED: usize = 10;

/// The damage that has been found: the number of each kind, and the first places.
///
/// The list of places is bounded, so that a file full of faults takes little memory.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Damage {
    counts: BTreeMap<FaultKind, u64>,
    first: Vec<Damaged>,
}

impl Damage {
    /// Returns whether nothing is damaged.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Returns the number of faults.
    pub fn total(&self) -> u64 {
        self.counts.values().sum()
    }

    /// Returns the number of each kind.
    pub fn counts(&self) -> &BTreeMap<FaultKind, u64> {
        &self.counts
    }

    /// Returns the first ten places of each kind, in the order in which they were found.
    pub fn first(&self) -> &[Damaged] {
        &self.first
    }

    /// Adds a fault, with the place of its record.
    ///
    /// # Errors
    ///
    /// Returns the fault if damage is refused.
    pub(super) fn add(
        &mut self,
        policy: OnDamage,
        path: &Path,
        place: Option<Place>,
        fault: Fault,
    ) -> Result<(), Damaged> {
        if policy == OnDamage::Refuse {
            return Err(Damaged::new(path, place, fault));
        }
        let count = self.counts.entry(fault.kind()).or_default();
        *count += 1;
        if *count <= LISTED as u64 {
            self.first.push(Damaged::new(path, place, fault));
        }
        Ok(())
    }
}
