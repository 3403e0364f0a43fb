//! Serde support: every type with a standard text is serialised as that text, in every format.
//!
//! In a binary format a string costs a few more bytes than a number, but any program that reads
//! SFEN and USI can read the data.
//!
//! A [`Position`] is its SFEN, without its history. To keep the history, serialise
//! [`Position::to_usi_position`].

use core::fmt;
use core::marker::PhantomData;
use core::str::FromStr;

use serde::de::{self, Deserialize, Deserializer, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::color::Color;
use crate::moves::Move;
use crate::position::Position;
use crate::pv::Pv;
use crate::score::Score;
use crate::setup::Setup;
use crate::square::Square;
use crate::usi::UsiPosition;

/// Serialises through `Display` and deserialises through `FromStr`.
macro_rules! as_text {
    ($($type:ty: $expected:literal),* $(,)?) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                // A visitor instead of `&str`, which formats with escapes or readers cannot lend.
                deserializer.deserialize_str(TextVisitor::<Self>($expected, PhantomData))
            }
        }
    )*};
}

as_text! {
    Square: "a square such as 7g",
    Move: "a USI move such as 7g7f",
    Setup: "an SFEN",
    Position: "the SFEN of a legal position",
    UsiPosition: "a USI position such as `startpos moves 7g7f`",
    Score: "a USI score such as `cp 35` or `mate 5`",
    Pv: "USI moves",
}

struct TextVisitor<T>(&'static str, PhantomData<T>);

impl<T: FromStr<Err: fmt::Display>> Visitor<'_> for TextVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        text.parse().map_err(E::custom)
    }
}

/// The side's letter in SFEN: `b` or `w`.
impl Serialize for Color {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            Self::Black => "b",
            Self::White => "w",
        })
    }
}

impl<'de> Deserialize<'de> for Color {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(ColorVisitor)
    }
}

struct ColorVisitor;

impl Visitor<'_> for ColorVisitor {
    type Value = Color;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`b` or `w`")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Color, E> {
        match text {
            "b" => Ok(Color::Black),
            "w" => Ok(Color::White),
            _ => Err(E::invalid_value(de::Unexpected::Str(text), &self)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::{Analysis, Bound, Line};

    fn round_trip<T>(value: &T, json: &str)
    where
        T: Serialize + for<'de> Deserialize<'de> + fmt::Debug + PartialEq,
    {
        assert_eq!(serde_json::to_string(value).unwrap(), json);
        assert_eq!(&serde_json::from_str::<T>(json).unwrap(), value);
        // From a reader, strings are handed over without being borrowed.
        assert_eq!(&serde_json::from_reader::<_, T>(json.as_bytes()).unwrap(), value);
    }

    #[test]
    fn values_are_their_text() {
        round_trip(&Color::White, r#""w""#);
        round_trip(&Square::S77, r#""7g""#);
        round_trip(&Move::new(Square::S77, Square::S76), r#""7g7f""#);
        round_trip(&Score::mated_in(4), r#""mate -4""#);
        round_trip(&"7g7f 3c3d".parse::<Pv>().unwrap(), r#""7g7f 3c3d""#);
        let sfen = r#""4k4/9/4P4/9/9/9/9/9/4K4 b G 7""#;
        round_trip(&serde_json::from_str::<Setup>(sfen).unwrap(), sfen);
        let position: Position = serde_json::from_str(sfen).unwrap();
        assert_eq!(serde_json::to_string(&position).unwrap(), sfen);
        let game = UsiPosition::from_usi("startpos moves 7g7f").unwrap();
        round_trip(&game, r#""startpos moves 7g7f""#);
        let mut position = Position::hirate();
        position.do_move(Move::new(Square::S77, Square::S76));
        round_trip(&position.to_usi_position(), r#""startpos moves 7g7f""#);
        let without_history = serde_json::to_string(&position).unwrap();
        let read: Position = serde_json::from_str(&without_history).unwrap();
        assert_eq!(read, position.without_history());
        assert!(read != position && read.same_placement(&position));
    }

    #[test]
    fn an_analysis_reads_back() {
        let line = Line::exact(Score::cp(35), "7g7f".parse().unwrap());
        let line = Line { depth: 4, bound: Bound::Lower, ..line };
        let analysis = Analysis { depth: 3, lines: vec![line], ..Analysis::default() };
        let json = concat!(
            r#"{"depth":3,"seldepth":0,"nodes":0,"time":{"secs":0,"nanos":0},"#,
            r#""lines":[{"depth":4,"score":"cp 35","bound":"lower","pv":"7g7f"}],"completed":false}"#
        );
        round_trip(&analysis, json);
        // Written before lines had a depth.
        let old = json.replace(r#""depth":4,"#, "");
        let read: Analysis = serde_json::from_str(&old).unwrap();
        assert_eq!((read.depth, read.lines[0].depth), (3, 0));
    }

    #[test]
    fn bad_text_keeps_its_error() {
        let error = serde_json::from_str::<Move>(r#""7g7x""#).unwrap_err().to_string();
        assert!(error.starts_with("found \"7g7x\" at byte 0, expected a move"), "{error}");
        let error = serde_json::from_str::<Move>("7").unwrap_err().to_string();
        assert!(error.contains("expected a USI move such as 7g7f"), "{error}");
        assert!(serde_json::from_str::<Color>(r#""black""#).is_err());
    }
}
