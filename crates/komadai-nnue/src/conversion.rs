//! Networks in another form: with another text, and in the file format of another program.

use crate::aligned::Aligned;
use crate::architecture::Architecture;
use crate::facts::NetworkFacts;
use crate::feature_set::FeatureSet;
use crate::layer_stacks::LayerStacks;
use crate::layers::{Layers, Selector, Stacked};
use crate::network::{Network, Parameters};
use crate::scale::{ScaleSource, scale_of_text};
use crate::stack_choice::StackChoice;
use crate::stack_rule::StackRule;

/// The reason why a network cannot be written in the form of another program.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ConversionError {
    /// The layers are not those of a stacked network.
    #[error("{found} is not a stacked network, and only those have two forms")]
    NotStacked {
        /// The architecture.
        found: Architecture,
    },
    /// The stack is chosen by a rule that the other form does not have.
    #[error("the stacks of {found} are not chosen by the ranks of the kings (k3k3, kingrank9)")]
    Rule {
        /// The architecture.
        found: Architecture,
    },
    /// The other program has no such set of features.
    #[error("rshogi and tatara have no features {found}")]
    Features {
        /// The set.
        found: FeatureSet,
    },
    /// The other form has no values of pieces beside the layers.
    #[error(
        "the network has values of the pieces beside its layers (PSQT), and YaneuraOu has none"
    )]
    Psqt,
    /// The other form has no such widths.
    #[error("the widths of {found} do not exist in the other form")]
    Widths {
        /// The architecture.
        found: Architecture,
    },
    /// A number of the first layer has no double of 16 bits.
    #[error(
        "the first layer has the number {found}, expected -16384 to 16383: YaneuraOu doubles it"
    )]
    TooLarge {
        /// The number.
        found: i16,
    },
}

impl Network {
    /// Returns the network with another description. Its scale is the one that the text states, or
    /// the usual one.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_nnue::Network;
    ///
    /// let network = Network::random("halfkp_32x2-8-8".parse()?, 1);
    /// let text = format!("{},fv_scale=24", network.architecture().description());
    /// assert_eq!(network.with_text(text).facts().fv_scale, 24);
    /// # Ok::<(), komadai_nnue::UnknownArchitecture>(())
    /// ```
    #[must_use]
    pub fn with_text(mut self, text: String) -> Self {
        let stated = scale_of_text(&text);
        let mut facts = NetworkFacts::new(self.architecture(), text);
        facts.take_scale(ScaleSource::Text, stated);
        *self.facts_mut() = facts;
        self
    }

    /// Returns a stacked network of rshogi and tatara (LayerStack) as one of YaneuraOu (SFNN).
    ///
    /// Outputs are the same as long as no sum of the first layer is beyond ±16,383: YaneuraOu
    /// doubles these sums in 16 bits.
    ///
    /// # Errors
    ///
    /// Returns the reason why there is no such form. A network of YaneuraOu is returned as it is.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_nnue::Network;
    ///
    /// let network = Network::random("layerstack_halfkahm2_64_16_32_x9_kingrank9".parse()?, 1);
    /// let converted = network.into_yaneuraou()?;
    /// assert_eq!(converted.architecture().to_string(), "sfnn_halfkahm2_64_15_32_k3k3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn into_yaneuraou(self) -> Result<Self, ConversionError> {
        let found = self.architecture();
        let Layers::Stacked(stacked) = self.layers() else {
            return Err(ConversionError::NotStacked { found });
        };
        match stacked.selector {
            Selector::Classes(..) => return Ok(self),
            Selector::KingRank9 if stacked.stacks.len() == StackChoice::K3K3.count() => {}
            _ => return Err(ConversionError::Rule { found }),
        }
        let is_zero = |values: &[i32]| values.iter().all(|value| *value == 0);
        // The biases of both views cancel each other.
        if stacked.psqt.as_ref().is_some_and(|psqt| !is_zero(&psqt.weights)) {
            return Err(ConversionError::Psqt);
        }
        let (features, width, hidden) = (found.features(), found.width(), found.hidden());
        let architecture = Architecture::stacked(features, width, hidden, StackChoice::K3K3, None)
            .ok_or(ConversionError::Widths { found })?;
        let is_large = |number: &&i16| number.checked_mul(2).is_none();
        if let Some(&found) = self.biases().iter().chain(self.weights()).find(is_large) {
            return Err(ConversionError::TooLarge { found });
        }
        let Parameters { biases, weights, layers } = self.into_parameters();
        let [biases, mut weights] = [&*biases, &*weights].map(|numbers| {
            let mut numbers = Aligned::from_slice(numbers);
            numbers.iter_mut().for_each(|number| *number *= 2);
            numbers
        });
        // Pieces that are missing from the game are features in YaneuraOu alone.
        let stored = architecture.stored_width();
        for king in 0..features.king_buckets() {
            weights[king * features.pieces() * stored..][..stored].fill(0);
        }
        let selector = Selector::Classes(StackChoice::K3K3, None);
        Ok(Self::restacked(architecture, biases, weights, layers, selector))
    }

    /// Returns a stacked network of YaneuraOu (SFNN) as one of rshogi and tatara (LayerStack), whose
    /// rule is [`KingRank9`](StackRule::KingRank9).
    ///
    /// Outputs are the same as long as all pieces are in the game, and no sum of the first layer is
    /// beyond ±16,383.
    ///
    /// # Errors
    ///
    /// Returns the reason why there is no such form. A LayerStack network is returned as it is.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_nnue::{ConversionError, Network};
    ///
    /// let network = Network::random("sfnn_halfkahm2_64_15_32_k3k3".parse()?, 1);
    /// let converted = network.into_layer_stack()?;
    /// assert_eq!(converted.architecture().to_string(), "layerstack_halfkahm2_64_16_32_x9_kingrank9");
    /// let other = Network::random("sfnn_halfkahm2_64_15_32_k9k9".parse()?, 1);
    /// assert!(matches!(other.into_layer_stack(), Err(ConversionError::Rule { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn into_layer_stack(self) -> Result<Self, ConversionError> {
        let found = self.architecture();
        let Layers::Stacked(stacked) = self.layers() else {
            return Err(ConversionError::NotStacked { found });
        };
        match stacked.selector {
            Selector::Classes(StackChoice::K3K3, _) => {}
            Selector::Classes(..) => return Err(ConversionError::Rule { found }),
            _ => return Ok(self),
        }
        let features = found.features();
        if !KNOWN_TO_RSHOGI.contains(&features) {
            return Err(ConversionError::Features { found: features });
        }
        let [first, second] = found.hidden();
        let count = StackChoice::K3K3.count();
        let stacks = LayerStacks { count, rule: StackRule::KingRank9, has_psqt: false };
        let architecture =
            Architecture::layer_stack(features, found.width(), [first + 1, second], stacks)
                .ok_or(ConversionError::Widths { found })?;
        let Parameters { biases, weights, layers } = self.into_parameters();
        let [biases, weights] = [&*biases, &*weights].map(|numbers| {
            let mut numbers = Aligned::from_slice(numbers);
            numbers.iter_mut().for_each(|number| *number >>= 1);
            numbers
        });
        Ok(Self::restacked(architecture, biases, weights, layers, Selector::KingRank9))
    }

    fn restacked(
        architecture: Architecture,
        biases: Aligned<i16>,
        weights: Aligned<i16>,
        layers: Layers,
        selector: Selector,
    ) -> Self {
        let layers = match layers {
            Layers::Stacked(stacked) => {
                Layers::Stacked(Stacked { selector, psqt: None, ..stacked })
            }
            other => other,
        };
        let parameters = Parameters { biases, weights: weights.into(), layers };
        Self::from_parameters(architecture, architecture.description(), parameters)
    }
}

