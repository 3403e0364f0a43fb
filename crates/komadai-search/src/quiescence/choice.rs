//! The ways of quiescence search one can choose from.

use core::fmt;
use core::str::FromStr;
use std::sync::{Arc, LazyLock};

use komadai_eval::{LogisticThreatmate, ThreatmatePredictor};

use super::classes::{QuiescenceClasses, UnknownQuiescence};
use super::policy::{ByProgress, QuiescencePolicy};
use crate::move_probability::{LogisticMoves, MoveProbability};

/// How the leaves of the search are played on until nothing is pending.
///
/// # Measured
///
/// Each way to a depth of 4 plies against a full-width search of 4 plies without quiescence, on 1,113
/// positions of the bundled games from move 30 on that are not in check: mean and variance of the
/// difference in centipawns, the variance in the opening (progress up to 4), middle game (up to 9) and
/// end (from 10), and all nodes. The full-width search took 103,649,571. Mates are left out.
/// `quiescence_study --positions 1000`, `Classical` evaluation, 2026-11-21.
///
/// | way | mean | variance | opening | middle | end | nodes |
/// |---|---|---|---|---|---|---|
/// | Standard | 547 | 171,381 | 105,626 | 149,582 | 241,458 | 17,395 |
/// | TwoStage | 437 | 152,908 | 98,356 | 141,908 | 218,041 | 32,936 |
/// | Dynamic | 519 | 151,326 | 104,632 | 145,280 | 197,517 | 53,553 |
/// | Eval | 259 | 355,773 | 182,846 | 345,684 | 542,110 | 1,113 |
/// | SEE | 530 | 174,494 | 108,863 | 149,846 | 249,393 | 7,738 |
/// | Capture | 504 | 168,206 | 101,567 | 146,780 | 244,018 | 26,786 |
/// | King | 288 | 351,477 | 183,555 | 351,152 | 528,891 | 8,160 |
/// | Escape | 516 | 363,937 | 198,850 | 333,645 | 554,654 | 35,661 |
/// | Promote | 542 | 454,009 | 412,704 | 430,523 | 512,289 | 10,821 |
/// | SKEP | 504 | 161,693 | 100,058 | 143,090 | 232,297 | 118,717 |
/// | Check | 286 | 321,152 | 180,566 | 331,978 | 462,400 | 39,843 |
/// | Threatmate | 262 | 349,295 | 182,846 | 345,682 | 525,194 | 1,984 |
/// | SEE+Escape | 520 | 170,659 | 102,550 | 148,132 | 248,173 | 52,487 |
/// | SEE+Check | 516 | 149,056 | 108,800 | 133,955 | 194,761 | 94,393 |
/// | SEE+Threatmate | 522 | 158,894 | 108,863 | 149,822 | 209,706 | 16,256 |
/// | Rating | 495 | 144,610 | 99,208 | 129,502 | 199,630 | 397,873 |
/// | All | 463 | 139,817 | 91,398 | 125,285 | 197,967 | 3,712,698 |
///
/// As in the study of Takeuchi and others, captures matter most, escapes are of use together with
/// others only, SKEP comes nearest of the sets of them without checks, and checks after an unparried
/// threatmate keep more than half of what all checks gain at a fraction of their nodes. The mean is
/// positive because the fourth ply of the full-width search is the opponent's, and no one answers it.
///
/// # Examples
///
/// ```
/// use komadai_search::{Quiescence, SearchOptions};
///
/// let options = SearchOptions { quiescence: "SKEP".parse()?, ..SearchOptions::default() };
/// assert_ne!(options, SearchOptions::default());
/// assert!(Quiescence::NAMES.iter().all(|name| name.parse::<Quiescence>().is_ok()));
/// # Ok::<(), komadai_search::UnknownQuiescence>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Quiescence {
    /// Captures and promotions, pruned and ordered for speed. To be used for playing.
    #[default]
    Standard,
    /// The moves of classes that a policy chooses at each node.
    Selected(SelectedQuiescence),
    /// Captures, promotions, mates in one and escapes for a few plies, then exchanges on one square;
    /// standing pat is worth less when pieces are threatened.
    TwoStage,
}

impl Quiescence {
    /// Names to choose from, the usual one first. Every other union of classes has a name as well:
    /// see [`FromStr`].
    pub const NAMES: &'static [&'static str] = &[
        "Standard",
        "TwoStage",
        "Dynamic",
        "Eval",
        "SEE",
        "Capture",
        "King",
        "Escape",
        "Promote",
        "SKEP",
        "Check",
        "Threatmate",
        "SEE+Escape",
        "SEE+Check",
        "SEE+Threatmate",
        "Rating",
        "All",
    ];

    /// How many plies the classes of moves are tried in a search chosen by name.
    pub const DEPTH: u32 = 4;

    /// The way of this name: `Standard`, `TwoStage`, `Dynamic` for [`ByProgress`], or the name of a
    /// set of [`QuiescenceClasses`], in any letters.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        name.parse().ok()
    }
}

impl FromStr for Quiescence {
    type Err = UnknownQuiescence;

    fn from_str(name: &str) -> Result<Self, UnknownQuiescence> {
        let policy: Arc<dyn QuiescencePolicy> = match name.to_ascii_lowercase().as_str() {
            "standard" => return Ok(Self::Standard),
            "twostage" => return Ok(Self::TwoStage),
            "dynamic" => Arc::clone(&BY_PROGRESS) as _,
            _ => Arc::new(name.parse::<QuiescenceClasses>()?),
        };
        Ok(Self::Selected(SelectedQuiescence::new(policy, Self::DEPTH)))
    }
}

