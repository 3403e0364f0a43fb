//! A game record (棋譜), independent of the format it was read from.

mod file;
mod lines;
mod rating;

pub use file::SaveError;

use std::iter::Enumerate;
use std::ops::ControlFlow;
use std::slice;

use komadai_core::{Color, Move, Position, PositionError, Setup, UsiPosition};
use komadai_movegen::{IllegalMove, Outcome as GameOutcome, check_legality};

use crate::comment::Comment;
use crate::end::{End, Outcome};
use crate::header::Header;
use crate::notation::Notation;
use crate::record_move::RecordMove;
use crate::variation::{Line, Variation};

/// One game: players, start position, moves and end, and variations beside them.
///
/// All readers return this type and all writers take it, so that a record belongs to no format:
/// what a format cannot express is listed by [`losses`](Self::losses). The fields are plain, and a
/// program builds a record by [`new`](Self::new) and by pushing moves.
///
/// It is a document, not a game in play. Moves may be illegal, since records contain fouls (反則):
/// [`replay`](Self::replay) stops before the first illegal move, and [`positions`](Self::positions)
/// are those before each legal one. A game with undo, rules and an outcome is
/// [`Game`](komadai_movegen::Game), to which [`to_game`](Self::to_game) leads.
///
/// [`moves`](Self::moves) are those of the game. Variations refer to the line that they leave by
/// [`Line`](crate::Line); [`path`](Self::path) has all moves from the start to the end of a line.
///
/// # Examples
///
/// ```
/// use komadai_core::Color;
/// use komadai_kifu::{EndKind, Tolerance, parse_csa};
///
/// let games = parse_csa("V2.2\nPI\n+\n+7776FU\nT12\n-3334FU\n%TORYO\n", Tolerance::Strict)?;
/// let game = &games.records[0];
/// assert_eq!(game.moves.len(), 2);
/// assert_eq!(game.moves[0].time.map(|time| time.as_secs()), Some(12));
/// assert_eq!(game.end.as_ref().map(|end| &end.kind), Some(&EndKind::Resign));
/// assert_eq!(game.to_usi().to_string(), "startpos moves 7g7f 3c3d");
/// # Ok::<(), komadai_kifu::KifuError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Record {
    /// Players, event and so on.
    #[cfg_attr(feature = "serde", serde(default))]
    pub header: Header,
    /// The position before the first move.
    pub setup: Setup,
    /// Comments on the position before the first move.
    #[cfg_attr(feature = "serde", serde(default))]
    pub comments: Vec<Comment>,
    /// The bookmark (しおり) of the position before the first move.
    #[cfg_attr(feature = "serde", serde(default))]
    pub bookmark: Option<String>,
    /// The moves that were played, first to last.
    #[cfg_attr(feature = "serde", serde(default))]
    pub moves: Vec<RecordMove>,
    /// The end of the game, if the record contains it.
    #[cfg_attr(feature = "serde", serde(default))]
    pub end: Option<End>,
    /// The variations; each one follows the line that it leaves.
    #[cfg_attr(feature = "serde", serde(default))]
    pub variations: Vec<Variation>,
}

/// The reason why a record cannot be replayed to its end.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The start position breaks a rule.
    #[error("the start position is not possible: {0}")]
    StartPosition(#[from] PositionError),
    /// A move is illegal.
    #[error("ply {ply}, {m}, is illegal: {reason}")]
    IllegalMove {
        /// The number of the move, from 1.
        ply: usize,
        /// The move.
        m: Move,
        /// The rule it breaks.
        #[source]
        reason: IllegalMove,
    },
    /// The game has fewer moves than asked for; only [`Record::position_at`] returns this.
    #[error("found {moves} moves, expected at least {ply}")]
    TooFewMoves {
        /// The number of moves asked for.
        ply: usize,
        /// The number of moves of the game.
        moves: usize,
    },
    /// A move follows the end of the game by its rules; only [`Record::to_game`] returns this.
    #[error("ply {ply}, {m}, comes after the end of the game: {outcome}")]
    GameOver {
        /// The number of the move, from 1.
        ply: usize,
        /// The move.
        m: Move,
        /// The outcome of the game before the move.
        outcome: GameOutcome,
    },
}

impl Record {
    /// Creates a record of a game from `setup` without moves.
    pub fn new(setup: Setup) -> Self {
        Self {
            header: Header::default(),
            setup,
            comments: Vec::new(),
            bookmark: None,
            moves: Vec::new(),
            end: None,
            variations: Vec::new(),
        }
    }

    /// Returns the side to move after the last move.
    pub fn side_at_end(&self) -> Color {
        if self.moves.len().is_multiple_of(2) { self.setup.side } else { !self.setup.side }
    }

    /// Returns the outcome of the game.
    pub fn outcome(&self) -> Outcome {
        self.end.as_ref().map_or(Outcome::Unknown, |end| end.kind.outcome(self.side_at_end()))
    }

    /// Returns true if the end states that the last move lost the game, as
    /// [`EndKind::punishes_last_move`](crate::EndKind::punishes_last_move) does. If that move is
    /// illegal, the record is right nevertheless.
    pub fn punishes_last_move(&self) -> bool {
        let side = self.side_at_end();
        self.end.as_ref().is_some_and(|end| end.kind.punishes_last_move(side))
    }

