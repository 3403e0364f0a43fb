//! SFEN, the one-line text of a position.

use core::fmt::{self, Write as _};
use core::str::FromStr;

use crate::color::Color;
use crate::cursor::{Cursor, shorten};
use crate::hand::Hand;
use crate::piece::{Piece, PieceKind};
use crate::position::{Position, PositionError};
use crate::setup::Setup;
use crate::square::Square;

/// An error in the SFEN of a position.
///
/// `at` is the byte offset in the whole text; in a USI line, in the whole line. Tokens are cut
/// after 32 characters.
///
/// # Examples
///
/// ```
/// use komadai_core::{Setup, SfenError};
///
/// let error = Setup::from_sfen("9/9/9/9/4X4/9/9/9/9 b - 1").unwrap_err();
/// assert_eq!(error, SfenError::BadPiece { found: 'X', at: 9 });
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SfenError {
    /// The text ends too early.
    #[error("the text ends at byte {at}, expected {expected}")]
    Missing {
        /// The missing part.
        expected: &'static str,
        /// The end of the text.
        at: usize,
    },
    /// A character of the board is not a piece, a digit, `+` or `/`.
    #[error(
        "found {found:?} on the board at byte {at}, \
         expected one of KRBGSNLP in either case, `+`, a digit 1 to 9 or `/`{}",
        address_hint(*found)
    )]
    BadPiece {
        /// The character.
        found: char,
        /// Its byte offset.
        at: usize,
    },
    /// The character after a `+` is not a piece that promotes, or the board ends there.
    #[error("expected one of RBSNLP in either case after `+`, found {} at byte {at}", name_of(*found))]
    BadPromotion {
        /// The character after the `+`, or `None` where the board ends.
        found: Option<char>,
        /// The byte offset after the `+`.
        at: usize,
    },
    /// A rank is narrower or wider than nine squares.
    #[error("rank {rank} has {width} squares up to byte {at}, expected 9")]
    RankWidth {
        /// The rank, 1 to 9 from the top.
        rank: usize,
        /// The number of squares; counting stops above nine.
        width: usize,
        /// The byte offset of the end of the rank, or of the first square too many.
        at: usize,
    },
    /// The board has fewer or more than nine ranks.
    #[error("the board has {ranks} ranks up to byte {at}, expected 9")]
    RankCount {
        /// The number of ranks; counting stops at the tenth.
        ranks: usize,
        /// The byte offset of the end of the board, or of the `/` before the tenth rank.
        at: usize,
    },
    /// The side to move is neither `b` nor `w`.
    #[error("found {token:?} as the side to move at byte {at}, expected `b` or `w`")]
    BadSide {
        /// The token.
        token: String,
        /// Its byte offset.
        at: usize,
    },
    /// A character of the hands is neither a count nor a piece that can be held.
    #[error(
        "found {found:?} in the hands at byte {at}, \
         expected a count, one of RBGSNLP in either case, or `-` alone"
    )]
    BadHandPiece {
        /// The character.
        found: char,
        /// Its byte offset.
        at: usize,
    },
    /// The count of a piece in a hand is zero, or more than the game has.
    #[error("{count} pieces {piece} in hand at byte {at}, expected 1 to {most}")]
    HandCount {
        /// The piece, in its owner's colour.
        piece: Piece,
        /// The count read for this hand, cut at `u32::MAX`.
        count: u32,
        /// The number of pieces of this kind in the game.
        most: u32,
        /// The byte offset of the piece's letter.
        at: usize,
    },
    /// A count stands at the end of the hands without a piece.
    #[error("a count in the hands is followed by no piece at byte {at}")]
    HandCountWithoutPiece {
        /// The byte offset at which the piece is expected.
        at: usize,
    },
    /// The move number is not a number, or too large.
    #[error("found {token:?} as the move number at byte {at}, expected 1 to 2147483647")]
    BadPly {
        /// The token.
        token: String,
        /// Its byte offset.
        at: usize,
    },
    /// More text follows the move number.
    #[error("found {token:?} after the position at byte {at}, expected the end of the text")]
    Trailing {
        /// The first token too many.
        token: String,
        /// Its byte offset.
        at: usize,
    },
    /// The text is a USI position, with `startpos` or with moves, and not an SFEN alone.
    #[error(
        "found {token:?} at byte {at}, expected an SFEN alone; \
         a text with `startpos` or `moves` is a `UsiPosition`"
    )]
    UsiPosition {
        /// The word of USI.
        token: String,
        /// Its byte offset.
        at: usize,
    },
    /// The text is a well-formed SFEN, but the position is not legal.
    #[error(transparent)]
    Position(#[from] PositionError),
}

