//! Positions as text diagrams.

use core::fmt;

use komadai_core::{Color, File, Hand, Piece, PieceKind, Rank, Setup, Square};

/// The kanji of the ranks, 一 to 九; they also serve as the digits of piece counts.
pub(crate) const RANK_KANJI: [char; 9] = ['一', '二', '三', '四', '五', '六', '七', '八', '九'];

/// A text diagram of a board and both hands (局面図), written by `Display`.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_report::Diagram;
///
/// println!("{}", Diagram::kanji(&Position::hirate()));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use = "a diagram does nothing until it is written"]
pub struct Diagram {
    setup: Setup,
    script: Script,
    bottom: Color,
}

/// The characters that stand for the pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Script {
    Kanji,
    Letters,
}

impl Diagram {
    /// A diagram in kanji, in the layout of KIF records (BOD).
    ///
    /// A `v` marks White's pieces. A line `手数＝…` follows if the move number is above 1, and a
    /// line `後手番` if White is to move. Each kanji takes two columns of a terminal.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Setup;
    /// use komadai_report::Diagram;
    ///
    /// let setup = Setup::from_sfen("4k4/9/4P4/9/9/9/9/4+r4/4K4 b 2G17p 1")?;
    /// assert_eq!(
    ///     Diagram::kanji(&setup).to_string(),
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
    pub fn kanji(setup: impl Into<Setup>) -> Self {
        Self { setup: setup.into(), script: Script::Kanji, bottom: Color::Black }
    }

    /// A diagram in the letters of SFEN, for terminals without Japanese fonts.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Setup;
    /// use komadai_report::Diagram;
    ///
    /// let setup = Setup::from_sfen("4k4/9/4P4/9/9/9/9/4+r4/4K4 b 2G17p 1")?;
    /// assert_eq!(
    ///     Diagram::letters(&setup).to_string(),
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
    pub fn letters(setup: impl Into<Setup>) -> Self {
        Self { setup: setup.into(), script: Script::Letters, bottom: Color::Black }
    }

    /// The same diagram with this side at the bottom. In kanji a `v` marks the pieces of the side at
    /// the top, so that a diagram with White at the bottom is none of a record.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::{Color, Position};
    /// use komadai_report::Diagram;
    ///
    /// let diagram = Diagram::kanji(&Position::hirate()).seen_by(Color::White).to_string();
    /// assert!(diagram.contains("１ ２ ３") && diagram.contains("|v香v桂v銀v金v玉v金v銀v桂v香|九"));
    /// ```
    pub fn seen_by(self, side: Color) -> Self {
        Self { bottom: side, ..self }
    }
}

impl fmt::Display for Diagram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.script {
            Script::Kanji => write_kanji(&self.setup, self.bottom, f),
            Script::Letters => write_letters(&self.setup, self.bottom, f),
        }
    }
}

fn write_kanji(setup: &Setup, bottom: Color, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let hand = |side: Color, f: &mut fmt::Formatter<'_>| {
        let name = ["先手", "後手"][side.index()];
        writeln!(f, "{name}の持駒：{}", KanjiHand(setup.hands[side]))
    };
    hand(!bottom, f)?;
    writeln!(
        f,
        "{}",
        match bottom {
            Color::Black => "  ９ ８ ７ ６ ５ ４ ３ ２ １",
            Color::White => "  １ ２ ３ ４ ５ ６ ７ ８ ９",
        }
    )?;
    writeln!(f, "+---------------------------+")?;
    for rank in ranks(bottom) {
        f.write_str("|")?;
        for square in squares_of(rank, bottom) {
            match setup.board[square] {
                None => f.write_str(" ・")?,
                Some(piece) => {
                    let side = if piece.color() == bottom { ' ' } else { 'v' };
                    write!(f, "{side}{}", piece.kind().to_kanji())?;
                }
            }
        }
        writeln!(f, "|{}", RANK_KANJI[rank.index()])?;
    }
    writeln!(f, "+---------------------------+")?;
    hand(bottom, f)?;
    // KIF counts the moves played, SFEN the next move.
    if setup.ply > 1 {
        writeln!(f, "手数＝{}", setup.ply - 1)?;
    }
    if setup.side == Color::White {
        writeln!(f, "後手番")?;
    }
    Ok(())
}

/// A hand in the notation of KIF: `飛　金二　歩十八`, or `なし` if it is empty.
struct KanjiHand(Hand);

