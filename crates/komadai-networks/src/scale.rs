//! The scale of a network: the divisor of its output that makes centipawns of it.

use komadai_data::tools::{Damage, Sources, ToolError, Watch};
use komadai_eval::Evaluator as _;
use komadai_eval::scale::REFERENCE_SPREAD;
use komadai_nnue::{Nnue, ScaleSource};
use serde::Serialize;

use crate::accuracy::{USUAL_ODDS, fitted_odds};
use crate::estimate::{Estimate, Pairs};
use crate::positions::{DataCounts, DataOptions, Labelled, Labels, read};

/// The scale of a network.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NetworkScale {
    /// The divisor with which all of this was measured; `None` for a network that gives centipawns.
    pub fv_scale: Option<i32>,
    /// The place that it comes from.
    pub scale_source: String,
    /// The spread of the values on positions of real games in centipawns.
    pub spread: f64,
    /// The same in terms of the bundled network.
    pub centipawn: f64,
    /// The fit to labelled positions.
    pub fit: Option<ScaleFit>,
    /// The divisor with which the spread is that of the bundled network.
    pub like_bundled: Option<f64>,
    /// The divisor with which the odds of a win are e : 1 at 600 centipawns.
    pub usual_odds: Option<f64>,
    /// The divisor to use, and the reason; `None` for a network that gives centipawns.
    pub recommended: Option<Recommendation>,
}

/// The fit of values to labels.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScaleFit {
    /// The numbers of positions.
    pub data: DataCounts,
    /// The centipawns at which the odds of a win are e : 1, from values within 3,000 of the bundled
    /// network's centipawns; `None` if the results do not determine it.
    pub odds: Option<Estimate>,
    /// The same of the stored values, which shows how often the players lost what they had won.
    pub deep_odds: Option<Estimate>,
    /// The centipawns of the stored value for each of the network's, within the same limits; `None`
    /// if no values are stored.
    pub deep_per_value: Option<Estimate>,
}

/// A divisor with the reason for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Recommendation {
    /// The divisor.
    pub fv_scale: i32,
    /// The reason.
    pub reason: String,
}

/// The width of an interval, in terms of its middle, up to which a fit is trusted.
const NARROW: f64 = 0.2;

/// Measures the scale of a network on positions of real games, and on labelled ones if there are
/// any.
///
/// # Examples
///
/// ```
/// use komadai_data::tools::Watch;
/// use komadai_networks::{DataOptions, network_scale};
/// use komadai_nnue::{Network, Nnue};
///
/// let nnue = Nnue::new(Network::random("halfkp_32x2-8-8".parse()?, 1));
/// let (found, _) = network_scale(&nnue, None, &DataOptions::default(), &mut Watch::none())?;
/// let ratio = found.like_bundled.expect("it is divided") / 16.0;
/// assert!((ratio - found.centipawn).abs() < 1e-9);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Those of [`Sources::read`].
pub fn network_scale(
    nnue: &Nnue,
    data: Option<&Sources>,
    options: &DataOptions,
    watch: &mut Watch<'_>,
) -> Result<(NetworkScale, Damage), ToolError> {
    let centipawn = nnue.scale();
    let most = 3_000.0 * centipawn;
    let (fit, damage) = match data {
        None => (None, Damage::default()),
        Some(sources) => {
            let read = read(sources, options, "values", watch, |position| {
                nnue.evaluate_position(position).raw()
            })?;
            let Labelled { positions: found, counts: data, damage } = read;
            let mut pairs = Pairs::default();
            let mut has_deep = false;
            for (value, labels) in &found {
                let (value, Some(deep)) = (f64::from(*value), labels.deep) else { continue };
                if value.abs() <= most && deep.abs() <= 3_000 {
                    has_deep |= deep != 0;
                    pairs.add(value, f64::from(deep));
                }
            }
            let deep = |(_, labels): &(i32, Labels)| labels.deep.map(f64::from);
            let deep_odds = fitted_odds(&found, 3_000.0, deep).filter(|_| has_deep);
            let odds = fitted_odds(&found, most, |(value, _)| Some(f64::from(*value)));
            let deep_per_value = pairs.slope().filter(|_| has_deep);
            (Some(ScaleFit { data, odds, deep_odds, deep_per_value }), damage)
        }
    };
    let is_divided = nnue.network().architecture().classes().is_none();
    let fv_scale = is_divided.then(|| nnue.fv_scale());
    let times = |factor: f64| fv_scale.map(|scale| f64::from(scale) * factor);
    let odds = fit.as_ref().and_then(|fit| fit.odds);
    let (like_bundled, usual_odds) =
        (times(centipawn), odds.and_then(|odds| times(odds.value / USUAL_ODDS)));
    let found = NetworkScale {
        fv_scale,
        scale_source: match is_divided {
            true => nnue.scale_source().to_string(),
            false => "none is needed".to_owned(),
        },
        spread: centipawn * REFERENCE_SPREAD,
        centipawn,
        recommended: fv_scale.map(|scale| {
            let source = nnue.scale_source();
            recommendation(scale, source, fit.as_ref(), [like_bundled, usual_odds])
        }),
        fit,
        like_bundled,
        usual_odds,
    };
    Ok((found, damage))
}

fn recommendation(
    stated: i32,
    source: ScaleSource,
    fit: Option<&ScaleFit>,
    [like_bundled, usual_odds]: [Option<f64>; 2],
) -> Recommendation {
    if let ScaleSource::EvalOptions | ScaleSource::Text = source {
        let reason = format!("{source} states it, so that values are those of other programs");
        return Recommendation { fv_scale: stated, reason };
    }
    let odds = fit.and_then(|fit| fit.odds);
    let is_narrow = odds.is_some_and(|odds| odds.high - odds.low <= NARROW * odds.value);
    let deep = fit.and_then(|fit| fit.deep_odds).map(|odds| odds.value);
    let is_usual = deep.is_none_or(|deep| (deep / USUAL_ODDS - 1.0).abs() <= NARROW);
    let rounded = |scale: f64| (scale.round() as i32).clamp(1, 128);
    if let (Some(scale), true, true) = (usual_odds, is_narrow, is_usual) {
        let reason = "with it, the results of the positions give odds of e : 1 at 600 centipawns, as \
                      displays of winning chances assume";
        return Recommendation { fv_scale: rounded(scale), reason: reason.to_owned() };
    }
    let why = match deep {
        _ if odds.is_none() => "there are no results that determine more".to_owned(),
        _ if !is_narrow => "the positions are too few for more".to_owned(),
        deep => format!(
            "in these games the stored values themselves give odds of e : 1 at {:.0} centipawns, so \
             that their results are no measure",
            deep.unwrap_or(USUAL_ODDS)
        ),
    };
    let reason = format!("with it, values spread as those of the bundled network; {why}");
    Recommendation { fv_scale: like_bundled.map_or(stated, rounded), reason }
}
