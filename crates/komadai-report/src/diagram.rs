//! Boards as text.

use core::fmt;

use crate::sfen::HAND_ORDER;
use crate::{Color, Hand, Piece, Position, Rank, Setup, Square};

/// The ranks as they are written in Japanese.
pub(crate) const RANK_KANJI: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

impl Setup {
    /// The board and the hands in kanji, as KIF records show them (BOD).
    ///
    /// White's pieces carry a `v`. A move number above 1 stands in a line `手数＝…`, and the side
    /// to move in a line `後手番` if it is White's move. Kanji take two columns of a terminal.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Setup;
    ///
    /// let setup = Setup::from_sfen("4k4/9/4P4/9/9/9/9/4+r4/4K4 b 2G17p 1")?;
    /// assert_eq!(
    ///     setup.diagram().to_string(),
    ///     "\
    /// 後手の持駒：歩十七
    ///   ９ ８ ７ ６ ５ ４ ３ ２ １
    /// +---------------------------+
    /// | ・ ・ ・ ・v玉 ・ ・ ・ ・|一
    /// | ・ ・ ・ ・ ・ ・ ・ ・ ・|二
    /// | ・ ・ ・ ・ 歩 ・ ・ ・ ・|三
    /// | ・ ・ ・ ・ ・ ・ ・ ・ ・|四
    /// | ・ ・ ・ ・ ・ ・ ・ ・ ・|五
    /// | ・ ・ ・ ・ ・ ・ ・ ・ ・|六
    /// | ・ ・ ・ ・ ・ ・ ・ ・ ・|七
    /// | ・ ・ ・ ・v龍 ・ ・ ・ ・|八
    /// | ・ ・ ・ ・ 玉 ・ ・ ・ ・|九
    /// +---------------------------+
    /// 先手の持駒：金二
    /// "
    /// );
    /// # Ok::<(), komadai_core::SfenError>(())
    /// ```
    #[doc(alias = "局面図")]
    pub fn diagram(&self) -> impl fmt::Display + fmt::Debug + use<> {
        KanjiDiagram(self.clone())
    }

    /// The board and the hands in the letters of SFEN, for terminals without Japanese.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Setup;
    ///
    /// let setup = Setup::from_sfen("4k4/9/4P4/9/9/9/9/4+r4/4K4 b 2G17p 1")?;
    /// assert_eq!(
    ///     setup.diagram_letters().to_string(),
    ///     "\
    /// White in hand: 17p
    ///   9  8  7  6  5  4  3  2  1
    /// +---------------------------+
    /// | .  .  .  .  k  .  .  .  . | a
    /// | .  .  .  .  .  .  .  .  . | b
    /// | .  .  .  .  P  .  .  .  . | c
    /// | .  .  .  .  .  .  .  .  . | d
    /// | .  .  .  .  .  .  .  .  . | e
    /// | .  .  .  .  .  .  .  .  . | f
    /// | .  .  .  .  .  .  .  .  . | g
    /// | .  .  .  . +r  .  .  .  . | h
    /// | .  .  .  .  K  .  .  .  . | i
    /// +---------------------------+
    /// Black in hand: 2G
    /// Black to move, move 1
    /// "
    /// );
    /// # Ok::<(), komadai_core::SfenError>(())
    /// ```
    pub fn diagram_letters(&self) -> impl fmt::Display + fmt::Debug + use<> {
        LetterDiagram(self.clone())
    }
}

impl Position {
    /// The board and the hands in kanji: see [`Setup::diagram`].
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Position;
    ///
    /// println!("{}", Position::hirate().diagram());
    /// ```
    pub fn diagram(&self) -> impl fmt::Display + fmt::Debug + use<> {
        KanjiDiagram(self.to_setup())
    }

    /// The board and the hands in letters: see [`Setup::diagram_letters`].
    pub fn diagram_letters(&self) -> impl fmt::Display + fmt::Debug + use<> {
        LetterDiagram(self.to_setup())
    }
}

#[derive(Debug)]
struct KanjiDiagram(Setup);

