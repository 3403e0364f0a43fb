//! The agreement of networks with the results of games and with deeper values.

use komadai_data::tools::{Damage, Sources, ToolError, Watch};
use komadai_eval::Evaluator as _;
use komadai_nnue::Nnue;
use serde::Serialize;

use crate::estimate::{Estimate, Mean, Pairs, logistic, share};
use crate::positions::{DataCounts, DataOptions, Labelled, Labels, Phase, read};

/// The largest value that counts for a fit, in centipawns of the bundled network: beyond it results
/// hardly change.
const MOST: f64 = 3_000.0;

/// The centipawns at which the odds of a win are e : 1 in most programs.
pub(crate) const USUAL_ODDS: f64 = 600.0;

/// The agreement of networks with labelled positions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Accuracy {
    /// The numbers of positions.
    pub data: DataCounts,
    /// The centipawns of the stored values at which the odds of a win are e : 1.
    pub deep_odds: Option<Estimate>,
    /// The networks in their order.
    pub networks: Vec<NetworkAccuracy>,
}

/// The agreement of one network.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NetworkAccuracy {
    /// The centipawns at which the odds of a win are e : 1; winning probabilities follow from it, or
    /// from 600 if the results do not determine it.
    pub odds: Option<Estimate>,
    /// The agreement in all positions, then by phase.
    pub phases: Vec<PhaseAccuracy>,
}

/// The agreement of a network in a part of the positions.
///
/// A value of 0 agrees with either sign by half.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PhaseAccuracy {
    /// The part.
    pub phase: Phase,
    /// The number of positions.
    pub positions: u64,
    /// Those of games that were not drawn.
    pub decided: u64,
    /// The share of decided games whose winner the value favours.
    pub result_agreement: Option<Estimate>,
    /// The part of this share by which it is above that of the first network, in the same positions.
    pub lead: Option<Estimate>,
    /// The mean error of the winning probability as a prediction of the result.
    pub result_error: Option<Estimate>,
    /// The share of positions whose value has the sign of the stored one, which is not 0.
    pub deep_agreement: Option<Estimate>,
    /// The mean difference from the winning probability of the stored value.
    pub deep_error: Option<Estimate>,
    /// The correlation with that probability.
    pub deep_correlation: Option<Estimate>,
}

/// The values of all networks in a position, with its labels.
type Valued = (Box<[i32]>, Labels);

/// Measures the agreement of networks with labelled positions. Positions in check are left out.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_data::records::{PackedSfenValue, RecordResult};
/// use komadai_data::tools::{OnDamage, Sources, Watch};
/// use komadai_networks::{DataOptions, accuracy};
/// use komadai_nnue::{Network, Nnue};
///
/// let folder = tempfile::tempdir()?;
/// let file = folder.path().join("games.psv");
/// let position = Position::from_sfen("4k4/9/9/9/9/9/9/9/4K4 b RB2G 1")?;
/// let record = PackedSfenValue::new(&position, 2_000, None, RecordResult::Win)?;
/// std::fs::write(&file, record.to_bytes())?;
/// let sources = Sources::find(&[file], OnDamage::Refuse)?;
/// let networks = [Nnue::new(Network::bundled())];
/// let (found, _) = accuracy(&networks, &sources, &DataOptions::default(), &mut Watch::none())?;
/// assert_eq!(found.networks[0].phases[0].result_agreement.unwrap().value, 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Those of [`Sources::read`].
pub fn accuracy(
    networks: &[Nnue],
    sources: &Sources,
    options: &DataOptions,
    watch: &mut Watch<'_>,
) -> Result<(Accuracy, Damage), ToolError> {
    let values = |position: &_| -> Box<[i32]> {
        networks.iter().map(|nnue| nnue.evaluate_position(position).raw()).collect()
    };
    let read = read(sources, options, "values", watch, values)?;
    let Labelled { positions: found, counts: data, damage } = read;
    let deep_odds = fitted_odds(&found, MOST, |(_, labels)| labels.deep.map(f64::from));
    let fitted: Vec<_> = networks
        .iter()
        .enumerate()
        .map(|(at, nnue)| fitted_odds(&found, MOST * nnue.scale(), |(v, _)| Some(f64::from(v[at]))))
        .collect();
    let networks = fitted.iter().enumerate().map(|(at, odds)| NetworkAccuracy {
        odds: *odds,
        phases: Phase::ALL.map(|phase| agreement(&found, at, phase, [*odds, deep_odds])).into(),
    });
    Ok((Accuracy { data, deep_odds, networks: networks.collect() }, damage))
}

/// Returns the centipawns at which the odds of a win are e : 1, from values up to a size.
pub(crate) fn fitted_odds<T>(
    found: &[(T, Labels)],
    most: f64,
    value: impl Fn(&(T, Labels)) -> Option<f64>,
) -> Option<Estimate> {
    let points = found.iter().filter_map(|found| Some((value(found)?, found.1.result)));
    let points: Vec<_> = points.filter(|(value, _)| value.abs() <= most).collect();
    logistic(&points)?.reciprocal()
}

/// 1 if both numbers have the same sign, ½ if the first one is 0, else 0.
fn sign_agrees(value: i32, wanted: i32) -> f64 {
    match value.signum() * wanted.signum() {
        0 => 0.5,
        sign => f64::from(sign > 0),
    }
}

fn agreement(
    found: &[Valued],
    at: usize,
    phase: Phase,
    odds: [Option<Estimate>; 2],
) -> PhaseAccuracy {
    let [odds, deep_odds] = odds.map(|odds| odds.map_or(USUAL_ODDS, |odds| odds.value));
    let probability = |value: i32, odds: f64| 1.0 / (1.0 + (-f64::from(value) / odds).exp());
    let (mut positions, mut decided, mut agreed) = (0, 0, 0.0);
    let (mut deep, mut deep_agreed) = (0, 0.0);
    let [mut lead, mut result_error, mut deep_error] = [Mean::default(); 3];
    let mut pairs = Pairs::default();
    for (values, labels) in found.iter().filter(|(_, labels)| phase.contains(labels.phase)) {
        let value = values[at];
        let likely = probability(value, odds);
        positions += 1;
        result_error.add((likely - labels.result).abs());
        if labels.is_decided() {
            let winner = if labels.result > 0.5 { 1 } else { -1 };
            let agrees = sign_agrees(value, winner);
            decided += 1;
            agreed += agrees;
            lead.add(agrees - sign_agrees(values[0], winner));
        }
        if let Some(stored) = labels.deep {
            let likely_deep = probability(stored, deep_odds);
            deep_error.add((likely - likely_deep).abs());
            pairs.add(likely, likely_deep);
            if stored != 0 {
                deep += 1;
                deep_agreed += sign_agrees(value, stored);
            }
        }
    }
    // Data without values have zeros in their place.
    let has_deep = deep > 0;
    PhaseAccuracy {
        phase,
        positions,
        decided,
        result_agreement: share(agreed, decided),
        lead: lead.estimate().filter(|_| at > 0),
        result_error: result_error.estimate(),
        deep_agreement: share(deep_agreed, deep),
        deep_error: deep_error.estimate().filter(|_| has_deep),
        deep_correlation: pairs.correlation().filter(|_| has_deep),
    }
}
