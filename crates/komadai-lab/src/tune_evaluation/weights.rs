//! Weights as real numbers, which the regression moves, and as the integers of the evaluation.

use anyhow::Context as _;
use komadai::eval::{Group, Parameters, Weight};

/// `[early, late]` of every weight, in centipawns.
pub(crate) type Weights = Vec<[f32; 2]>;

/// Returns the weights of an evaluation.
pub(crate) fn weights(parameters: &Parameters) -> Weights {
    parameters.weights().iter().map(|w| [centipawns(w.early), centipawns(w.late)]).collect()
}

fn centipawns(units: i16) -> f32 {
    f32::from(units) / Parameters::UNIT as f32
}

fn units(centipawns: f32) -> i16 {
    (centipawns * Parameters::UNIT as f32).round() as i16
}

/// Returns the evaluation with these weights, each rounded to its unit, and their visits.
pub(crate) fn rounded(weights: &Weights, visits: &[u32]) -> Parameters {
    let mut parameters = Parameters::hand_set();
    for group in Group::ALL {
        for index in group.range() {
            let [early, late] = weights[index];
            parameters.set(index, Weight { early: units(early), late: units(late) });
            parameters.set_visits(index, visits[index]);
        }
    }
    parameters
}

/// Parses the name of a group.
pub(crate) fn group(name: &str) -> anyhow::Result<Group> {
    let found = Group::ALL.into_iter().find(|group| group.name() == name);
    found.with_context(|| {
        let names = Group::ALL.map(Group::name).join(", ");
        format!("found the group `{name}`, expected one of {names}")
    })
}
