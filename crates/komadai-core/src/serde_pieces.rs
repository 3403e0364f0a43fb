//! Serde support of pieces, hands and sets of squares: the letters of SFEN, and lists of squares.

use core::fmt;

use serde::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};
use serde::ser::{Serialize, Serializer};

use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::cursor::Cursor;
use crate::hand::Hand;
use crate::piece::{Piece, PieceKind};
use crate::sfen::{push_hands, read_hands};
use crate::square::Square;

/// A text with the function that reads it.
struct Text<T> {
    expected: &'static str,
    read: fn(&str) -> Option<T>,
}

impl<T> Visitor<'_> for Text<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.expected)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<T, E> {
        (self.read)(text).ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
    }
}

/// The SFEN letters of a black piece: `P`, `+R`.
impl Serialize for PieceKind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.to_sfen())
    }
}

impl<'de> Deserialize<'de> for PieceKind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = |text: &str| Self::ALL.into_iter().find(|kind| kind.to_sfen() == text);
        deserializer.deserialize_str(Text { expected: "a kind of piece such as `P` or `+R`", read })
    }
}

/// The SFEN letters, small for White: `P`, `+r`.
impl Serialize for Piece {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Piece {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = |text: &str| {
            let is_white = text.bytes().any(|byte| byte.is_ascii_lowercase());
            let color = if is_white { Color::White } else { Color::Black };
            let pieces = PieceKind::ALL.into_iter().map(|kind| Self::new(color, kind));
            pieces.into_iter().find(|piece| piece.to_string() == text)
        };
        deserializer.deserialize_str(Text { expected: "a piece such as `P` or `+r`", read })
    }
}

/// The pieces as SFEN writes those of Black: `R2P`, or `-` for none.
impl Serialize for Hand {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut text = String::new();
        push_hands(&[*self, Self::EMPTY], &mut text);
        serializer.serialize_str(&text)
    }
}

impl<'de> Deserialize<'de> for Hand {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let read = |text: &str| {
            let mut cursor = Cursor::new(text);
            let [hand, white] = read_hands(&mut cursor).ok()?;
            (white.is_empty() && cursor.offset() == text.len()).then_some(hand)
        };
        deserializer.deserialize_str(Text { expected: "a hand such as `R2P` or `-`", read })
    }
}

/// The list of the squares.
impl Serialize for Bitboard {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Bitboard {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(Squares)
    }
}

struct Squares;

impl<'de> Visitor<'de> for Squares {
    type Value = Bitboard;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of squares")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Bitboard, A::Error> {
        // Never collected as a list: a square may be repeated without end.
        let mut squares = Bitboard::EMPTY;
        while let Some(square) = list.next_element::<Square>()? {
            squares = squares.union(Bitboard::from_square(square));
        }
        Ok(squares)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip<T>(value: T, json: &str)
    where
        T: Serialize + for<'de> Deserialize<'de> + fmt::Debug + PartialEq,
    {
        assert_eq!(serde_json::to_string(&value).unwrap(), json);
        assert_eq!(serde_json::from_reader::<_, T>(json.as_bytes()).unwrap(), value);
    }

    fn error<T: for<'de> Deserialize<'de> + fmt::Debug>(json: &str) -> String {
        serde_json::from_str::<T>(json).unwrap_err().to_string()
    }

    #[test]
    fn pieces_are_their_letters() {
        for kind in PieceKind::ALL {
            round_trip(kind, &format!("{:?}", kind.to_sfen()));
            for color in Color::ALL {
                let piece = Piece::new(color, kind);
                round_trip(piece, &format!("{:?}", piece.to_string()));
            }
        }
        for bad in [r#""""#, r#""p""#, r#""+G""#, r#""PP""#, r#""+""#, "3", r#""歩""#] {
            assert!(error::<PieceKind>(bad).contains("a kind of piece"), "{bad}");
        }
        for bad in [r#""""#, r#""+k""#, r#""Pp""#, r#""x""#, "null"] {
            assert!(error::<Piece>(bad).contains("a piece such as"), "{bad}");
        }
    }

    #[test]
    fn hands_are_as_in_sfen_and_hold_no_more_than_there_is() {
        let hand = Hand::EMPTY.with(PieceKind::Pawn, 18).with(PieceKind::Rook, 1);
        round_trip(hand, r#""R18P""#);
        round_trip(Hand::EMPTY, r#""-""#);
        for bad in [r#""19P""#, r#""3R""#, r#""K""#, r#""p""#, r#""P ""#, r#""P x""#, r#""2""#] {
            assert!(error::<Hand>(bad).contains("a hand such as"), "{bad}");
        }
        assert!(serde_json::from_str::<Hand>(r#""""#).is_err());
        assert!(serde_json::from_str::<Hand>(r#""-P""#).is_err());
    }

    #[test]
    fn sets_are_lists_of_squares() {
        round_trip(Bitboard::EMPTY, "[]");
        let two = Bitboard::from_square(Square::S11).union(Bitboard::from_square(Square::S76));
        round_trip(two, r#"["1a","7f"]"#);
        round_trip(!Bitboard::EMPTY, &serde_json::to_string(&Square::ALL[..]).unwrap());
        assert_eq!(serde_json::from_str::<Bitboard>(r#"["7f","1a","7f"]"#).unwrap(), two);
        assert!(serde_json::from_str::<Bitboard>(r#"["0a"]"#).is_err());
    }
}
