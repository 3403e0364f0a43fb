//! Moves in the official notation, read.

use komadai_core::{Bitboard, Move, Piece, PieceKind, Position, Square};
use komadai_movegen::is_legal;

use super::official::{Flank, Motion, candidates, flank, is_straight, motion};
use crate::kakinoki::words::{SIGNS, is_blank, kind_at, number_at, square, square_at};
use crate::text::shorten;

/// The reason why a text is no move of a position, of [`read_japanese_move`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum JapaneseMoveError {
    /// The text is not a move.
    #[error("found {found:?}, expected {expected}")]
    Syntax {
        /// The rest of the text, cut after 40 characters.
        found: String,
        /// The text expected.
        expected: &'static str,
    },
    /// No piece can make the move.
    #[error("found {found:?}, but no {kind:?} can move to {to} in this way")]
    NoCandidate {
        /// The text, cut after 40 characters.
        found: String,
        /// The piece.
        kind: PieceKind,
        /// The target.
        to: Square,
    },
    /// Several pieces can make the move.
    #[error("found {found:?}, which is any of the moves from {}", names(candidates, ", "))]
    Ambiguous {
        /// The text, cut after 40 characters.
        found: String,
        /// The origins of the moves.
        candidates: Vec<Square>,
    },
}

/// Returns the names of squares in an error.
pub(crate) fn names(squares: &[Square], between: &str) -> String {
    squares.iter().map(Square::to_string).collect::<Vec<_>>().join(between)
}

/// Reads a move in Japanese at the start of a text, ▲７六歩, 同銀左上成 or ５五角打, and returns it with the
/// rest.
///
/// `last` is the target of the move before, which 同 means. Digits may be half or full width, signs
/// of sides may be missing, and so may words that one legal move needs not; 行 and 入 mean 上, 不 and
/// 成らず mean 不成. An origin as in KIF, `(77)`, is taken. Of several moves the legal ones count.
///
/// # Errors
///
/// If the text is no move, or not exactly one piece can make it.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_kifu::read_japanese_move;
///
/// let start = Position::hirate();
/// let (m, rest) = read_japanese_move("▲５八金右△８四歩", &start, None)?;
/// assert_eq!((m.to_string().as_str(), rest), ("4i5h", "△８四歩"));
/// assert!(read_japanese_move("▲５八金", &start, None).is_err(), "two golds");
/// # Ok::<(), komadai_kifu::notation::JapaneseMoveError>(())
/// ```
pub fn read_japanese_move<'t>(
    text: &'t str,
    position: &Position,
    last: Option<Square>,
) -> Result<(Move, &'t str), JapaneseMoveError> {
    let (written, rest) = Written::read(text, last)?;
    let found = shorten(&text[..text.len() - rest.len()]);
    let (kind, to) = (written.kind, written.to);
    let all = candidates(position, kind, to);
    let squares: Vec<Square> = all.iter().collect();
    let fitting = squares.iter().copied().filter(|&from| written.fits(position, from, all));
    let moves: Vec<Move> = match written.is_drop {
        true => Vec::new(),
        false => fitting.map(|from| written.move_from(from)).collect(),
    };
    // Without a word for it, a drop is meant only if no piece on the board can make the move.
    let drop = (kind.is_hand_kind() && !written.promotes && written.has_no_words())
        .then(|| Move::drop(kind, to));
    let legal: Vec<Move> = moves.iter().copied().filter(|&m| is_legal(position, m)).collect();
    match (legal.as_slice(), moves.as_slice(), drop) {
        ([m], ..) => Ok((*m, rest)),
        ([], [], Some(drop)) if position.hand(position.side()).has(kind) => Ok((drop, rest)),
        // Records contain fouls: a move that only the rules forbid is read.
        ([], [m], _) => Ok((*m, rest)),
        ([], [], _) => {
            let foul = written.foul(position);
            foul.map(|m| (m, rest)).ok_or(JapaneseMoveError::NoCandidate { found, kind, to })
        }
        (several, all, _) => {
            let several = if several.is_empty() { all } else { several };
            let candidates = several.iter().filter_map(|m| m.from()).collect();
            Err(JapaneseMoveError::Ambiguous { found, candidates })
        }
    }
}

/// Returns the rest of a text that begins with the form of a move, whatever the position.
pub(crate) fn after_move(text: &str) -> Option<&str> {
    // 同 means a square, and which one does not matter for the form.
    Written::read(text, Some(Square::S55)).ok().map(|(_, rest)| rest)
}

