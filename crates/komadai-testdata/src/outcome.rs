//! The result of a game.

/// The result of a game, by colour and not by side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Black (先手) won.
    BlackWins,
    /// White (後手) won.
    WhiteWins,
    /// A draw, for example by fourfold repetition.
    Draw,
    /// No known winner: the game was interrupted, or the source does not name the winner.
    Unknown,
}
