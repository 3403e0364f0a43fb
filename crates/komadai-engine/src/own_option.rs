//! An option that the program around the engine declares and reads.

use std::fmt;

use komadai_usi::{OptionSpec, OptionValue};

/// A declaration, and the function that receives the values.
pub(crate) struct OwnOption {
    pub(crate) spec: OptionSpec,
    set: Box<dyn FnMut(&OptionValue) + Send>,
}

impl OwnOption {
    pub(crate) fn new(spec: OptionSpec, set: impl FnMut(&OptionValue) + Send + 'static) -> Self {
        Self { spec, set: Box::new(set) }
    }

    /// Passes on a value of the option's range.
    pub(crate) fn set(&mut self, value: &OptionValue) {
        (self.set)(value);
    }

    /// Passes on the default. A button has none.
    pub(crate) fn set_default(&mut self) {
        if let Some(default) = self.spec.default_value() {
            (self.set)(&default);
        }
    }
}

impl fmt::Debug for OwnOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OwnOption").field(&self.spec).finish()
    }
}