impl Setup {
    /// Reads an SFEN such as `lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1`.
    ///
    /// The reader accepts more than the writer writes: a leading `sfen `, runs of blanks, hands in
    /// any order (the counts of a kind named twice are added), a missing move number (read as 1)
    /// and the move number 0 (read as 1). The legality of the position is not checked.
    ///
    /// # Errors
    ///
    /// Returns any [`SfenError`] except [`SfenError::Position`]. The time is linear in the length
    /// of the text, and reading stops at the first error. `startpos` and texts with `moves` are
    /// read by [`UsiPosition`](crate::UsiPosition).
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::{Color, PieceKind, Setup};
    ///
    /// let setup = Setup::from_sfen("4k4/9/4P4/9/9/9/9/9/9 b 2pG")?;
    /// assert_eq!(setup.hands[Color::White].count(PieceKind::Pawn), 2);
    /// assert_eq!(setup.to_string(), "4k4/9/4P4/9/9/9/9/9/9 b G2p 1");
    /// # Ok::<(), komadai_core::SfenError>(())
    /// ```
    pub fn from_sfen(text: &str) -> Result<Self, SfenError> {
        let mut cursor = Cursor::new(text);
        if let Some((token, at)) = usi_word(&mut cursor, &["position", "startpos"]) {
            return Err(SfenError::UsiPosition { token, at });
        }
        cursor.eat("sfen");
        let setup = read_setup(&mut cursor)?;
        if let Some((token, at)) = usi_word(&mut cursor, &["moves"]) {
            return Err(SfenError::UsiPosition { token, at });
        }
        match cursor.peek_shortened() {
            None => Ok(setup),
            Some((token, at)) => Err(SfenError::Trailing { token, at }),
        }
    }
}

impl FromStr for Setup {
    type Err = SfenError;

    fn from_str(text: &str) -> Result<Self, SfenError> {
        Self::from_sfen(text)
    }
}

/// Canonical SFEN: hands in the order R B G S N L P, Black's first, `-` when both are empty.
impl fmt::Display for Setup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // One write of the whole text: a call of the formatter per piece costs more than the
        // letters.
        let mut text = String::with_capacity(LONG_SFEN);
        push_board(&self.board, &mut text);
        text.push_str(match self.side {
            Color::Black => " b ",
            Color::White => " w ",
        });
        push_hands(&self.hands, &mut text);
        write!(text, " {}", self.ply)?;
        f.write_str(&text)
    }
}

impl Position {
    /// Reads an SFEN and validates the position.
    ///
    /// # Errors
    ///
    /// Returns any [`SfenError`]; [`SfenError::Position`] if a well-formed text breaks a rule, and
    /// [`SfenError::UsiPosition`] for `startpos` and for a text with moves.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::{Position, SfenError};
    ///
    /// let position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")?;
    /// assert_eq!(position.to_string(), "4k4/9/4P4/9/9/9/9/9/4K4 b G 1");
    ///
    /// let no_kings = Position::from_sfen("9/9/9/9/9/9/9/9/9 b - 1");
    /// assert!(matches!(no_kings, Err(SfenError::Position(_))));
    /// let error = "startpos".parse::<Position>().unwrap_err().to_string();
    /// assert!(error.ends_with("a text with `startpos` or `moves` is a `UsiPosition`"));
    /// # Ok::<(), SfenError>(())
    /// ```
    pub fn from_sfen(text: &str) -> Result<Self, SfenError> {
        Ok(Self::from_setup(&Setup::from_sfen(text)?)?)
    }
}

impl FromStr for Position {
    type Err = SfenError;

    fn from_str(text: &str) -> Result<Self, SfenError> {
        Self::from_sfen(text)
    }
}

/// Canonical SFEN, the same as of [`Setup`].
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.to_setup(), f)
    }
}

/// `Position(<SFEN>)`, followed by the moves that led to the position if there are any.
impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self}")?;
        for (index, m) in self.moves().enumerate() {
            f.write_str(if index == 0 { " after " } else { " " })?;
            match m {
                Some(m) => write!(f, "{m}")?,
                None => f.write_str("null")?,
            }
        }
        f.write_str(")")
    }
}

/// The next token and its offset, if it is one of `words`.
fn usi_word(cursor: &mut Cursor<'_>, words: &[&str]) -> Option<(String, usize)> {
    words.iter().any(|word| cursor.is_next(word)).then(|| cursor.peek_shortened()).flatten()
}

