//! The units of a network that never or always have the same value.

use komadai_nnue::Activations;
use serde::Serialize;

/// The units of a layer, of all stacks together.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LayerUnits {
    /// The name of the layer.
    pub layer: &'static str,
    /// The number of units that were seen: those of stacks that occurred.
    pub units: u64,
    /// The units that were 0 in every position.
    pub dead: u64,
    /// The units that were at their limit in every position.
    pub saturated: u64,
    /// The share of all values that are 0.
    pub at_zero: f64,
    /// The share of all values that are at the limit.
    pub at_limit: f64,
}

/// The values of a unit.
#[derive(Debug, Clone, Copy, Default)]
struct Unit {
    values: u64,
    zeros: u64,
    limits: u64,
}

/// The values of all units: those of the first layer, then `[stack][unit]` of each hidden layer.
#[derive(Debug, Clone, Default)]
pub(crate) struct UnitCounts {
    first: Vec<Unit>,
    hidden: [Vec<Vec<Unit>>; 2],
}

impl Unit {
    fn add(&mut self, value: u8, limit: u8) {
        self.values += 1;
        self.zeros += u64::from(value == 0);
        self.limits += u64::from(value >= limit);
    }

    fn and(&mut self, other: &Self) {
        self.values += other.values;
        self.zeros += other.zeros;
        self.limits += other.limits;
    }
}

fn merge(into: &mut Vec<Unit>, other: &[Unit]) {
    if into.len() < other.len() {
        into.resize(other.len(), Unit::default());
    }
    into.iter_mut().zip(other).for_each(|(unit, other)| unit.and(other));
}

impl UnitCounts {
    /// Adds the values of a position; `limit` is that of the first layer.
    pub(crate) fn add(&mut self, found: &Activations, limit: u8) {
        for view in &found.first {
            self.first.resize(view.len().max(self.first.len()), Unit::default());
            self.first.iter_mut().zip(view).for_each(|(unit, value)| unit.add(*value, limit));
        }
        for (stacks, values) in self.hidden.iter_mut().zip(&found.hidden) {
            if stacks.len() <= found.stack {
                stacks.resize(found.stack + 1, Vec::new());
            }
            let units = &mut stacks[found.stack];
            units.resize(values.len(), Unit::default());
            let limit = Activations::HIDDEN_LIMIT;
            units.iter_mut().zip(values).for_each(|(unit, value)| unit.add(*value, limit));
        }
    }

    pub(crate) fn and(mut self, other: Self) -> Self {
        merge(&mut self.first, &other.first);
        for (stacks, others) in self.hidden.iter_mut().zip(&other.hidden) {
            if stacks.len() < others.len() {
                stacks.resize(others.len(), Vec::new());
            }
            stacks.iter_mut().zip(others).for_each(|(units, others)| merge(units, others));
        }
        self
    }

    pub(crate) fn layers(&self) -> Vec<LayerUnits> {
        let [one, two] = self.hidden.each_ref().map(|stacks| stacks.concat());
        let layers = [
            ("first layer", &self.first),
            ("first hidden layer", &one),
            ("second hidden layer", &two),
        ];
        layers.into_iter().filter_map(|(layer, units)| LayerUnits::of(layer, units)).collect()
    }
}

impl LayerUnits {
    fn of(layer: &'static str, units: &[Unit]) -> Option<Self> {
        let seen = || units.iter().filter(|unit| unit.values > 0);
        let values: u64 = seen().map(|unit| unit.values).sum();
        let count = |is: fn(&Unit) -> bool| seen().filter(|unit| is(unit)).count() as u64;
        let share = |part: fn(&Unit) -> u64| seen().map(part).sum::<u64>() as f64 / values as f64;
        (values > 0).then(|| Self {
            layer,
            units: seen().count() as u64,
            dead: count(|unit| unit.zeros == unit.values),
            saturated: count(|unit| unit.limits == unit.values),
            at_zero: share(|unit| unit.zeros),
            at_limit: share(|unit| unit.limits),
        })
    }
}
