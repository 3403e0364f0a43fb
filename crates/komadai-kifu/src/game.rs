//! Conversion between records and games that are being played.

use komadai_core::{Color, Position};
use komadai_movegen::{DrawBy, Game, GameError, GameRules, Outcome as GameOutcome, WinBy};

use crate::end::{End, EndKind};
use crate::record::{Record, ReplayError};
use crate::record_move::RecordMove;

impl Record {
    /// Creates a record of a game: its start, all its moves and its end. The cursor does not
    /// matter.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Position;
    /// use komadai_kifu::Record;
    /// use komadai_movegen::{Game, GameRules};
    ///
    /// let mut game = Game::new(Position::hirate(), GameRules::default());
    /// game.try_move("7g7f".parse()?)?;
    /// game.resign()?;
    /// let record = Record::from_game(&game);
    /// assert_eq!(record.to_csa()?, "'CSA encoding=UTF-8\nV2.2\nPI\n+\n+7776FU\n%TORYO\n");
    /// assert_eq!(record.to_game(GameRules::default())?, game);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_game(game: &Game) -> Self {
        let mut record = Self::new(game.start().to_setup());
        record.moves = game.moves().iter().copied().map(RecordMove::new).collect();
        let side = record.side_at_end();
        record.end = game.outcome().map(|outcome| End::new(EndKind::from_outcome(outcome, side)));
        record
    }

    /// Plays the record as a game under `rules`. Header, times and comments have no place in it.
    ///
    /// The end mark ends the game unless the rules have ended it already; the conditions of a
    /// declaration are not checked again. A mark without a result, such as an interruption, leaves
    /// the game open.
    ///
    /// # Errors
    ///
    /// If the start is not a legal position, a move is illegal, or a move follows the end of the
    /// game by the rules. A record that continues after a repetition can be played under
    /// [`GameRules::checkmate_only`].
    pub fn to_game(&self, rules: GameRules) -> Result<Game, ReplayError> {
        let mut game = Game::new(Position::from_setup_leniently(&self.setup)?, rules);
        for (index, m) in self.moves.iter().map(|played| played.m).enumerate() {
            let ply = index + 1;
            game.try_move(m).map_err(|error| match error {
                GameError::IllegalMove { reason, .. } => {
                    ReplayError::IllegalMove { ply, m, reason }
                }
                GameError::Over { outcome } => ReplayError::GameOver { ply, m, outcome },
                _ => unreachable!("a move fails only by its illegality or by the end of the game"),
            })?;
        }
        let outcome = self.end.as_ref().and_then(|end| end.kind.to_outcome(self.side_at_end()));
        if let (None, Some(outcome)) = (game.outcome(), outcome) {
            // Refused only if the game is over, which has just been tested.
            let _ = game.end(outcome);
        }
        Ok(game)
    }
}

impl EndKind {
    /// Returns the end mark for a game with this outcome and `side` to move.
    ///
    /// Records have no mark for some ends out of turn, such as a resignation by the side that is
    /// not to move. These become [`Win`](Self::Win) with the reason in English.
    fn from_outcome(outcome: GameOutcome, side: Color) -> Self {
        match outcome {
            GameOutcome::Win { winner, by } => match (by, winner == side) {
                (WinBy::Checkmate | WinBy::Stalemate, false) => Self::Checkmate,
                (WinBy::Resignation, false) => Self::Resign,
                (WinBy::Time, false) => Self::TimeUp,
                (WinBy::PerpetualCheck, false) => Self::PerpetualCheckLoss,
                (WinBy::PerpetualCheck, true) => Self::PerpetualCheckWin,
                (WinBy::Foul, false) => Self::IllegalLoss,
                (WinBy::Foul, true) => Self::IllegalWin,
                (WinBy::Declaration, true) => Self::EnteringKingWin,
                (by, _) => Self::Win { winner, reason: by.to_string() },
            },
            GameOutcome::Draw(DrawBy::Repetition) => Self::Repetition,
            GameOutcome::Draw(DrawBy::MaxMoves) => Self::MaxMoves,
            GameOutcome::Draw(DrawBy::Impasse) => Self::Impasse,
            GameOutcome::Draw(_) => Self::Draw,
        }
    }

    /// Returns the outcome of a game that ended in this way with `side` to move; `None` if the mark
    /// states no result.
    fn to_outcome(&self, side: Color) -> Option<GameOutcome> {
        let wins = |winner, by| Some(GameOutcome::Win { winner, by });
        match self {
            Self::Resign => wins(!side, WinBy::Resignation),
            Self::Checkmate => wins(!side, WinBy::Checkmate),
            Self::TimeUp => wins(!side, WinBy::Time),
            Self::IllegalLoss => wins(!side, WinBy::Foul),
            Self::IllegalWin => wins(side, WinBy::Foul),
            Self::PerpetualCheckLoss => wins(!side, WinBy::PerpetualCheck),
            Self::PerpetualCheckWin => wins(side, WinBy::PerpetualCheck),
            Self::Win { winner, reason } => wins(*winner, win_by(reason)),
            Self::EnteringKingWin => wins(side, WinBy::Declaration),
            Self::Repetition => Some(GameOutcome::Draw(DrawBy::Repetition)),
            Self::Impasse => Some(GameOutcome::Draw(DrawBy::Impasse)),
            Self::Draw => Some(GameOutcome::Draw(DrawBy::Agreement)),
            Self::MaxMoves => Some(GameOutcome::Draw(DrawBy::MaxMoves)),
            Self::NoMate | Self::Interrupt | Self::Error | Self::Other(_) => None,
        }
    }
}

/// Returns the reason of a win with this word. A player who is absent or leaves gives the game up.
fn win_by(reason: &str) -> WinBy {
    let reasons = [WinBy::Checkmate, WinBy::Time, WinBy::Declaration, WinBy::Foul];
    reasons.into_iter().find(|by| by.to_string() == reason).unwrap_or(WinBy::Resignation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::end::Outcome;

    #[test]
    fn every_end_out_of_turn_or_not_keeps_its_winner() {
        let ends = [
            (WinBy::Checkmate, false),
            (WinBy::Resignation, false),
            (WinBy::Time, false),
            (WinBy::Foul, false),
            (WinBy::Foul, true),
            (WinBy::PerpetualCheck, false),
            (WinBy::PerpetualCheck, true),
            (WinBy::Declaration, true),
            // Out of turn.
            (WinBy::Checkmate, true),
            (WinBy::Resignation, true),
            (WinBy::Time, true),
            (WinBy::Declaration, false),
        ];
        for side in Color::ALL {
            for (by, to_side) in ends {
                let winner = if to_side { side } else { !side };
                let outcome = GameOutcome::Win { winner, by };
                let kind = EndKind::from_outcome(outcome, side);
                assert_eq!(kind.to_outcome(side), Some(outcome));
                assert_eq!(kind.outcome(side), Outcome::from(outcome));
            }
            for by in [DrawBy::Repetition, DrawBy::MaxMoves, DrawBy::Impasse, DrawBy::Agreement] {
                let kind = EndKind::from_outcome(GameOutcome::Draw(by), side);
                assert_eq!(kind.to_outcome(side), Some(GameOutcome::Draw(by)));
            }
        }
    }
}
