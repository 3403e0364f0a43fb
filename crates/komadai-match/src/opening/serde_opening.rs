//! Serde support of openings: the text of USI, whose moves are checked.

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};

use komadai_core::UsiPosition;

use super::Opening;

impl Serialize for Opening {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.game.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Opening {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(UsiPosition::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}
