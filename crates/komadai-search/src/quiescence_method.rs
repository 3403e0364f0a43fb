//! The methods of quiescence search and their settings. The searches are in `quiescence.rs`.

pub(crate) mod classes;
pub(crate) mod policy;

use core::fmt;
use core::str::FromStr;
use std::sync::{Arc, LazyLock};

use komadai_eval::{LogisticThreatmate, ThreatmatePredictor};

use crate::move_probability::{LogisticMoves, MoveProbability};
use classes::{QuiescenceClasses, UnknownQuiescence};
use policy::{ByProgress, QuiescencePolicy};

/// The method of quiescence search at the leaves of the search.
///
/// # Measured
///
/// Each method to a depth of 4 plies, against a full-width search of 4 plies without quiescence, on
/// 1,113 positions of the bundled games from move 30 on that are not in check: mean and variance of the
/// difference in centipawns, the variance in the opening (progress up to 4), middle game (up to 9) and
/// endgame (from 10), and all nodes. The full-width search took 72,549,619 nodes. Positions with mates
/// are not counted.
/// `komadai-lab quiescence-study --positions 1000`, `Classical` evaluation, 2026-11-22.
///
/// | method | mean | variance | opening | middle | end | nodes |
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
/// As in the study of Takeuchi and others, captures matter most, SKEP comes nearest among the sets
/// without checks, and checks after an unparried threatmate keep about half of the gain of all
/// checks at a tenth of the nodes. Escapes alone come nearer than standing pat here, but not in
/// that study. The mean is positive because the fourth ply of the full-width search is the
/// opponent's, and it has no reply.
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
    /// Captures and promotions, pruned and ordered for speed. This is the method for playing.
    #[default]
    Standard,
    /// The classes of moves that a policy chooses at each node.
    Selected(SelectedQuiescence),
    /// Captures, promotions, mates in one and escapes for a few plies, then exchanges on one
    /// square. Threatened pieces reduce the value of standing pat.
    TwoStage,
}

impl Quiescence {
    /// The names to choose from, the standard one first. Every other union of classes has a name as
    /// well: see [`FromStr`].
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

    /// Number of plies for which a method chosen by name tries the classes of moves.
    pub const DEPTH: u32 = 4;

    /// Returns the method with this name: `Standard`, `TwoStage`, `Dynamic` for [`ByProgress`], or
    /// the name of a set of [`QuiescenceClasses`], in upper or lower case.
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

impl fmt::Display for Quiescence {
    /// Writes the name of the method; for a custom policy, its [`Debug`](fmt::Debug) text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Standard => f.write_str("Standard"),
            Self::TwoStage => f.write_str("TwoStage"),
            Self::Selected(selection) => match selection.policy.fixed() {
                Some(classes) => classes.fmt(f),
                None if is_by_progress(selection) => f.write_str("Dynamic"),
                None => write!(f, "{:?}", selection.policy),
            },
        }
    }
}

/// The shared instance of the policy, so that two methods chosen by its name are equal.
static BY_PROGRESS: LazyLock<Arc<ByProgress>> = LazyLock::new(Arc::default);

fn is_by_progress(selection: &SelectedQuiescence) -> bool {
    let shared: Arc<dyn QuiescencePolicy> = BY_PROGRESS.clone();
    Arc::ptr_eq(&selection.policy, &shared)
}

/// A quiescence search of the moves that a policy selects.
///
/// Two values are equal if they have the same depth and models, and share their policy or have the
/// same fixed classes.
///
/// # Examples
///
/// ```
/// use std::sync::Arc;
///
/// use komadai_eval::LogisticThreatmate;
/// use komadai_search::{Quiescence, QuiescenceClasses, SelectedQuiescence, SoftmaxMoves};
///
/// let classes = QuiescenceClasses::SEE | QuiescenceClasses::THREATMATE;
/// let selected = SelectedQuiescence::new(Arc::new(classes), 4)
///     .with_threatmate(Arc::new(LogisticThreatmate::default()))
///     .with_probability(Arc::new(SoftmaxMoves::default()));
/// assert_eq!(Quiescence::Selected(selected).to_string(), "SEE+Threatmate");
/// ```
#[derive(Debug, Clone)]
pub struct SelectedQuiescence {
    policy: Arc<dyn QuiescencePolicy>,
    depth: u32,
    threatmate: Option<Arc<dyn ThreatmatePredictor>>,
    probability: Option<Arc<dyn MoveProbability>>,
}

impl SelectedQuiescence {
    /// Returns a search of the moves that `policy` selects, for `depth` plies. After them a side
    /// only stands pat, except in check.
    ///
    /// Some classes need the limit, because their lines do not end by themselves.
    pub fn new(policy: Arc<dyn QuiescencePolicy>, depth: u32) -> Self {
        Self { policy, depth, threatmate: None, probability: None }
    }

    /// Returns the same search with another number of plies.
    #[must_use]
    pub fn with_depth(self, depth: u32) -> Self {
        Self { depth, ..self }
    }

    /// Returns the same search with another predictor of threatmates.
    #[must_use]
    pub fn with_threatmate(self, predictor: Arc<dyn ThreatmatePredictor>) -> Self {
        Self { threatmate: Some(predictor), ..self }
    }

    /// Returns the same search with another model of move probabilities.
    #[must_use]
    pub fn with_probability(self, model: Arc<dyn MoveProbability>) -> Self {
        Self { probability: Some(model), ..self }
    }

    /// Returns the policy that selects the moves.
    pub fn policy(&self) -> &dyn QuiescencePolicy {
        &*self.policy
    }

    /// Returns the number of plies for which the moves are tried.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Returns the predictor of threatmates: [`LogisticThreatmate`] unless another was given.
    pub fn threatmate(&self) -> &dyn ThreatmatePredictor {
        const DEFAULT: &LogisticThreatmate = &LogisticThreatmate::FITTED;
        self.threatmate.as_deref().unwrap_or(DEFAULT)
    }

    /// Returns the model of move probabilities: [`LogisticMoves`] unless another was given.
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

/// Checks whether both are the same shared value, or both are absent.
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
    fn names_choose_different_methods() {
        let methods: Vec<_> =
            Quiescence::NAMES.iter().map(|name| Quiescence::from_name(name)).collect();
        for (index, method) in methods.iter().enumerate() {
            assert_eq!(
                method.as_ref().map(ToString::to_string).as_deref(),
                Some(Quiescence::NAMES[index])
            );
            assert!(!methods[..index].contains(method), "{method:?}");
        }
        assert_eq!(Quiescence::from_name("standard"), Some(Quiescence::default()));
        assert_eq!(Quiescence::from_name("Nothing"), None);
    }

    #[test]
    fn equal_values_search_the_same_moves() {
        let skep = Quiescence::from_name("SKEP");
        assert_eq!(skep, Quiescence::from_name("see+king+escape+promote"));
        assert_eq!(skep, skep.clone());
        let dynamic = Quiescence::from_name("Dynamic");
        assert_eq!(dynamic, Quiescence::from_name("dynamic"));
        let other = SelectedQuiescence::new(Arc::new(ByProgress), Quiescence::DEPTH);
        assert_ne!(dynamic, Some(Quiescence::Selected(other)), "the policies are not shared");
        let classes = Arc::new(QuiescenceClasses::SEE);
        let selected = SelectedQuiescence::new(classes, 4);
        assert_ne!(selected, SelectedQuiescence { depth: 3, ..selected.clone() });
        let predictor = Arc::new(LogisticThreatmate::default());
        assert_ne!(selected, selected.clone().with_threatmate(predictor));
    }
}
