//! The methods of quiescence search and their settings. The searches are in `quiescence.rs`.

pub(crate) mod classes;
pub(crate) mod gain;
pub(crate) mod policy;
pub(crate) mod programs;
pub(crate) mod stand_pat;

use core::fmt;
use core::str::FromStr;
use std::sync::{Arc, LazyLock};

use komadai_eval::{LogisticThreatmate, ThreatmatePredictor};

use crate::move_probability::{LogisticMoves, MoveProbability};
use crate::probcut::ProbCut;
use classes::{QuiescenceClasses, UnknownQuiescence};
use gain::ByGain;
use policy::QuiescencePolicy;
use programs::OtherProgram;
use stand_pat::StandPat;

/// The method of quiescence search at the leaves of the search.
///
/// # Measured
///
/// The distance of each method from a search over all moves of 5 plies, which stands pat but has to
/// parry a check: variance of the difference in centipawns, and nodes a position, on 7,649
/// positions of the bundled games from move 30 on. The methods stand pat in check too, but for
/// `Standard` and `TwoStage`, whose depth is their own. The search over all moves took 3,927 nodes
/// a position. `komadai-lab quiescence-study`, `Classical` evaluation, 2026-11-30;
/// docs/quiescence.md has the intervals, the depths 1 to 4, and the figures of the study that gives
/// most of the names.
///
/// | method | variance | nodes | | method | variance | nodes |
/// |---|---:|---:|---|---|---:|---:|
/// | Standard | 29,302 | 5.8 | | SEE+Check | 46,447 | 12.9 |
/// | TwoStage | 55,834 | 27.1 | | SEE+Threatmate | 49,877 | 5.6 |
/// | Eval | 95,098 | 1 | | SKEP | 42,532 | 45.6 |
/// | SEE | 50,546 | 4.0 | | Rating | 40,805 | 91.6 |
/// | Safe | 48,138 | 4.6 | | Dynamic | 45,252 | 6.6 |
/// | Capture | 45,653 | 12.2 | | Bonanza | 43,185 | 22.3 |
/// | King | 89,313 | 3.9 | | Kfend | 113,871 | 6.3 |
/// | Escape | 65,836 | 15.3 | | Yss | 52,430 | 6.3 |
/// | Promote | 147,838 | 3.9 | | Tacos | 80,026 | 1 |
/// | Check | 127,830 | 3.5 | | SEE+Escape | 45,086 | 23.4 |
/// | Threatmate | 97,524 | 1.3 | | QuietPromote | 99,322 | 2.9 |
///
/// Beside captures, evasions in check bring more than any class of moves: that is why `Standard` is
/// nearest.
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
        "Safe",
        "Bonanza",
        "Kfend",
        "Yss",
        "Tacos",
        "SKEP+ProbCut",
        "All+ProbCut",
    ];

    /// Number of plies for which a method chosen by name tries the classes of moves.
    pub const DEPTH: u32 = 4;

    /// Returns the method with this name, in upper or lower case: `Standard`, `TwoStage`, `Dynamic`
    /// for [`ByGain`], that of an [`OtherProgram`], or that of a set of [`QuiescenceClasses`]. The
    /// last three may end with `+ProbCut`, for [`ProbCut::fitted`].
    pub fn from_name(name: &str) -> Option<Self> {
        name.parse().ok()
    }
}

impl FromStr for Quiescence {
    type Err = UnknownQuiescence;

    fn from_str(name: &str) -> Result<Self, UnknownQuiescence> {
        let is = |method: &str| method.eq_ignore_ascii_case(name);
        if is("Standard") {
            return Ok(Self::Standard);
        }
        if is("TwoStage") {
            return Ok(Self::TwoStage);
        }
        let (moves, has_probcut) = match name.len().checked_sub(PROBCUT.len()) {
            Some(at) if name.is_char_boundary(at) && name[at..].eq_ignore_ascii_case(PROBCUT) => {
                (&name[..at], true)
            }
            _ => (name, false),
        };
        let is = |policy: &str| policy.eq_ignore_ascii_case(moves);
        let policy = match NAMED_POLICIES.iter().find(|(known, _)| is(known)) {
            Some((_, policy)) => Arc::clone(policy),
            None => Arc::new(moves.parse::<QuiescenceClasses>()?),
        };
        let mut selected = SelectedQuiescence::new(policy, Self::DEPTH);
        selected.probcut = has_probcut.then(|| Arc::clone(&FITTED_PROBCUT));
        Ok(Self::Selected(selected))
    }
}

impl fmt::Display for Quiescence {
    /// Writes the name of the method; for a custom policy, its [`Debug`](fmt::Debug) text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Standard => f.write_str("Standard"),
            Self::TwoStage => f.write_str("TwoStage"),
            Self::Selected(selection) => {
                let policy = &*selection.policy;
                let named = NAMED_POLICIES.iter();
                match named.into_iter().find(|(_, known)| is_same(&selection.policy, known)) {
                    Some((name, _)) => f.write_str(name)?,
                    None => match policy.fixed().filter(|_| is_plain(policy)) {
                        Some(classes) => classes.fmt(f)?,
                        None => write!(f, "{policy:?}")?,
                    },
                }
                f.write_str(if selection.probcut.is_some() { PROBCUT } else { "" })
            }
        }
    }
}

