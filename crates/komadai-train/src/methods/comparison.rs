//! Methods side by side: the same processor time, the same measures.

use core::fmt;
use core::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use komadai_base::file::read_text;
use komadai_nnue::linear::{FeatureGroups, LinearEvaluator};

use crate::methods::bonanza::{Bonanza, BonanzaOptions};
use crate::methods::games::Opponent;
use crate::methods::judgement::{Agreement, HeldOutLoss};
use crate::methods::method::Method;
use crate::methods::records::LearningData;
use crate::methods::regression::{Regression, RegressionOptions};
use crate::methods::td_leaf::{TdLeaf, TdLeafOptions};
use crate::methods::tree_strap::{StrapNodes, TreeStrap, TreeStrapOptions};

/// A method by its name.
///
/// # Examples
///
/// ```
/// use komadai_train::methods::MethodKind;
///
/// assert_eq!("treestrap".parse(), Ok(MethodKind::TreeStrap));
/// assert_eq!(MethodKind::TdLeaf.to_string(), "tdleaf");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum MethodKind {
    /// [`Regression`].
    Regression,
    /// [`Bonanza`].
    Mmto,
    /// [`TreeStrap`].
    TreeStrap,
    /// [`TreeStrap`] from the root alone.
    RootStrap,
    /// [`TdLeaf`].
    TdLeaf,
}

/// The error for a name that no method has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("found method {found:?}, expected regression, mmto, treestrap, rootstrap or tdleaf")]
pub struct UnknownMethod {
    /// The name.
    pub found: String,
}

/// The time in which a method learns, and the measures of its result.
///
/// # Examples
///
/// ```
/// use std::sync::{Arc, atomic::AtomicBool};
/// use std::time::Duration;
///
/// use komadai_train::linear::FeatureGroups;
/// use komadai_train::methods::{ComparisonOptions, LearningData, MethodKind, learn};
///
/// let options = ComparisonOptions {
///     cpu_time: Duration::from_millis(50),
///     ..ComparisonOptions::default()
/// };
/// let data = Arc::new(LearningData::new());
/// let learned =
///     learn(MethodKind::TdLeaf, FeatureGroups::P, &data, &options, None, &AtomicBool::new(false));
/// assert!(learned.cpu_time >= options.cpu_time);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ComparisonOptions {
    /// The processor time of each method.
    pub cpu_time: Duration,
    /// The seed of all methods.
    pub seed: u64,
    /// The number of held-out positions in which best moves are compared.
    pub agreement_positions: usize,
    /// The score in centipawns whose expected result is 0.73.
    pub score_scale: f32,
    /// The options of [`MethodKind::Mmto`].
    pub mmto: BonanzaOptions,
}

impl Default for ComparisonOptions {
    fn default() -> Self {
        Self {
            cpu_time: Duration::from_secs(7_200),
            seed: 1,
            agreement_positions: 4_000,
            score_scale: 600.0,
            mmto: BonanzaOptions::default(),
        }
    }
}

/// The result of a method.
#[derive(Debug, Clone, PartialEq)]
pub struct Learned {
    /// The evaluation.
    pub evaluator: LinearEvaluator,
    /// The number of positions learned from, repeated ones included.
    pub positions: u64,
    /// The processor time of learning.
    pub cpu_time: Duration,
    /// The loss on held-out games.
    pub loss: HeldOutLoss,
    /// The agreement with best moves of held-out games.
    pub agreement: Agreement,
}

/// Learns by one method for the processor time of the options, or until `stop` is set, and measures
/// the result. Methods that learn by playing play against the opponent if there is one; its
/// processor time counts if it thinks on the calling thread.
pub fn learn(
    kind: MethodKind,
    groups: FeatureGroups,
    data: &Arc<LearningData>,
    options: &ComparisonOptions,
    opponent: Option<Opponent>,
    stop: &AtomicBool,
) -> Learned {
    let timer = CpuTimer::start();
    let seed = options.seed;
    let mut method = match opponent {
        _ if kind == MethodKind::Mmto => {
            Box::new(Bonanza::new(groups, Arc::clone(data), options.mmto.clone(), seed))
        }
        Some(opponent) => kind.start_against(groups, data, seed, opponent),
        None => kind.start(groups, data, seed),
    };
    let is_over = || timer.elapsed() >= options.cpu_time || stop.load(Ordering::Relaxed);
    learn_until(&mut *method, is_over);
    let evaluator = LinearEvaluator::of(method.model());
    Learned {
        positions: method.positions(),
        cpu_time: timer.elapsed(),
        loss: data.loss(&evaluator, options.score_scale),
        agreement: data.agreement(&evaluator, options.agreement_positions),
        evaluator,
    }
}

/// Learns by steps of the method until a clock says that it is over, which is asked before each.
fn learn_until(method: &mut dyn Method, mut is_over: impl FnMut() -> bool) {
    while !is_over() {
        method.step();
    }
}