/// Reads board, side, hands and, unless the text ends or `moves` follows, the move number.
pub(crate) fn read_setup(cursor: &mut Cursor<'_>) -> Result<Setup, SfenError> {
    Ok(Setup {
        board: read_board(cursor)?,
        side: read_side(cursor)?,
        hands: read_hands(cursor)?,
        ply: read_ply(cursor)?,
    })
}

fn read_board(cursor: &mut Cursor<'_>) -> Result<[Option<Piece>; Square::COUNT], SfenError> {
    if !cursor.skip_blanks() {
        return Err(SfenError::Missing { expected: "a board", at: cursor.offset() });
    }
    let mut board = [None; Square::COUNT];
    let mut rank = 0;
    let mut width = 0;
    while let Some((found, at)) = cursor.next_char() {
        let mut squares = 1;
        let mut piece = None;
        match found {
            '/' if width != 9 => return Err(SfenError::RankWidth { rank: rank + 1, width, at }),
            '/' if rank == 8 => return Err(SfenError::RankCount { ranks: 10, at }),
            '/' => {
                (rank, width) = (rank + 1, 0);
                continue;
            }
            '1'..='9' => squares = found as usize - '0' as usize,
            '+' => piece = Some(read_promoted(cursor)?),
            _ => piece = Some(piece_of(found).ok_or(SfenError::BadPiece { found, at })?),
        }
        if width + squares > 9 {
            return Err(SfenError::RankWidth { rank: rank + 1, width: width + squares, at });
        }
        // A rank is written from file 9 to file 1; squares are numbered file by file.
        board[(8 - width) * 9 + rank] = piece;
        width += squares;
    }
    let at = cursor.offset();
    match (rank, width) {
        (8, 9) => Ok(board),
        (_, 9) => Err(SfenError::RankCount { ranks: rank + 1, at }),
        _ => Err(SfenError::RankWidth { rank: rank + 1, width, at }),
    }
}

/// Reads the piece after a `+`.
fn read_promoted(cursor: &mut Cursor<'_>) -> Result<Piece, SfenError> {
    let after_sign = cursor.offset();
    let Some((found, at)) = cursor.next_char() else {
        return Err(SfenError::BadPromotion { found: None, at: after_sign });
    };
    piece_of(found)
        .and_then(|piece| Some(Piece::new(piece.color(), piece.kind().promoted()?)))
        .ok_or(SfenError::BadPromotion { found: Some(found), at })
}

/// The advice for a character that stands for a blank in addresses.
fn address_hint(found: char) -> &'static str {
    match found {
        '_' | '%' => "; in an address `_` and `%20` stand for blanks",
        _ => "",
    }
}

/// The quoted character, or the words for the end of the board.
fn name_of(found: Option<char>) -> String {
    found.map_or_else(|| "the end of the board".to_owned(), |found| format!("{found:?}"))
}

/// The unpromoted piece of a letter; upper case for Black.
#[inline]
fn piece_of(letter: char) -> Option<Piece> {
    *PIECES.get(letter as usize)?
}

/// The piece of each ASCII letter.
static PIECES: [Option<Piece>; 128] = {
    let mut pieces = [None; 128];
    let mut letter = 0;
    while letter < pieces.len() as u8 {
        let color = if letter.is_ascii_uppercase() { Color::Black } else { Color::White };
        if let Some(kind) = PieceKind::from_sfen_letter(letter as char) {
            pieces[letter as usize] = Some(Piece::new(color, kind));
        }
        letter += 1;
    }
    pieces
};

fn read_side(cursor: &mut Cursor<'_>) -> Result<Color, SfenError> {
    if cursor.eat("b") {
        return Ok(Color::Black);
    }
    if cursor.eat("w") {
        return Ok(Color::White);
    }
    Err(match cursor.peek_shortened() {
        Some((token, at)) => SfenError::BadSide { token, at },
        None => SfenError::Missing { expected: "the side to move", at: cursor.offset() },
    })
}

