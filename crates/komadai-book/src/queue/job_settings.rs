//! Jobs as they are enqueued.

use komadai_core::{AnalystId, Position};
use serde::{Deserialize, Serialize};

/// A position to be analysed.
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NewJob {
    /// The position. Both orientations of a position are one job.
    pub position: Position,
    /// The priority: jobs with higher numbers are leased first.
    pub priority: i64,
    /// The analysis that is wanted.
    pub settings: JobSettings,
}

/// The analysis that is wanted of a position.
///
/// Settings cover others if none of the numbers is lower and the engine is the same, unless the
/// others leave the engine open. Joined settings have the higher of each number, and the engine of
/// the settings with the higher generation; of equal generations, the engine of the later settings.
/// An engine that is named counts more than one that is left open.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct JobSettings {
    /// About the number of nodes to visit, see [`Budget::about`](komadai_core::Budget::about);
    /// `None` if it does not matter.
    pub nodes: Option<u64>,
    /// The time to search in milliseconds; `None` if it does not matter.
    pub time_ms: Option<u64>,
    /// The search depth in plies; `None` if it does not matter.
    pub depth: Option<u32>,
    /// The number of lines; 0 if it does not matter: then each analyst finds the number that it has
    /// by itself.
    pub multi_pv: u16,
    /// The generation of the analysis. Analyses of an earlier generation do not count: a higher
    /// number makes a position that is done a job again.
    pub generation: u32,
    /// The engine that is to analyse the position, as [`AnalystId::is_named`] accepts it; empty for
    /// any engine.
    pub engine: String,
}

impl JobSettings {
    /// Returns whether an analysis with these settings satisfies `other` as well.
    pub fn cover(&self, other: &Self) -> bool {
        self.nodes >= other.nodes
            && self.time_ms >= other.time_ms
            && self.depth >= other.depth
            && self.multi_pv >= other.multi_pv
            && self.generation >= other.generation
            && (other.engine.is_empty() || self.engine == other.engine)
    }

    /// Returns whether this analyst may do the analysis: the settings name it, or no engine.
    pub(crate) fn are_for(&self, analyst: &AnalystId) -> bool {
        self.engine.is_empty() || analyst.is_named(&self.engine)
    }

    /// The settings that cover both these and the `later` ones.
    #[must_use]
    pub fn joined(&self, later: &Self) -> Self {
        let (decisive, other) =
            if later.generation >= self.generation { (later, self) } else { (self, later) };
        let engine = if decisive.engine.is_empty() { &other.engine } else { &decisive.engine };
        Self {
            nodes: self.nodes.max(later.nodes),
            time_ms: self.time_ms.max(later.time_ms),
            depth: self.depth.max(later.depth),
            multi_pv: self.multi_pv.max(later.multi_pv),
            generation: decisive.generation,
            engine: engine.clone(),
        }
    }
}
