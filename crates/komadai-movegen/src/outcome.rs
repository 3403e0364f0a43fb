//! The end of a game by rule: checkmate, repetition, perpetual check, the limit of moves.

use core::fmt;

use komadai_core::{Color, Position};

use crate::game_rules::{GameRules, RepetitionRule};
use crate::generate::generate_into;
use crate::repetition::{Repetition, repetition};
use crate::sink::AnyMove;

/// The outcome of a game that is over: the winner and the reason.
///
/// # Examples
///
/// ```
/// use komadai_core::{Color, Position};
/// use komadai_movegen::{GameRules, MoveGen, Outcome, WinBy};
///
/// let rules = GameRules::default();
/// let mut position = Position::from_sfen("4k4/9/4P4/9/9/9/9/9/4K4 b G 1")?;
/// assert_eq!(position.outcome(&rules), None);
///
/// position.try_move("G*5b".parse()?)?;
/// let outcome = position.outcome(&rules).expect("White is mated");
/// assert_eq!(outcome, Outcome::Win { winner: Color::Black, by: WinBy::Checkmate });
/// assert_eq!(outcome.to_string(), "Black wins by checkmate");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[doc(alias = "勝敗")]
pub enum Outcome {
    /// One side has won.
    Win {
        /// The winner.
        winner: Color,
        /// The reason.
        by: WinBy,
    },
    /// A draw.
    #[doc(alias = "引き分け")]
    Draw(DrawBy),
}

/// The reason for which a game is won.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_movegen::{GameRules, MoveGen, Outcome, WinBy};
///
/// // White has no legal move and is not in check.
/// let position = Position::from_sfen("k8/2G6/1K7/9/9/9/9/9/9 w - 1")?;
/// let outcome = position.outcome(&GameRules::default());
/// assert!(matches!(outcome, Some(Outcome::Win { by: WinBy::Stalemate, .. })));
/// # Ok::<(), komadai_core::SfenError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WinBy {
    /// The loser is in check and has no legal move (詰み).
    Checkmate,
    /// The loser has no legal move and is not in check, which loses as well.
    Stalemate,
    /// The loser repeated the position by giving check with every move (連続王手の千日手).
    PerpetualCheck,
    /// The winner declared with all conditions met (入玉宣言).
    Declaration,
    /// The loser resigned (投了).
    Resignation,
    /// The loser used up its time (切れ負け).
    Time,
    /// The loser broke a rule (反則).
    Foul,
}

/// The reason for which a game is drawn.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_movegen::{DrawBy, GameRules, MaxMoves, MoveGen, Outcome};
///
/// let rules = GameRules { max_moves: MaxMoves::new(1), ..GameRules::default() };
/// let position = Position::hirate().after("7g7f".parse()?);
/// assert_eq!(position.outcome(&rules), Some(Outcome::Draw(DrawBy::MaxMoves)));
/// assert_eq!(Outcome::Draw(DrawBy::MaxMoves).to_string(), "draw by the limit of moves");
/// # Ok::<(), komadai_core::UsiError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DrawBy {
    /// The position occurred for the fourth time (千日手).
    Repetition,
    /// The limit of moves was reached (最大手数).
    MaxMoves,
    /// An impasse: a declaration with enough points to draw, or an agreement on it (持将棋).
    Impasse,
    /// The players agreed on a draw for another reason.
    Agreement,
}

impl Outcome {
    /// The winner; `None` for a draw.
    #[must_use]
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Win { winner, .. } => Some(winner),
            Self::Draw(_) => None,
        }
    }
}

/// A short sentence: `Black wins by checkmate`, `draw by repetition`.
impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win { winner, by } => write!(f, "{winner:?} wins by {by}"),
            Self::Draw(by) => write!(f, "draw by {by}"),
        }
    }
}

impl fmt::Display for WinBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::PerpetualCheck => "perpetual check",
            Self::Declaration => "declaration",
            Self::Resignation => "resignation",
            Self::Time => "time",
            Self::Foul => "foul",
        })
    }
}

impl fmt::Display for DrawBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Repetition => "repetition",
            Self::MaxMoves => "the limit of moves",
            Self::Impasse => "impasse",
            Self::Agreement => "agreement",
        })
    }
}

/// The outcome of the game by `rules` before the side to move acts; `None` while it continues.
///
/// A side without a legal move has lost, and this has priority over all other endings. Repetition
/// has priority over the limit of moves, so that a perpetual check loses even at the limit.
/// Repetition is detected in the [history](Position::history) of the position.
///
/// A declaration is a claim of a player, not a state of the position: it is never part of this
/// outcome. [`declaration`](crate::declaration::declaration) tests a claim, and
/// [`Game::declare`](crate::Game::declare) ends a game with it.
pub fn outcome(position: &Position, rules: &GameRules) -> Option<Outcome> {
    let us = position.side();
    if generate_into(position, &mut AnyMove).is_continue() {
        let by = if position.in_check() { WinBy::Checkmate } else { WinBy::Stalemate };
        return Some(Outcome::Win { winner: !us, by });
    }
    if rules.repetition == RepetitionRule::Fourfold {
        let perpetual_check = |winner| Some(Outcome::Win { winner, by: WinBy::PerpetualCheck });
        match repetition(position) {
            Repetition::Draw => return Some(Outcome::Draw(DrawBy::Repetition)),
            Repetition::Win => return perpetual_check(us),
            Repetition::Lose => return perpetual_check(!us),
            Repetition::None | Repetition::Superior | Repetition::Inferior => {}
        }
    }
    let is_reached = rules.max_moves.is_some_and(|limit| limit.is_reached(position));
    is_reached.then_some(Outcome::Draw(DrawBy::MaxMoves))
}

/// Returns whether the side to move is in check and has no legal move (詰み).
pub fn is_checkmate(position: &Position) -> bool {
    position.in_check() && generate_into(position, &mut AnyMove).is_continue()
}
