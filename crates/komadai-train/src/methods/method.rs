//! The trait of all methods.

use komadai_nnue::linear::LinearModel;

/// A method that learns the weights of a linear evaluation.
///
/// # Examples
///
/// ```
/// use komadai_train::linear::FeatureGroups;
/// use komadai_train::methods::{Method, TreeStrap, TreeStrapOptions};
///
/// let options = TreeStrapOptions { nodes: 100, ..TreeStrapOptions::default() };
/// let mut method = TreeStrap::new(FeatureGroups::P, options, 1);
/// (0..40).for_each(|_| method.step());
/// assert!(method.positions() > 0);
/// assert!(method.model().weights().iter().any(|weight| *weight != 0.0));
/// ```
pub trait Method {
    /// Does a small part of the work: searches a position, plays a move, or learns from a batch. It
    /// takes milliseconds, so that a caller who looks at a clock between steps keeps a budget.
    fn step(&mut self);

    /// The number of positions learned from, repeated ones included.
    fn positions(&self) -> u64;

    /// The evaluation learned until now.
    fn model(&self) -> &LinearModel;
}
