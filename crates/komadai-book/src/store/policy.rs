//! Which of a move's evaluations counts.

use komadai_core::Score;
use serde::{Deserialize, Serialize};

use super::view_value::Candidate;
use crate::analyst::AnalystId;

/// Which of a move's evaluations counts in a [`Store`](crate::store::Store).
///
/// Exact values go before bounds: of a move with both, only the exact ones are considered. Of several
/// that are equally good, the one logged last counts.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum ViewPolicy {
    /// The one logged last.
    #[default]
    Newest,
    /// The one with most nodes.
    MostNodes,
    /// The one that looked ahead furthest.
    Deepest,
    /// The newest of this analyst, or else the newest.
    Prefer(AnalystId),
    /// The mean of what the analysts last said, each with the same weight, rounded to whole
    /// centipawns. Where the newest evaluation is a mate or a bound, that evaluation counts: neither
    /// has a mean. Scales of different engines differ, so a mean is best taken of versions of one
    /// engine.
    Mean,
}

/// A [`ViewPolicy`] as a row, the analyst by name.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum PolicyRow {
    Newest,
    MostNodes,
    Deepest,
    Prefer(String, String, String),
    Mean,
}

impl PolicyRow {
    pub(crate) fn new(policy: &ViewPolicy) -> Self {
        match policy {
            ViewPolicy::Newest => Self::Newest,
            ViewPolicy::MostNodes => Self::MostNodes,
            ViewPolicy::Deepest => Self::Deepest,
            ViewPolicy::Prefer(AnalystId { name, version, options }) => {
                Self::Prefer(name.clone(), version.clone(), options.clone())
            }
            ViewPolicy::Mean => Self::Mean,
        }
    }

    pub(crate) fn into_policy(self) -> ViewPolicy {
        match self {
            Self::Newest => ViewPolicy::Newest,
            Self::MostNodes => ViewPolicy::MostNodes,
            Self::Deepest => ViewPolicy::Deepest,
            Self::Prefer(name, version, options) => {
                ViewPolicy::Prefer(AnalystId { name, version, options })
            }
            Self::Mean => ViewPolicy::Mean,
        }
    }
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
    /// The evaluation that counts, of those in the order of the log.
    pub(crate) fn choose(self, candidates: &[Candidate]) -> Option<Candidate> {
        let has_exact = candidates.iter().any(Candidate::is_exact);
        let mut considered = candidates.iter().filter(move |c| c.is_exact() || !has_exact);
        match self {
            Self::Newest => considered.next_back(),
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
    let mut last_words: Vec<&Candidate> = Vec::new();
    for candidate in candidates.rev() {
        let is_later = |known: &&Candidate| known.value.analyst == candidate.value.analyst;
        if !last_words.iter().any(is_later) {
            last_words.push(candidate);
        }
    }
    let newest = **last_words.first()?;
    let centipawns = |candidate: &&Candidate| Score::from_raw(candidate.value.score).to_cp();
    if !newest.is_exact() || centipawns(&&newest).is_none() {
        return Some(newest);
    }
    let values: Vec<i32> = last_words.iter().filter_map(centipawns).collect();
    let sum: f64 = values.iter().map(|&value| f64::from(value)).sum();
    let mut averaged = newest;
    averaged.value.score = (sum / values.len() as f64).round() as i32;
    averaged.value.evaluations = values.len().try_into().unwrap_or(u16::MAX);
    Some(averaged)
}
