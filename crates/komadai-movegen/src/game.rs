//! A game: its moves, a cursor among them, and its outcome.

use komadai_core::{Color, Move, Position, UsiPosition};

use crate::declaration::{DeclarationOutcome, DeclarationReport, declaration};
use crate::game_rules::GameRules;
use crate::illegal_move::IllegalMove;
use crate::legality::check_legality;
use crate::outcome::{DrawBy, Outcome, WinBy, outcome};
use crate::play::PlayError;

/// A game under [`GameRules`]: a start, legal moves, a cursor to step through them, and the
/// outcome.
///
/// Illegal moves, moves after the end of the game and refused declarations return an error and
/// change nothing. [`undo`](Self::undo) and [`redo`](Self::redo) move the cursor; the moves after
/// it remain until another move is made there.
///
/// # Examples
///
/// ```
/// use komadai_core::{Color, Position};
/// use komadai_movegen::{Game, GameRules, Outcome, WinBy};
///
/// let mut game = Game::new(Position::hirate(), GameRules::default());
/// for m in ["7g7f", "3c3d", "8h2b+"] {
///     game.try_move(m.parse()?)?;
/// }
/// assert_eq!(game.undo(), Some("8h2b+".parse()?));
/// assert_eq!(game.redo(), Some("8h2b+".parse()?));
/// assert_eq!(game.to_usi_position().to_string(), "startpos moves 7g7f 3c3d 8h2b+");
///
/// let error = game.try_move("1a1c".parse()?).unwrap_err();
/// assert_eq!(error.to_string(), "1a1c is illegal: an own piece, Pawn, stands on 1c");
///
/// game.resign()?;
/// let black_wins = Outcome::Win { winner: Color::Black, by: WinBy::Resignation };
/// assert_eq!(game.outcome(), Some(black_wins));
/// assert!(game.try_move("3a2b".parse()?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    rules: GameRules,
    /// The position at the cursor; its history contains the moves before the cursor.
    position: Position,
    /// All moves, including those after the cursor.
    moves: Vec<Move>,
    /// The outcome after all moves.
    outcome: Option<Outcome>,
}

/// The reason why an action in a [`Game`] is refused.
///
/// # Examples
///
/// ```
/// use komadai_core::Position;
/// use komadai_movegen::{Game, GameError, GameRules};
///
/// let mut game = Game::new(Position::hirate(), GameRules::default());
/// assert!(matches!(game.declare(), Err(GameError::DeclarationRefused { .. })));
/// game.resign()?;
/// let error = game.try_move("7g7f".parse()?).unwrap_err();
/// assert_eq!(error.to_string(), "the game is over: White wins by resignation");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// The game is over.
    #[error("the game is over: {outcome}")]
    Over {
        /// The outcome.
        outcome: Outcome,
    },
    /// A move is illegal.
    #[error("{m} is illegal: {reason}")]
    IllegalMove {
        /// The move.
        m: Move,
        /// The rule that it breaks.
        #[source]
        reason: IllegalMove,
    },
    /// The conditions of a declaration are not met.
    #[error("the declaration is refused: {}", obstacles(.report))]
    DeclarationRefused {
        /// The conditions and the facts.
        report: DeclarationReport,
    },
}

fn obstacles(report: &DeclarationReport) -> String {
    let obstacles: Vec<String> = report.obstacles().map(|found| found.to_string()).collect();
    obstacles.join("; ")
}

impl Game {
    /// Starts a game at `start`. The moves in its history are moves of the game, back to its setup
    /// or its last null move.
    pub fn new(start: Position, rules: GameRules) -> Self {
        let position = without_null_moves(start);
        let moves = position.moves().flatten().collect();
        let outcome = outcome(&position, &rules);
        Self { rules, position, moves, outcome }
    }

