//! Linear evaluations while they are learned.

use komadai_core::PieceKind;
use komadai_eval::Material;

use super::active::{ActiveFeatures, LinearInputs};
use super::groups::FeatureGroups;

/// A linear evaluation: the material balance, and the sum of the weights of a position's features.
///
/// Weights are numbers of 32 bits, in centipawns. [`LinearEvaluator`](super::LinearEvaluator) is
/// the same evaluation in integers, to play with.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_nnue::linear::{ActiveFeatures, FeatureGroups, LinearInputs, LinearModel};
///
/// let mut model = LinearModel::new(FeatureGroups::P | FeatureGroups::KP);
/// let inputs = LinearInputs::of(&Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b R 1")?);
/// let mut active = ActiveFeatures::default();
/// inputs.features(model.groups(), &mut active);
/// let before = model.value(&inputs, &active);
/// model.weights_mut()[active.plus[0] as usize] += 25.0;
/// assert_eq!(model.value(&inputs, &active), before + 25.0);
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct LinearModel {
    groups: FeatureGroups,
    weights: Vec<f32>,
}

impl LinearModel {
    /// Returns the evaluation of material alone.
    pub fn new(groups: FeatureGroups) -> Self {
        Self { groups, weights: vec![0.0; groups.weights()] }
    }

    pub(super) fn from_parts(groups: FeatureGroups, weights: Vec<f32>) -> Self {
        debug_assert_eq!(weights.len(), groups.weights());
        Self { groups, weights }
    }

    /// The groups of features.
    pub fn groups(&self) -> FeatureGroups {
        self.groups
    }

    /// The weights in centipawns.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// The weights in centipawns, to change them.
    pub fn weights_mut(&mut self) -> &mut [f32] {
        &mut self.weights
    }

    /// Returns the value of a piece on the board in centipawns, without that of its place: the one of
    /// the material balance, and the weight of [`V`](FeatureGroups::V). In hand it is worth more by
    /// the same amount as in the balance.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::PieceKind;
    /// use komadai_eval::Material;
    /// use komadai_nnue::linear::{FeatureGroups, LinearModel};
    ///
    /// let mut model = LinearModel::new(FeatureGroups::V);
    /// let lance = Material::board_value(PieceKind::Lance);
    /// model.weights_mut()[PieceKind::Lance.index()] = 30.0;
    /// assert_eq!(model.piece_value(PieceKind::Lance), (lance + 30) as f32);
    /// ```
    pub fn piece_value(&self, kind: PieceKind) -> f32 {
        let learned = self.groups.piece_value(kind).map_or(0.0, |index| self.weights[index]);
        Material::board_value(kind) as f32 + learned
    }

    /// Returns the value for the side to move in centipawns. `active` are the features of the
    /// inputs.
    #[inline]
    pub fn value(&self, inputs: &LinearInputs, active: &ActiveFeatures) -> f32 {
        inputs.material() as f32 + self.sum(active)
    }

    /// Returns the sum of the weights of these features in centipawns.
    #[inline]
    pub fn sum(&self, active: &ActiveFeatures) -> f32 {
        let sum = |indices: &[u32]| -> f32 {
            indices.iter().map(|index| self.weights[*index as usize]).sum()
        };
        sum(&active.plus) - sum(&active.minus)
    }
}
