//! Matches that are played for their sums alone.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::sync::Arc;

use crate::schedule::{Match, MatchError, ScopedContestantFactory};
use crate::sprt::{Sprt, SprtVerdict};
use crate::tally::Tally;

impl Match {
    /// Plays all games, one after another, and counts them; with a test of strength only until its
    /// verdict.
    ///
    /// [`run`](Self::run) plays on several threads, gives each game out, and can be stopped.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use komadai_match::{
    ///     Contestant, ContestantFault, Match, Opening, Reply, Rules, TimeControl, Turn,
    /// };
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
    /// let planned = Match {
    ///     openings: vec![Opening::from_usi("startpos")?],
    ///     games: 4,
    ///     random_plies: 0,
    ///     controls: [TimeControl::nodes(1), TimeControl::nodes(1)],
    ///     rules: Rules::default(),
    ///     seed: 1,
    /// };
    /// let make = || Ok(Box::new(Pessimist) as Box<_>);
    /// // Black resigns at once, whoever has Black.
    /// let tally = planned.play([&make, &make], None)?;
    /// assert_eq!((tally.games(), tally.wins_draws_losses()), (4, [2, 0, 2]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Those of [`run`](Self::run).
    pub fn play(
        &self,
        players: [&ScopedContestantFactory<'_, '_>; 2],
        until: Option<&Sprt>,
    ) -> Result<Tally, MatchError> {
        let mut tally = Tally::default();
        let is_undecided = |tally: &Tally| {
            until.is_none_or(|test| test.verdict(tally.pairs()) == SprtVerdict::Undecided)
        };
        self.run(players, NonZero::<usize>::MIN, &|_| false, &Arc::default(), &mut |game| {
            tally.add(&game);
            match is_undecided(&tally) {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        })?;
        Ok(tally)
    }
}