impl fmt::Display for KanjiHand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("なし");
        }
        let held = PieceKind::SFEN_HAND.into_iter().filter(|&kind| self.0.has(kind));
        for (index, kind) in held.enumerate() {
            let blank = if index == 0 { "" } else { "　" };
            write!(f, "{blank}{}", kind.to_kanji())?;
            let (tens, units) = (self.0.count(kind) / 10, self.0.count(kind) % 10);
            if tens > 0 {
                f.write_str("十")?;
            }
            // A single piece has no count, and ten pieces are 十 without units.
            if units > u32::from(tens == 0) {
                write!(f, "{}", RANK_KANJI[units as usize - 1])?;
            }
        }
        Ok(())
    }
}

fn write_letters(setup: &Setup, bottom: Color, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let hand = |side: Color, f: &mut fmt::Formatter<'_>| {
        writeln!(f, "{side:?} in hand: {}", LetterHand(side, setup.hands[side]))
    };
    hand(!bottom, f)?;
    writeln!(
        f,
        "{}",
        match bottom {
            Color::Black => "  9  8  7  6  5  4  3  2  1",
            Color::White => "  1  2  3  4  5  6  7  8  9",
        }
    )?;
    writeln!(f, "+---------------------------+")?;
    for rank in ranks(bottom) {
        f.write_str("|")?;
        for square in squares_of(rank, bottom) {
            match setup.board[square] {
                None => f.write_str(" . ")?,
                Some(piece) if piece.kind().is_promoted() => write!(f, "{piece} ")?,
                Some(piece) => write!(f, " {piece} ")?,
            }
        }
        writeln!(f, "| {}", (b'a' + rank as u8) as char)?;
    }
    writeln!(f, "+---------------------------+")?;
    hand(bottom, f)?;
    writeln!(f, "{:?} to move, move {}", setup.side, setup.ply)
}

/// One side's hand as `R 2G 17P`, in lower case for White, or `-` if it is empty.
struct LetterHand(Color, Hand);

impl fmt::Display for LetterHand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.1.is_empty() {
            return f.write_str("-");
        }
        let held = PieceKind::SFEN_HAND.into_iter().filter(|&kind| self.1.has(kind));
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

/// The ranks from top to bottom.
fn ranks(bottom: Color) -> [Rank; 9] {
    let mut ranks = Rank::ALL;
    if bottom == Color::White {
        ranks.reverse();
    }
    ranks
}

/// The squares of a rank from left to right; for Black file 9 is the first.
fn squares_of(rank: Rank, bottom: Color) -> impl Iterator<Item = Square> {
    let mut files = File::ALL;
    if bottom == Color::Black {
        files.reverse();
    }
    files.into_iter().map(move |file| Square::new(file, rank))
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn white_sees_its_own_pieces_below() {
        let setup = Setup::from_sfen("4k3l/9/4P4/9/9/9/9/9/4K4 b 2Gp 1").unwrap();
        let kanji = Diagram::kanji(&setup).seen_by(Color::White).to_string();
        let lines: Vec<&str> = kanji.lines().collect();
        assert_eq!(lines[0], "先手の持駒：金二");
        assert_eq!(lines[1], "  １ ２ ３ ４ ５ ６ ７ ８ ９");
        assert_eq!(lines[3], "| ・ ・ ・ ・v玉 ・ ・ ・ ・|九");
        assert_eq!(lines[11], "| 香 ・ ・ ・ 玉 ・ ・ ・ ・|一");
        assert_eq!(lines[13], "後手の持駒：歩");
        let letters = Diagram::letters(&setup).seen_by(Color::White).to_string();
        let lines: Vec<&str> = letters.lines().collect();
        assert_eq!(lines[0], "Black in hand: 2G");
        assert_eq!(lines[11], "| l  .  .  .  k  .  .  .  . | a");
        assert_eq!(lines[13], "White in hand: p");
        let both = Diagram::letters(&setup);
        assert_eq!(both.clone().seen_by(Color::Black), both);
    }

    #[test]
    fn the_move_number_and_whites_turn_are_written() {
        let setup = Setup { side: Color::White, ply: 32, ..Setup::hirate() };
        let text = Diagram::kanji(&setup).to_string();
        assert!(text.ends_with("先手の持駒：なし\n手数＝31\n後手番\n"), "{text}");
        let text = Diagram::letters(&setup).to_string();
        assert!(text.ends_with("Black in hand: -\nWhite to move, move 32\n"), "{text}");
    }
}
