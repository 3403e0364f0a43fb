//! The events and the result of a run in which a book grows.

use std::collections::BTreeMap;

use komadai_bookgraph::{BookGraph, Updated};
use komadai_core::{Analysis, AnalystId, Position};

/// An event of a run in which a book grows.
#[derive(Debug)]
#[non_exhaustive]
pub enum GrowEvent<'a> {
    /// A round starts.
    Round {
        /// The number of the round, from 1.
        number: u32,
        /// The number of positions to be analysed in the round.
        positions: usize,
    },
    /// A position was analysed, and the result was merged.
    Analysed {
        /// The position.
        position: &'a Position,
        /// The result.
        analysis: &'a Analysis,
        /// The analyst of the result.
        analyst: &'a AnalystId,
        /// The worker that sent the result. Empty if the queue does not know it any more.
        worker: &'a str,
        /// The changes of the graph.
        updated: Updated,
        /// The book after the change.
        graph: &'a BookGraph,
    },
    /// An analyst failed. The position is tried up to three times in all.
    Failed {
        /// The position.
        position: &'a Position,
        /// The error of the analyst.
        reason: &'a str,
    },
    /// At the end of the run, jobs wait for engines that none of the analysts is.
    OthersWait {
        /// The number of jobs by the engine that they name.
        jobs: &'a BTreeMap<String, u64>,
    },
    /// An analyst failed five times in a row and gets no more work.
    Dismissed {
        /// The index of the analyst, from 0.
        analyst: usize,
        /// The last error of the analyst.
        reason: &'a str,
    },
}

/// The result of a run in which a book grew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Grown {
    /// The number of positions analysed.
    pub analysed: usize,
    /// The number of failed analyses.
    pub failures: usize,
    /// The number of nodes searched.
    pub nodes: u64,
    /// The number of rounds.
    pub rounds: u32,
    /// The number of jobs that wait for engines that none of the analysts is.
    pub waiting_for_others: u64,
    /// The number of positions that are left because these analysts have failed at them and no other
    /// one has tried, if no other position was left.
    pub left_failed: usize,
    /// The number of selected positions that were passed over because a book
    /// [cannot hold](komadai_bookfile::position_key::leads_out) them.
    pub unheld: usize,
    /// The reason why the run ended.
    pub end: GrowEnd,
}

/// The reason why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum GrowEnd {
    /// No position was left to be selected.
    #[default]
    Exhausted,
    /// The maximum number of positions was analysed.
    Enough,
    /// The stop flag was set.
    Stopped,
    /// No analyst was left.
    NoAnalysts,
}
