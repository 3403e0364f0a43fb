//! Values of JSON with faults that know their path.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value};

use crate::jkf_fault::JkfFault;

/// The text as JSON, before its parts are examined.
#[derive(Debug, serde::Deserialize)]
pub(super) struct Document {
    #[serde(default)]
    pub(super) header: Entries,
    #[serde(default)]
    pub(super) initial: Value,
    #[serde(default)]
    pub(super) moves: Value,
}

/// The entries of an object in their order, which [`Map`] does not keep.
#[derive(Debug, Default)]
pub(super) struct Entries(pub(super) Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Entries {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Entries;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of header keys")
            }

            fn visit_unit<E>(self) -> Result<Entries, E> {
                Ok(Entries::default())
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries, A::Error> {
                let mut entries = Entries::default();
                while let Some(entry) = map.next_entry()? {
                    entries.0.push(entry);
                }
                Ok(entries)
            }
        }
        deserializer.deserialize_any(InOrder)
    }
}

/// Reads the value of a key; `None` if it is missing or `null`.
pub(super) fn field<'a, T>(
    object: &'a Map<String, Value>,
    key: &str,
    read: impl FnOnce(&'a Value) -> Result<T, JkfFault>,
) -> Result<Option<T>, JkfFault> {
    match object.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => read(value).map(Some).map_err(|fault| fault.within(key)),
    }
}

/// Reads the value of a key that must be there.
pub(super) fn required<'a, T>(
    object: &'a Map<String, Value>,
    key: &str,
    expected: &'static str,
    read: impl FnOnce(&'a Value) -> Result<T, JkfFault>,
) -> Result<T, JkfFault> {
    field(object, key, read)?.ok_or_else(|| JkfFault::missing(expected).within(key))
}

pub(super) fn object<'a>(
    value: &'a Value,
    expected: &'static str,
) -> Result<&'a Map<String, Value>, JkfFault> {
    value.as_object().ok_or_else(|| JkfFault::unexpected(value, expected))
}

pub(super) fn array<'a>(value: &'a Value, expected: &'static str) -> Result<&'a [Value], JkfFault> {
    value.as_array().map(Vec::as_slice).ok_or_else(|| JkfFault::unexpected(value, expected))
}

pub(super) fn text<'a>(value: &'a Value, expected: &'static str) -> Result<&'a str, JkfFault> {
    value.as_str().ok_or_else(|| JkfFault::unexpected(value, expected))
}

pub(super) fn truth(value: &Value) -> Result<bool, JkfFault> {
    value.as_bool().ok_or_else(|| JkfFault::unexpected(value, "true or false"))
}

/// Reads a number without fraction; `7.0` is one, too.
pub(super) fn number(value: &Value, max: u64, expected: &'static str) -> Result<u64, JkfFault> {
    let whole = value.as_u64().or_else(|| {
        let real = value.as_f64().filter(|real| real.fract() == 0.0 && *real >= 0.0)?;
        (real <= max as f64).then_some(real as u64)
    });
    whole.filter(|&whole| whole <= max).ok_or_else(|| JkfFault::unexpected(value, expected))
}
