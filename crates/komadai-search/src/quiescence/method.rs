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
/// end (from 10), and all nodes. The full-width search took 72,549,619. Mates are left out.
/// `quiescence_study --positions 1000`, `Classical` evaluation, 2026-11-22.
///
/// | way | mean | variance | opening | middle | end | nodes |
/// |---|---|---|---|---|---|---|
/// | Standard | 284 | 89,530 | 54,135 | 69,706 | 138,901 | 7,474 |
/// | TwoStage | 226 | 82,328 | 56,846 | 68,320 | 117,591 | 27,718 |
/// | Dynamic | 284 | 84,906 | 55,224 | 69,473 | 125,540 | 30,747 |
/// | Eval | 156 | 158,569 | 96,846 | 138,568 | 237,087 | 1,113 |
/// | SEE | 278 | 95,447 | 60,981 | 73,216 | 145,016 | 5,441 |
/// | Capture | 276 | 91,632 | 57,389 | 70,020 | 140,488 | 16,572 |
/// | King | 168 | 160,446 | 99,660 | 139,983 | 238,061 | 4,425 |
/// | Escape | 269 | 129,443 | 85,933 | 110,384 | 187,971 | 19,179 |
/// | Promote | 294 | 199,328 | 199,306 | 157,176 | 223,462 | 7,426 |
/// | SKEP | 281 | 86,538 | 51,065 | 68,737 | 134,969 | 55,994 |
/// | Check | 176 | 142,788 | 96,376 | 129,129 | 200,587 | 41,195 |
/// | Threatmate | 159 | 156,993 | 96,846 | 138,542 | 232,797 | 2,041 |
/// | SEE+Escape | 281 | 89,414 | 53,693 | 70,179 | 138,847 | 29,111 |
/// | SEE+Check | 281 | 83,263 | 60,129 | 66,578 | 116,637 | 76,325 |
/// | SEE+Threatmate | 277 | 89,390 | 60,981 | 73,029 | 128,869 | 12,147 |
/// | Rating | 281 | 76,967 | 48,027 | 60,678 | 117,317 | 177,162 |
/// | All | 275 | 75,504 | 45,454 | 60,407 | 116,118 | 1,193,499 |
///
/// As in the study of Takeuchi and others, captures matter most, SKEP comes nearest of the sets of them
/// without checks, and checks after an unparried threatmate keep about half of what all checks gain
/// at a tenth of the nodes. Escapes alone come nearer than standing pat here, which they did not there.
/// The mean is positive because the fourth ply of the full-width search is the opponent's, and no one
/// answers it.
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