/// The sets of features of LayerStack files.
const KNOWN_TO_RSHOGI: [FeatureSet; 5] = [
    FeatureSet::HalfKp,
    FeatureSet::HalfKa1,
    FeatureSet::HalfKa2,
    FeatureSet::HalfKaHm1,
    FeatureSet::HalfKaHm2,
];

#[cfg(test)]
mod tests {
    use komadai_core::{Handicap, Position};
    use komadai_eval::{Evaluator, scale};

    use super::*;
    use crate::evaluator::Nnue;

    fn outputs(network: &Network) -> Vec<i32> {
        let nnue = Nnue::new(network.clone());
        let handicap = Position::from_sfen(Handicap::TwoPiece.sfen()).unwrap();
        let positions = scale::sample().iter().step_by(5).chain([&handicap]);
        positions.map(|position| nnue.raw(position, &mut nnue.refresh(position))).collect()
    }

    #[test]
    fn both_forms_of_a_stacked_network_have_the_same_outputs_and_lead_back() {
        for widths in ["halfkahm2_64_16_32", "halfkp_72_8_64", "halfka1_64_16_32"] {
            let name = format!("layerstack_{widths}_x9_kingrank9");
            let network = Network::random(name.parse().unwrap(), 5);
            let expected = outputs(&network);
            let there = network.clone().into_yaneuraou().unwrap();
            assert_eq!(outputs(&there), expected, "{name}");
            let mut file = Vec::new();
            there.write(&mut file).unwrap();
            let read = Network::from_bytes(&file).unwrap();
            assert_eq!((outputs(&read), read.facts().doubts.len()), (expected.clone(), 0));
            let back = read.into_layer_stack().unwrap();
            assert_eq!((back.architecture(), outputs(&back)), (network.architecture(), expected));
            let again = back.into_yaneuraou().unwrap();
            let mut second = Vec::new();
            again.write(&mut second).unwrap();
            assert_eq!(second, file, "{name}");
        }
    }

    #[test]
    fn networks_without_another_form_are_refused_with_the_reason() {
        let refused = |name: &str| {
            let network = Network::random(name.parse().expect(name), 1);
            let is_stacked = name.starts_with("sfnn");
            if is_stacked { network.into_layer_stack() } else { network.into_yaneuraou() }
                .map(|network| network.architecture())
                .unwrap_err()
        };
        assert!(matches!(refused("halfkp_32x2-8-8"), ConversionError::NotStacked { .. }));
        assert!(matches!(refused("sfnn_kp_64_15_32_k3k3"), ConversionError::Features { .. }));
        assert!(matches!(refused("sfnn_halfkp_64_16_32_k3k3"), ConversionError::Widths { .. }));
        assert!(matches!(
            refused("layerstack_halfkp_64_16_32_x8_progress8kpabs"),
            ConversionError::Rule { .. }
        ));
        assert!(matches!(
            refused("layerstack_kp_64_16_32_x9_kingrank9_psqt"),
            ConversionError::Psqt
        ));
    }
}
