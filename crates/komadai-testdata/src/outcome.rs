//! How a game ended.

/// Who won a game, by colour and not by side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Black (先手) won.
    BlackWins,
    /// White (後手) won.
    WhiteWins,
    /// A draw, for example by fourfold repetition.
    Draw,
    /// No winner: the game was broken off, or the source does not say who won.
    Unknown,
}