/// The policies with a name of their own. They are shared, so that two methods chosen by one name
/// are equal.
static NAMED_POLICIES: LazyLock<[(&str, Arc<dyn QuiescencePolicy>); 5]> = LazyLock::new(|| {
    [
        ("Dynamic", Arc::new(ByGain::FITTED)),
        ("Bonanza", Arc::new(OtherProgram::Bonanza)),
        ("Kfend", Arc::new(OtherProgram::Kfend)),
        ("Yss", Arc::new(OtherProgram::Yss)),
        ("Tacos", Arc::new(OtherProgram::Tacos)),
    ]
});

/// The end of the names of methods with [`ProbCut`].
const PROBCUT: &str = "+ProbCut";

/// Shared as well.
static FITTED_PROBCUT: LazyLock<Arc<ProbCut>> = LazyLock::new(|| Arc::new(ProbCut::fitted()));

/// Checks whether a policy is described by its classes alone.
fn is_plain(policy: &dyn QuiescencePolicy) -> bool {
    policy.stand_pat() == StandPat::Static && policy.max_plies() == u32::MAX
}

/// Checks whether both policies search the same moves and stand pat at the same values.
fn is_same(one: &Arc<dyn QuiescencePolicy>, other: &Arc<dyn QuiescencePolicy>) -> bool {
    match (one.fixed(), other.fixed()) {
        (None, None) => Arc::ptr_eq(one, other),
        (fixed, of_other) => {
            fixed == of_other
                && one.stand_pat() == other.stand_pat()
                && one.max_plies() == other.max_plies()
        }
    }
}

/// The moves to try in check, in a [`SelectedQuiescence`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum InCheck {
    /// All evasions, also beyond the depth; the side may not stand pat.
    #[default]
    Evasions,
    /// All evasions while plies remain; after them the side stands pat.
    EvasionsWithinDepth,
    /// The evasions of the classes that the policy chooses; the side may stand pat unless it is
    /// mated. Each position without remaining depth is one node.
    Classes,
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
    in_check: InCheck,
    threatmate: Option<Arc<dyn ThreatmatePredictor>>,
    probability: Option<Arc<dyn MoveProbability>>,
    probcut: Option<Arc<ProbCut>>,
}

impl SelectedQuiescence {
    /// Returns a search of the moves that `policy` selects, for `depth` plies. After them a side
    /// only stands pat, except in check.
    ///
    /// Some classes need the limit, because their lines do not end by themselves.
    pub fn new(policy: Arc<dyn QuiescencePolicy>, depth: u32) -> Self {
        Self {
            policy,
            depth,
            in_check: InCheck::default(),
            threatmate: None,
            probability: None,
            probcut: None,
        }
    }

    /// Returns the same search with another number of plies.
    #[must_use]
    pub fn with_depth(self, depth: u32) -> Self {
        Self { depth, ..self }
    }

    /// Returns the same search with other moves in check.
    #[must_use]
    pub fn with_in_check(self, in_check: InCheck) -> Self {
        Self { in_check, ..self }
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

    /// Returns the same search with nodes cut by shallower searches.
    #[must_use]
    pub fn with_probcut(self, probcut: Arc<ProbCut>) -> Self {
        Self { probcut: Some(probcut), ..self }
    }

    /// Returns the policy that selects the moves.
    pub fn policy(&self) -> &dyn QuiescencePolicy {
        &*self.policy
    }

    /// Returns the number of plies for which the moves are tried, unless the policy has a smaller
    /// [`max_plies`](QuiescencePolicy::max_plies).
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Returns the moves to try in check.
    pub fn in_check(&self) -> InCheck {
        self.in_check
    }

    /// Returns the predictor of threatmates: [`LogisticThreatmate`] unless another was given.
    pub fn threatmate(&self) -> &dyn ThreatmatePredictor {
        const DEFAULT: &LogisticThreatmate = &LogisticThreatmate::CHEAP;
        self.threatmate.as_deref().unwrap_or(DEFAULT)
    }

    /// Returns the cuts by shallower searches, if there are any.
    pub fn probcut(&self) -> Option<&ProbCut> {
        self.probcut.as_deref()
    }

    /// Returns the model of move probabilities: [`LogisticMoves`] unless another was given.
    pub fn probability(&self) -> &dyn MoveProbability {
        const DEFAULT: &LogisticMoves = &LogisticMoves::FITTED;
        self.probability.as_deref().unwrap_or(DEFAULT)
    }
}

impl PartialEq for SelectedQuiescence {
    fn eq(&self, other: &Self) -> bool {
        is_same(&self.policy, &other.policy)
            && self.depth == other.depth
            && self.in_check == other.in_check
            && shared(&self.threatmate, &other.threatmate)
            && shared(&self.probability, &other.probability)
            && shared(&self.probcut, &other.probcut)
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
        let other = SelectedQuiescence::new(Arc::new(ByGain::FITTED), Quiescence::DEPTH);
        assert_ne!(dynamic, Some(Quiescence::Selected(other)), "the policies are not shared");
        let classes = Arc::new(QuiescenceClasses::SEE);
        let selected = SelectedQuiescence::new(classes, 4);
        assert_ne!(selected, SelectedQuiescence { depth: 3, ..selected.clone() });
        assert_ne!(selected, selected.clone().with_in_check(InCheck::Classes));
        assert_eq!(
            Quiescence::from_name("Bonanza"),
            Quiescence::from_name("safe+promote+king+mate")
        );
        assert_ne!(Quiescence::from_name("Kfend"), Quiescence::from_name("SEE"));
        let predictor = Arc::new(LogisticThreatmate::default());
        assert_ne!(selected, selected.clone().with_threatmate(predictor));
    }
}