    /// Returns start and moves in USI.
    pub fn to_usi(&self) -> UsiPosition {
        let moves = self.moves.iter().map(|played| played.m).collect();
        UsiPosition { setup: self.setup.clone(), moves }
    }

    /// Returns each position of the game with the move made there. Ends with an error at an illegal
    /// move.
    ///
    /// [`replay`](Self::replay) copies no positions and returns the last one.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_kifu::{Notation, Tolerance, parse_usi_games};
    ///
    /// let games = parse_usi_games("startpos moves 7g7f 3c3d", Tolerance::Strict)?;
    /// for step in games.records[0].positions()? {
    ///     let (position, played) = step?;
    ///     println!("{}", Notation::Japanese.name(&position, played.m));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the start is not a legal position.
    pub fn positions(&self) -> Result<Positions<'_>, ReplayError> {
        let position = Position::from_setup_leniently(&self.setup)?;
        Ok(Positions { position: Some(position), moves: self.moves.iter().enumerate() })
    }

    /// Returns the position after the first `ply` moves: 0 for the start.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_kifu::{Tolerance, parse_usi_games};
    ///
    /// let games = parse_usi_games("startpos moves 7g7f 3c3d", Tolerance::Strict)?;
    /// assert_eq!(games.records[0].position_at(1)?.ply(), 2);
    /// let error = games.records[0].position_at(3).unwrap_err();
    /// assert_eq!(error.to_string(), "found 2 moves, expected at least 3");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the game has fewer moves, the start is not a legal position or a move before is illegal.
    pub fn position_at(&self, ply: usize) -> Result<Position, ReplayError> {
        let moves = self.moves.len();
        if ply > moves {
            return Err(ReplayError::TooFewMoves { ply, moves });
        }
        let mut left = ply;
        self.replay(|_, _| match left.checked_sub(1) {
            Some(less) => {
                left = less;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(()),
        })
    }

    /// Returns the names of the moves of a line from the start of the game on.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_kifu::{Line, Notation, Tolerance, parse_usi_games};
    ///
    /// let games = parse_usi_games("startpos moves 7g7f 3c3d", Tolerance::Strict)?;
    /// let names = games.records[0].line_names(Line::Main, Notation::Japanese)?;
    /// assert_eq!(names, ["▲７六歩", "△３四歩"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the start is not a legal position or a move is illegal.
    pub fn line_names(&self, line: Line, notation: Notation) -> Result<Vec<String>, ReplayError> {
        let start = Position::from_setup_leniently(&self.setup)?;
        let moves: Vec<Move> = self.path(line).iter().map(|played| played.m).collect();
        let mut position = start.clone();
        for (index, &m) in moves.iter().enumerate() {
            check_legality(&position, m).map_err(|reason| ReplayError::IllegalMove {
                ply: index + 1,
                m,
                reason,
            })?;
            position.do_move(m);
        }
        Ok(notation.names(&start, &moves))
    }

    /// Replays the game: calls `visit` with each position and the move made there, until `visit`
    /// breaks, and returns the last position reached.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::ops::ControlFlow;
    ///
    /// use komadai_kifu::{Tolerance, parse_usi_games};
    ///
    /// let games = parse_usi_games("startpos moves 7g7f 3c3d 8h2b+", Tolerance::Strict)?;
    /// let mut captures = 0;
    /// let last = games.records[0].replay(|position, played| {
    ///     captures += usize::from(position.piece_on(played.m.to()).is_some());
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!((captures, last.map(|position| position.ply())), (1, Ok(4)));
    /// # Ok::<(), komadai_kifu::KifuError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the start is not a legal position or a move is illegal. `visit` has been called for all
    /// moves before it.
    pub fn replay(
        &self,
        mut visit: impl FnMut(&Position, &RecordMove) -> ControlFlow<()>,
    ) -> Result<Position, ReplayError> {
        let mut position = Position::from_setup_leniently(&self.setup)?;
        for (index, played) in self.moves.iter().enumerate() {
            if let Err(reason) = check_legality(&position, played.m) {
                return Err(ReplayError::IllegalMove { ply: index + 1, m: played.m, reason });
            }
            if visit(&position, played).is_break() {
                break;
            }
            position.do_move(played.m);
        }
        Ok(position)
    }
}

/// The positions of a game with the moves made there, of [`Record::positions`].
#[derive(Debug, Clone)]
pub struct Positions<'r> {
    /// The position before the next move; `None` after an illegal move.
    position: Option<Position>,
    moves: Enumerate<slice::Iter<'r, RecordMove>>,
}

impl<'r> Iterator for Positions<'r> {
    type Item = Result<(Position, &'r RecordMove), ReplayError>;

    fn next(&mut self) -> Option<Self::Item> {
        let position = self.position.as_mut()?;
        let (index, played) = self.moves.next()?;
        if let Err(reason) = check_legality(position, played.m) {
            self.position = None;
            return Some(Err(ReplayError::IllegalMove { ply: index + 1, m: played.m, reason }));
        }
        let before = position.clone();
        position.do_move(played.m);
        Some(Ok((before, played)))
    }
}