    /// Plays the moves of a USI `position` command.
    ///
    /// # Errors
    ///
    /// Returns [`PlayError::Start`] if the start is not a position, [`PlayError::IllegalMove`] for
    /// the first illegal move, [`PlayError::GameOver`] for a move after the end of the game.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_movegen::{Game, GameRules};
    ///
    /// let command = "startpos moves 7g7f 3c3d 8h2b+".parse()?;
    /// let game = Game::from_usi_position(&command, GameRules::default())?;
    /// assert_eq!(game.moves().len(), 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_usi_position(game: &UsiPosition, rules: GameRules) -> Result<Self, PlayError> {
        let mut played = Self::new(Position::from_setup(&game.setup)?, rules);
        for (index, &m) in game.moves.iter().enumerate() {
            let number = index + 1;
            played.try_move(m).map_err(|error| match error {
                GameError::IllegalMove { reason, .. } => {
                    PlayError::IllegalMove { number, m, reason }
                }
                GameError::Over { outcome } => PlayError::GameOver { number, m, outcome },
                GameError::DeclarationRefused { .. } => unreachable!("a move declares nothing"),
            })?;
        }
        Ok(played)
    }

    /// The rules of the game.
    pub const fn rules(&self) -> GameRules {
        self.rules
    }

    /// The position before the first move.
    pub fn start(&self) -> Position {
        let mut start = self.position.clone();
        while !start.history().is_empty() {
            start.undo_move();
        }
        start
    }

    /// The position at the cursor, with the moves before it as its history.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// All moves of the game, including those after the cursor.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The number of moves before the cursor.
    pub fn cursor(&self) -> usize {
        self.position.history().len()
    }

    /// The outcome of the game after its last move; `None` while it continues. The cursor does not
    /// matter.
    pub const fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// Makes a move at the cursor. Moves after the cursor are replaced, and so is their outcome.
    ///
    /// # Errors
    ///
    /// Returns [`GameError::Over`] if the game is over at the cursor, and
    /// [`GameError::IllegalMove`] with the rule that the move breaks. The game is then unchanged.
    pub fn try_move(&mut self, m: Move) -> Result<(), GameError> {
        self.refuse_if_over()?;
        check_legality(&self.position, m).map_err(|reason| GameError::IllegalMove { m, reason })?;
        self.moves.truncate(self.cursor());
        self.moves.push(m);
        self.position.do_move(m);
        self.outcome = outcome(&self.position, &self.rules);
        Ok(())
    }

    /// The result of a declaration by the side to move at the cursor.
    pub fn declaration(&self) -> DeclarationReport {
        declaration(&self.position, self.rules.declaration)
    }

    /// Returns whether [`declare`](Self::declare) would end the game: the game is not over at the
    /// cursor, and the conditions for a win or a draw are met.
    pub fn can_declare(&self) -> bool {
        self.refuse_if_over().is_ok() && self.declaration().outcome != DeclarationOutcome::Refused
    }

    /// Declares for the side to move at the cursor (入玉宣言), and returns the outcome: a win, or a
    /// draw under the 24-point rule. Moves after the cursor are dropped.
    ///
    /// # Errors
    ///
    /// Returns [`GameError::Over`] if the game is over, and [`GameError::DeclarationRefused`] if
    /// the conditions are not met. The game then continues; a server on which a false declaration
    /// loses [ends](Self::end) it.
    pub fn declare(&mut self) -> Result<Outcome, GameError> {
        self.refuse_if_over()?;
        let report = self.declaration();
        let outcome = match report.outcome {
            DeclarationOutcome::Win => {
                Outcome::Win { winner: report.color, by: WinBy::Declaration }
            }
            DeclarationOutcome::Draw => Outcome::Draw(DrawBy::Impasse),
            DeclarationOutcome::Refused => return Err(GameError::DeclarationRefused { report }),
        };
        self.end(outcome)
    }

    /// Resigns for the side to move at the cursor (投了), and returns the outcome. Moves after the
    /// cursor are dropped.
    ///
    /// # Errors
    ///
    /// Returns [`GameError::Over`] if the game is over.
    pub fn resign(&mut self) -> Result<Outcome, GameError> {
        let winner: Color = !self.position.side();
        self.end(Outcome::Win { winner, by: WinBy::Resignation })
    }

    /// Ends the game at the cursor for a reason that the position does not show: time, a foul, an
    /// agreement, a resignation out of turn. Moves after the cursor are dropped.
    ///
    /// # Errors
    ///
    /// Returns [`GameError::Over`] if the game is over.
    pub fn end(&mut self, outcome: Outcome) -> Result<Outcome, GameError> {
        self.refuse_if_over()?;
        self.moves.truncate(self.cursor());
        self.outcome = Some(outcome);
        Ok(outcome)
    }

    /// Moves the cursor back by one move and returns that move; `None` at the start.
    pub fn undo(&mut self) -> Option<Move> {
        self.position.undo_move()
    }

    /// Moves the cursor forward by one move and returns that move; `None` after the last move.
    pub fn redo(&mut self) -> Option<Move> {
        let m = *self.moves.get(self.cursor())?;
        self.position.do_move(m);
        Some(m)
    }

    /// Moves the cursor to the position after `count` moves, or after the last move if there are
    /// fewer.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_core::Position;
    /// use komadai_movegen::{Game, GameRules};
    ///
    /// let mut game = Game::new(Position::hirate(), GameRules::default());
    /// game.try_move("7g7f".parse()?)?;
    /// game.try_move("3c3d".parse()?)?;
    /// game.go_to(0);
    /// assert_eq!(game.position(), &Position::hirate());
    /// game.go_to(usize::MAX);
    /// assert_eq!(game.cursor(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn go_to(&mut self, count: usize) {
        while self.cursor() > count && self.undo().is_some() {}
        while self.cursor() < count && self.redo().is_some() {}
    }

    /// The start and all moves, including those after the cursor.
    pub fn to_usi_position(&self) -> UsiPosition {
        UsiPosition { setup: self.start().to_setup(), moves: self.moves.clone() }
    }

    fn refuse_if_over(&self) -> Result<(), GameError> {
        let outcome = if self.cursor() == self.moves.len() {
            self.outcome
        } else {
            // The history with which the game was started may continue after an end by rule.
            outcome(&self.position, &self.rules)
        };
        outcome.map_or(Ok(()), |outcome| Err(GameError::Over { outcome }))
    }
}

