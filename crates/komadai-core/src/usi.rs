//! USI text: squares, moves, and the `position` command.

use core::fmt;
use core::str::FromStr;

use crate::cursor::{Cursor, shorten};
use crate::moves::Move;
use crate::piece::PieceKind;
use crate::position::Position;
use crate::setup::Setup;
use crate::sfen::{SfenError, read_setup};
use crate::square::Square;

/// Words for the result of a game, which end a list of moves.
///
/// `rep_…` are YaneuraOu's names for repetitions (draw, win, loss, superior, inferior).
const RESULT_WORDS: [&str; 7] =
    ["resign", "win", "rep_draw", "rep_win", "rep_lose", "rep_sup", "rep_inf"];

/// Words for a move that is not made; they appear in principal variations only.
const NULL_WORDS: [&str; 3] = ["0000", "null", "pass"];

/// An error in a USI text.
///
/// `at` is the byte offset of the token in the whole text. Tokens are cut after 32 characters.
///
/// # Examples
///
/// ```
/// use komadai_core::{UsiError, UsiPosition};
///
/// let error = UsiPosition::from_usi("position startpos moves 7g7f 3x3d").unwrap_err();
/// assert_eq!(error, UsiError::BadMove { token: "3x3d".into(), at: 29 });
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UsiError {
    /// A token is not a square.
    #[error("found {token:?} at byte {at}, expected a square such as 7g")]
    BadSquare {
        /// The token.
        token: String,
        /// Its byte offset.
        at: usize,
    },
    /// A token is not a move.
    #[error(
        "found {token:?} at byte {at}, expected a move such as 7g7f, 8h2b+ or P*5e{}",
        fault_of_move(.token)
    )]
    BadMove {
        /// The token.
        token: String,
        /// Its byte offset.
        at: usize,
    },
    /// A text is not a score.
    #[error("found {token:?} at byte {at}, expected a score such as `cp 35`, `mate 5` or `mate -`")]
    BadScore {
        /// The token.
        token: String,
        /// Its byte offset.
        at: usize,
    },
    /// A token stands where another was expected.
    #[error("found {token:?} at byte {at}, expected {expected}")]
    Unexpected {
        /// The token.
        token: String,
        /// Its byte offset.
        at: usize,
        /// The expected token.
        expected: &'static str,
    },
    /// The SFEN of the position is wrong.
    #[error(transparent)]
    Sfen(#[from] SfenError),
}

/// USI: `7g7f`, with `+` for a promotion, `P*5e` for a drop by either side.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let square = |square: Square| [b'1' + square.file() as u8, b'a' + square.rank() as u8];
        let [first, second] = match (self.from(), self.dropped()) {
            (Some(from), _) => square(from),
            (None, Some(kind)) => [kind.to_sfen().as_bytes()[0], b'*'],
            (None, None) => unreachable!("a move is a board move or a drop"),
        };
        // One write of the whole text, because a call of the formatter per part costs more.
        let [file, rank] = square(self.to());
        let text = [first, second, file, rank, b'+'];
        let length = if self.is_promotion() { 5 } else { 4 };
        f.write_str(core::str::from_utf8(&text[..length]).expect("USI is ASCII"))
    }
}

/// `Move(…)` around the USI text: `Move(7g7f)`.
impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Move({self})")
    }
}

impl FromStr for Square {
    type Err = UsiError;

    fn from_str(text: &str) -> Result<Self, UsiError> {
        let square = match *text.as_bytes() {
            [file, rank] => parse_square(file, rank),
            _ => None,
        };
        square.ok_or_else(|| UsiError::BadSquare { token: shorten(text), at: 0 })
    }
}

impl FromStr for Move {
    type Err = UsiError;

    /// Reads a USI move. USI is case-sensitive: `p*5e` and `7G7F` are errors.
    fn from_str(text: &str) -> Result<Self, UsiError> {
        read_move(text, 0)
    }
}

/// The contents of a USI `position` command: a start and the moves played from it.
///
/// The moves are not checked against the position: they may be illegal. `play` of
/// [`komadai-movegen`](https://docs.rs/komadai-movegen) checks and makes them, which gives a
/// [`Position`] with its history; [`Position::to_usi_position`] is the way back.
///
/// # Examples
///
/// ```
/// use komadai_core::UsiPosition;
///
/// let game = UsiPosition::from_usi("position startpos moves 7g7f 3c3d 8h2b+")?;
/// assert_eq!(game.moves.len(), 3);
/// assert_eq!(game.to_string(), "startpos moves 7g7f 3c3d 8h2b+");
/// # Ok::<(), komadai_core::UsiError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct UsiPosition {
    /// The position before the first move.
    pub setup: Setup,
    /// The moves, first to last.
    pub moves: Vec<Move>,
}

