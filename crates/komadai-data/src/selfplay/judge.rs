//! The rules that end a self-play game: repetition, the number of moves, and a decided score.

use komadai_core::{Color, Position};
use komadai_movegen::{MoveGen as _, Repetition};

use super::end::SelfPlayEnd;
use super::options::SelfPlayOptions;

/// Decides when a game is over, and who has won.
#[derive(Debug)]
pub(super) struct Judge {
    options: SelfPlayOptions,
    /// Number of plies in a row for which Black (positive) or White (negative) has been far ahead.
    ahead: i64,
}

impl Judge {
    pub(super) fn new(options: SelfPlayOptions) -> Self {
        Self { options, ahead: 0 }
    }

    /// Returns the result by repetition or by the number of moves.
    pub(super) fn before_move(&self, position: &Position) -> Option<(Option<Color>, SelfPlayEnd)> {
        let side = position.side();
        match position.repetition() {
            Repetition::Win => return Some((Some(side), SelfPlayEnd::PerpetualCheck)),
            Repetition::Lose => return Some((Some(!side), SelfPlayEnd::PerpetualCheck)),
            Repetition::Draw => return Some((None, SelfPlayEnd::Repetition)),
            _ => {}
        }
        (position.ply() >= self.options.max_plies).then_some((None, SelfPlayEnd::MaxPlies))
    }

    /// Returns the result if the score decides the game.
    pub(super) fn after_search(
        &mut self,
        side: Color,
        score: i32,
    ) -> Option<(Option<Color>, SelfPlayEnd)> {
        let for_black = if side == Color::Black { score } else { -score };
        self.ahead = match for_black {
            score if score >= self.options.decided_cp => self.ahead.max(0) + 1,
            score if score <= -self.options.decided_cp => self.ahead.min(0) - 1,
            _ => 0,
        };
        let winner = if self.ahead > 0 { Color::Black } else { Color::White };
        let is_over = self.ahead.unsigned_abs() >= u64::from(self.options.decided_plies.max(1));
        is_over.then_some((Some(winner), SelfPlayEnd::Adjudication))
    }
}
