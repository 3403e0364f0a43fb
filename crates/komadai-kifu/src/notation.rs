//! Moves as people read them.

use std::fmt;
use std::str::FromStr;

use komadai_core::{Color, Move, Piece, PieceKind, Position, Square};
use komadai_movegen::is_legal;

/// How moves are written for readers.
///
/// It prints as the word that it is read from: `usi`, `japanese`, `latin`.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_kifu::Notation;
///
/// let position = Position::hirate().after("7g7f".parse()?).after("3c3d".parse()?);
/// let m = "8h2b+".parse()?;
/// assert_eq!(Notation::Japanese.of(&position, m).to_string(), "▲２二角成(88)");
/// assert_eq!(Notation::Latin.of(&position, m).to_string(), "Bx2b+");
/// assert_eq!(Notation::Usi.of(&position, m).to_string(), "8h2b+");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Notation {
    /// As the protocol has them: `7g7f`, `8h2b+`, `P*5e`.
    #[default]
    Usi,
    /// As Japanese records (KIF) have them, with the mark of the side and the square that the piece
    /// comes from: `▲７六歩(77)`, `△５五角打`.
    Japanese,
    /// As Western books have them (Hodges): `P-7f`, `Bx2b+`, `B*5e`. The square that the piece comes
    /// from is written where another of its kind could go there as well, `=` where it does not
    /// promote but may.
    Latin,
}

/// A word names no notation.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{found:?} is no notation, expected usi, japanese or latin")]
pub struct UnknownNotation {
    /// The word.
    pub found: String,
}

impl Notation {
    /// All notations.
    pub const ALL: [Self; 3] = [Self::Usi, Self::Japanese, Self::Latin];

    /// A move of a position, to be printed.
    #[must_use]
    pub fn of(self, position: &Position, m: Move) -> impl fmt::Display {
        match self {
            Self::Usi => m.to_string(),
            Self::Japanese => japanese(position, m),
            Self::Latin => latin(position, m),
        }
    }

    /// A line of moves from a position, separated by blanks.
    #[must_use]
    pub fn line(self, position: &Position, moves: &[Move]) -> String {
        let mut position = position.clone();
        let mut names = Vec::with_capacity(moves.len());
        for &m in moves {
            names.push(self.of(&position, m).to_string());
            position.do_move(m);
        }
        names.join(" ")
    }

    fn name(self) -> &'static str {
        match self {
            Self::Usi => "usi",
            Self::Japanese => "japanese",
            Self::Latin => "latin",
        }
    }
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Notation {
    type Err = UnknownNotation;

    fn from_str(word: &str) -> Result<Self, UnknownNotation> {
        let mut all = Self::ALL.into_iter();
        all.find(|notation| word.eq_ignore_ascii_case(notation.name()))
            .ok_or_else(|| UnknownNotation { found: crate::error::shorten(word) })
    }
}

const RANKS: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

fn japanese(position: &Position, m: Move) -> String {
    let side = if position.side() == Color::Black { '▲' } else { '△' };
    let (file, rank) = (m.to().file().index(), m.to().rank().index());
    let file = char::from_u32('１' as u32 + file as u32).expect("nine of them follow each other");
    let to = format!("{side}{file}{}", RANKS[rank]);
    match (m.from(), m.dropped()) {
        (Some(from), _) => {
            let promotes = if m.is_promotion() { "成" } else { "" };
            let (file, rank) = (from.file().index() + 1, from.rank().index() + 1);
            format!("{to}{}{promotes}({file}{rank})", kanji(kind_on(position, from)))
        }
        (None, kind) => format!("{to}{}打", kanji(kind.unwrap_or(PieceKind::Pawn))),
    }
}

/// The kind in one kanji or two, as moves are written.
fn kanji(kind: PieceKind) -> String {
    match kind {
        PieceKind::ProLance | PieceKind::ProKnight | PieceKind::ProSilver => {
            format!("成{}", kind.unpromoted().to_kanji())
        }
        kind => kind.to_kanji().to_string(),
    }
}

