//! Networks.

use std::sync::OnceLock;

use komadai_core::Position;

use crate::aligned::Aligned;
use crate::architecture::Architecture;
use crate::compact::CompactBase;
use crate::facts::NetworkFacts;
use crate::kernels::{Chosen, Kernels};
use crate::layers::Layers;
use crate::scratch::Scratch;
use crate::weights::Weights;

/// The weights of a network.
///
/// [`open`](Self::open) reads a file of any kind in the crate's table, `map` (feature `mmap`) leaves a
/// large one on disk for all processes to share, `bundled` (feature `bundled`) needs no file, and
/// [`random`](Self::random) makes one from a seed for tests. To evaluate positions, make it an
/// [`Nnue`](crate::Nnue).
///
/// Sums wrap around as in the programs that train networks, so that no weights can overflow: every
/// file of the right length is a network. Threads share one copy through [`Arc`](std::sync::Arc).
///
/// # Examples
///
/// A network with weights made from a seed, written and read again:
///
/// ```
/// use komadai_nnue::{Architecture, FeatureSet, Network};
///
/// let architecture = Architecture::new(FeatureSet::KP, 32, 8, 8).expect("supported widths");
/// let network = Network::random(architecture, 1);
/// let mut file = Vec::new();
/// network.write(&mut file)?;
/// assert_eq!(Network::from_bytes(&file).expect("a file just written").architecture(), architecture);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Network {
    facts: NetworkFacts,
    parameters: Parameters,
    kernels: Chosen,
    /// The spread of the outputs on the sample of `komadai_eval::scale`, once it has been measured.
    spread: OnceLock<f64>,
}

/// The parameters of a network in the order of a file.
#[derive(Debug, Clone)]
pub(crate) struct Parameters {
    pub(crate) biases: Aligned<i16>,
    /// `[input][output]`.
    pub(crate) weights: Weights,
    pub(crate) layers: Layers,
}

impl Network {
    pub(crate) fn from_parameters(
        architecture: Architecture,
        description: String,
        parameters: Parameters,
    ) -> Self {
        Self::with_facts(NetworkFacts::new(architecture, description), parameters)
    }

    pub(crate) fn with_facts(facts: NetworkFacts, parameters: Parameters) -> Self {
        let kernels = Chosen::new(Kernels::detect());
        Self { facts, parameters, kernels, spread: OnceLock::new() }
    }

    /// The facts about the network, with what in its file is doubtful.
    pub fn facts(&self) -> &NetworkFacts {
        &self.facts
    }

    /// Gives access to the facts, for those that stand beside the file.
    pub(crate) fn facts_mut(&mut self) -> &mut NetworkFacts {
        &mut self.facts
    }

    /// Returns the network with other vector instructions; those that the processor lacks are
    /// ignored.
    ///
    /// For measurements: the result of an evaluation is the same.
    #[must_use]
    pub fn with_kernels(mut self, kernels: Kernels) -> Self {
        self.kernels = Chosen::new(kernels);
        self
    }

    /// The shape of the network.
    pub fn architecture(&self) -> Architecture {
        self.facts.architecture
    }

    /// The spread of the outputs, measured by the first evaluator that asks.
    pub(crate) fn spread(&self) -> &OnceLock<f64> {
        &self.spread
    }

    /// The evaluation to which the network adds; `None` if it stands for itself, as all but compact
    /// ones.
    pub fn base(&self) -> Option<CompactBase> {
        match self.layers() {
            Layers::Compact(compact) => Some(compact.base),
            _ => None,
        }
    }

    /// The text by which the file describes the network.
    pub fn description(&self) -> &str {
        &self.facts.text
    }

    /// The vector instructions of evaluations.
    pub fn kernels(&self) -> Kernels {
        self.kernels.kernels()
    }

    /// The biases of the first layer.
    pub(crate) fn biases(&self) -> &[i16] {
        &self.parameters.biases
    }

    /// The weights of the first layer, `[input][output]`.
    #[inline]
    pub(crate) fn weights(&self) -> &[i16] {
        &self.parameters.weights
    }

    pub(crate) fn into_parameters(self) -> Parameters {
        self.parameters
    }

    pub(crate) fn layers(&self) -> &Layers {
        &self.parameters.layers
    }

    pub(crate) fn chosen(&self) -> Chosen {
        self.kernels
    }

    /// Computes the output from the sums of the first layer, those of the side to move first.
    #[inline]
    pub(crate) fn output(
        &self,
        position: &Position,
        sums: [&[i16]; 2],
        scratch: &mut Scratch,
    ) -> i32 {
        self.parameters.layers.output(self.kernels, position, sums, scratch)
    }
}