/// A move as the text gives it.
struct Written {
    to: Square,
    kind: PieceKind,
    flank: Option<Flank>,
    is_straight: bool,
    motion: Option<Motion>,
    is_drop: bool,
    promotes: bool,
    origin: Option<Square>,
}

impl Written {
    fn read(text: &str, last: Option<Square>) -> Result<(Self, &str), JapaneseMoveError> {
        let syntax = |found: &str, expected| {
            Err(JapaneseMoveError::Syntax { found: shorten(found), expected })
        };
        let unsigned = text.trim_start_matches(SIGNS);
        let rest = unsigned.trim_start_matches(is_blank);
        let (to, rest) = match (rest.strip_prefix('同'), last) {
            (Some(rest), Some(last)) => (last, rest.trim_start_matches(is_blank)),
            (Some(_), None) => return syntax(rest, "a square, because no move is before it"),
            (None, _) => match square_at(rest) {
                Some(found) => found,
                None => return syntax(text, "a move such as ▲７六歩"),
            },
        };
        let Some((kind, rest)) = kind_at(rest) else {
            return syntax(rest, "a piece such as 歩 or 成銀");
        };
        let mut written = Self {
            to,
            kind,
            flank: None,
            is_straight: false,
            motion: None,
            is_drop: false,
            promotes: false,
            origin: None,
        };
        let rest = written.read_words(rest);
        let rest = written.read_origin(rest);
        Ok((written, rest))
    }

    fn read_words<'t>(&mut self, text: &'t str) -> &'t str {
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            match c {
                '右' => self.flank = Some(Flank::Right),
                '左' => self.flank = Some(Flank::Left),
                '直' => self.is_straight = true,
                '上' | '行' | '入' => self.motion = Some(Motion::Forward),
                '寄' => self.motion = Some(Motion::Sideways),
                '引' => self.motion = Some(Motion::Backward),
                '打' => self.is_drop = true,
                '成' => match rest[c.len_utf8()..].strip_prefix('ら') {
                    // 成らず, which some programs cut to 成ら.
                    Some(after) => return after.strip_prefix('ず').unwrap_or(after),
                    None => self.promotes = true,
                },
                '不' => {
                    let after = &rest[c.len_utf8()..];
                    return after.strip_prefix('成').unwrap_or(after);
                }
                _ => break,
            }
            rest = &rest[c.len_utf8()..];
            // 成 ends the words: what follows may be 成銀 of the next move.
            if c == '成' || c == '打' {
                break;
            }
        }
        rest
    }

    /// Reads the origin of KIF in brackets, or nothing.
    fn read_origin<'t>(&mut self, text: &'t str) -> &'t str {
        let inside = text.strip_prefix(['(', '（']);
        let Some((digits, rest)) = inside.and_then(|text| text.split_once([')', '）'])) else {
            return text;
        };
        match number_at(digits) {
            Some((number, "")) if digits.chars().count() == 2 => {
                self.origin = square(number / 10, number % 10);
                rest
            }
            _ => text,
        }
    }

    fn has_no_words(&self) -> bool {
        self.flank.is_none() && self.motion.is_none() && !self.is_straight && self.origin.is_none()
    }

    /// Returns the move of a piece that the origin names, but that cannot move like this.
    fn foul(&self, position: &Position) -> Option<Move> {
        let from = self.origin.filter(|&from| from != self.to && !self.is_drop)?;
        let stands = position.piece_on(from)?;
        (stands == Piece::new(position.side(), self.kind)).then(|| self.move_from(from))
    }

    /// Checks whether the words fit the piece on `from`.
    fn fits(&self, position: &Position, from: Square, all: Bitboard) -> bool {
        let side = position.side();
        if self.origin.is_some_and(|origin| origin != from) {
            return false;
        }
        if self.motion.is_some_and(|wanted| wanted != motion(side, from, self.to)) {
            return false;
        }
        if self.is_straight && !is_straight(side, self.kind, from, self.to) {
            return false;
        }
        let others: Vec<Square> = all.iter().filter(|&other| other != from).collect();
        self.flank.is_none_or(|wanted| wanted == flank(side, self.kind, from, self.to, &others))
    }

    fn move_from(&self, from: Square) -> Move {
        if self.promotes { Move::promotion(from, self.to) } else { Move::new(from, self.to) }
    }
}
