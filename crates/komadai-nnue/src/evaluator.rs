//! Networks as evaluators.

use std::sync::Arc;

use komadai_core::{Move, Position, Score};
use komadai_eval::{Classical, Evaluator, scale};

use crate::accumulator::Accumulator;
use crate::compact::BaseEvaluator;
use crate::network::Network;
use crate::scale::ScaleSource;

/// A network as an evaluator: what a search plays with.
///
/// A [`Network`] is the weights of a file, an `Nnue` adds how its output becomes centipawns: a divisor
/// that is a property of the file ([`with_fv_scale`](Self::with_fv_scale)), and for compact networks
/// the evaluation to which it adds. Clones share the weights, so that each thread of a search has an
/// evaluator of its own.
///
/// The [`State`](Evaluator::State) is an [`Accumulator`], the sums of the first layer. It follows moves
/// and computes only when a value is asked for, because most positions of a search are never
/// evaluated. One that visits unrelated positions, such as a tool that reads training data, calls
/// [`evaluate_position`](Evaluator::evaluate_position), which keeps nothing.
///
/// [`value`](Self::value) is the number that other programs print (a pawn has 90), `evaluate` the same
/// in centipawns. Neither searches: a network learns the results of quiet positions, and its value in
/// the middle of an exchange means little.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_eval::Evaluator;
/// use komadai_nnue::{Architecture, FeatureSet, Network, Nnue};
///
/// let small = Architecture::new(FeatureSet::KP, 32, 8, 8).expect("supported widths");
/// let nnue = Nnue::new(Network::random(small, 1));
/// let position = Position::hirate();
/// let mut accumulator = nnue.refresh(&position);
/// assert_eq!(nnue.evaluate(&position, &mut accumulator), nnue.evaluate_position(&position));
/// ```
#[derive(Debug, Clone)]
pub struct Nnue {
    network: Arc<Network>,
    fv_scale: i32,
    scale_source: ScaleSource,
    /// True if the network needs no scaling.
    is_in_centipawns: bool,
    /// The evaluation to which the network adds.
    base: BaseEvaluator,
}

impl Nnue {
    /// The usual divisor of the output of classical networks.
    pub const FV_SCALE: i32 = 16;

    /// The largest value in the units of [`value`](Self::value), as other programs limit it.
    const MAX_VALUE: i32 = 31_753;

    /// The value of a pawn in the units of [`value`](Self::value).
    pub const PAWN: i32 = 90;

    /// Makes an evaluator; `network` may be shared. The divisor of the output is that of the
    /// [facts](Network::facts).
    pub fn new(network: impl Into<Arc<Network>>) -> Self {
        let network = network.into();
        let is_in_centipawns = network.architecture().classes().is_some();
        let base = network.base().into();
        let (fv_scale, scale_source) = (network.facts().fv_scale, network.facts().scale_source);
        Self { network, fv_scale, scale_source, is_in_centipawns, base }
    }

    /// Returns the evaluator with another divisor of the network's output (`FV_SCALE`), at least 1.
    ///
    /// The right one is a property of the file: 16 for most, 24 to 40 for some of later years, whose
    /// [facts](Network::facts) may not state it.
    #[must_use]
    pub fn with_fv_scale(mut self, fv_scale: i32) -> Self {
        self.fv_scale = fv_scale.max(1);
        self.scale_source = ScaleSource::Option;
        self
    }

