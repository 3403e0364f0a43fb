//! The board while a record is read, which tolerates illegal moves.

use komadai_core::{Color, Move, Piece, PieceKind, Position, PositionError, Setup, Square};
use komadai_movegen::{IllegalMove, check_legality};

/// A board that follows the moves of a game: legal moves, and illegal moves that can be carried
/// out, since records contain fouls (反則). A move can be carried out if there is a piece to move and
/// no own piece or king on the target.
#[derive(Debug, Clone)]
pub(crate) struct Board {
    /// The position after the legal moves; `None` if the start is no position.
    position: Option<Position>,
    /// The number of the legal moves.
    legal: usize,
    /// The board from the first move on that breaks a rule, or from the start if that does.
    unruly: Option<Unruly>,
}

/// A board that no rules apply to.
#[derive(Debug, Clone)]
struct Unruly {
    setup: Setup,
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
        let validity = Position::from_setup(&setup).map(drop);
        // The moves of a composition that no game reaches are those of the rules.
        let board = match Position::from_setup_leniently(&setup) {
            Ok(position) => Self { position: Some(position), legal: 0, unruly: None },
            Err(_) => {
                let unruly = Some(Unruly { setup, done: Vec::new() });
                Self { position: None, legal: 0, unruly }
            }
        };
        (board, validity)
    }

    /// Returns the number of moves made and not undone.
    pub(crate) fn made(&self) -> usize {
        self.legal + self.unruly.as_ref().map_or(0, |unruly| unruly.done.len())
    }

    /// Returns the move made last, which lacks a promotion that is impossible.
    pub(crate) fn last_move(&self) -> Option<Move> {
        match (&self.unruly, &self.position) {
            (Some(Unruly { done, .. }), _) if !done.is_empty() => done.last().map(|done| done.m),
            (_, Some(position)) if self.legal > 0 => position.current().last_move(),
            _ => None,
        }
    }

    /// Returns the position, unless the start is none or a move broke a rule.
    pub(crate) fn position(&self) -> Option<&Position> {
        self.position.as_ref().filter(|_| self.unruly.is_none())
    }

    pub(crate) fn side(&self) -> Color {
        match (&self.unruly, &self.position) {
            (Some(unruly), _) => unruly.setup.side,
            (None, Some(position)) => position.side(),
            (None, None) => unreachable!("{NO_BOARD}"),
        }
    }

    pub(crate) fn piece_on(&self, square: Square) -> Option<Piece> {
        match (&self.unruly, &self.position) {
            (Some(unruly), _) => unruly.setup.board[square],
            (None, Some(position)) => position.piece_on(square),
            (None, None) => unreachable!("{NO_BOARD}"),
        }
    }

    /// Returns true if a side holds a piece of this kind.
    #[cfg(feature = "jkf")]
    pub(crate) fn holds(&self, color: Color, kind: PieceKind) -> bool {
        let hand = match (&self.unruly, &self.position) {
            (Some(unruly), _) => unruly.setup.hands[color],
            (None, Some(position)) => position.hand(color),
            (None, None) => unreachable!("{NO_BOARD}"),
        };
        kind.is_hand_kind() && hand.has(kind)
    }

    /// Makes a move if it is legal, or can at least be carried out.
    pub(crate) fn play(&mut self, m: Move) -> Result<(), Foul> {
        // After a foul no rule can be checked any more: later moves need only be possible on the
        // board.
        if let Some(unruly) = &mut self.unruly {
            return unruly.carry_out(m).map_err(|reason| Foul { reason, was_made: false });
        }
        let Some(position) = &mut self.position else { unreachable!("{NO_BOARD}") };
        match check_legality(position, m) {
            Ok(()) => {
                position.do_move(m);
                self.legal += 1;
                Ok(())
            }
            Err(reason) => {
                let mut unruly = Unruly { setup: position.to_setup(), done: Vec::new() };
                let was_made = unruly.carry_out(m).is_ok();
                self.unruly = was_made.then_some(unruly);
                Err(Foul { reason, was_made })
            }
        }
    }

    /// Undoes the last move, if there is one.
    pub(crate) fn undo(&mut self) {
        if let Some(unruly) = &mut self.unruly {
            unruly.undo();
            // Without its first foul, the game is one that the rules allow again.
            if unruly.done.is_empty() && self.position.is_some() {
                self.unruly = None;
            }
        } else if let (Some(position), true) = (&mut self.position, self.legal > 0) {
            position.undo_move();
            self.legal -= 1;
        }
    }
}

