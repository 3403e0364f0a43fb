//! The board while a record is read: as lenient as records are.

use komadai_core::{Color, Move, Piece, PieceKind, Position, PositionError, Setup, Square};
use komadai_movegen::{IllegalMove, check_legality};

/// Follows the moves of a game, legal ones and, since foul play is recorded too, illegal ones that
/// can be carried out: there is a piece to move and the target holds no piece that cannot be taken.
#[derive(Debug, Clone)]
pub(crate) struct Board {
    setup: Setup,
    /// The same board as a position, until a rule is broken.
    position: Option<Position>,
    /// What it takes to undo each move.
    done: Vec<Done>,
}

#[derive(Debug, Clone, Copy)]
struct Done {
    m: Move,
    moved: Piece,
    captured: Option<Piece>,
}

/// A move that is against the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Foul {
    pub(crate) reason: IllegalMove,
    /// Whether the move was made all the same.
    pub(crate) was_made: bool,
}

impl Board {
    /// A board to play from; the error says which rule the setup breaks, if any.
    pub(crate) fn new(setup: Setup) -> (Self, Result<(), PositionError>) {
        let (position, validity) = match Position::from_setup(&setup) {
            Ok(position) => (Some(position), Ok(())),
            Err(error) => (None, Err(error)),
        };
        (Self { setup, position, done: Vec::new() }, validity)
    }

    pub(crate) fn side(&self) -> Color {
        self.setup.side
    }

    pub(crate) fn piece_on(&self, square: Square) -> Option<Piece> {
        self.setup.board[square]
    }

    /// Makes a move if it is legal, or can at least be carried out.
    pub(crate) fn play(&mut self, m: Move) -> Result<(), Foul> {
        let verdict = match &self.position {
            Some(position) => check_legality(position, m),
            None => Ok(()),
        };
        let Err(reason) = verdict else {
            self.carry_out(m).map_err(|reason| Foul { reason, was_made: false })?;
            if let Some(position) = &mut self.position {
                position.do_move(m);
            }
            return Ok(());
        };
        let was_made = self.carry_out(m).is_ok();
        if was_made {
            self.position = None;
        }
        Err(Foul { reason, was_made })
    }

    /// Makes a move on the bare board; refuses what makes no sense at all, and changes nothing then.
    fn carry_out(&mut self, m: Move) -> Result<(), IllegalMove> {
        let (us, to) = (self.setup.side, m.to());
        let captured = self.setup.board[to];
        let moved = match (m.from(), m.dropped()) {
            (Some(square), _) => {
                let piece = self.setup.board[square].ok_or(IllegalMove::NoPiece { square })?;
                if piece.color() != us {
                    return Err(IllegalMove::NotYourPiece { piece, square });
                }
                match captured {
                    Some(piece) if piece.color() == us || piece.kind() == PieceKind::King => {
                        return Err(IllegalMove::OwnPieceOnTarget { piece, square: to });
                    }
                    Some(piece) => self.change_hand(us, piece.kind().unpromoted(), 1)?,
                    None => {}
                }
                self.setup.board[square] = None;
                piece
            }
            (None, Some(kind)) => {
                if let Some(piece) = captured {
                    return Err(IllegalMove::Occupied { piece, square: to });
                }
                self.change_hand(us, kind, -1)?;
                Piece::new(us, kind)
            }
            (None, None) => unreachable!("a move is a board move or a drop"),
        };
        let after = if m.is_promotion() { moved.kind().promoted() } else { None };
        self.setup.board[to] = Some(Piece::new(us, after.unwrap_or(moved.kind())));
        self.setup.side = !us;
        self.done.push(Done { m, moved, captured });
        Ok(())
    }

    /// Takes back the last move, if there is one.
    pub(crate) fn undo(&mut self) {
        let Some(Done { m, moved, captured }) = self.done.pop() else { return };
        let us = !self.setup.side;
        self.setup.board[m.to()] = captured;
        match m.from() {
            Some(square) => self.setup.board[square] = Some(moved),
            None => {
                let returned = self.change_hand(us, moved.kind(), 1);
                debug_assert_eq!(returned, Ok(()), "the piece came from this hand");
            }
        }
        if let Some(captured) = captured {
            let taken = self.change_hand(us, captured.kind().unpromoted(), -1);
            debug_assert_eq!(taken, Ok(()), "the piece went to this hand");
        }
        self.setup.side = us;
        if let Some(position) = &mut self.position {
            position.undo_move();
        }
    }

    fn change_hand(&mut self, color: Color, kind: PieceKind, by: i32) -> Result<(), IllegalMove> {
        let hand = &mut self.setup.hands[color];
        let count = hand.count(kind).checked_add_signed(by);
        match count {
            Some(count) if count <= PieceKind::TOTALS[kind.index()] => {
                *hand = hand.with(kind, count);
                Ok(())
            }
            _ => Err(IllegalMove::NotInHand { color, kind }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn played(moves: &str) -> (Board, Vec<Option<bool>>) {
        let (mut board, validity) = Board::new(Setup::hirate());
        assert_eq!(validity, Ok(()));
        let verdicts = moves
            .split(' ')
            .map(|m| board.play(m.parse().unwrap()).err().map(|foul| foul.was_made))
            .collect();
        (board, verdicts)
    }

    #[test]
    fn foul_play_is_followed_as_far_as_it_makes_sense() {
        // A bishop jumps; then moves are made without asking, but not with pieces not there.
        let (board, verdicts) = played("8h2b 5a5b 2b3a+ 1g1f 8b3b");
        assert_eq!(verdicts, [Some(true), None, None, Some(false), None]);
        let expected = "lnsg1g+Bnl/4k1r2/ppppppppp/9/9/9/PPPPPPPPP/7R1/LNSGKGSNL b BS 1";
        assert_eq!(board.setup.to_string(), expected);
    }

    #[test]
    fn undoing_restores_everything() {
        for moves in ["7g7f 3c3d 8h2b+ 3a2b B*5e", "8h2b 5a5b 2b3a+ 8b3b"] {
            let (mut board, _) = played(moves);
            for _ in 0..6 {
                board.undo();
            }
            assert_eq!(board.setup, Setup::hirate());
        }
    }
}
