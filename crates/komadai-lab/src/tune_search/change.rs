//! A change of parameters that belong together, or of a technique.

use std::fmt;
use std::str::FromStr;

use anyhow::{Context as _, ensure};
use komadai::search::{Parameters, Techniques};

/// New values of some parameters, or techniques that are switched.
#[derive(Debug, Clone)]
pub(crate) struct Change {
    values: Vec<(String, i32)>,
    switched: Techniques,
}

impl From<Techniques> for Change {
    /// Returns the change that switches these techniques.
    fn from(switched: Techniques) -> Self {
        Self { values: Vec::new(), switched }
    }
}

impl FromStr for Change {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let value = |part: &str| {
            let (name, value) = part.split_once('=').context("expected NAME=VALUE")?;
            Ok((name.to_owned(), value.parse().with_context(|| format!("the value of {name}"))?))
        };
        let values = text.split(',').map(value).collect::<anyhow::Result<_>>()?;
        let change = Self { values, switched: Techniques::empty() };
        change.make(&mut Parameters::default())?;
        Ok(change)
    }
}

impl Change {
    /// Returns the techniques that are switched.
    pub(crate) fn switched(&self) -> Techniques {
        self.switched
    }

    /// Sets the parameters, or tells which one does not exist or has another range.
    pub(crate) fn make(&self, parameters: &mut Parameters) -> anyhow::Result<()> {
        for (name, value) in &self.values {
            ensure!(parameters.set(name, *value), "there is no parameter {name}");
            let kept = parameters.get(name).unwrap_or_default();
            ensure!(kept == *value, "{name} is limited to {kept}");
        }
        Ok(())
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (name, value)) in self.values.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            write!(f, "{comma}{name}={value}")?;
        }
        self.switched.iter_names().try_for_each(|(name, _)| f.write_str(name))
    }
}

/// Checks that no parameter belongs to two changes.
pub(crate) fn disjoint(changes: &[Change]) -> anyhow::Result<()> {
    let mut names: Vec<_> =
        changes.iter().flat_map(|change| change.values.iter().map(|(name, _)| name)).collect();
    names.sort();
    let twice = names.windows(2).find(|pair| pair[0] == pair[1]);
    ensure!(twice.is_none(), "{} is changed twice", twice.map_or("", |pair| pair[0]));
    Ok(())
}
