//! ProbCut: a shallow search that decides a deep one.

use komadai_eval::Progress;

use crate::value::Value;

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

/// Two depths in plies, and the predictions by the progress of the game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DepthPair {
    /// The depth of the search that predicts.
    pub shallow: u32,
    /// The depth of the nodes that it decides.
    pub deep: u32,
    /// The predictions for a progress of 0 to 4, 5 to 9, and 10 to 15.
    pub bands: [DepthRegression; 3],
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
/// shogi (IPSJ SIG Technical Report 2005-GI-14). docs/quiescence.md has the fits.
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
    /// Returns the pairs that `komadai-lab fit-probcut` has fitted to every second bundled game with
    /// the classes SKEP, and Buro's confidence for Othello.
    pub fn fitted() -> Self {
        Self { pairs: FITTED.to_vec(), confidence: 1.5 }
    }

    /// Returns the index of the predictions in [`DepthPair::bands`].
    #[must_use]
    pub fn band(progress: Progress) -> usize {
        usize::from(progress.get() >= 5) + usize::from(progress.get() >= 10)
    }

    /// Returns the pair that decides nodes of this depth.
    pub(crate) fn pair(&self, deep: u32) -> Option<&DepthPair> {
        self.pairs.iter().find(|pair| pair.deep == deep && pair.shallow < deep)
    }

    /// Returns the least value of the shallow search from which the deep one is trusted to reach
    /// `beta`, and the largest from which it is trusted not to exceed `alpha`.
    pub(crate) fn bounds(&self, by: &DepthRegression, alpha: Value, beta: Value) -> [Value; 2] {
        let margin = self.confidence * by.deviation;
        let shallow = |deep: f32| (deep - by.offset) / by.slope;
        let above = shallow(beta as f32 + margin).ceil();
        let below = shallow(alpha as f32 - margin).floor();
        [above as Value, below as Value]
    }
}

const fn pair(shallow: u32, deep: u32, bands: [DepthRegression; 3]) -> DepthPair {
    DepthPair { shallow, deep, bands }
}

const fn regression(slope: f32, offset: f32, deviation: f32) -> DepthRegression {
    DepthRegression { slope, offset, deviation }
}

/// Printed by `komadai-lab fit-probcut`: 3,239 positions of 39 bundled games, the classes SKEP.
#[rustfmt::skip]
const FITTED: [DepthPair; 6] = [
    pair(1, 3, [regression(0.547, -59.2, 197.4), regression(0.865, -108.7, 226.9), regression(0.976, -91.0, 193.9)]),
    pair(2, 4, [regression(0.970, 20.0, 60.5), regression(0.986, 23.8, 71.2), regression(1.001, 18.5, 79.3)]),
    pair(3, 5, [regression(0.896, -24.4, 87.6), regression(0.971, -30.2, 96.2), regression(0.994, -16.3, 75.2)]),
    pair(4, 6, [regression(0.986, 8.4, 38.2), regression(0.995, 7.5, 34.7), regression(0.999, 3.4, 31.3)]),
    pair(3, 7, [regression(0.873, -27.8, 96.7), regression(0.960, -34.7, 108.5), regression(0.993, -18.3, 80.2)]),
    pair(4, 8, [regression(0.981, 10.1, 41.7), regression(0.994, 8.1, 35.8), regression(1.000, 4.5, 32.0)]),
];
