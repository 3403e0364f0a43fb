//! Doing the moves of a record, each of which is validated.

use komadai_core::{Move, Position, PositionError, UsiPosition};

use crate::illegal_move::IllegalMove;
use crate::legality::check_legality;
use crate::outcome::Outcome;

/// The reason why the moves of a game cannot be done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlayError {
    /// The start is not a position.
    #[error("the start is not a position: {0}")]
    Start(#[from] PositionError),
    /// A move breaks a rule.
    #[error("move {number}, {m}, is illegal: {reason}")]
    IllegalMove {
        /// The number of the move in the list, from 1.
        number: usize,
        /// The move.
        m: Move,
        /// The rule it breaks.
        reason: IllegalMove,
    },
    /// A move follows the end of the game; only [`Game`](crate::Game) returns this.
    #[error("move {number}, {m}, comes after the end of the game: {outcome}")]
    GameOver {
        /// The number of the move in the list, from 1.
        number: usize,
        /// The move.
        m: Move,
        /// The outcome of the game before the move.
        outcome: Outcome,
    },
}

/// The position after the moves of a USI `position` command, with its history.
///
/// The moves must be legal, but they may continue after a repetition:
/// [`Game::from_usi_position`](crate::Game::from_usi_position) refuses that.
///
/// # Examples
///
/// ```
/// use komadai_core::UsiPosition;
/// use komadai_movegen::play;
///
/// let position = play(&UsiPosition::from_usi("position startpos moves 7g7f 3c3d")?)?;
/// assert_eq!(position.moves().count(), 2);
///
/// let error = play(&UsiPosition::from_usi("position startpos moves 7g7f 7c7e")?).unwrap_err();
/// assert_eq!(error.to_string(), "move 2, 7c7e, is illegal: a Pawn on 7c does not go to 7e");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns [`PlayError::Start`] if the start is not a position, [`PlayError::IllegalMove`] for the
/// first illegal move.
pub fn play(game: &UsiPosition) -> Result<Position, PlayError> {
    let played = play_leniently(game)?;
    match played.stopped {
        None => Ok(played.position),
        Some(error) => Err(error),
    }
}

/// The legal part of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Played {
    /// The position after the last move, or before the first illegal one.
    pub position: Position,
    /// The illegal move, if there is one.
    pub stopped: Option<PlayError>,
}

/// The position after the legal moves of a game, up to the first illegal one.
///
/// # Examples
///
/// ```
/// use komadai_core::UsiPosition;
/// use komadai_movegen::play_leniently;
///
/// let played = play_leniently(&UsiPosition::from_usi("startpos moves 7g7f 7c7e 2g2f")?)?;
/// assert_eq!(played.position.moves().count(), 1);
/// assert!(played.stopped.is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// Returns the rule that the start breaks, if it is not a position.
pub fn play_leniently(game: &UsiPosition) -> Result<Played, PositionError> {
    let mut position = Position::from_setup(&game.setup)?;
    for (index, &m) in game.moves.iter().enumerate() {
        if let Err(reason) = check_legality(&position, m) {
            let stopped = Some(PlayError::IllegalMove { number: index + 1, m, reason });
            return Ok(Played { position, stopped });
        }
        position.do_move(m);
    }
    Ok(Played { position, stopped: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(line: &str) -> UsiPosition {
        UsiPosition::from_usi(line).unwrap()
    }

    #[test]
    fn a_start_that_is_no_position_is_refused() {
        let no_king = game("sfen 9/9/9/9/9/9/9/9/9 b - 1");
        assert_eq!(play(&no_king), Err(PlayError::Start(PositionError::NoKing)));
        assert_eq!(play_leniently(&no_king), Err(PositionError::NoKing));
    }

    #[test]
    fn both_ways_of_playing_name_the_same_move() {
        let broken = game("startpos moves 7g7f 3c3d 8h2b+ 2b3a 3i4h");
        let expected = PlayError::IllegalMove {
            number: 4,
            m: "2b3a".parse().unwrap(),
            reason: IllegalMove::NotYourPiece {
                piece: komadai_core::Piece::BlackHorse,
                square: komadai_core::Square::S22,
            },
        };
        assert_eq!(play(&broken), Err(expected.clone()));
        let played = play_leniently(&broken).unwrap();
        assert_eq!(played.stopped, Some(expected));
        assert_eq!(played.position, play(&game("startpos moves 7g7f 3c3d 8h2b+")).unwrap());
    }

    #[test]
    fn the_record_is_kept_as_history() {
        let position = play(&game("startpos moves 7g7f 3c3d")).unwrap();
        let moves: Vec<_> = position.moves().flatten().collect();
        assert_eq!(moves, game("startpos moves 7g7f 3c3d").moves);
    }
}
