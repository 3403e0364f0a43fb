//! A parameter of the search while it is tuned.

use komadai::search::Parameter;

/// A parameter being tuned, with its value as a share of its range.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tuned {
    pub(crate) parameter: Parameter,
    pub(crate) place: f64,
}

impl Tuned {
    /// Returns the value at a share of the range.
    pub(crate) fn value(&self, place: f64) -> i32 {
        let Parameter { min, max, .. } = self.parameter;
        min + (place.clamp(0.0, 1.0) * f64::from(max - min)).round() as i32
    }
}
