//! The start position in the header: a handicap by name, or a diagram.

use komadai_core::{Color, Hand, Handicap, Piece, PieceKind, Setup};

use super::board_text::{read_hand, read_row};
use super::words::trim;

/// The parts of a start position, in any order.
#[derive(Debug, Default)]
pub(crate) struct Start {
    handicap: Option<Handicap>,
    /// The word after 手合割, if it is not that of a handicap.
    pub(crate) unknown_handicap: Option<String>,
    rows: Vec<[Option<Piece>; 9]>,
    hands: [Option<Hand>; 2],
    /// The side that holds all pieces which are nowhere else, as in diagrams of tsume problems.
    rest: Option<Color>,
    side: Option<Color>,
}

/// A fault in a part of a start position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StartFault<'a> {
    /// The part of the line that is wrong.
    pub(crate) found: &'a str,
    pub(crate) expected: &'static str,
}

/// Starts that some programs know by name beside the handicaps of the definition.
const OTHER_STARTS: [(&str, &str); 3] = [
    ("裸玉", "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    ("歩三兵", "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w 3p 1"),
    ("トンボ", "4k4/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
];

/// The words for all pieces that are neither on the board nor in the other hand.
const REST_WORDS: [&str; 5] = ["残り", "残り全部", "残り駒全部", "残り全て", "残駒全部"];

/// Returns the pieces that are neither on the board nor in the hand of the other side.
fn rest_of(setup: &Setup, color: Color) -> Hand {
    let mut hand = Hand::EMPTY;
    for kind in PieceKind::ALL.into_iter().filter(|kind| kind.is_hand_kind()) {
        let on_board = setup.board.iter().flatten();
        let on_board = on_board.filter(|piece| piece.kind().unpromoted() == kind).count() as u32;
        let used = on_board + setup.hands[!color].count(kind);
        hand = hand.with(kind, PieceKind::TOTALS[kind.index()].saturating_sub(used));
    }
    hand
}

impl Start {
    /// Reads the value of 手合割.
    pub(crate) fn read_handicap(&mut self, value: &str) {
        let name = trim(value);
        self.handicap = Handicap::from_kif_name(name);
        self.unknown_handicap =
            (self.handicap.is_none() && name != "その他").then(|| name.to_owned());
    }

    /// Reads a row of the diagram.
    pub(crate) fn read_row<'a>(&mut self, line: &'a str) -> Result<(), StartFault<'a>> {
        let expected = "nine squares such as ` ・` or `v香` between bars, in at most nine rows";
        match read_row(line) {
            Some(row) if self.rows.len() < 9 => {
                self.rows.push(row);
                Ok(())
            }
            _ => Err(StartFault { found: line, expected }),
        }
    }

    /// Reads the pieces in a hand.
    pub(crate) fn read_hand<'a>(
        &mut self,
        color: Color,
        value: &'a str,
    ) -> Result<(), StartFault<'a>> {
        let expected = "pieces in hand such as `飛　歩十八`, `なし`, or `残り全部` for one side";
        if REST_WORDS.contains(&trim(value)) {
            let other = self.rest.replace(color).filter(|&other| other != color);
            return other.map_or(Ok(()), |_| Err(StartFault { found: value, expected }));
        }
        let hand = read_hand(value).map_err(|found| StartFault { found, expected })?;
        self.hands[color.index()] = Some(hand);
        Ok(())
    }

    /// Reads the side to move, 後手番.
    pub(crate) fn set_side(&mut self, color: Color) {
        self.side = Some(color);
    }

    /// Returns the start position, and what is missing in it.
    ///
    /// A diagram counts more than a name. Without either, the game is an even one.
    pub(crate) fn finish(&self) -> (Setup, Result<(), StartFault<'static>>) {
        if !self.rows.is_empty() {
            let mut setup = Setup::empty();
            for (rank, row) in self.rows.iter().enumerate() {
                for (index, piece) in row.iter().enumerate() {
                    setup.board[(8 - index) * 9 + rank] = *piece;
                }
            }
            setup.side = self.side.unwrap_or(Color::Black);
            for color in Color::ALL {
                setup.hands[color] = self.hands[color.index()].unwrap_or(Hand::EMPTY);
            }
            if let Some(color) = self.rest {
                setup.hands[color] = rest_of(&setup, color);
            }
            let is_whole = self.rows.len() == 9;
            let missing = StartFault { found: "", expected: "nine rows of the diagram" };
            return (setup, if is_whole { Ok(()) } else { Err(missing) });
        }
        let other = self.unknown_handicap.as_deref();
        let other = other.and_then(|name| OTHER_STARTS.iter().find(|(known, _)| *known == name));
        if let Some((_, sfen)) = other {
            return (sfen.parse().expect("a start in the table is valid"), Ok(()));
        }
        let setup = self.handicap.map_or_else(Setup::hirate, Handicap::to_setup);
        let fault = StartFault { found: "", expected: "the name of a handicap, or a diagram" };
        (setup, if self.unknown_handicap.is_some() { Err(fault) } else { Ok(()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_handicap_has_its_start() {
        for handicap in Handicap::ALL {
            let mut start = Start::default();
            start.read_handicap(&format!("{}　　", handicap.kif_name()));
            assert_eq!(start.finish(), (handicap.to_setup(), Ok(())));
        }
        for (name, sfen) in OTHER_STARTS {
            let mut start = Start::default();
            start.read_handicap(name);
            assert_eq!(start.finish().0.to_string(), sfen);
        }
    }

    #[test]
    fn an_unknown_handicap_needs_a_diagram() {
        let mut start = Start::default();
        start.read_handicap("詰将棋");
        assert!(start.finish().1.is_err());
        for _ in 0..9 {
            start.read_row("| ・ ・ ・ ・v玉 ・ ・ ・ ・|一").unwrap();
        }
        assert!(start.read_row("| ・ ・ ・ ・v玉 ・ ・ ・ ・|一").is_err());
        assert!(start.finish().1.is_ok());
    }

    #[test]
    fn the_rest_of_the_pieces_is_in_hand() {
        let read = |hands: [&'static str; 2]| {
            let mut start = Start::default();
            start.read_row("| ・ ・ ・ ・v玉 ・ と 龍 ・|一").unwrap();
            for _ in 0..8 {
                start.read_row("| ・ ・ ・ ・ ・ ・ ・ ・ ・|二").unwrap();
            }
            start.read_hand(Color::White, hands[0])?;
            start.read_hand(Color::Black, hands[1])?;
            Ok::<_, StartFault<'_>>(start.finish().0.to_string())
        };
        let sfen = "4k1+P+R1/9/9/9/9/9/9/9/9 b 2Pr2b4g4s4n4l15p 1";
        for word in REST_WORDS {
            assert_eq!(read([word, "歩二"]).as_deref(), Ok(sfen), "{word}");
        }
        assert!(read(["残り全部", "残り"]).is_err());
        assert!(read(["残りの歩", "なし"]).is_err());
    }
}
