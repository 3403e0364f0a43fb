//! Games that end at a maximum number of moves (最大手数).

use core::num::NonZero;

use komadai_core::Position;

use crate::generate::generate_into;
use crate::sink::AnyMove;

/// The rule that a game of this many moves is a draw, as servers and tournaments apply it.
///
/// Moves are counted by the [`ply`](Position::ply) of the position: after move 320 it is 321. A
/// mate by the last move still wins. Repetition comes before this rule, so that a perpetual check
/// loses even if the limit is reached.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_movegen::{MaxMoves, MaxMovesResult};
///
/// let limit = MaxMoves::new(2).expect("not zero");
/// let mut position = Position::hirate();
/// position.do_move("7g7f".parse()?);
/// assert_eq!(limit.result(&position), None);
/// position.do_move("3c3d".parse()?);
/// assert_eq!(limit.result(&position), Some(MaxMovesResult::Draw));
/// # Ok::<(), komadai_core::UsiError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MaxMoves(NonZero<u32>);

/// The result of a game at its last allowed move, for the side to move next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MaxMovesResult {
    /// A draw.
    Draw,
    /// The side to move has no legal move: the last move mated it.
    Lose,
}

impl MaxMoves {
    /// Makes a limit of this many moves, or `None` for 0, which means no limit in USI options.
    pub const fn new(moves: u32) -> Option<Self> {
        match NonZero::new(moves) {
            Some(moves) => Some(Self(moves)),
            None => None,
        }
    }

    /// The number of moves.
    #[must_use]
    pub const fn get(self) -> u32 {
        self.0.get()
    }

    /// Returns whether all allowed moves have been made.
    #[must_use]
    #[inline]
    pub const fn is_reached(self, position: &Position) -> bool {
        position.ply() > self.get()
    }

    /// The result of the game, if all allowed moves have been made.
    #[must_use]
    pub fn result(self, position: &Position) -> Option<MaxMovesResult> {
        if !self.is_reached(position) {
            return None;
        }
        let mated = generate_into(position, &mut AnyMove).is_continue();
        Some(if mated { MaxMovesResult::Lose } else { MaxMovesResult::Draw })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mate_by_the_last_move_counts() {
        let limit = MaxMoves::new(1).unwrap();
        let mut position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1").unwrap();
        assert_eq!(limit.result(&position), None);
        position.do_move("G*5b".parse().unwrap());
        assert_eq!(limit.result(&position), Some(MaxMovesResult::Lose));
        assert_eq!(MaxMoves::new(2).unwrap().result(&position), None);
        assert_eq!(MaxMoves::new(0), None);
    }
}
