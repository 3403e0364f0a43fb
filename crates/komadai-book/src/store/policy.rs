//! Policies that select the value of a move from its evaluations.

use komadai_core::{AnalystId, Bound, Score};
use serde::{Deserialize, Serialize};

use super::codes::{bound_code, bound_of, source_of};
use crate::logged_analysis::AnalystIndex;
use crate::stored_record::StoredValue;

/// The rule that selects the value of a move from its evaluations in a
/// [`Store`](crate::store::Store).
///
/// Exact values have precedence over bounds: if a move has both, only the exact ones are
/// considered. Among equally good evaluations the one logged last is selected.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
// Its serial form is part of the file format: new variants come last.
pub enum ViewPolicy {
    /// The evaluation logged last.
    #[default]
    Newest,
    /// The evaluation with the most nodes.
    MostNodes,
    /// The evaluation with the largest depth.
    Deepest,
    /// The newest evaluation by this analyst; without one, the newest of all.
    Prefer(AnalystId),
    /// The mean of the last evaluations of all analysts, with equal weights, rounded to whole
    /// centipawns. If the newest evaluation is a mate or a bound, that evaluation is selected,
    /// because neither has a mean. The scales of engines differ, so a mean is meaningful for
    /// versions of one engine.
    Mean,
}

/// A [`ViewPolicy`] with the analyst by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Choice {
    Newest,
    MostNodes,
    Deepest,
    /// `None` for an analyst who has not said anything.
    Prefer(Option<u16>),
    Mean,
}

impl Choice {
    /// The selected evaluation among `candidates`, which are in the order of the log.
    pub(crate) fn choose(self, candidates: &[Candidate]) -> Option<Candidate> {
        let has_exact = candidates.iter().any(Candidate::is_exact);
        let mut considered = candidates.iter().filter(move |c| c.is_exact() || !has_exact);
        match self {
            Self::Newest => considered.next_back(),
            // Of equal maxima, `max_by_key` returns the last one, which is the one logged last.
            Self::MostNodes => considered.max_by_key(|candidate| candidate.value.nodes),
            Self::Deepest => considered.max_by_key(|candidate| candidate.value.depth),
            Self::Prefer(analyst) => {
                let is_theirs = |c: &&Candidate| Some(c.value.analyst) == analyst;
                considered.clone().rfind(is_theirs).or_else(|| considered.next_back())
            }
            Self::Mean => return mean(considered),
        }
        .copied()
    }
}

fn mean<'c>(candidates: impl DoubleEndedIterator<Item = &'c Candidate>) -> Option<Candidate> {
    let mut latest: Vec<&Candidate> = Vec::new();
    // From the newest back, the first evaluation by an analyst is its last one.
    for candidate in candidates.rev() {
        let is_later = |known: &&Candidate| known.value.analyst == candidate.value.analyst;
        if !latest.iter().any(is_later) {
            latest.push(candidate);
        }
    }
    let newest = **latest.first()?;
    let centipawns = |candidate: &&Candidate| Score::from_raw(candidate.value.score).to_cp();
    if !newest.is_exact() || centipawns(&&newest).is_none() {
        return Some(newest);
    }
    let values: Vec<i32> = latest.iter().filter_map(centipawns).collect();
    let sum: f64 = values.iter().map(|&value| f64::from(value)).sum();
    let mut averaged = newest;
    averaged.value.score = (sum / values.len() as f64).round() as i32;
    averaged.value.evaluations = values.len().try_into().unwrap_or(u16::MAX);
    Some(averaged)
}

/// The value of a move in the view, with the provenance of the evaluation that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ViewValue {
    pub(crate) score: i32,
    pub(crate) bound: u8,
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    pub(crate) analyst: u16,
    pub(crate) source: u8,
    pub(crate) when: u64,
    pub(crate) sequence: u64,
    pub(crate) evaluations: u16,
}

/// One evaluation of a move in the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub(crate) value: ViewValue,
    pub(crate) answer: Option<u16>,
}

impl ViewValue {
    pub(crate) fn to_stored(self) -> Result<StoredValue, String> {
        Ok(StoredValue {
            score: Score::from_raw(self.score),
            bound: bound_of(self.bound)?,
            depth: self.depth,
            nodes: self.nodes,
            analyst: AnalystIndex(self.analyst),
            source: source_of(self.source)?,
            when: self.when,
            sequence: self.sequence,
            evaluations: self.evaluations,
        })
    }
}

impl Candidate {
    pub(crate) fn is_exact(&self) -> bool {
        self.value.bound == bound_code(Bound::Exact)
    }
}