/// The name by which it can be chosen; of a policy of one's own, what
/// [`Debug`](fmt::Debug) says.
impl fmt::Display for Quiescence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Standard => f.write_str("Standard"),
            Self::TwoStage => f.write_str("TwoStage"),
            Self::Selected(how) => match how.policy.fixed() {
                Some(classes) => classes.fmt(f),
                None if is_by_progress(how) => f.write_str("Dynamic"),
                None => write!(f, "{:?}", how.policy),
            },
        }
    }
}

/// One for all, so that two searches chosen by its name are equal.
static BY_PROGRESS: LazyLock<Arc<ByProgress>> = LazyLock::new(Arc::default);

fn is_by_progress(how: &SelectedQuiescence) -> bool {
    let shared: Arc<dyn QuiescencePolicy> = BY_PROGRESS.clone();
    Arc::ptr_eq(&how.policy, &shared)
}

/// A quiescence search that tries what a policy selects.
///
/// Two are equal if they have the same depth and share their parts, or have the same fixed classes.
#[derive(Debug, Clone)]
pub struct SelectedQuiescence {
    policy: Arc<dyn QuiescencePolicy>,
    depth: u32,
    threatmate: Option<Arc<dyn ThreatmatePredictor>>,
    probability: Option<Arc<dyn MoveProbability>>,
}

impl SelectedQuiescence {
    /// What `policy` selects, for `depth` plies: then only standing pat is left, except in check.
    ///
    /// Some classes need the limit, because they never end by themselves.
    #[must_use]
    pub fn new(policy: Arc<dyn QuiescencePolicy>, depth: u32) -> Self {
        Self { policy, depth, threatmate: None, probability: None }
    }

    /// The same for another number of plies.
    #[must_use]
    pub fn with_depth(self, depth: u32) -> Self {
        Self { depth, ..self }
    }

    /// The same, but another predictor says which moves are threatmates.
    #[must_use]
    pub fn with_threatmate(self, predictor: Arc<dyn ThreatmatePredictor>) -> Self {
        Self { threatmate: Some(predictor), ..self }
    }

    /// The same, but another model says which moves are probable.
    #[must_use]
    pub fn with_probability(self, model: Arc<dyn MoveProbability>) -> Self {
        Self { probability: Some(model), ..self }
    }

    /// What selects the moves.
    #[must_use]
    pub fn policy(&self) -> &dyn QuiescencePolicy {
        &*self.policy
    }

    /// How many plies they are tried.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// What says which moves are threatmates: [`LogisticThreatmate`] unless another was given.
    #[must_use]
    pub fn threatmate(&self) -> &dyn ThreatmatePredictor {
        const DEFAULT: &LogisticThreatmate = &LogisticThreatmate::FITTED;
        self.threatmate.as_deref().unwrap_or(DEFAULT)
    }

    /// What says which moves are probable: [`LogisticMoves`] unless another was given.
    #[must_use]
    pub fn probability(&self) -> &dyn MoveProbability {
        const DEFAULT: &LogisticMoves = &LogisticMoves::FITTED;
        self.probability.as_deref().unwrap_or(DEFAULT)
    }
}

impl PartialEq for SelectedQuiescence {
    fn eq(&self, other: &Self) -> bool {
        let policy = match (self.policy.fixed(), other.policy.fixed()) {
            (None, None) => Arc::ptr_eq(&self.policy, &other.policy),
            (fixed, other) => fixed == other,
        };
        policy
            && self.depth == other.depth
            && shared(&self.threatmate, &other.threatmate)
            && shared(&self.probability, &other.probability)
    }
}

impl Eq for SelectedQuiescence {}

/// Whether both are the same thing, or neither is anything.
fn shared<T: ?Sized>(one: &Option<Arc<T>>, other: &Option<Arc<T>>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => Arc::ptr_eq(one, other),
        (None, None) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_choose_different_ways() {
        let ways: Vec<_> =
            Quiescence::NAMES.iter().map(|name| Quiescence::from_name(name)).collect();
        for (index, way) in ways.iter().enumerate() {
            assert_eq!(
                way.as_ref().map(ToString::to_string).as_deref(),
                Some(Quiescence::NAMES[index])
            );
            assert!(!ways[..index].contains(way), "{way:?}");
        }
        assert_eq!(Quiescence::from_name("standard"), Some(Quiescence::default()));
        assert_eq!(Quiescence::from_name("Nothing"), None);
    }

    #[test]
    fn equal_means_that_the_search_is_the_same() {
        let skep = Quiescence::from_name("SKEP");
        assert_eq!(skep, Quiescence::from_name("see+king+escape+promote"));
        assert_eq!(skep, skep.clone());
        let dynamic = Quiescence::from_name("Dynamic");
        assert_eq!(dynamic, Quiescence::from_name("dynamic"));
        let other = SelectedQuiescence::new(Arc::new(ByProgress), Quiescence::DEPTH);
        assert_ne!(dynamic, Some(Quiescence::Selected(other)), "its policy may be another");
        let classes = Arc::new(QuiescenceClasses::SEE);
        let selected = SelectedQuiescence::new(classes, 4);
        assert_ne!(selected, SelectedQuiescence { depth: 3, ..selected.clone() });
        let predictor = Arc::new(LogisticThreatmate::default());
        assert_ne!(selected, selected.clone().with_threatmate(predictor));
    }
}
