//! A listed move of a position, in 12 bytes.

use komadai_core::{Move, Score};

/// A listed move, in the orientation with Black to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ListedMove {
    pub(crate) m: Move,
    pub(crate) ponder: Option<Move>,
    /// The value for the side that moves, within ±[`Score::MATE`]; [`UNKNOWN`] if there is none.
    pub(crate) score: i16,
    pub(crate) depth: u16,
    /// The number of games, 0 where none was stated.
    pub(crate) games: u32,
}

const _: () = assert!(size_of::<ListedMove>() == 12);

/// The mark of a missing value. Only this file and those of the solution use it: an `Option` would
/// need four bytes instead of two for each of many millions of moves.
pub(crate) const UNKNOWN: i16 = i16::MIN;

impl ListedMove {
    pub(crate) fn new(m: Move, score: Option<Score>) -> Self {
        let limit = Score::MATE.raw();
        let score = score.map_or(UNKNOWN, |score| score.raw().clamp(-limit, limit) as i16);
        Self { m, ponder: None, score, depth: 0, games: 0 }
    }

    #[inline]
    pub(crate) fn is_valued(&self) -> bool {
        self.score != UNKNOWN
    }

    pub(crate) fn score(&self) -> Option<Score> {
        self.is_valued().then(|| Score::from_raw(self.score.into()))
    }

    /// Updates the move with the contents of `newer`. Numbers of games are added.
    pub(crate) fn update(&mut self, newer: &Self) {
        self.games = self.games.saturating_add(newer.games);
        self.ponder = newer.ponder.or(self.ponder);
        if newer.is_valued() {
            (self.score, self.depth) = (newer.score, newer.depth);
        }
    }
}