fn latin(position: &Position, m: Move) -> String {
    let to = square(m.to());
    let Some(from) = m.from() else {
        let kind = m.dropped().unwrap_or(PieceKind::Pawn);
        return format!("{}*{to}", kind.to_sfen());
    };
    let kind = kind_on(position, from);
    let origin = if is_ambiguous(position, m, from, kind) { square(from) } else { String::new() };
    let how = if position.piece_on(m.to()).is_some() { 'x' } else { '-' };
    let promotes = match m.is_promotion() {
        true => "+",
        false if may_promote(position, m) => "=",
        false => "",
    };
    format!("{}{origin}{how}{to}{promotes}", kind.to_sfen())
}

fn square(square: Square) -> String {
    let rank = char::from(b'a' + square.rank() as u8);
    format!("{}{rank}", square.file().index() + 1)
}

fn kind_on(position: &Position, square: Square) -> PieceKind {
    position.piece_on(square).map_or(PieceKind::Pawn, Piece::kind)
}

/// Whether another piece of the kind may go to the same square.
fn is_ambiguous(position: &Position, m: Move, from: Square, kind: PieceKind) -> bool {
    let others = position.pieces(position.side(), kind).iter();
    let mut others = others.filter(|&other| other != from && other != m.to());
    // A piece that has to promote there has no move without.
    others.any(|other| {
        is_legal(position, Move::new(other, m.to()))
            || is_legal(position, Move::promotion(other, m.to()))
    })
}

/// Whether the same move with a promotion would be legal.
fn may_promote(position: &Position, m: Move) -> bool {
    m.from().is_some_and(|from| is_legal(position, Move::promotion(from, m.to())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(sfen: &str, m: &str) -> [String; 2] {
        let position = Position::from_sfen(sfen).unwrap();
        let m = m.parse().unwrap();
        [Notation::Japanese, Notation::Latin].map(|notation| notation.of(&position, m).to_string())
    }

    #[test]
    fn every_kind_of_move_is_written_as_books_do() {
        let start = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
        let white = "lnsgkgsnl/1r5b1/ppppppppp/9/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL w - 2";
        let pieces = "4k4/9/1S5N1/9/9/9/9/1+N7/4K4 b GP 1";
        let check = "4k4/9/9/9/9/9/9/3+p5/4K4 b - 1";
        for (sfen, m, expected) in [
            (start, "7g7f", ["▲７六歩(77)", "P-7f"]),
            // Both golds may go there.
            (start, "6i5h", ["▲５八金(69)", "G6i-5h"]),
            (start, "4i5h", ["▲５八金(49)", "G4i-5h"]),
            (white, "3c3d", ["△３四歩(33)", "P-3d"]),
            (pieces, "G*5b", ["▲５二金打", "G*5b"]),
            (pieces, "P*5b", ["▲５二歩打", "P*5b"]),
            (pieces, "8c8b", ["▲８二銀(83)", "S-8b="]),
            (pieces, "8c8b+", ["▲８二銀成(83)", "S-8b+"]),
            // The only knight of its kind that can go there must promote.
            (pieces, "2c3a+", ["▲３一桂成(23)", "N-3a+"]),
            (pieces, "8h7h", ["▲７八成桂(88)", "+N-7h"]),
            (check, "5i6h", ["▲６八玉(59)", "Kx6h"]),
        ] {
            assert_eq!(written(sfen, m), expected, "{m}");
        }
    }

    #[test]
    fn a_line_goes_on_from_move_to_move() {
        let line: Vec<Move> =
            ["7g7f", "3c3d", "8h2b+", "3a2b", "B*4e"].map(|m| m.parse().unwrap()).to_vec();
        let start = Position::hirate();
        assert_eq!(Notation::Latin.line(&start, &line), "P-7f P-3d Bx2b+ Sx2b B*4e");
        assert_eq!(
            Notation::Japanese.line(&start, &line),
            "▲７六歩(77) △３四歩(33) ▲２二角成(88) △２二銀(31) ▲４五角打"
        );
        assert_eq!(Notation::Usi.line(&start, &line), "7g7f 3c3d 8h2b+ 3a2b B*4e");
    }

    #[test]
    fn names_are_read_as_they_print() {
        for notation in Notation::ALL {
            assert_eq!(notation.to_string().parse(), Ok(notation));
        }
        let error = "kif".parse::<Notation>().unwrap_err();
        assert_eq!(error.to_string(), "\"kif\" is no notation, expected usi, japanese or latin");
    }
}
