//! The games in which methods learn by playing.

use komadai_core::{Color, Move, Position, SplitMix64};
use komadai_movegen::MoveGen as _;
use komadai_search::{LogisticMoves, SearchOptions, Techniques};

use crate::selfplay::SelfPlayOptions;
use crate::selfplay::judge::Judge;
use crate::selfplay::start::start;

/// Games of self-play, one after another, from the random starts of training data.
pub(crate) struct Course {
    position: Position,
    judge: Judge,
    options: SelfPlayOptions,
    openings: LogisticMoves,
    random: SplitMix64,
}

/// The end of a game: its winner, if there is one.
pub(crate) type Winner = Option<Color>;

impl Course {
    pub(crate) fn new(seed: u64) -> Self {
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

    pub(crate) fn position(&self) -> &Position {
        &self.position
    }

    /// Starts the next game.
    pub(crate) fn restart(&mut self) {
        self.judge = Judge::new(self.options.clone());
        self.position = loop {
            if let Some((_, position)) = start(&self.options, &self.openings, &mut self.random) {
                break position;
            }
        };
    }

    /// Plays a move with this score for its side. Returns the winner if the game is over, without a move also.
    pub(crate) fn play(&mut self, chosen: Option<Move>, score: i32) -> Option<Winner> {
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

/// The searches of methods that learn from search values: without null moves, forward pruning and corrections,
/// whose values are no minimax values of the evaluation.
pub(crate) fn learning_search() -> SearchOptions {
    let techniques = Techniques::SOUND | Techniques::QUIESCENCE | Techniques::EXCHANGE;
    // Two forms of one technique.
    let techniques = techniques - Techniques::CLASSICAL_ASPIRATION;
    SearchOptions::default().with_hash_mib(1).with_techniques(techniques)
}
