//! Notations of moves for people.

mod csa;
mod japanese;
mod mover;
mod official;
mod reading;
pub(crate) mod relative;
mod western;

use std::fmt;
use std::str::FromStr;

use komadai_core::{Move, Position, Square};

use self::csa::csa;
use self::japanese::{japanese, kif};
use self::western::{hodges, hosking};
use crate::text::shorten;

pub use self::csa::{CsaMoveError, read_csa_move};
pub(crate) use self::reading::after_move;
#[cfg(feature = "jkf")]
pub(crate) use self::reading::names;
pub use self::reading::{JapaneseMoveError, read_japanese_move};

/// A notation of moves for people.
///
/// A notation is parsed from the word that it prints as: `usi`, `japanese`, `kif`, `hodges` (also
/// `latin`), `hosking`, `csa`.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_kifu::Notation;
///
/// let start = Position::hirate();
/// let line = ["7g7f".parse()?, "3c3d".parse()?, "8h2b+".parse()?, "3a2b".parse()?];
/// assert_eq!(Notation::Japanese.line(&start, &line), "▲７六歩 △３四歩 ▲２二角成 △同銀");
/// assert_eq!(Notation::Hodges.line(&start, &line), "P-7f P-3d Bx2b+ Sx2b");
/// assert_eq!(Notation::Japanese.name(&start, "4i5h".parse()?), "▲５八金右");
/// assert_eq!(Notation::Kif.name(&start, line[0]), "▲７六歩(77)");
/// # Ok::<(), komadai_core::UsiError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Notation {
    /// The notation of the USI protocol: `7g7f`, `8h2b+`, `P*5e`.
    #[default]
    Usi,
    /// The official notation of Japanese books: `▲７六歩`, `△３三角不成`. If another piece of the same kind
    /// could move to the square as well, words tell them apart, `▲５八金右`, or a drop is marked,
    /// `▲５五角打`.
    Japanese,
    /// The notation of Japanese records (KIF), always with the origin of the piece: `▲７六歩(77)`,
    /// `▲５五角打`.
    Kif,
    /// The notation of Western books (G. Hodges, 1976): `P-7f`, `Bx2b+`, `B*5e`. The origin is
    /// written if another piece of the same kind could move to the square as well, and `=` if the
    /// piece could promote but does not.
    Hodges,
    /// The notation of Western players (T. Hosking, 1996), with digits: `P76`, `G69-58`, `Bx22+`,
    /// `B*55`.
    Hosking,
    /// The notation of CSA records and servers, which names the piece after the move: `+7776FU`,
    /// `-8822UM`, `+0055KA`.
    Csa,
}

/// The error for a word that is not the name of a notation.
///
/// # Examples
///
/// ```
/// use komadai_kifu::Notation;
/// use komadai_kifu::notation::UnknownNotation;
///
/// assert_eq!("morse".parse::<Notation>(), Err(UnknownNotation { found: "morse".to_owned() }));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("found {found:?}, expected a notation: usi, japanese, kif, hodges, hosking or csa")]
pub struct UnknownNotation {
    /// The word.
    pub found: String,
}

impl Notation {
    /// All notations.
    pub const ALL: [Self; 6] =
        [Self::Usi, Self::Japanese, Self::Kif, Self::Hodges, Self::Hosking, Self::Csa];

    /// Writes a single move, which must be legal in `position`: the text of another move may be
    /// wrong.
    #[must_use]
    pub fn name(self, position: &Position, m: Move) -> String {
        self.name_after(None, position, m)
    }

    /// Writes the moves of a line from `start`. The Japanese notations mark a move to the target of
    /// the move before: `▲２四歩 △同歩`.
    #[must_use]
    pub fn names(self, start: &Position, line: &[Move]) -> Vec<String> {
        let mut position = start.clone();
        let mut last = None;
        let name = |&m: &Move| {
            let name = self.name_after(last.replace(m.to()), &position, m);
            position.do_move(m);
            name
        };
        line.iter().map(name).collect()
    }

    /// Writes the moves of a line from `start`, separated by blanks; see [`names`](Self::names).
    #[must_use]
    pub fn line(self, start: &Position, line: &[Move]) -> String {
        self.names(start, line).join(" ")
    }

    /// Returns true for a Japanese notation.
    #[must_use]
    pub fn is_japanese(self) -> bool {
        matches!(self, Self::Japanese | Self::Kif)
    }

