//! A player whose play varies from game to game.

use std::fmt;

use komadai_core::SplitMix64;
use komadai_usi::GameResult;

use crate::contestant::{Contestant, Reply, Turn};
use crate::cpu_time::CpuClock;
use crate::fault::ContestantFault;

/// A player whose nodes vary at random from move to move, by at most `percent` per cent in either
/// direction.
///
/// A deterministic player would repeat its games, and a repeated game carries no new information.
/// The moves depend only on the seed, the number of the game and the moves before, so a match is
/// reproducible.
///
/// # Examples
///
/// ```
/// use std::time::Duration;
///
/// use komadai_match::{Contestant, ContestantFault, Reply, Turn, VariedContestant};
/// use komadai_usi::BestMove;
///
/// struct Pessimist;
///
/// impl Contestant for Pessimist {
///     fn choose(&mut self, _: &Turn<'_>) -> Result<Reply, ContestantFault> {
///         Ok(Reply::new(BestMove::Resign, Duration::ZERO))
///     }
/// }
///
/// // Between 80 and 120 per cent of the nodes, by the seed 1.
/// let mut player = VariedContestant::new(Box::new(Pessimist), 20, 1);
/// assert!(player.new_game(0).is_ok());
/// ```
pub struct VariedContestant {
    inner: Box<dyn Contestant>,
    percent: u64,
    seed: u64,
    random: SplitMix64,
}

impl VariedContestant {
    /// Wraps a player. `percent` is cut to 99.
    pub fn new(inner: Box<dyn Contestant>, percent: u8, seed: u64) -> Self {
        let percent = u64::from(percent.min(99));
        Self { inner, percent, seed, random: SplitMix64::new(seed) }
    }
}

impl fmt::Debug for VariedContestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { percent, seed, .. } = self;
        f.debug_struct("VariedContestant")
            .field("percent", percent)
            .field("seed", seed)
            .finish_non_exhaustive()
    }
}

impl Contestant for VariedContestant {
    fn new_game(&mut self, game: usize) -> Result<(), ContestantFault> {
        // Mixed once more, so that neighbouring games have unrelated streams.
        let seed = SplitMix64::new(self.seed.wrapping_add(game as u64)).next_u64();
        self.random = SplitMix64::new(seed);
        self.inner.new_game(game)
    }

    fn choose(&mut self, turn: &Turn<'_>) -> Result<Reply, ContestantFault> {
        let mut limits = turn.limits.clone();
        if let Some(nodes) = &mut limits.nodes {
            let share = 100 - self.percent + self.random.below(2 * self.percent + 1);
            *nodes = (*nodes * share / 100).max(1);
        }
        self.inner.choose(&Turn { limits: &limits, ..turn.clone() })
    }

    fn ponder(&mut self, turn: &Turn<'_>) -> Result<bool, ContestantFault> {
        self.inner.ponder(turn)
    }

    fn game_over(&mut self, result: GameResult) {
        self.inner.game_over(result);
    }

    fn restart(&mut self) -> Result<(), ContestantFault> {
        self.inner.restart()
    }

    fn cpu_clock(&self) -> CpuClock {
        self.inner.cpu_clock()
    }
}
