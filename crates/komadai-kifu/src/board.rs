//! The board while a record is read, which tolerates illegal moves.

use komadai_core::{Color, Move, Piece, PieceKind, Position, PositionError, Setup, Square};
use komadai_movegen::{IllegalMove, check_legality};

/// A board that follows the moves of a game: legal moves, and illegal moves that can be carried
/// out, since records contain fouls (反則). A move can be carried out if there is a piece to move and
/// no own piece or king on the target.
#[derive(Debug, Clone)]
pub(crate) struct Board {
    setup: Setup,
    /// The same board as a position, up to the first move that breaks a rule; `None` if the setup
    /// breaks one.
    position: Option<Position>,
    /// The index of the first move that breaks a rule: moves after it are not checked.
    foul: Option<usize>,
    /// The information needed to undo each move.
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
    /// True if the move was made in spite of the rule.
    pub(crate) was_made: bool,
}

impl Board {
    /// Creates the board of `setup`. The second value is the rule that the setup breaks, if any.
    pub(crate) fn new(setup: Setup) -> (Self, Result<(), PositionError>) {
        let (position, validity) = match Position::from_setup(&setup) {
            Ok(position) => (Some(position), Ok(())),
            Err(error) => (None, Err(error)),
        };
        (Self { setup, position, foul: None, done: Vec::new() }, validity)
    }

    /// Returns the number of moves made and not undone.
    pub(crate) fn made(&self) -> usize {
        self.done.len()
    }

    /// Returns the move made last.
    #[cfg(feature = "jkf")]
    pub(crate) fn last_move(&self) -> Option<Move> {
        self.done.last().map(|done| done.m)
    }

    /// Returns the position, unless the setup or a move broke a rule.
    pub(crate) fn position(&self) -> Option<&Position> {
        self.position.as_ref().filter(|_| self.foul.is_none())
    }

    pub(crate) fn side(&self) -> Color {
        self.setup.side
    }

    pub(crate) fn piece_on(&self, square: Square) -> Option<Piece> {
        self.setup.board[square]
    }

    /// Returns true if a side holds a piece of this kind.
    #[cfg(feature = "jkf")]
    pub(crate) fn holds(&self, color: Color, kind: PieceKind) -> bool {
        kind.is_hand_kind() && self.setup.hands[color].has(kind)
    }

    /// Makes a move if it is legal, or can at least be carried out.
    pub(crate) fn play(&mut self, m: Move) -> Result<(), Foul> {
        let legality = match self.position() {
            Some(position) => check_legality(position, m),
            None => Ok(()),
        };
        let Err(reason) = legality else {
            self.carry_out(m).map_err(|reason| Foul { reason, was_made: false })?;
            if let (Some(position), None) = (&mut self.position, self.foul) {
                position.do_move(m);
            }
            return Ok(());
        };
        // After a foul no rule can be checked any more: later moves need only be possible on the
        // board.
        let was_made = self.carry_out(m).is_ok();
        if was_made {
            self.foul = Some(self.done.len() - 1);
        }
        Err(Foul { reason, was_made })
    }

    /// Makes a move on the board without regard to the rules. If the move cannot be carried out,
    /// returns an error and changes nothing.
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
        // A piece that cannot promote keeps its kind: the rule is broken, but the move can be made.
        let after = if m.is_promotion() { moved.kind().promoted() } else { None };
        self.setup.board[to] = Some(Piece::new(us, after.unwrap_or(moved.kind())));
        self.setup.side = !us;
        self.done.push(Done { m, moved, captured });
        Ok(())
    }

    /// Undoes the last move, if there is one.
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
        match (&mut self.position, self.foul) {
            (Some(position), None) => {
                position.undo_move();
            }
            // Without its first foul, the game is one that the rules allow again.
            (_, Some(foul)) if foul == self.done.len() => self.foul = None,
            _ => {}
        }
    }

    fn change_hand(&mut self, color: Color, kind: PieceKind, by: i32) -> Result<(), IllegalMove> {
        let hand = &mut self.setup.hands[color];
        // More pieces than the game has do not fit a packed hand; a set-up position may have too
        // many.
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
        // The bishop jumps. Later moves are made without a check of the rules, but a move of a
        // piece that is not there is refused.
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
            let unchecked = board.play("8h2b".parse().unwrap());
            assert!(unchecked.is_err(), "the rules are checked again");
        }
    }
}
