//! A parameter of the search as a share of its range.

use komadai::search::{Parameter, Parameters};

/// A parameter being tuned, with its value as a share of its range.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tuned {
    pub(crate) parameter: Parameter,
    pub(crate) place: f64,
}

impl Tuned {
    /// Returns a parameter at its number among these.
    pub(crate) fn at(parameter: Parameter, parameters: &Parameters) -> Self {
        let Parameter { name, default, min, max } = parameter;
        let value = parameters.get(name).unwrap_or(default);
        Self { parameter, place: f64::from(value - min) / f64::from(max - min) }
    }

    /// Returns the value at a share of the range.
    pub(crate) fn value(&self, place: f64) -> i32 {
        let Parameter { min, max, .. } = self.parameter;
        min + (place.clamp(0.0, 1.0) * f64::from(max - min)).round() as i32
    }
}
