//! Counter moves: the quiet move that last refuted a move.

use komadai_core::Move;

use super::Follower;

/// `[piece][to]`: the quiet move that last refuted the move of this piece to this square.
#[derive(Debug, Clone)]
pub(crate) struct Counters(Box<[Option<Move>]>);

impl Counters {
    pub(crate) fn new() -> Self {
        Self(vec![None; Follower::COUNT].into_boxed_slice())
    }

    #[inline]
    pub(crate) fn get(&self, earlier: Option<Follower>) -> Option<Move> {
        self.0[earlier?.index()]
    }

    #[inline]
    pub(crate) fn set(&mut self, earlier: Option<Follower>, m: Move) {
        if let Some(earlier) = earlier {
            self.0[earlier.index()] = Some(m);
        }
    }
}