/// The position with its history back to the last null move only, so that every ply is a move.
fn without_null_moves(position: Position) -> Position {
    if position.moves().all(|m| m.is_some()) {
        return position;
    }
    let mut start = position;
    let mut undone = Vec::new();
    while let Some(m) = start.current().last_move() {
        start.undo_move();
        undone.push(m);
    }
    let mut position = start.without_history();
    undone.into_iter().rev().for_each(|m| position.do_move(m));
    position
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::declaration::DeclarationRule;

    fn hirate() -> Game {
        Game::new(Position::hirate(), GameRules::default())
    }

    fn play(game: &mut Game, moves: &str) {
        moves.split_whitespace().for_each(|m| game.try_move(m.parse().unwrap()).unwrap());
    }

    #[test]
    fn a_move_in_the_middle_replaces_the_rest() {
        let mut game = hirate();
        play(&mut game, "7g7f 3c3d 8h2b+ 3a2b");
        game.go_to(1);
        assert_eq!((game.cursor(), game.moves().len()), (1, 4));
        assert!(game.try_move("7c7e".parse().unwrap()).is_err());
        assert_eq!(game.moves().len(), 4, "a refused move replaces nothing");
        play(&mut game, "8c8d");
        assert_eq!(game.to_usi_position().to_string(), "startpos moves 7g7f 8c8d");
        assert_eq!((game.redo(), game.cursor()), (None, 2));
        game.go_to(0);
        assert_eq!((game.undo(), game.position()), (None, &Position::hirate()));
        assert_eq!(game.start(), Position::hirate());
        game.go_to(usize::MAX);
        assert_eq!(game.cursor(), 2);
    }

    #[test]
    fn nothing_happens_after_the_end() {
        let mut game = hirate();
        play(&mut game, "7g7f 3c3d");
        let outcome = Outcome::Win { winner: Color::White, by: WinBy::Resignation };
        assert_eq!(game.resign(), Ok(outcome));
        let over = GameError::Over { outcome };
        assert_eq!(over.to_string(), "the game is over: White wins by resignation");
        assert_eq!(game.try_move("2g2f".parse().unwrap()), Err(over.clone()));
        assert_eq!(game.resign(), Err(over.clone()));
        assert_eq!(game.declare(), Err(over.clone()));
        assert_eq!(game.end(Outcome::Draw(DrawBy::Agreement)), Err(over));
        assert!(!game.can_declare());
        game.undo();
        assert_eq!(game.outcome(), Some(outcome), "the cursor does not change the outcome");
        play(&mut game, "8c8d");
        assert_eq!(game.outcome(), None, "another move does");
    }

    #[test]
    fn a_declaration_ends_the_game_only_when_it_is_made() {
        let sfen = "K+P+P+P+P+P+P+P+B/+R+R+B6/9/9/9/9/9/9/4k4 b P 1";
        let start = Position::from_sfen(sfen).unwrap();
        let mut game = Game::new(start.clone(), GameRules::default());
        assert_eq!((game.outcome(), game.can_declare()), (None, true));
        assert_eq!(
            game.declare(),
            Ok(Outcome::Win { winner: Color::Black, by: WinBy::Declaration })
        );

        let rules = GameRules { declaration: DeclarationRule::Csa24, ..GameRules::default() };
        let mut game = Game::new(start, rules);
        assert!(game.can_declare());
        assert_eq!(game.declare(), Ok(Outcome::Draw(DrawBy::Impasse)));

        let mut game = hirate();
        assert!(!game.can_declare());
        let error = game.declare().unwrap_err();
        assert!(error.to_string().starts_with("the declaration is refused: the king is not"));
        assert_eq!(game.outcome(), None);
    }

    #[test]
    fn the_history_of_the_start_belongs_to_the_game() {
        let mut start = Position::hirate();
        start.do_move("7g7f".parse().unwrap());
        let mut game = Game::new(start.clone(), GameRules::default());
        assert_eq!((game.moves().len(), game.cursor()), (1, 1));
        assert_eq!(game.undo(), Some("7g7f".parse().unwrap()));

        start.do_null_move();
        start.do_move("2g2f".parse().unwrap());
        let game = Game::new(start.clone(), GameRules::default());
        assert_eq!(game.moves(), ["2g2f".parse::<Move>().unwrap()]);
        assert_eq!(game.position().key(), start.key());
        assert_eq!(game.position().ply(), start.ply());
    }

    #[test]
    fn moves_after_the_end_are_named_with_their_number() {
        let cycle = "5i5h 5a5b 5h5i 5b5a ".repeat(3);
        let line = format!("4k4/9/9/9/9/9/9/9/4K4 b - 1 moves {cycle} 5i5h");
        let usi = UsiPosition::from_usi(&line).unwrap();
        let error = Game::from_usi_position(&usi, GameRules::default()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "move 13, 5i5h, comes after the end of the game: draw by repetition"
        );
        let free = Game::from_usi_position(&usi, GameRules::checkmate_only()).unwrap();
        assert_eq!(free.outcome(), None);
        assert_eq!(free.to_usi_position(), usi);
        // The same history in a start: its end is seen when the cursor stands on it.
        let mut game = Game::new(free.position().clone(), GameRules::default());
        game.undo();
        assert!(matches!(
            game.try_move("5i4h".parse().unwrap()),
            Err(GameError::Over { outcome: Outcome::Draw(DrawBy::Repetition) })
        ));
    }
}
