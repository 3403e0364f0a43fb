//! Jobs as they are planned.

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
    ///
    /// If they state a number of lines, the number in the analyst's name does not matter, because
    /// it changes with each job.
    pub fn are_for(&self, analyst: &AnalystId) -> bool {
        if self.engine.is_empty() || analyst.is_named(&self.engine) {
            return true;
        }
        let engine = without_lines(&self.engine);
        let own = AnalystId { options: without_lines(&analyst.options), ..analyst.clone() };
        let without_version = AnalystId { version: String::new(), ..own.clone() };
        self.multi_pv > 0 && [own, without_version].iter().any(|id| id.to_string() == engine)
    }

    /// Returns whether these settings are of the same plan as `other`: for the same engine and of
    /// the same generation.
    pub(crate) fn are_of_plan(&self, other: &Self) -> bool {
        self.generation == other.generation && self.engine == other.engine
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

/// The name or the options of an analyst without the option for the number of lines.
fn without_lines(text: &str) -> String {
    let Some((before, after)) = text.split_once("MultiPV=") else { return text.to_owned() };
    let after = after.trim_start_matches(|c: char| c.is_ascii_digit());
    match (before.strip_suffix(" ("), after.strip_prefix(' ')) {
        (Some(name), None) if after == ")" => name.to_owned(),
        (_, Some(after)) => format!("{before}{after}"),
        (_, None) => format!("{}{after}", before.trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_lines_of_the_analyst_does_not_matter_if_the_job_states_it() {
        let texts = ["A=1 MultiPV=3 B=2", "MultiPV=3 B=2", "A=1 MultiPV=3", "MultiPV=3"];
        let without = ["A=1 B=2", "B=2", "A=1", ""];
        for (options, expected) in texts.into_iter().zip(without) {
            assert_eq!(without_lines(options), expected);
            let named = AnalystId { options: options.to_owned(), ..AnalystId::new("e", "1") };
            let other = AnalystId { options: options.replace('3', "12"), ..named.clone() };
            let alien = AnalystId { options: format!("{options} C=1"), ..named.clone() };
            for engine in [named.to_string(), format!("e ({options})")] {
                let open = JobSettings { engine, ..JobSettings::default() };
                assert!(open.are_for(&named) && !open.are_for(&other), "{open:?}");
                let stated = JobSettings { multi_pv: 12, ..open };
                assert!(stated.are_for(&named) && stated.are_for(&other), "{stated:?}");
                assert!(!stated.are_for(&alien), "{stated:?}");
            }
        }
    }
}