impl MethodKind {
    /// All methods.
    pub const ALL: [Self; 5] =
        [Self::Regression, Self::Mmto, Self::TreeStrap, Self::RootStrap, Self::TdLeaf];

    fn name(self) -> &'static str {
        match self {
            Self::Regression => "regression",
            Self::Mmto => "mmto",
            Self::TreeStrap => "treestrap",
            Self::RootStrap => "rootstrap",
            Self::TdLeaf => "tdleaf",
        }
    }

    /// Checks whether the method learns by playing.
    #[must_use]
    pub fn plays(self) -> bool {
        matches!(self, Self::TreeStrap | Self::RootStrap | Self::TdLeaf)
    }

    /// Returns the method in games against an opponent; one that learns from records
    /// [does not play](Self::plays).
    #[must_use]
    pub(crate) fn start_against(
        self,
        groups: FeatureGroups,
        data: &Arc<LearningData>,
        seed: u64,
        opponent: Opponent,
    ) -> Box<dyn Method> {
        match self {
            Self::Regression | Self::Mmto => self.start(groups, data, seed),
            Self::TreeStrap => Box::new(strap(StrapNodes::Tree, groups, seed).against(opponent)),
            Self::RootStrap => Box::new(strap(StrapNodes::Root, groups, seed).against(opponent)),
            Self::TdLeaf => {
                Box::new(TdLeaf::new(groups, TdLeafOptions::default(), seed).against(opponent))
            }
        }
    }

    /// Returns the method with its default options.
    #[must_use]
    pub fn start(
        self,
        groups: FeatureGroups,
        data: &Arc<LearningData>,
        seed: u64,
    ) -> Box<dyn Method> {
        let data = Arc::clone(data);
        match self {
            Self::Regression => {
                Box::new(Regression::new(groups, data, RegressionOptions::default(), seed))
            }
            Self::Mmto => Box::new(Bonanza::new(groups, data, BonanzaOptions::default(), seed)),
            Self::TreeStrap => Box::new(strap(StrapNodes::Tree, groups, seed)),
            Self::RootStrap => Box::new(strap(StrapNodes::Root, groups, seed)),
            Self::TdLeaf => Box::new(TdLeaf::new(groups, TdLeafOptions::default(), seed)),
        }
    }
}

/// Returns TreeStrap or RootStrap with its default options.
fn strap(learned: StrapNodes, groups: FeatureGroups, seed: u64) -> TreeStrap {
    TreeStrap::new(groups, TreeStrapOptions { learned, ..TreeStrapOptions::default() }, seed)
}

impl fmt::Display for MethodKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for MethodKind {
    type Err = UnknownMethod;

    fn from_str(text: &str) -> Result<Self, UnknownMethod> {
        let known = Self::ALL.into_iter().find(|kind| kind.name() == text);
        known.ok_or_else(|| UnknownMethod { found: text.to_owned() })
    }
}

/// Measures the processor time of the calling thread; on systems that do not tell it, the time of
/// the clock.
pub(crate) struct CpuTimer {
    processor: Option<Duration>,
    clock: Instant,
}

impl CpuTimer {
    pub(crate) fn start() -> Self {
        Self { processor: thread_time(), clock: Instant::now() }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        match (self.processor, thread_time()) {
            (Some(start), Some(now)) => now.saturating_sub(start),
            _ => self.clock.elapsed(),
        }
    }
}

/// Reads the processor time of the thread, which Linux states in nanoseconds.
fn thread_time() -> Option<Duration> {
    let text = read_text("/proc/thread-self/schedstat", 1 << 10).ok()?;
    text.split(' ').next()?.parse().ok().map(Duration::from_nanos)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::tests::planted::{planted_data, planted_model};

    #[test]
    fn a_budget_is_kept_to_a_step() {
        let data = Arc::new(planted_data(&planted_model(), 2));
        let groups = FeatureGroups::P | FeatureGroups::KSS;
        for kind in MethodKind::ALL {
            let mut method = kind.start(groups, &data, 1);
            // A clock that counts the steps: nothing may happen after the last tick.
            let mut ticks = 0;
            learn_until(&mut *method, || {
                ticks += 1;
                ticks > 40
            });
            let mut stepped = kind.start(groups, &data, 1);
            (0..40).for_each(|_| stepped.step());
            assert_eq!(method.positions(), stepped.positions(), "{kind}");
            assert!(method.model() == stepped.model(), "{kind}");
            // No step learns from more than a batch of positions, or the nodes of one search.
            let most = TreeStrapOptions::default().nodes;
            for _ in 0..300 {
                let before = method.positions();
                method.step();
                let learned = method.positions() - before;
                assert!(learned <= most, "{kind}: {learned}");
            }
        }
    }
}
