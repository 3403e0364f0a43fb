//! The rules by which games end and that servers and tournaments choose.

use crate::declaration::DeclarationRule;
use crate::max_moves::MaxMoves;

/// The rules that end a game, besides checkmate.
///
/// The default has fourfold repetition and the declaration by 27 points, and no limit of moves.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_movegen::{DeclarationRule, DrawBy, GameRules, MaxMoves, MoveGen, Outcome};
///
/// let rules = GameRules {
///     declaration: DeclarationRule::Csa24,
///     max_moves: MaxMoves::new(2),
///     ..GameRules::default()
/// };
/// let mut position = Position::hirate();
/// position.try_move("7g7f".parse()?)?;
/// assert_eq!(position.outcome(&rules), None);
/// position.try_move("3c3d".parse()?)?;
/// assert_eq!(position.outcome(&rules), Some(Outcome::Draw(DrawBy::MaxMoves)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct GameRules {
    /// The rule of repetition.
    pub repetition: RepetitionRule,
    /// The rule of the declaration by an entered king.
    pub declaration: DeclarationRule,
    /// The limit of moves; `None` for no limit.
    pub max_moves: Option<MaxMoves>,
}

/// The rule under which repetition ends a game.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_movegen::{GameRules, MoveGen, RepetitionRule};
///
/// let mut position = Position::hirate();
/// for m in ["2h3h", "8b7b", "3h2h", "7b8b"].repeat(3) {
///     position.try_move(m.parse()?)?;
/// }
/// let analysis = GameRules { repetition: RepetitionRule::None, ..GameRules::default() };
/// assert!(position.outcome(&GameRules::default()).is_some());
/// assert!(position.outcome(&analysis).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum RepetitionRule {
    /// Repetition does not end the game, as in the analysis of a record.
    None,
    /// The fourth occurrence of a position ends the game (千日手): see
    /// [`repetition`](crate::repetition::repetition).
    #[default]
    Fourfold,
}

impl GameRules {
    /// Rules under which only checkmate and stalemate end a game.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Position;
    /// use komadai_movegen::{GameRules, MoveGen};
    ///
    /// let mut position = Position::hirate();
    /// for m in ["2h3h", "8b7b", "3h2h", "7b8b"].repeat(3) {
    ///     position.try_move(m.parse()?)?;
    /// }
    /// assert_eq!(position.outcome(&GameRules::checkmate_only()), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn checkmate_only() -> Self {
        Self {
            repetition: RepetitionRule::None,
            declaration: DeclarationRule::None,
            max_moves: None,
        }
    }
}
