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
/// let settings = JobSettings { nodes: Some(1_000_000), ..JobSettings::default() };
/// let options = GrowOptions { positions: 10_000, ..GrowOptions::new(settings) };
/// assert_eq!(options.per_round, 64);
/// ```
#[derive(Debug, Clone)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct GrowOptions {
    /// The budget and the number of lines of each analysis.
    pub settings: JobSettings,
    /// Maximum number of positions to analyse.
    #[cfg_attr(feature = "serde", serde(default = "defaults::positions"))]
    pub positions: usize,
    /// Number of positions selected in a round. The next round is selected when half of the
    /// positions have been merged, so that no analyst waits for another one. A larger number keeps
    /// many analysts busy; a smaller number follows the changing values more closely.
    #[cfg_attr(feature = "serde", serde(default = "defaults::per_round"))]
    pub per_round: usize,
    /// Share of the node budget, in per cent, for a position that follows by one move from a
    /// position that the analyst has just analysed. The analyst then keeps its hash tables. With
    /// 100 every analysis is independent of the earlier ones; a queue that other machines share
    /// needs that.
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
    pub fn new(settings: JobSettings) -> Self {
        Self {
            settings,
            positions: usize::MAX,
            per_round: 64,
            nodes_after_parent_percent: 100,
            host: String::new(),
        }
    }

    /// Creates settings of analyses with this number of nodes each, without a limit on the
    /// positions.
    pub fn nodes(nodes: u64) -> Self {
        Self::new(JobSettings { nodes: Some(nodes), ..JobSettings::default() })
    }
}
