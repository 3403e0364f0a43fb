//! The settings of a run in which a book grows.

use crate::queue::JobSettings;

/// Settings of a run in which a book grows.
///
/// # Examples
///
/// ```
/// use komadai_book::GrowOptions;
/// use komadai_book::queue::JobSettings;
///
/// let settings = JobSettings::default().with_nodes(1_000_000);
/// let options = GrowOptions::new(settings).with_positions(10_000);
/// assert_eq!(options.per_round, 64);
/// ```
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct GrowOptions {
    /// The budget and the number of lines of each analysis.
    pub settings: JobSettings,
    /// Maximum number of positions to analyse.
    #[cfg_attr(feature = "serde", serde(default = "defaults::positions"))]
    pub positions: usize,
    /// Number of positions selected in a round. A larger number keeps many analysts busy; a smaller
    /// number follows the changing values more closely.
    #[cfg_attr(feature = "serde", serde(default = "defaults::per_round"))]
    pub per_round: usize,
    /// Share of the node budget, in per cent, for a position that follows by one move from a position
    /// that the analyst has just analysed. The analyst then keeps its hash tables. With 100 every
    /// analysis is independent of the earlier ones.
    #[cfg_attr(feature = "serde", serde(default = "defaults::percent"))]
    pub nodes_after_parent_percent: u32,
    /// The name of the machine, for the log.
    #[cfg_attr(feature = "serde", serde(default))]
    pub host: String,
}

/// The values of settings that are absent. The budget has none: without one an analysis has no end.
#[cfg(feature = "serde")]
mod defaults {
    use super::GrowOptions;
    use crate::queue::JobSettings;

    fn options() -> GrowOptions {
        GrowOptions::new(JobSettings::default())
    }

    pub(super) fn positions() -> usize {
        options().positions
    }

    pub(super) fn per_round() -> usize {
        options().per_round
    }

    pub(super) fn percent() -> u32 {
        options().nodes_after_parent_percent
    }
}

impl GrowOptions {
    /// Creates settings without a limit on the positions: 64 positions a round, and independent
    /// analyses.
    #[must_use]
    pub fn new(settings: JobSettings) -> Self {
        Self {
            settings,
            positions: usize::MAX,
            per_round: 64,
            nodes_after_parent_percent: 100,
            host: String::new(),
        }
    }

    /// Creates settings of analyses with this number of nodes each, without a limit on the positions.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self::new(JobSettings::default().with_nodes(nodes))
    }

    /// Returns the same options with these settings of each analysis.
    #[must_use]
    pub fn with_settings(self, settings: JobSettings) -> Self {
        Self { settings, ..self }
    }

    /// Returns the same options with at most this many positions to analyse.
    #[must_use]
    pub fn with_positions(self, positions: usize) -> Self {
        Self { positions, ..self }
    }

    /// Returns the same options with this number of positions selected in a round.
    #[must_use]
    pub fn with_per_round(self, per_round: usize) -> Self {
        Self { per_round, ..self }
    }

    /// Returns the same options with this share of the node budget for a position after its parent,
    /// in per cent.
    #[must_use]
    pub fn with_nodes_after_parent_percent(self, nodes_after_parent_percent: u32) -> Self {
        Self { nodes_after_parent_percent, ..self }
    }

    /// Returns the same options with this name of the machine.
    #[must_use]
    pub fn with_host(self, host: impl Into<String>) -> Self {
        Self { host: host.into(), ..self }
    }
}
