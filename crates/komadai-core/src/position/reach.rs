//! The test whether a move can be carried out at all, which debug builds apply to every move done.

use super::Position;
use crate::attacks;
use crate::bitboard::Bitboard;
use crate::moves::Move;
use crate::piece::PieceKind;
use crate::square::Square;

impl Position {
    /// Panics if the piece of `m` cannot go to its destination. Rules that need a search of the
    /// board, such as checks and nifu, are not tested.
    #[cfg_attr(debug_assertions, track_caller)]
    #[inline(never)]
    pub(super) fn assert_reach(&self, m: Move) {
        if let Some(obstacle) = self.obstacle(m) {
            panic!("the move {m} cannot be done in {self}: {obstacle}");
        }
    }

    fn obstacle(&self, m: Move) -> Option<&'static str> {
        match (m.from(), m.dropped()) {
            (Some(from), _) => self.obstacle_from(from, m),
            (None, Some(kind)) if !self.hand(self.side).has(kind) => Some("no such piece in hand"),
            (None, _) if self.board[m.to()].is_some() => Some("the square of the drop is occupied"),
            (None, _) => None,
        }
    }

    fn obstacle_from(&self, from: Square, m: Move) -> Option<&'static str> {
        let us = self.side;
        let to = m.to();
        let Some(piece) = self.board[from].filter(|piece| piece.color() == us) else {
            return Some("no piece of the side to move on the origin");
        };
        if let Some(taken) = self.board[to] {
            if taken.color() == us {
                return Some("an own piece on the destination");
            }
            if taken.kind() == PieceKind::King {
                return Some("a king on the destination");
            }
        }
        if !attacks::of(us, piece.kind(), from, self.occupied()).contains(to) {
            return Some("the piece does not go there");
        }
        let ends: Bitboard = [from, to].into_iter().collect();
        let is_in_zone = !ends.is_disjoint(Bitboard::far_ranks(us, 3));
        let promotes = piece.kind().can_promote() && is_in_zone;
        (m.is_promotion() && !promotes).then_some("no promotion there")
    }
}
