//! The start position of CSA: `PI`, rows `P1` to `P9`, and single pieces `P+` and `P-`.

use komadai_core::{Color, Piece, PieceKind, PositionError, Setup, Square};

use super::statement::Statement;
use super::words::kind_of;
use crate::error::KifuError;

/// A start position under construction.
#[derive(Debug, Clone)]
pub(super) struct Start {
    setup: Setup,
    /// True after a statement about the position.
    pub(super) is_stated: bool,
    /// The side that holds all remaining pieces (`AL`).
    rest_to: Option<Color>,
}

impl Default for Start {
    fn default() -> Self {
        Self { setup: Setup::empty(), is_stated: false, rest_to: None }
    }
}

impl Start {
    /// Reads a statement that begins with `P`.
    pub(super) fn read(&mut self, statement: &Statement<'_>) -> Result<(), KifuError> {
        self.is_stated = true;
        match statement.text.as_bytes().get(1) {
            Some(b'I') => self.read_even(statement),
            Some(b'+') => self.read_pieces(statement, Color::Black),
            Some(b'-') => self.read_pieces(statement, Color::White),
            Some(digit @ b'1'..=b'9') => self.read_row(statement, usize::from(digit - b'1')),
            _ => Err(statement.error(1, "`I`, a rank 1 to 9, `+` or `-` after `P`")),
        }
    }

    /// Returns the position with `side` to move: the position of the even game if nothing is
    /// stated.
    pub(super) fn finish(mut self, side: Color) -> Setup {
        if !self.is_stated {
            self.setup = Setup::hirate();
        }
        self.setup.side = side;
        // Last of all, since statements after `AL` may still place pieces.
        if let Some(color) = self.rest_to {
            for kind in PieceKind::HAND {
                let in_play = self.setup.count(kind);
                let left = PieceKind::TOTALS[kind.index()].saturating_sub(in_play);
                let hand = &mut self.setup.hands[color];
                *hand = hand.with(kind, hand.count(kind) + left);
            }
        }
        self.setup
    }

    /// Reads `PI` with the pieces that are removed from the even game: `PI82HI22KA`.
    fn read_even(&mut self, statement: &Statement<'_>) -> Result<(), KifuError> {
        // Hands may have been stated before `PI`.
        self.setup = Setup { hands: self.setup.hands, ..Setup::hirate() };
        for offset in (2..statement.text.len()).step_by(4) {
            let (square, kind) = square_and_kind(statement, offset)?;
            let removed = square
                .filter(|&square| self.setup.board[square].is_some_and(|p| p.kind() == kind))
                .ok_or_else(|| {
                    statement.error(offset, "a square and the piece that stands there")
                })?;
            self.setup.board[removed] = None;
        }
        Ok(())
    }

    /// Reads one rank from file 9 to file 1: nine cells, each `*` or a sign and a piece.
    fn read_row(&mut self, statement: &Statement<'_>, rank: usize) -> Result<(), KifuError> {
        let text = statement.text;
        let mut offset = 2;
        for file in (0..9).rev() {
            let rest = text.get(offset..).unwrap_or_default();
            // The width of a cell varies in real files, so blanks are skipped instead of counted.
            offset += rest.len() - rest.trim_ascii_start().len();
            let expected = "nine squares, each ` * ` or a sign and a piece such as `-FU`";
            let (piece, width) = match text.as_bytes().get(offset) {
                Some(b'*') => (None, 1),
                Some(sign @ (b'+' | b'-')) => {
                    let kind = text.get(offset + 1..offset + 3).and_then(kind_of);
                    let kind = kind.ok_or_else(|| statement.error(offset, expected))?;
                    (Some(Piece::new(color_of(*sign), kind)), 3)
                }
                _ => return Err(statement.error(offset, expected)),
            };
            self.setup.board[file * 9 + rank] = piece;
            offset += width;
        }
        match text.get(offset..) {
            None | Some("") => Ok(()),
            Some(_) => Err(statement.error(offset, "the end of the rank after nine squares")),
        }
    }

    /// Reads pieces of one side: squares and kinds, `00` for the hand, `00AL` for all remaining
    /// pieces.
    fn read_pieces(&mut self, statement: &Statement<'_>, color: Color) -> Result<(), KifuError> {
        for offset in (2..statement.text.len()).step_by(4) {
            if statement.text.get(offset..offset + 4) == Some("00AL") {
                self.rest_to = Some(color);
                continue;
            }
            match square_and_kind(statement, offset)? {
                (Some(square), _) if self.setup.board[square].is_some() => {
                    return Err(statement.error(offset, "a square that is still empty"));
                }
                (Some(square), kind) => self.setup.board[square] = Some(Piece::new(color, kind)),
                (None, kind) => self.add_to_hand(statement, offset, color, kind)?,
            }
        }
        Ok(())
    }

    fn add_to_hand(
        &mut self,
        statement: &Statement<'_>,
        offset: usize,
        color: Color,
        kind: PieceKind,
    ) -> Result<(), KifuError> {
        if !kind.is_hand_kind() {
            return Err(statement.error(offset, "a piece that can be held, on `00`"));
        }
        let hand = &mut self.setup.hands[color];
        // Checked here and not with the whole position, because a packed hand cannot hold more.
        let (count, max) = (hand.count(kind) + 1, PieceKind::TOTALS[kind.index()]);
        if count > max {
            let error = PositionError::TooManyPieces { kind, count, max };
            return Err(KifuError::StartPosition { line: statement.line, error });
        }
        *hand = hand.with(kind, count);
        Ok(())
    }
}

/// Parses four characters at `offset`: a square, or `None` for `00`, and a kind.
fn square_and_kind(
    statement: &Statement<'_>,
    offset: usize,
) -> Result<(Option<Square>, PieceKind), KifuError> {
    let expected = "a square and a piece such as `82HI`, or `00FU` for a piece in hand";
    let error = || statement.error(offset, expected);
    let place = statement.text.get(offset..offset + 2).and_then(place_of).ok_or_else(error)?;
    let kind = statement.text.get(offset + 2..offset + 4).and_then(kind_of).ok_or_else(error)?;
    Ok((place, kind))
}

/// Parses two digits: a square, or `Some(None)` for the hand, `00`.
#[inline]
pub(crate) fn place_of(digits: impl AsRef<[u8]>) -> Option<Option<Square>> {
    match digits.as_ref() {
        b"00" => Some(None),
        &[file @ b'1'..=b'9', rank @ b'1'..=b'9'] => {
            Some(Square::from_index(usize::from(file - b'1') * 9 + usize::from(rank - b'1')))
        }
        _ => None,
    }
}

pub(super) fn color_of(sign: u8) -> Color {
    if sign == b'+' { Color::Black } else { Color::White }
}