impl fmt::Display for KanjiDiagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let setup = &self.0;
        writeln!(f, "後手の持駒：{}", KanjiHand(setup.hands[Color::White]))?;
        writeln!(f, "  ９ ８ ７ ６ ５ ４ ３ ２ １")?;
        writeln!(f, "+---------------------------+")?;
        for rank in Rank::ALL {
            f.write_str("|")?;
            for square in squares_of(rank) {
                match setup.board[square] {
                    None => f.write_str(" ・")?,
                    Some(piece) => {
                        let side = if piece.color() == Color::Black { ' ' } else { 'v' };
                        write!(f, "{side}{}", piece.kind().to_kanji())?;
                    }
                }
            }
            writeln!(f, "|{}", RANK_KANJI[rank.index()])?;
        }
        writeln!(f, "+---------------------------+")?;
        writeln!(f, "先手の持駒：{}", KanjiHand(setup.hands[Color::Black]))?;
        if setup.ply > 1 {
            writeln!(f, "手数＝{}", setup.ply - 1)?;
        }
        if setup.side == Color::White {
            writeln!(f, "後手番")?;
        }
        Ok(())
    }
}

/// A hand as KIF writes it: `飛　金二　歩十八`, or `なし` for none.
struct KanjiHand(Hand);

impl fmt::Display for KanjiHand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("なし");
        }
        let held = HAND_ORDER.into_iter().filter(|&kind| self.0.has(kind));
        for (index, kind) in held.enumerate() {
            let blank = if index == 0 { "" } else { "　" };
            write!(f, "{blank}{}", kind.to_kanji())?;
            let (tens, units) = (self.0.count(kind) / 10, self.0.count(kind) % 10);
            if tens > 0 {
                f.write_str("十")?;
            }
            if units > u32::from(tens == 0) {
                write!(f, "{}", RANK_KANJI[units as usize - 1])?;
            }
        }
        Ok(())
    }
}

#[derive(Debug)]
struct LetterDiagram(Setup);

impl fmt::Display for LetterDiagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let setup = &self.0;
        writeln!(f, "White in hand: {}", LetterHand(Color::White, setup.hands[Color::White]))?;
        writeln!(f, "  9  8  7  6  5  4  3  2  1")?;
        writeln!(f, "+---------------------------+")?;
        for rank in Rank::ALL {
            f.write_str("|")?;
            for square in squares_of(rank) {
                match setup.board[square] {
                    None => f.write_str(" . ")?,
                    Some(piece) if piece.kind().is_promoted() => write!(f, "{piece} ")?,
                    Some(piece) => write!(f, " {piece} ")?,
                }
            }
            writeln!(f, "| {}", (b'a' + rank as u8) as char)?;
        }
        writeln!(f, "+---------------------------+")?;
        writeln!(f, "Black in hand: {}", LetterHand(Color::Black, setup.hands[Color::Black]))?;
        writeln!(f, "{:?} to move, move {}", setup.side, setup.ply)
    }
}

/// One side's hand as `R 2G 17P`, in lower case for White, or `-` for none.
struct LetterHand(Color, Hand);

impl fmt::Display for LetterHand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.1.is_empty() {
            return f.write_str("-");
        }
        let held = HAND_ORDER.into_iter().filter(|&kind| self.1.has(kind));
        for (index, kind) in held.enumerate() {
            let blank = if index == 0 { "" } else { " " };
            match self.1.count(kind) {
                1 => write!(f, "{blank}{}", Piece::new(self.0, kind))?,
                count => write!(f, "{blank}{count}{}", Piece::new(self.0, kind))?,
            }
        }
        Ok(())
    }
}

/// The squares of a rank as they are read: file 9 first.
fn squares_of(rank: Rank) -> impl Iterator<Item = Square> {
    crate::File::ALL.into_iter().rev().map(move |file| Square::new(file, rank))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PieceKind;

    #[test]
    fn counts_are_written_as_in_records() {
        for (count, text) in
            [(1, "歩"), (2, "歩二"), (9, "歩九"), (10, "歩十"), (11, "歩十一"), (18, "歩十八")]
        {
            let hand = Hand::EMPTY.with(PieceKind::Pawn, count);
            assert_eq!(KanjiHand(hand).to_string(), text);
        }
        let hand = Hand::EMPTY.with(PieceKind::Pawn, 3).with(PieceKind::Rook, 1);
        assert_eq!(KanjiHand(hand).to_string(), "飛　歩三");
        assert_eq!(LetterHand(Color::White, hand).to_string(), "r 3p");
    }

    #[test]
    fn the_move_number_and_whites_turn_are_said() {
        let setup = Setup { side: Color::White, ply: 32, ..Setup::hirate() };
        let text = setup.diagram().to_string();
        assert!(text.ends_with("先手の持駒：なし\n手数＝31\n後手番\n"), "{text}");
        let text = setup.diagram_letters().to_string();
        assert!(text.ends_with("Black in hand: -\nWhite to move, move 32\n"), "{text}");
    }
}
