//! Results of games with a move.

use komadai_core::Color;
use komadai_kifu::Outcome;

/// The results of games in which a move was played.
///
/// # Examples
///
/// ```
/// use komadai_games::MoveResults;
///
/// let results = MoveResults { games: 4, black: 1, draws: 1, white: 1, ..MoveResults::default() };
/// // Half a point for a draw; the game without a result does not count.
/// assert_eq!(results.black_share(), Some(0.5));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MoveResults {
    /// All games, also those without a result.
    pub games: u64,
    /// Games that Black won.
    pub black: u64,
    /// Draws.
    pub draws: u64,
    /// Games that White won.
    pub white: u64,
    /// Games with a date.
    pub dated: u64,
    /// The sum of their years.
    pub years: u64,
    /// The sum of the lengths of all games in moves.
    pub plies: u64,
}

/// The facts about a game that are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct GameFacts {
    pub(crate) outcome: Outcome,
    /// 0 if it is not known.
    pub(crate) year: u16,
    pub(crate) plies: u32,
}

impl MoveResults {
    /// Returns the number of games with a result.
    pub fn decided(&self) -> u64 {
        self.black + self.draws + self.white
    }

    /// Returns Black's share of the points, 0 to 1, with half a point for a draw; `None` without a
    /// game with a result.
    pub fn black_share(&self) -> Option<f64> {
        let points = self.black as f64 + self.draws as f64 / 2.0;
        (self.decided() > 0).then(|| points / self.decided() as f64)
    }

    /// Returns the mean of the years; `None` without a game with a date.
    pub fn mean_year(&self) -> Option<f64> {
        (self.dated > 0).then(|| self.years as f64 / self.dated as f64)
    }

    /// Returns the mean length of the games in moves; `None` without a game.
    pub fn mean_plies(&self) -> Option<f64> {
        (self.games > 0).then(|| self.plies as f64 / self.games as f64)
    }

    /// Adds a game. With `view` White, the colours are exchanged.
    pub(crate) fn add(&mut self, facts: GameFacts, view: Color) {
        self.games += 1;
        match facts.outcome {
            Outcome::Win(winner) if winner == view => self.black += 1,
            Outcome::Win(_) => self.white += 1,
            Outcome::Draw => self.draws += 1,
            Outcome::Unknown => {}
        }
        self.plies += u64::from(facts.plies);
        self.dated += u64::from(facts.year > 0);
        self.years += u64::from(facts.year);
    }
}