pub(crate) fn read_hands(cursor: &mut Cursor<'_>) -> Result<[Hand; 2], SfenError> {
    let mut hands = [Hand::EMPTY; 2];
    if cursor.eat("-") {
        return Ok(hands);
    }
    if !cursor.skip_blanks() {
        return Err(SfenError::Missing { expected: "the hands", at: cursor.offset() });
    }
    let mut count: Option<u32> = None;
    while let Some((found, at)) = cursor.next_char() {
        if let Some(digit) = found.to_digit(10) {
            // Saturating, so that a count of any number of digits is too large and not an overflow.
            count = Some(count.unwrap_or(0).saturating_mul(10).saturating_add(digit));
            continue;
        }
        let piece = piece_of(found)
            .filter(|piece| piece.kind().is_hand_kind())
            .ok_or(SfenError::BadHandPiece { found, at })?;
        let named = count.take().unwrap_or(1);
        let hand = &mut hands[piece.color()];
        let total = hand.count(piece.kind()).saturating_add(named);
        let most = PieceKind::TOTALS[piece.kind().index()];
        if named == 0 || total > most {
            let count = if named == 0 { 0 } else { total };
            return Err(SfenError::HandCount { piece, count, most, at });
        }
        *hand = hand.with(piece.kind(), total);
    }
    match count {
        None => Ok(hands),
        Some(_) => Err(SfenError::HandCountWithoutPiece { at: cursor.offset() }),
    }
}

fn read_ply(cursor: &mut Cursor<'_>) -> Result<u32, SfenError> {
    if cursor.is_next("moves") {
        return Ok(1);
    }
    let Some((token, at)) = cursor.next_token() else { return Ok(1) };
    // `parse` alone would accept a leading `+`.
    let digits_only = token.bytes().all(|byte| byte.is_ascii_digit());
    match token.parse::<u32>() {
        Ok(ply) if digits_only && ply <= Setup::MAX_PLY => Ok(ply.max(1)),
        _ => Err(SfenError::BadPly { token: shorten(token), at }),
    }
}

/// The initial capacity of a written SFEN; longer ones are rare.
const LONG_SFEN: usize = 128;

fn push_board(board: &[Option<Piece>; Square::COUNT], text: &mut String) {
    for rank in 0..9 {
        if rank > 0 {
            text.push('/');
        }
        let mut empty = 0;
        for file in (0..9).rev() {
            let Some(piece) = board[file * 9 + rank] else {
                empty += 1;
                continue;
            };
            push_empty(empty, text);
            empty = 0;
            push_piece(piece, text);
        }
        push_empty(empty, text);
    }
}

/// Writes the number of empty squares before a piece or the end of a rank, unless it is zero.
fn push_empty(count: u8, text: &mut String) {
    if count > 0 {
        text.push((b'0' + count) as char);
    }
}

fn push_piece(piece: Piece, text: &mut String) {
    const WHITE: [&str; PieceKind::COUNT] =
        ["p", "l", "n", "s", "b", "r", "g", "k", "+p", "+l", "+n", "+s", "+b", "+r"];
    text.push_str(match piece.color() {
        Color::Black => piece.kind().to_sfen(),
        Color::White => WHITE[piece.kind() as usize],
    });
}

pub(crate) fn push_hands(hands: &[Hand; 2], text: &mut String) {
    if hands.iter().all(|hand| hand.is_empty()) {
        text.push('-');
        return;
    }
    for color in Color::ALL {
        for kind in PieceKind::SFEN_HAND {
            let count = hands[color].count(kind);
            // No count exceeds 18, so that the tens are at most 1.
            if count > 9 {
                text.push('1');
            }
            if count > 1 {
                text.push((b'0' + (count % 10) as u8) as char);
            }
            if count > 0 {
                push_piece(Piece::new(color, kind), text);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HIRATE: &str = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";

    #[test]
    fn the_start_position_reads_and_writes() {
        assert_eq!(Setup::from_sfen(HIRATE), Ok(Setup::hirate()));
        assert_eq!(Setup::hirate().to_string(), HIRATE);
    }

    #[test]
    fn a_free_spelling_is_written_canonically() {
        let canonical = "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L \
                         w Sbgn3p 1";
        for hands in ["Sbgn3p", "3pngbS", "p2pgbnS", "1Sgnb3p"] {
            let text = format!("  sfen\t{}  {hands} \r\n", &canonical[..canonical.len() - 9]);
            assert_eq!(Setup::from_sfen(&text).unwrap().to_string(), canonical, "{text}");
        }
    }

    #[test]
    fn the_move_number_may_be_missing_and_is_never_zero() {
        let board = HIRATE.strip_suffix(" 1").unwrap();
        for (suffix, ply) in [("", 1), (" 0", 1), (" 1", 1), (" 007", 7), (" 2147483647", 1 << 31)]
        {
            let ply = if ply == 1 << 31 { Setup::MAX_PLY } else { ply };
            assert_eq!(Setup::from_sfen(&format!("{board}{suffix}")).unwrap().ply, ply);
        }
    }

    #[test]
    fn adjacent_digits_add_up() {
        let setup = Setup::from_sfen("45/9/9/9/9/9/9/9/111111111 b -").unwrap();
        assert_eq!(setup, Setup::empty());
    }
}