    /// Writes a move after one to `last`.
    pub(crate) fn name_after(self, last: Option<Square>, position: &Position, m: Move) -> String {
        match self {
            Self::Usi => m.to_string(),
            Self::Japanese => japanese(last, position, m),
            Self::Kif => kif(last, position, m),
            Self::Hodges => hodges(position, m),
            Self::Hosking => hosking(position, m),
            Self::Csa => csa(position, m),
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Usi => "usi",
            Self::Japanese => "japanese",
            Self::Kif => "kif",
            Self::Hodges => "hodges",
            Self::Hosking => "hosking",
            Self::Csa => "csa",
        }
    }
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Notation {
    type Err = UnknownNotation;

    fn from_str(word: &str) -> Result<Self, UnknownNotation> {
        if word.eq_ignore_ascii_case("latin") {
            return Ok(Self::Hodges);
        }
        let mut all = Self::ALL.into_iter();
        all.find(|notation| word.eq_ignore_ascii_case(notation.word()))
            .ok_or_else(|| UnknownNotation { found: shorten(word) })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use komadai_movegen::MoveGen as _;

    use super::*;

    const START: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

    fn names(sfen: &str, m: &str) -> [String; 3] {
        let position = Position::from_sfen(sfen).unwrap();
        let m = m.parse().unwrap();
        assert!(position.is_legal(m), "{m}");
        let notations = [Notation::Japanese, Notation::Kif, Notation::Hodges];
        notations.map(|notation| notation.name(&position, m))
    }

    #[test]
    fn every_kind_of_move_is_written_as_books_do() {
        let white = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
        let pieces = "4k4/9/1S5N1/9/9/9/9/1+N7/4K4 b GP 1";
        let check = "4k4/9/9/9/9/9/9/3+p5/4K4 b - 1";
        let rivals = "4k4/9/2p6/9/4B4/6+s2/1R1S1S3/9/4K4 b BGs 1";
        let turned = rivals.replace(" b ", " w ");
        for (sfen, m, expected) in [
            (START, "7g7f", ["▲７六歩", "▲７六歩(77)", "P-7f"]),
            // Both golds may move there.
            (START, "6i5h", ["▲５八金左", "▲５八金(69)", "G6i-5h"]),
            (START, "4i5h", ["▲５八金右", "▲５八金(49)", "G4i-5h"]),
            (white, "3c3d", ["△３四歩", "△３四歩(33)", "P-3d"]),
            (pieces, "G*5b", ["▲５二金", "▲５二金打", "G*5b"]),
            (pieces, "8c8b", ["▲８二銀不成", "▲８二銀(83)", "S-8b="]),
            (pieces, "8c8b+", ["▲８二銀成", "▲８二銀成(83)", "S-8b+"]),
            // The only knight of its kind that can go there must promote.
            (pieces, "2c3a+", ["▲３一桂成", "▲３一桂成(23)", "N-3a+"]),
            (pieces, "8h7h", ["▲７八成桂", "▲７八成桂(88)", "+N-7h"]),
            (check, "5i6h", ["▲６八玉", "▲６八玉(59)", "Kx6h"]),
            (rivals, "5e7c+", ["▲７三角成", "▲７三角成(55)", "Bx7c+"]),
            (rivals, "5e7c", ["▲７三角不成", "▲７三角(55)", "Bx7c="]),
            // Two silvers reach 5f, one of them 3f.
            (rivals, "6g5f", ["▲５六銀左", "▲５六銀(67)", "S6g-5f"]),
            (rivals, "4g3f", ["▲３六銀", "▲３六銀(47)", "Sx3f"]),
            // A drop is marked only if a piece on the board could move there.
            (rivals, "B*4d", ["▲４四角打", "▲４四角打", "B*4d"]),
            (rivals, "B*2a", ["▲２一角", "▲２一角打", "B*2a"]),
            (&turned, "3f4g", ["△４七成銀", "△４七成銀(36)", "+Sx4g"]),
            (&turned, "S*5b", ["△５二銀", "△５二銀打", "S*5b"]),
        ] {
            assert_eq!(names(sfen, m), expected, "{m}");
        }
    }

    #[test]
    fn no_two_legal_moves_have_the_same_name() {
        let sfens = [
            START,
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
            "4k4/9/2p6/9/4B4/6+s2/1R1S1S3/9/4K4 b BGs 1",
        ];
        for (sfen, notation) in sfens.iter().flat_map(|sfen| Notation::ALL.map(|n| (sfen, n))) {
            let position = Position::from_sfen(sfen).unwrap();
            let moves = position.legal_moves();
            let names: BTreeSet<String> =
                moves.iter().map(|&m| notation.name(&position, m)).collect();
            assert_eq!(names.len(), moves.len(), "{notation:?} {sfen}");
        }
    }

    #[test]
    fn a_line_is_written_move_by_move() {
        let line: Vec<Move> =
            ["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e"].map(|m| m.parse().unwrap()).to_vec();
        let start = Position::hirate();
        let of = |notation: Notation| notation.line(&start, &line);
        assert_eq!(of(Notation::Hodges), "P-7f P-3d Bx2b+ Sx2b B*4e");
        assert_eq!(of(Notation::Japanese), "▲７六歩 △３四歩 ▲２二角成 △同銀 ▲４五角");
        assert_eq!(of(Notation::Kif), "▲７六歩(77) △３四歩(33) ▲２二角成(88) △同銀(31) ▲４五角打");
        assert_eq!(of(Notation::Usi), "7g7f 3c3d 8h2b+ 3a2b B*4e");
        // A single move is written with its target, independent of the move before.
        let before = line[..3].iter().fold(start, |position, &m| position.after(m));
        assert_eq!(Notation::Japanese.name(&before, line[3]), "△２二銀");
    }

    #[test]
    fn words_are_read_as_they_print() {
        for notation in Notation::ALL {
            assert_eq!(notation.to_string().parse(), Ok(notation));
        }
        let error = "kifu".parse::<Notation>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "found \"kifu\", expected a notation: usi, japanese, kif, hodges, hosking or csa"
        );
    }
}
