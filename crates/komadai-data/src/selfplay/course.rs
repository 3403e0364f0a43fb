//! The games of a caller that chooses the moves.

use komadai_core::{Color, Move, Position, SplitMix64};
use komadai_movegen::MoveGen as _;
use komadai_search::LogisticMoves;

use super::judge::Judge;
use super::options::SelfPlayOptions;
use super::start::start;

/// Games of self-play, one after another, from the random starts of training data, in which the
/// caller chooses the moves. Programs that learn by playing use it.
///
/// # Examples
///
/// ```
/// use komadai_data::SelfPlayCourse;
/// use komadai_movegen::MoveGen as _;
///
/// let mut course = SelfPlayCourse::new(1);
/// let winner = loop {
///     let first = course.position().legal_moves().first().copied();
///     if let Some(winner) = course.play(first, 0) {
///         break winner;
///     }
/// };
/// course.restart();
/// # let _ = winner;
/// ```
#[derive(Debug)]
pub struct SelfPlayCourse {
    position: Position,
    judge: Judge,
    options: SelfPlayOptions,
    openings: LogisticMoves,
    random: SplitMix64,
}

impl SelfPlayCourse {
    /// Returns the games of a seed, at the start of the first one.
    pub fn new(seed: u64) -> Self {
        let options = SelfPlayOptions::default();
        let mut course = Self {
            position: Position::hirate(),
            judge: Judge::new(options.clone()),
            options,
            openings: LogisticMoves::default(),
            random: SplitMix64::new(SplitMix64::mix(seed)),
        };
        course.restart();
        course
    }

    /// Returns the position in which a move is to be chosen.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Starts the next game.
    pub fn restart(&mut self) {
        self.judge = Judge::new(self.options.clone());
        self.position = loop {
            if let Some((_, position)) = start(&self.options, &self.openings, &mut self.random) {
                break position;
            }
        };
    }

    /// Plays a move with this score for its side. Returns the winner if the game is over, `None`
    /// within for a draw; without a move it is over.
    pub fn play(&mut self, chosen: Option<Move>, score: i32) -> Option<Option<Color>> {
        let side = self.position.side();
        let Some(chosen) = chosen else {
            return Some(Some(if score > 0 { side } else { !side }));
        };
        if let Some((winner, _)) = self.judge.after_search(side, score) {
            return Some(winner);
        }
        self.position.do_move(chosen);
        if self.position.legal_moves().is_empty() {
            return Some(Some(side));
        }
        self.judge.before_move(&self.position).map(|(winner, _)| winner)
    }
}
