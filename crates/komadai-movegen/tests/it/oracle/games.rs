//! A game against a list of moves that is replayed from the start for each question.

use komadai_core::{Move, Position, UsiPosition};
use komadai_movegen::{Game, GameError, GameRules, MaxMoves, MoveGen, Outcome, WinBy, play};
use proptest::prelude::*;

use crate::oracle::positions::{played, runner};

/// An action of a player or a viewer.
#[derive(Debug, Clone, Copy)]
enum Action {
    Legal(u16),
    Arbitrary(u16),
    Undo,
    Redo,
    GoTo(usize),
    Resign,
}

fn any_action() -> impl Strategy<Value = Action> {
    prop_oneof![
        10 => any::<u16>().prop_map(Action::Legal),
        2 => any::<u16>().prop_map(Action::Arbitrary),
        3 => Just(Action::Undo),
        3 => Just(Action::Redo),
        1 => (0..30usize).prop_map(Action::GoTo),
        1 => Just(Action::Resign),
    ]
}

/// The plain counterpart of a game.
struct Model {
    start: Position,
    moves: Vec<Move>,
    cursor: usize,
    resigned: Option<Outcome>,
}

impl Model {
    fn at(&self, count: usize) -> Position {
        let mut position = self.start.clone();
        self.moves[..count].iter().for_each(|&m| position.do_move(m));
        position
    }

    fn outcome(&self, rules: &GameRules) -> Option<Outcome> {
        self.resigned.or_else(|| self.at(self.moves.len()).outcome(rules))
    }

    /// Returns whether an action at the cursor is refused because the game is over there.
    fn is_over(&self, rules: &GameRules) -> bool {
        self.cursor == self.moves.len() && self.outcome(rules).is_some()
    }

    fn cut(&mut self) {
        self.moves.truncate(self.cursor);
        self.resigned = None;
    }
}

fn step(game: &mut Game, model: &mut Model, action: Action) -> Result<(), TestCaseError> {
    let rules = game.rules();
    let position = model.at(model.cursor);
    let m = match action {
        Action::Legal(choice) => {
            let moves = position.legal_moves();
            (!moves.is_empty()).then(|| moves[usize::from(choice) % moves.len()])
        }
        Action::Arbitrary(bits) => Move::from_bits(bits),
        _ => None,
    };
    if let Some(m) = m {
        let result = game.try_move(m);
        if model.is_over(&rules) {
            let is_refused = matches!(result, Err(GameError::Over { .. }));
            prop_assert!(is_refused);
        } else if let Err(reason) = position.check_legality(m) {
            prop_assert_eq!(result, Err(GameError::IllegalMove { m, reason }));
        } else {
            prop_assert_eq!(result, Ok(()));
            model.cut();
            model.moves.push(m);
            model.cursor += 1;
        }
    }
    match action {
        Action::Undo => {
            let expected = model.cursor.checked_sub(1).map(|index| model.moves[index]);
            prop_assert_eq!(game.undo(), expected);
            model.cursor = model.cursor.saturating_sub(1);
        }
        Action::Redo => {
            prop_assert_eq!(game.redo(), model.moves.get(model.cursor).copied());
            model.cursor = model.moves.len().min(model.cursor + 1);
        }
        Action::GoTo(count) => {
            game.go_to(count);
            model.cursor = model.moves.len().min(count);
        }
        Action::Resign => {
            let over = model.is_over(&rules);
            prop_assert_eq!(game.resign().is_err(), over);
            if !over {
                model.cut();
                let winner = !position.side();
                model.resigned = Some(Outcome::Win { winner, by: WinBy::Resignation });
            }
        }
        Action::Legal(_) | Action::Arbitrary(_) => {}
    }
    Ok(())
}

#[test]
fn a_game_is_its_list_of_moves_and_a_cursor() {
    let run = |(start, actions): (Position, Vec<Action>)| {
        let rules =
            GameRules { max_moves: MaxMoves::new(start.ply() + 12), ..GameRules::default() };
        let start = start.without_history();
        let mut game = Game::new(start.clone(), rules);
        let mut model = Model { start, moves: Vec::new(), cursor: 0, resigned: None };
        for action in actions {
            step(&mut game, &mut model, action)?;
            prop_assert_eq!(game.moves(), &model.moves[..]);
            prop_assert_eq!(game.cursor(), model.cursor);
            prop_assert_eq!(game.position(), &model.at(model.cursor));
            prop_assert_eq!(game.outcome(), model.outcome(&rules), "after {:?}", action);
            prop_assert_eq!(&game.start(), &model.start);
        }
        let usi = game.to_usi_position();
        prop_assert_eq!(play(&usi), Ok(model.at(model.moves.len())));
        Ok(())
    };
    runner(300).run(&(played(), prop::collection::vec(any_action(), 0..60)), run).unwrap();
}

#[test]
fn the_history_of_a_position_is_played_again() {
    runner(200)
        .run(&played(), |position| {
            let game = Game::new(position.clone(), GameRules::checkmate_only());
            prop_assert_eq!(game.position(), &position);
            let usi: UsiPosition = game.to_usi_position();
            let again = Game::from_usi_position(&usi, GameRules::checkmate_only());
            prop_assert_eq!(again, Ok(game));
            Ok(())
        })
        .unwrap();
}
