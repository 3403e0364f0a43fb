//! The start position in the header: a handicap by name, or a diagram.

use komadai_core::{Color, Hand, Handicap, Piece, PieceKind, Setup};

use super::board_text::{read_hand, read_row, row_length};
use super::words::{is_blank, kanji_number, number_at, trim};

/// The parts of a start position, in any order.
#[derive(Debug, Default)]
pub(crate) struct Start {
    handicap: Option<Handicap>,
    /// The word after 手合割, if it is not that of a handicap.
    pub(crate) unknown_handicap: Option<String>,
    /// The line of that word.
    handicap_line: u64,
    rows: Vec<[Option<Piece>; 9]>,
    hands: [Option<Hand>; 2],
    /// The side that holds all pieces which are nowhere else, as in diagrams of tsume problems.
    rest: Option<Color>,
    pub(crate) side: Option<Color>,
}

/// A fault in a part of a start position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct StartFault<'a> {
    /// The part of the line that is wrong.
    pub(crate) found: &'a str,
    pub(crate) expected: &'static str,
}

/// The column of the word after `手合割：`.
pub(crate) const HANDICAP_COLUMN: usize = 5;

/// A game with other rules than those of shogi.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OtherGame {
    /// The name of a game.
    Named,
    /// A row of a diagram with this number of squares.
    Row(usize),
}

/// Parts of the names of games on other boards, with other pieces or other starts.
const OTHER_GAMES: [&str; 20] = [
    "5五将棋",
    "五五将棋",
    "55将棋",
    "5五",
    "ミニ将棋",
    "minishogi",
    "どうぶつ将棋",
    "動物将棋",
    "京都将棋",
    "中将棋",
    "大将棋",
    "小将棋",
    "平安将棋",
    "禽将棋",
    "四神将棋",
    "ごろごろ将棋",
    "ゴロゴロ将棋",
    "3三将棋",
    "9マス将棋",
    "九マス将棋",
];

/// Other words for handicaps.
const OTHER_WORDS: [(&str, Handicap); 14] = [
    ("平手戦", Handicap::Hirate),
    ("左香落", Handicap::Lance),
    ("香車落", Handicap::Lance),
    ("左香車落", Handicap::Lance),
    ("右香車落", Handicap::RightLance),
    ("角行落", Handicap::Bishop),
    ("飛落", Handicap::Rook),
    ("飛車香落", Handicap::RookLance),
    ("飛車香車落", Handicap::RookLance),
    ("飛香車落", Handicap::RookLance),
    ("飛角落", Handicap::TwoPiece),
    ("角飛落", Handicap::TwoPiece),
    ("飛車角落", Handicap::TwoPiece),
    ("右五枚落", Handicap::FivePiece),
];

fn is_other_game(word: &str) -> bool {
    let word: String = word.chars().map(narrow).filter(|c| !is_blank(*c)).collect();
    let word = word.to_lowercase();
    OTHER_GAMES.iter().any(|name| word.contains(name))
}

/// Returns the handicap of a name: digits stand for kanji, and a last ち may be missing.
fn handicap_of(name: &str) -> Option<Handicap> {
    let (left, number) = match name.strip_prefix(['左', '右']) {
        Some(rest) => (&name[..name.len() - rest.len()], rest),
        None => ("", name),
    };
    let name = match number_at(number) {
        Some((number @ 1..=99, rest)) => format!("{left}{}{rest}", kanji_number(number)),
        _ => name.to_owned(),
    };
    let stem = name.trim_end_matches('ち');
    let other = OTHER_WORDS.iter().find(|(word, _)| *word == stem);
    Handicap::from_kif_name(&name).or(other.map(|&(_, handicap)| handicap))
}

/// Returns a name without the side to move behind it: 平手　先手番, 平手（後手番）.
fn without_side(word: &str) -> (&str, Option<Color>) {
    let is_sign = |c: char| is_blank(c) || matches!(c, '(' | ')' | '（' | '）' | '・' | '、' | ',');
    let text = word.trim_end_matches(is_sign);
    let sides = [
        ("先手番", Color::Black),
        ("下手番", Color::Black),
        ("後手番", Color::White),
        ("上手番", Color::White),
    ];
    let found = sides.iter().find_map(|&(name, side)| Some((text.strip_suffix(name)?, side)));
    match found {
        Some((name, side)) => (name.trim_end_matches(is_sign), Some(side)),
        None => (word, None),
    }
}

/// Returns a digit or letter of full width as that of half width.
fn narrow(c: char) -> char {
    match c {
        '！'..='～' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        c => c,
    }
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
    /// Reads the value of 手合割 in this line. The value is the usual word for a name in other words.
    pub(crate) fn read_handicap(
        &mut self,
        line: u64,
        value: &str,
    ) -> Result<Option<&'static str>, OtherGame> {
        let word = trim(value);
        if is_other_game(word) {
            return Err(OtherGame::Named);
        }
        let (name, side) = without_side(word);
        let known = handicap_of(name);
        let is_unusual = Handicap::from_kif_name(word).is_none();
        self.handicap = known;
        self.side = side.or(self.side);
        self.handicap_line = line;
        self.unknown_handicap = (known.is_none() && word != "その他").then(|| word.to_owned());
        Ok(known.filter(|_| is_unusual).map(Handicap::kif_name))
    }

    /// Returns the line of a word after 手合割 that is not known and has no diagram.
    pub(crate) fn unknown_line(&self) -> Option<u64> {
        (self.unknown_handicap.is_some() && self.rows.is_empty()).then_some(self.handicap_line)
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

    /// Checks for a row of a smaller or larger board.
    pub(crate) fn check_row(&self, line: &str) -> Result<(), OtherGame> {
        match row_length(line) {
            // A row with one square more or less is damaged.
            Some(count @ (3..=7 | 11..=30)) => Err(OtherGame::Row(count)),
            _ => Ok(()),
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

    /// Returns the start position, and what is missing in it.
    ///
    /// A diagram counts more than a name. Without either, the game is an even one.
    pub(crate) fn finish(&self) -> (Setup, Result<(), StartFault<'_>>) {
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
        let mut setup = self.handicap.map_or_else(Setup::hirate, Handicap::to_setup);
        // 平手　後手番.
        setup.side = self.side.unwrap_or(setup.side);
        let fault = self.unknown_handicap.as_deref().map(|found| StartFault {
            found,
            expected: "the name of a handicap such as 二枚落ち, or a diagram",
        });
        (setup, fault.map_or(Ok(()), Err))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_handicap_has_its_start() {
        for handicap in Handicap::ALL {
            let mut start = Start::default();
            start.read_handicap(1, &format!("{}　　", handicap.kif_name())).unwrap();
            assert_eq!(start.finish(), (handicap.to_setup(), Ok(())));
        }
        for (name, sfen) in OTHER_STARTS {
            let mut start = Start::default();
            start.read_handicap(1, name).unwrap();
            assert_eq!(start.finish().0.to_string(), sfen);
        }
    }

    #[test]
    fn an_unknown_handicap_needs_a_diagram() {
        let mut start = Start::default();
        start.read_handicap(1, "詰将棋").unwrap();
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
