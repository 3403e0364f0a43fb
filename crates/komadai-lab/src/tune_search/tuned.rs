//! A parameter of the search while it is tuned, and the file with the state of the tuning.

use std::fmt::Write as _;
use std::path::Path;

use anyhow::{Context, ensure};
use komadai::search::{Parameter, Parameters};
use komadai_base::atomic_file;
use komadai_base::file::read_text;

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

/// Returns the named parameters (all, if none is named) and the number of finished steps, from the
/// file or, if it does not exist, at the defaults.
pub(crate) fn start(names: &[String], state: &Path) -> anyhow::Result<(Vec<Tuned>, u32)> {
    for name in names {
        ensure!(Parameters::default().get(name).is_some(), "there is no parameter {name}");
    }
    let wanted = |parameter: &&Parameter| {
        names.is_empty() || names.iter().any(|name| name == parameter.name)
    };
    let at_default = |parameter: &Parameter| Tuned::at(*parameter, &Parameters::default());
    let mut tuned: Vec<_> = Parameters::ALL.iter().filter(wanted).map(at_default).collect();
    if !state.exists() {
        return Ok((tuned, 0));
    }
    let mut done = 0;
    for (number, line) in (1..).zip(read_text(state, u64::MAX)?.lines()) {
        read_line(line, &mut tuned, &mut done)
            .with_context(|| format!("{}:{number}", state.display()))?;
    }
    Ok((tuned, done))
}

/// Reads the number of steps or the place of a parameter; parameters that are not tuned are
/// skipped.
fn read_line(line: &str, tuned: &mut [Tuned], done: &mut u32) -> Option<()> {
    let mut words = line.split_whitespace();
    let (name, place) = (words.next()?, words.next()?);
    if name == "steps" {
        *done = place.parse().ok()?;
    } else if let Some(tuned) = tuned.iter_mut().find(|t| t.parameter.name == name) {
        tuned.place = place.parse().ok().filter(|place| (0.0..=1.0).contains(place))?;
    }
    Some(())
}

/// Writes the state to a new file and puts it in the place of the old one.
pub(crate) fn save(state: &Path, tuned: &[Tuned], steps: u32) -> anyhow::Result<()> {
    let mut text = format!("steps {steps}\n");
    for Tuned { parameter, place } in tuned {
        writeln!(text, "{} {place}", parameter.name)?;
    }
    Ok(atomic_file::write(state, text)?)
}

/// Returns the values and their changes as text.
pub(crate) fn text(tuned: &[Tuned]) -> String {
    let mut text = String::new();
    for tuned in tuned {
        let Parameter { name, default, .. } = tuned.parameter;
        let value = tuned.value(tuned.place);
        let _ = writeln!(text, "{name}: {value} (was {default}, {:+})", value - default);
    }
    text
}
