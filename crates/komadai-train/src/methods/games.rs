//! The games of methods that learn by playing.

use std::fmt;

use komadai_core::{Color, Move, Position};
use komadai_data::SelfPlayCourse;
use komadai_movegen::MoveGen as _;

/// The opponent of a method that learns by playing: its answer in a position, which has the moves of
/// the game.
pub type Opponent = Box<dyn FnMut(&Position) -> OpponentAnswer>;

/// The answer of an [`Opponent`] whose turn it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpponentAnswer {
    /// A move. An illegal one loses the game.
    Move(Move),
    /// It gives up.
    Resigns,
    /// It has entered the other camp and declares a win (入玉宣言), which is believed.
    DeclaresWin,
}

/// Games of a learner against itself or against an opponent, from the starts of training data.
///
/// Against an opponent it has the black and the white pieces in turn.
pub(super) struct Games {
    course: SelfPlayCourse,
    opponent: Option<Opponent>,
    /// The learner's side in games against an opponent.
    own: Color,
    /// The last score of the learner.
    score: i32,
}

impl fmt::Debug for Games {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Games").field("position", self.course.position()).finish_non_exhaustive()
    }
}

impl Games {
    /// Returns games against itself.
    pub(super) fn new(seed: u64) -> Self {
        Self { course: SelfPlayCourse::new(seed), opponent: None, own: Color::Black, score: 0 }
    }

    /// Starts anew against an opponent.
    pub(super) fn set_opponent(&mut self, opponent: Opponent) {
        self.opponent = Some(opponent);
        self.start();
    }

    /// The position in which the learner is to move.
    pub(super) fn position(&self) -> &Position {
        self.course.position()
    }

    /// Plays a move of the learner with this score for its side, and the opponent's reply. Returns the
    /// winner if the game is over, `None` within for a draw; then another one has started.
    pub(super) fn play(&mut self, chosen: Option<Move>, score: i32) -> Option<Option<Color>> {
        self.score = score;
        let end = self.course.play(chosen, score).or_else(|| self.reply());
        if end.is_some() {
            self.own = !self.own;
            self.start();
        }
        end
    }

    /// Starts a game. If the opponent loses it at once, the learner begins another one.
    fn start(&mut self) {
        self.score = 0;
        self.course.restart();
        if self.reply().is_some() {
            self.course.restart();
            self.own = self.course.position().side();
        }
    }

    /// Lets the opponent move if it is its turn.
    fn reply(&mut self) -> Option<Option<Color>> {
        let position = self.course.position();
        let opponent = self.opponent.as_mut().filter(|_| position.side() != self.own)?;
        // Without a move the sign of the score decides.
        let (chosen, score) = match opponent(position) {
            // Both sides believe the learner's judgement of a decided game.
            OpponentAnswer::Move(m) if position.is_legal(m) => (Some(m), -self.score),
            OpponentAnswer::Move(_) | OpponentAnswer::Resigns => (None, -1),
            OpponentAnswer::DeclaresWin => (None, 1),
        };
        self.course.play(chosen, score)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::rc::Rc;

    use super::*;

    #[test]
    fn an_opponent_has_every_other_move_and_both_colours() {
        let seen = Rc::new(RefCell::new(Vec::new()));
        let asked = Rc::clone(&seen);
        let mut games = Games::new(1);
        games.set_opponent(Box::new(move |position| {
            asked.borrow_mut().push(position.side());
            OpponentAnswer::Move(position.legal_moves()[0])
        }));
        let mut own = Vec::new();
        let mut ends = 0;
        for _ in 0..2_000 {
            let position = games.position();
            assert_eq!(position.side(), games.own);
            own.push(position.side());
            let chosen = position.legal_moves().last().copied();
            ends += usize::from(games.play(chosen, 0).is_some());
        }
        let seen = seen.borrow();
        assert!(ends >= 4, "{ends}");
        for color in Color::ALL {
            assert!(own.contains(&color) && seen.contains(&color), "{color:?}");
        }
        assert!(own.len().abs_diff(seen.len()) <= 2 * ends + 2);
    }

    #[test]
    fn an_opponent_may_end_the_game() {
        let foul = OpponentAnswer::Move("1a1b".parse().unwrap());
        for (answer, wins) in
            [(foul, true), (OpponentAnswer::Resigns, true), (OpponentAnswer::DeclaresWin, false)]
        {
            let mut games = Games::new(1);
            let mut count = 0;
            games.set_opponent(Box::new(move |position| {
                count += 1;
                if count > 4 { answer } else { OpponentAnswer::Move(position.legal_moves()[0]) }
            }));
            let (own, winner) = loop {
                let own = games.own;
                let chosen = games.position().legal_moves().first().copied();
                if let Some(winner) = games.play(chosen, 0) {
                    break (own, winner);
                }
            };
            assert_eq!(winner == Some(own), wins, "{answer:?}");
        }
    }
}
