//! A move of JKF: complete, or minimal so that the board has to supply the rest.

use komadai_core::{Color, Move, Piece, PieceKind, Square};
use komadai_movegen::{IllegalMove, is_legal};
use serde_json::Value;

use super::json::{field, object, text, truth};
use super::start::{read_color, read_kind, read_square};
use crate::board::Board;
use crate::jkf_fault::{JkfFault, JkfFaultKind};
use crate::notation::relative::narrow;

/// A move as the text gives it, before it is compared with the board.
#[derive(Debug)]
pub(super) struct WrittenMove<'a> {
    color: Option<Color>,
    from: Option<Square>,
    to: Option<Square>,
    /// The kind before a promotion.
    piece: Option<PieceKind>,
    is_same: bool,
    promotes: Option<bool>,
    capture: Option<PieceKind>,
    /// Letters that tell pieces of the same kind apart, such as `L` or `RU`; `H` marks a drop.
    relative: Option<&'a str>,
}

impl<'a> WrittenMove<'a> {
    pub(super) fn read(value: &'a Value) -> Result<Self, JkfFault> {
        let written = object(value, "a move such as `{\"from\":…,\"to\":…,\"piece\":\"FU\"}`")?;
        let relative = |value| text(value, "letters of `LCRUMDH`");
        Ok(Self {
            color: field(written, "color", read_color)?,
            from: field(written, "from", read_square)?,
            to: field(written, "to", read_square)?,
            piece: field(written, "piece", read_kind)?,
            is_same: field(written, "same", truth)?.unwrap_or(false),
            promotes: field(written, "promote", truth)?,
            capture: field(written, "capture", read_kind)?,
            relative: field(written, "relative", relative)?,
        })
    }

    /// Returns the move on this board.
    pub(super) fn resolve(&self, board: &Board) -> Result<Move, JkfFault> {
        let (ply, us) = (board.made() + 1, board.side());
        if self.color.is_some_and(|color| color != us) {
            let kind = JkfFaultKind::WrongSide { ply, expected: us };
            return Err(JkfFault::new(kind).within("color"));
        }
        let last = board.last_move().map(Move::to);
        let to = match (self.to, last) {
            (Some(to), _) => to,
            (None, Some(last)) if self.is_same => last,
            _ => return Err(JkfFault::missing("the target of the move").within("to")),
        };
        let m = match self.from {
            Some(from) => self.board_move(board, from, to)?,
            None => self.move_without_origin(board, to)?,
        };
        // A capture in the text is only compared: the board knows what is taken.
        let taken = board.piece_on(to).map(Piece::kind);
        let agrees = |named: PieceKind| {
            taken.is_some_and(|taken| taken == named || taken.unpromoted() == named)
        };
        match self.capture {
            Some(named) if !agrees(named) => {
                let found = Value::String(format!("{named:?}"));
                Err(JkfFault::unexpected(&found, "the piece that stands on the target")
                    .within("capture"))
            }
            _ => Ok(m),
        }
    }

    fn board_move(&self, board: &Board, from: Square, to: Square) -> Result<Move, JkfFault> {
        let ply = board.made() + 1;
        if from == to {
            return Err(JkfFault::missing("a target other than the origin").within("to"));
        }
        let Some(stands) = board.piece_on(from) else {
            let reason = IllegalMove::NoPiece { square: from };
            return Err(JkfFault::new(JkfFaultKind::IllegalMove { ply, reason }).within("from"));
        };
        if self.piece.is_some_and(|named| named != stands.kind()) {
            let found = Value::String(format!("{:?}", self.piece.unwrap_or(stands.kind())));
            let expected = "the piece that stands on the origin";
            return Err(JkfFault::unexpected(&found, expected).within("piece"));
        }
        Ok(self.between(from, to))
    }

    fn between(&self, from: Square, to: Square) -> Move {
        match self.promotes {
            Some(true) => Move::promotion(from, to),
            _ => Move::new(from, to),
        }
    }

    /// A move without origin is a drop, or a board move of a minimal text.
    ///
    /// Complete texts have origins in all board moves, so that the drop goes first, unless letters
    /// tell which piece on the board moves.
    fn move_without_origin(&self, board: &Board, to: Square) -> Result<Move, JkfFault> {
        let (ply, us) = (board.made() + 1, board.side());
        let Some(kind) = self.piece else {
            return Err(JkfFault::missing("the piece that moves").within("piece"));
        };
        let letters = self.relative.unwrap_or("");
        let is_drop = letters.contains('H') || (letters.is_empty() && board.holds(us, kind));
        if is_drop && kind.is_hand_kind() {
            return Ok(Move::drop(kind, to));
        }
        let mut candidates: Vec<Square> = Square::ALL
            .into_iter()
            .filter(|&from| from != to && board.piece_on(from) == Some(Piece::new(us, kind)))
            .filter(|&from| {
                board.position().is_some_and(|position| is_legal(position, self.between(from, to)))
            })
            .collect();
        narrow(&mut candidates, letters, us, to);
        match candidates[..] {
            [from] => Ok(self.between(from, to)),
            [] if kind.is_hand_kind() => {
                let reason = IllegalMove::NotInHand { color: us, kind };
                Err(JkfFault::new(JkfFaultKind::IllegalMove { ply, reason }))
            }
            [] => Err(JkfFault::missing("the origin of the move").within("from")),
            _ => Err(JkfFault::new(JkfFaultKind::Ambiguous { ply, candidates })),
        }
    }
}