/// Returns the setup after a move that can be carried out, whether or not the rules allow it: there
/// is a piece to move, and no own piece and no king on the target. A promotion of a piece that
/// cannot promote is left out.
///
/// Records contain fouls (反則), whose positions are shown in this way.
///
/// # Errors
///
/// If the move cannot be carried out.
///
/// # Examples
///
/// ```
/// use komadai_core::Setup;
/// use komadai_kifu::carry_out;
///
/// // The rook jumps over the pawn before it.
/// let after = carry_out(&Setup::hirate(), "2h2d".parse()?)?;
/// assert!(after.to_string().starts_with("lnsgkgsnl/1r5b1/ppppppppp/7R1/"));
/// assert!(carry_out(&Setup::hirate(), "5e5d".parse()?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn carry_out(setup: &Setup, m: Move) -> Result<Setup, IllegalMove> {
    let mut unruly = Unruly { setup: setup.clone(), done: Vec::new() };
    unruly.carry_out(m)?;
    let ply = setup.ply.saturating_add(1).min(Setup::MAX_PLY);
    Ok(Setup { ply, ..unruly.setup })
}

const NO_BOARD: &str = "a board without a position breaks a rule";

impl Unruly {
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
                    Some(piece) if piece.color() == us => {
                        return Err(IllegalMove::OwnPieceOnTarget { piece, square: to });
                    }
                    Some(king) if king.kind() == PieceKind::King => {
                        return Err(IllegalMove::CapturesKing { king, square: to });
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
        // A piece that cannot promote keeps its kind: the rule is broken, but the move is made
        // without the promotion, which some formats cannot express.
        let m = match (m.from(), after) {
            (Some(from), None) => Move::new(from, to),
            _ => m,
        };
        self.done.push(Done { m, moved, captured });
        Ok(())
    }

    /// Undoes the last move, if there is one.
    fn undo(&mut self) {
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

    fn setup(board: &Board) -> Setup {
        match (&board.unruly, &board.position) {
            (Some(unruly), _) => Setup { ply: 1, ..unruly.setup.clone() },
            (None, Some(position)) => position.to_setup(),
            (None, None) => unreachable!("{NO_BOARD}"),
        }
    }

    #[test]
    fn foul_play_is_followed_as_far_as_it_makes_sense() {
        // The bishop jumps. Later moves are made without a check of the rules, but a move of a
        // piece that is not there is refused.
        let (board, verdicts) = played("8h2b 5a5b 2b3a+ 1g1f 8b3b");
        assert_eq!(verdicts, [Some(true), None, None, Some(false), None]);
        let expected = "lnsg1g+Bnl/4k1r2/ppppppppp/9/9/9/PPPPPPPPP/7R1/LNSGKGSNL b BS 1";
        assert_eq!(setup(&board).to_string(), expected);
    }

    #[test]
    fn undoing_restores_everything() {
        for moves in ["7g7f 3c3d 8h2b+ 3a2b B*5e", "8h2b 5a5b 2b3a+ 8b3b"] {
            let (mut board, _) = played(moves);
            for _ in 0..6 {
                board.undo();
            }
            assert_eq!(Setup { ply: 1, ..setup(&board) }, Setup::hirate());
            let unchecked = board.play("8h2b".parse().unwrap());
            assert!(unchecked.is_err(), "the rules are checked again");
        }
    }
}