impl UsiPosition {
    /// Reads a `position` command, or one line of a file of games.
    ///
    /// The command is `position startpos …` or `position sfen …`; the words `position` and `sfen`
    /// may be missing. `moves` may be missing, and no move need follow it. A result word (`resign`,
    /// `win`, `rep_draw`, …) after the last move, as ShogiGUI writes it, is ignored.
    ///
    /// # Errors
    ///
    /// Returns [`UsiError::Sfen`] for the position, [`UsiError::BadMove`] for a move, and
    /// [`UsiError::Unexpected`] for another word in the place of `moves`. Offsets count from the
    /// start of `line`.
    pub fn from_usi(line: &str) -> Result<Self, UsiError> {
        let mut cursor = Cursor::new(line);
        cursor.eat("position");
        let setup = if cursor.eat("startpos") {
            Setup::hirate()
        } else {
            cursor.eat("sfen");
            read_setup(&mut cursor)?
        };
        let moves = if cursor.eat("moves") { read_game(&mut cursor)? } else { Vec::new() };
        match cursor.peek_shortened() {
            None => Ok(Self { setup, moves }),
            Some((token, at)) => Err(UsiError::Unexpected { token, at, expected: "`moves`" }),
        }
    }
}

impl Position {
    /// The start and the moves from it: the position with its history, as a text can hold it.
    ///
    /// `play` of `komadai-movegen` leads back to an equal position. USI has no null moves: the
    /// start is then the position after the last null move, across which repetition does not count.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Position;
    ///
    /// let mut position = Position::hirate();
    /// position.do_move("7g7f".parse()?);
    /// position.do_move("3c3d".parse()?);
    /// assert_eq!(position.to_usi_position().to_string(), "startpos moves 7g7f 3c3d");
    /// # Ok::<(), komadai_core::UsiError>(())
    /// ```
    pub fn to_usi_position(&self) -> UsiPosition {
        let mut start = self.clone();
        let mut moves = Vec::with_capacity(self.reversible_history().len());
        while let Some(m) = start.current().last_move() {
            start.undo_move();
            moves.push(m);
        }
        moves.reverse();
        UsiPosition { setup: start.to_setup(), moves }
    }
}

/// The position with its history: see [`Position::to_usi_position`].
impl From<&Position> for UsiPosition {
    fn from(position: &Position) -> Self {
        position.to_usi_position()
    }
}

impl FromStr for UsiPosition {
    type Err = UsiError;

    fn from_str(line: &str) -> Result<Self, UsiError> {
        Self::from_usi(line)
    }
}

/// A copy, for functions that accept a game or a position.
impl From<&UsiPosition> for UsiPosition {
    fn from(game: &UsiPosition) -> Self {
        game.clone()
    }
}

/// The text after the word `position` in the command: `startpos moves 7g7f`, `sfen … moves …`.
impl fmt::Display for UsiPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.setup == Setup::hirate() {
            f.write_str("startpos")?;
        } else {
            write!(f, "sfen {}", self.setup)?;
        }
        if !self.moves.is_empty() {
            f.write_str(" moves")?;
        }
        self.moves.iter().try_for_each(|m| write!(f, " {m}"))
    }
}

/// Reads the moves of a game, up to a result word at the end.
fn read_game(cursor: &mut Cursor<'_>) -> Result<Vec<Move>, UsiError> {
    let mut moves = Vec::new();
    while let Some((token, at)) = cursor.next_token() {
        // A result word ends a game only if no text follows; elsewhere it is a bad move.
        if RESULT_WORDS.contains(&token) && !cursor.skip_blanks() {
            break;
        }
        moves.push(read_move(token, at)?);
    }
    Ok(moves)
}

/// Reads the moves of a principal variation, up to the first result word or null move.
pub(crate) fn read_variation(text: &str) -> impl Iterator<Item = Result<Move, UsiError>> {
    let mut cursor = Cursor::new(text);
    core::iter::from_fn(move || cursor.next_token())
        .take_while(|(token, _)| !RESULT_WORDS.contains(token) && !NULL_WORDS.contains(token))
        .map(|(token, at)| read_move(token, at))
}

fn read_move(token: &str, at: usize) -> Result<Move, UsiError> {
    parse_move(token.as_bytes()).ok_or_else(|| UsiError::BadMove { token: shorten(token), at })
}

fn parse_move(token: &[u8]) -> Option<Move> {
    let (squares, promotes) = match token {
        [a, b, c, d] => ([*a, *b, *c, *d], false),
        [a, b, c, d, b'+'] => ([*a, *b, *c, *d], true),
        _ => return None,
    };
    let to = parse_square(squares[2], squares[3])?;
    if squares[1] == b'*' {
        let kind = PieceKind::from_sfen_letter(squares[0] as char)?;
        let is_drop = squares[0].is_ascii_uppercase() && kind.is_hand_kind() && !promotes;
        return is_drop.then(|| Move::drop(kind, to));
    }
    let from = parse_square(squares[0], squares[1])?;
    match promotes {
        // `Move` excludes a board move that ends on its origin.
        _ if from == to => None,
        false => Some(Move::new(from, to)),
        true => Some(Move::promotion(from, to)),
    }
}