    /// Returns the evaluator with other weights of [`Classical`], the evaluation to which a compact
    /// network adds; another network stays as it is.
    ///
    /// By default these are the fitted weights with the bundled patches. A network was trained
    /// beside the fitted ones, so a patch (ドーピング) should be small: what the network has learned
    /// does not change with it.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Position;
    /// use komadai_eval::{Classical, Evaluator, Parameters, Patch};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # #[cfg(feature = "bundled")] {
    /// use komadai_nnue::{Network, Nnue};
    ///
    /// let (with_rook, without) = ("4k4/9/9/9/9/9/9/7R1/4K4 b - 1", "4k4/9/9/9/9/9/9/9/4K4 b - 1");
    /// let patch = format!("piece[5]\t6000:6000\ta rook is worth more\t{with_rook}\t{without}");
    /// let mut parameters = Parameters::default();
    /// parameters.apply(&patch.parse::<Patch>()?);
    ///
    /// let network = Nnue::new(Network::bundled());
    /// let patched = network.clone().with_classical(Classical::new(&parameters));
    /// let position = Position::from_sfen(with_rook)?;
    /// assert!(patched.evaluate_position(&position) > network.evaluate_position(&position));
    /// # }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn with_classical(mut self, classical: Classical) -> Self {
        if let BaseEvaluator::Classical(base) = &mut self.base {
            *base = classical;
        }
        self
    }

    /// The network.
    pub fn network(&self) -> &Arc<Network> {
        &self.network
    }

    /// The divisor of the network's output.
    pub fn fv_scale(&self) -> i32 {
        self.fv_scale
    }

    /// The place that the divisor comes from: [`ScaleSource::Option`] after
    /// [`with_fv_scale`](Self::with_fv_scale).
    pub fn scale_source(&self) -> ScaleSource {
        self.scale_source
    }

    /// Returns the output of the network for the side to move, before any scaling; for a compact
    /// network with its base.
    pub fn raw(&self, position: &Position, accumulator: &mut Accumulator) -> i32 {
        let output = accumulator.output(&self.network, position);
        output + self.base.value(position, &mut accumulator.base)
    }

    /// Returns the value for the side to move as programs with such networks print it: the output
    /// divided by `FV_SCALE`, rounded toward zero, in units of which a pawn has 90. The value of a
    /// compact network is in centipawns and not divided.
    pub fn value(&self, position: &Position, accumulator: &mut Accumulator) -> i32 {
        let raw = self.raw(position, accumulator);
        let value = if self.is_in_centipawns { raw } else { raw / self.fv_scale };
        value.clamp(-Self::MAX_VALUE, Self::MAX_VALUE)
    }
}

impl Evaluator for Nnue {
    type State = Accumulator;

    fn refresh(&self, position: &Position) -> Accumulator {
        Accumulator::new(self.network.architecture(), self.base.refresh(position))
    }

    #[inline]
    fn do_move(&self, position: &mut Position, m: Move, accumulator: &mut Accumulator) {
        accumulator.push(position, m);
        self.base.do_move(position, m, &mut accumulator.base);
    }

    #[inline]
    fn undo_move(&self, position: &mut Position, accumulator: &mut Accumulator) {
        accumulator.pop();
        self.base.undo_move(position, &mut accumulator.base);
    }

    #[inline]
    fn evaluate(&self, position: &Position, accumulator: &mut Accumulator) -> Score {
        let value = self.value(position, accumulator);
        Score::cp(if self.is_in_centipawns { value } else { value * 100 / Self::PAWN })
    }

    fn evaluate_position(&self, position: &Position) -> Score {
        let base = self.base.refresh(position);
        self.evaluate(position, &mut Accumulator::single(self.network.architecture(), base))
    }

    /// The spread of the network's outputs is measured once and kept with the network; the divisor
    /// is that of this evaluator. Other weights of the base do not change it, or the first evaluator
    /// that asks would decide for all.
    fn scale(&self) -> f64 {
        let spread = *self.network.spread().get_or_init(|| {
            let usual = Self { base: self.network.base().into(), ..self.clone() };
            scale::spread(|position| {
                let base = usual.base.refresh(position);
                let mut accumulator = Accumulator::single(usual.network.architecture(), base);
                f64::from(usual.raw(position, &mut accumulator))
            })
        });
        let centipawn =
            if self.is_in_centipawns { 1.0 } else { f64::from(self.fv_scale * Self::PAWN) / 100.0 };
        scale::from_spread(spread / centipawn)
    }
}
