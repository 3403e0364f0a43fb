//! Serde support of rules: the name of a declaration rule, and the number of a move limit.

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};

use crate::declaration::DeclarationRule;
use crate::max_moves::MaxMoves;

/// The name in USI.
impl Serialize for DeclarationRule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for DeclarationRule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

/// The number of moves.
impl Serialize for MaxMoves {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(self.get())
    }
}

impl<'de> Deserialize<'de> for MaxMoves {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let moves = u32::deserialize(deserializer)?;
        Self::new(moves).ok_or_else(|| D::Error::custom("found 0 moves, expected a number from 1"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_read_back() {
        for rule in DeclarationRule::ALL {
            let json = serde_json::to_string(&rule).unwrap();
            assert_eq!(json, format!("{:?}", rule.name()));
            assert_eq!(serde_json::from_str::<DeclarationRule>(&json).unwrap(), rule);
        }
        let limit = MaxMoves::new(320);
        assert_eq!(serde_json::to_string(&limit).unwrap(), "320");
        assert_eq!(serde_json::from_str::<Option<MaxMoves>>("320").unwrap(), limit);
        assert_eq!(serde_json::from_str::<Option<MaxMoves>>("null").unwrap(), None);
        assert!(serde_json::from_str::<MaxMoves>("0").is_err());
        assert!(serde_json::from_str::<DeclarationRule>(r#""csa""#).is_err());
    }
}
