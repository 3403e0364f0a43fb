//! ProbCut: a shallow search that decides a deep one, by regression of the values of both.
//!
//! The searches that cut are in `quiescence/selected.rs` and `museum/regression_probcut.rs`, the
//! fitted predictions in `probcut/`.

pub(crate) mod depth_table;

use std::sync::LazyLock;

use komadai_eval::Progress;

use crate::value::{Value, Window};

/// A linear prediction of the value of a deep search by that of a shallow one, in centipawns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DepthRegression {
    /// The factor of the shallow value.
    pub slope: f32,
    /// The number added.
    pub offset: f32,
    /// The standard deviation of the error.
    pub deviation: f32,
}

impl DepthRegression {
    /// Returns the least value of the shallow search from which the deep one is trusted to reach
    /// beta, and the largest from which it is trusted not to exceed alpha, by `confidence` standard
    /// deviations.
    pub(crate) fn bounds(&self, confidence: f32, window: Window) -> [Value; 2] {
        let margin = confidence * self.deviation;
        let shallow = |deep: f32| (deep - self.offset) / self.slope;
        let above = shallow(window.beta as f32 + margin).ceil();
        let below = shallow(window.alpha as f32 - margin).floor();
        [above as Value, below as Value]
    }
}

/// Two depths in plies, and the predictions by the progress of the game.
///
/// # Examples
///
/// The values of deep searches scatter the more about those of shallow ones, the nearer the end of
/// the game is:
///
/// ```
/// use komadai_search::DepthPair;
///
/// for pair in DepthPair::for_search() {
///     let [opening, .., ending] = pair.bands.map(|by| by.deviation);
///     assert!(opening < ending, "{} and {} plies", pair.shallow, pair.deep);
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DepthPair {
    /// The depth of the search that predicts.
    pub shallow: u32,
    /// The depth of the nodes that it decides.
    pub deep: u32,
    /// The predictions for a progress of 0 to 4, 5 to 9, and 10 to 15.
    pub bands: [DepthRegression; 3],
}

impl DepthPair {
    /// The bands of progress, first and last.
    pub const BANDS: [[u8; 2]; 3] = [[0, 4], [5, 9], [10, 15]];

    /// Returns the pairs that `komadai-lab fit-probcut search` has fitted to searches by the bundled
    /// network, for [`Techniques::REGRESSION_PROBCUT`](crate::Techniques::REGRESSION_PROBCUT).
    /// docs/techniques.md has the fit.
    #[must_use]
    pub fn for_search() -> &'static [Self] {
        static BUNDLED: LazyLock<Vec<DepthPair>> =
            LazyLock::new(|| bundled(include_str!("probcut/search.tsv")));
        &BUNDLED
    }

    /// Returns the index of the predictions in [`DepthPair::bands`].
    #[must_use]
    pub fn band(progress: Progress) -> usize {
        usize::from(progress.get() >= 5) + usize::from(progress.get() >= 10)
    }

    /// Returns the pair that decides nodes of this depth.
    pub(crate) fn find(pairs: &[Self], deep: u32) -> Option<&Self> {
        pairs.iter().find(|pair| pair.deep == deep && pair.shallow < deep)
    }
}

fn bundled(text: &str) -> Vec<DepthPair> {
    DepthPair::from_table(text).expect("a test reads the bundled tables")
}

/// Cuts nodes of a [`SelectedQuiescence`](crate::SelectedQuiescence) whose value a shallower search
/// puts outside the window with some confidence.
///
/// A node with the deeper number of remaining plies of a pair is searched with the shallower one
/// first, with a zero window at the value from which the deep search is expected to reach beta, or
/// not to reach alpha, by `confidence` standard deviations. Nodes in check are left alone.
///
/// Source: M. Buro, "ProbCut: an effective selective extension of the alpha-beta algorithm", ICCA
/// Journal 18(2), 1995. S. Takeuchi, T. Kaneko and S. Kawai applied it to the quiescence search of
/// shogi (IPSJ SIG Technical Report 2005-GI-14). docs/quiescence.md has the fits. In the main search
/// the same rule is [`Techniques::REGRESSION_PROBCUT`](crate::Techniques::REGRESSION_PROBCUT).
///
/// # Examples
///
/// ```
/// use std::sync::Arc;
///
/// use komadai_core::Position;
/// use komadai_eval::Classical;
/// use komadai_search::{
///     AlphaBeta, ProbCut, Quiescence, QuiescenceClasses, SearchOptions, SelectedQuiescence,
/// };
///
/// let sfen = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
/// let position = Position::from_sfen(sfen)?;
/// let nodes = |confidence| {
///     let selected = SelectedQuiescence::new(Arc::new(QuiescenceClasses::SKEP), 6)
///         .with_probcut(Arc::new(ProbCut { confidence, ..ProbCut::fitted() }));
///     let quiescence = Quiescence::Selected(selected);
///     let options = SearchOptions { quiescence, ..SearchOptions::default() };
///     AlphaBeta::new(Classical::default(), options).quiescence(&position).nodes
/// };
/// assert!(nodes(1.0) < nodes(100.0));
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct ProbCut {
    /// The depths, each deep one once.
    pub pairs: Vec<DepthPair>,
    /// The number of standard deviations by which the shallow value has to be outside the window.
    pub confidence: f32,
}

impl ProbCut {
    /// Returns the pairs that `komadai-lab fit-probcut quiescence` has fitted to every second bundled
    /// game with the classes SKEP, and Buro's confidence for Othello.
    pub fn fitted() -> Self {
        Self { pairs: bundled(include_str!("probcut/skep.tsv")), confidence: 1.5 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bundled_tables_are_tables() {
        assert_eq!(DepthPair::for_search().len(), 3);
        assert_eq!(ProbCut::fitted().pairs.len(), 6);
        for pair in DepthPair::for_search().iter().chain(&ProbCut::fitted().pairs) {
            assert!(pair.shallow < pair.deep);
        }
    }

    #[test]
    fn bounds_are_where_the_prediction_is_outside_by_the_margin() {
        let by = DepthRegression { slope: 0.9, offset: 10.0, deviation: 40.0 };
        let predicted = |shallow: Value| 0.9 * f64::from(shallow) + 10.0;
        for (alpha, confidence) in [(0, 1.5), (-731, 0.5), (250, 2.25), (12, 0.0)] {
            let [above, below] = by.bounds(confidence, Window::zero(alpha));
            let margin = 40.0 * f64::from(confidence);
            assert!(predicted(above) - margin >= f64::from(alpha + 1) - 1e-3);
            assert!(predicted(above - 1) - margin < f64::from(alpha + 1));
            assert!(predicted(below) + margin <= f64::from(alpha) + 1e-3);
            assert!(predicted(below + 1) + margin > f64::from(alpha));
        }
    }
}
