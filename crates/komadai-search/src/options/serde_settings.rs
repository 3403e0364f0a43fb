//! Serde support of the settings of a search: names of techniques and of the quiescence search, and
//! parameters by their names.

use std::collections::BTreeMap;

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Error as _, Serialize, Serializer};

use crate::parameters::Parameters;
use crate::quiescence_method::Quiescence;
use crate::techniques::Techniques;

/// The names of the techniques. Former ones are read as well.
impl Serialize for Techniques {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter_names().map(|(name, _)| name))
    }
}

impl<'de> Deserialize<'de> for Techniques {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut techniques = Self::empty();
        for name in Vec::<String>::deserialize(deserializer)? {
            let former = || Self::FORMER_NAMES.iter().find(|(former, _)| *former == name);
            let known = Self::from_name(&name).or_else(|| former().map(|&(_, now)| now));
            techniques |= known.ok_or_else(|| unknown("technique", &name))?;
        }
        Ok(techniques)
    }
}

/// The name. A policy of one's own has none, which is an error.
impl Serialize for Quiescence {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let name = self.to_string();
        if name.parse().as_ref() != Ok(self) {
            return Err(S::Error::custom("found a quiescence search without a name"));
        }
        serializer.serialize_str(&name)
    }
}

impl<'de> Deserialize<'de> for Quiescence {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// The parameters that differ from the default, by name.
impl Serialize for Parameters {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let values = Self::ALL.iter().map(|parameter| {
            (
                parameter.name,
                self.get(parameter.name).unwrap_or(parameter.default),
                parameter.default,
            )
        });
        let changed = values.filter(|(_, value, default)| value != default);
        serializer.collect_map(changed.map(|(name, value, _)| (name, value)))
    }
}

impl<'de> Deserialize<'de> for Parameters {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut parameters = Self::default();
        for (name, value) in BTreeMap::<String, i32>::deserialize(deserializer)? {
            if !parameters.set(&name, value) {
                return Err(unknown("parameter", &name));
            }
            if parameters.get(&name) != Some(value) {
                let text = format!("found {value} for {name}, expected a number of its range");
                return Err(D::Error::custom(text));
            }
        }
        Ok(parameters)
    }
}

fn unknown<E: serde::de::Error>(what: &str, name: &str) -> E {
    let shown: String = name.chars().take(40).collect();
    E::custom(format!("found {shown:?}, expected the name of a {what}"))
}
