//! A position with its last two moves, and the move that was found best.

use komadai_core::{Move, PackedError, PackedSfen, Position};

/// A position of a game, with up to two moves before it, and its best move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The position before `moves`.
    base: PackedSfen,
    /// The move number of `base`.
    ply: u16,
    moves: [Option<Move>; 2],
    best: Move,
}

impl Choice {
    /// Returns the choice of `best` in a position with these moves before it, the last two of which
    /// count.
    pub(super) fn new(position: &Position, best: Move) -> Result<Self, PackedError> {
        let mut base = position.clone();
        let mut undone = || base.current().last_move().and_then(|_| base.undo_move());
        let [last, before] = [undone(), undone()];
        let ply = u16::try_from(base.ply()).unwrap_or(u16::MAX);
        Ok(Self { base: PackedSfen::of(&base)?, ply, moves: [before, last], best })
    }

    /// Returns the position with its last two moves.
    ///
    /// # Errors
    ///
    /// Returns an error if the position cannot be unpacked, which is never the case for choices of
    /// a [`MoveSet`](super::MoveSet).
    pub fn position(&self) -> Result<Position, PackedError> {
        let mut position = self.base.position_at(self.ply.into())?;
        for m in self.moves.into_iter().flatten() {
            position.do_move(m);
        }
        Ok(position)
    }

    /// Returns the move that was found best.
    pub fn best(&self) -> Move {
        self.best
    }
}