fn parse_square(file: u8, rank: u8) -> Option<Square> {
    match (file, rank) {
        (b'1'..=b'9', b'a'..=b'i') => {
            Square::from_index((file - b'1') as usize * 9 + (rank - b'a') as usize)
        }
        _ => None,
    }
}

/// The reason why `token` is not a move, to be appended to an error message; empty if it does not
/// resemble a move.
fn fault_of_move(token: &str) -> &'static str {
    if NULL_WORDS.contains(&token) {
        return ": a null move is no move of a game";
    }
    match *token.as_bytes() {
        _ if !token.is_ascii() => "",
        [b'+', _, b'*', _, _] => ": a promoted piece cannot be dropped",
        [kind, b'*', file, rank] => {
            drop_fault(kind).or_else(|| square_fault(file, rank)).unwrap_or_default()
        }
        [_, b'*', _, _, b'+'] => ": a drop does not promote",
        [a, b, c, d] => board_fault([a, b], [c, d]).unwrap_or_default(),
        [a, b, c, d, mark] => match board_fault([a, b], [c, d]) {
            None if mark != b'+' => ": only `+` can follow the destination",
            fault => fault.unwrap_or_default(),
        },
        _ => "",
    }
}

fn drop_fault(kind: u8) -> Option<&'static str> {
    let capital = PieceKind::from_sfen_letter(char::from(kind.to_ascii_uppercase()));
    match capital {
        Some(PieceKind::King) => Some(": a king cannot be dropped"),
        Some(_) if kind.is_ascii_uppercase() => None,
        Some(_) => Some(": the piece of a drop is a capital letter"),
        None => Some(": the pieces of a drop are RBGSNLP"),
    }
}

fn board_fault(from: [u8; 2], to: [u8; 2]) -> Option<&'static str> {
    let same = (from == to).then_some(": origin and destination are the same");
    square_fault(from[0], from[1]).or_else(|| square_fault(to[0], to[1])).or(same)
}

fn square_fault(file: u8, rank: u8) -> Option<&'static str> {
    match (file, rank) {
        (b'1'..=b'9', b'a'..=b'i') => None,
        (b'1'..=b'9', b'A'..=b'I') => Some(": ranks are small letters"),
        (b'1'..=b'9', _) => Some(": ranks are the letters a to i"),
        (b'a'..=b'i', b'1'..=b'9') => Some(": the file comes before the rank"),
        (_, b'a'..=b'i') => Some(": files are the digits 1 to 9"),
        // Some other word.
        _ => Some(""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_read_and_write() {
        for square in Square::ALL {
            assert_eq!(square.to_string().parse(), Ok(square));
        }
        for text in ["", "7", "0a", "7j", "7F", "77f", "７六"] {
            let error = UsiError::BadSquare { token: text.into(), at: 0 };
            assert_eq!(text.parse::<Square>(), Err(error), "{text}");
        }
    }

    #[test]
    fn moves_read_and_write() {
        for text in ["7g7f", "8h2b+", "P*5e", "R*1a", "1a9i+"] {
            assert_eq!(text.parse::<Move>().unwrap().to_string(), text);
        }
        for text in
            ["", "7g", "7g7g", "7g7f++", "7g7f-", "K*5e", "p*5e", "P*5e+", "+P*5e", "7G7F", "0000"]
        {
            let error = UsiError::BadMove { token: text.into(), at: 0 };
            assert_eq!(text.parse::<Move>(), Err(error), "{text}");
        }
    }

    #[test]
    fn every_spelling_of_a_position_is_read() {
        let sfen = "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w -";
        let moves = "4a3b 7g7f";
        for text in [
            format!("position sfen {sfen} 1 moves {moves}"),
            format!("  position   sfen {sfen} moves  {moves}\r\n"),
            format!("sfen {sfen} 1 moves {moves} resign"),
            format!("{sfen} 1 moves {moves} win "),
            format!("position {sfen} moves {moves} rep_draw"),
        ] {
            let game = UsiPosition::from_usi(&text).unwrap();
            assert_eq!(game.to_string(), format!("sfen {sfen} 1 moves {moves}"), "{text}");
        }
        for text in ["startpos", "position startpos", "startpos moves", "startpos moves resign"] {
            assert_eq!(UsiPosition::from_usi(text).unwrap().to_string(), "startpos", "{text}");
        }
    }

    #[test]
    fn no_text_may_follow_the_result() {
        for (text, token, at) in [
            ("startpos moves 7g7f resign 3c3d", "resign", 20),
            ("startpos moves 7g7f pass", "pass", 20),
            ("startpos moves moves 7g7f", "moves", 15),
        ] {
            let error = UsiError::BadMove { token: token.into(), at };
            assert_eq!(UsiPosition::from_usi(text), Err(error), "{text}");
        }
        let error = UsiError::Unexpected { token: "7g7f".into(), at: 18, expected: "`moves`" };
        assert_eq!(UsiPosition::from_usi("position startpos 7g7f"), Err(error));
    }
}
