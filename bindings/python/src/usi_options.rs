//! USI options as Python values.

use komadai::usi::{OptionKind, OptionSpec};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The declared options: {name: {"type", "default", "min", "max", "choices"}}.
pub fn dict<'py>(py: Python<'py>, specs: &[OptionSpec]) -> PyResult<Bound<'py, PyDict>> {
    let found = PyDict::new(py);
    for spec in specs {
        let entry = PyDict::new(py);
        let (kind, default) = match &spec.kind {
            OptionKind::Check { default } => ("check", Some(default.to_string())),
            OptionKind::Spin { default, min, max } => {
                entry.set_item("min", min)?;
                entry.set_item("max", max)?;
                ("spin", Some(default.to_string()))
            }
            OptionKind::Combo { default, choices } => {
                entry.set_item("choices", choices)?;
                ("combo", Some(default.clone()))
            }
            OptionKind::String { default } => ("string", Some(default.clone())),
            OptionKind::Filename { default } => ("filename", Some(default.clone())),
            _ => ("button", None),
        };
        entry.set_item("type", kind)?;
        entry.set_item("default", default)?;
        found.set_item(&spec.name, entry)?;
    }
    Ok(found)
}

/// The names and values of a dict of options. True and False are words in USI; None presses a
/// button.
pub fn pairs(options: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<(String, Option<String>)>> {
    let items = options.into_iter().flat_map(|options| options.iter());
    let pair = |(name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>)| {
        let text = match value.is_none() {
            true => None,
            false => Some(match value.str()?.to_string().as_str() {
                "True" => "true".to_owned(),
                "False" => "false".to_owned(),
                other => other.to_owned(),
            }),
        };
        Ok((name.extract()?, text))
    };
    items.map(pair).collect()
}
