//! The difficulty of a move, as the iterations of its search show it.
//!
//! The optimum of [`TimeLimits`](crate::TimeLimits) is meant for a move of average difficulty.
//! Three signs lengthen or shorten it:
//!
//! 1. a value that falls, compared with the last iterations and with the last move, calls for time
//!    to find the cause;
//! 2. a best move that has stayed the same for many iterations is unlikely to change;
//! 3. a best move that keeps changing calls for more time.
//!
//! A tree search has no iterations. Its state counts as one whenever it has searched half as long
//! again as at the one before, so that the signs mean about the same. It ends at the scaled
//! optimum, or once no other move can overtake the best one until then.
//!
//! Source of the signs: Stockfish's time management since 2018 (`search.cpp`, GPL; only the idea is
//! taken). The numbers are our own and have not been tuned by games.

use std::time::Duration;

use komadai_core::{Analysis, Move, Score};

use crate::clock::TimeLimits;

/// The course of one search: values and best moves of its iterations.
#[derive(Debug, Clone)]
pub(crate) struct Stability {
    /// The size of a centipawn of the scores that are recorded; all other values are in centipawns
    /// of an evaluation of scale 1.
    pub(crate) scale: f64,
    /// The value for which the last move of the game was chosen, in centipawns.
    last_move: Option<i32>,
    best: Option<Move>,
    /// Number of the last iterations in a row with the same best move.
    stable: u32,
    /// Number of changes of the best move; the weight of old changes decays.
    changes: f64,
    /// Mean of the values in centipawns; the weight of old iterations decays.
    average: Option<f64>,
    /// The value of the last iteration, in centipawns.
    score: i32,
    /// The time of a tree search until its last state that counted as an iteration.
    counted: Duration,
}

/// The lead of the best move of a tree.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lead {
    /// Its visits less those of the next move.
    pub(crate) visits: u32,
    /// The results of the search so far.
    pub(crate) results: u64,
}

/// Factor by which each iteration reduces the weight of those before it.
const DECAY: f64 = 0.5;

/// Share of the scaled optimum after which no further iteration begins: the next one would take
/// about as long as all before it together.
const ALMOST_ALL: f64 = 0.75;

/// Limit for a long iteration, in multiples of the scaled optimum.
const LONGEST: f64 = 3.0;

/// Growth of the time of a tree search after which its state counts as a further iteration; the
/// iterations of alpha-beta take about 1.5 times as long as all before together.
const GROWTH: f64 = 1.5;

impl Stability {
    /// Returns the state before the first iteration. `last_move` is the value for which the last
    /// move was chosen.
    pub(crate) fn after(last_move: Option<Score>) -> Self {
        Self {
            scale: 1.0,
            last_move: last_move.map(|score| capped(score, 1.0)),
            best: None,
            stable: 0,
            changes: 0.0,
            average: None,
            score: 0,
            counted: Duration::ZERO,
        }
    }

    /// Records an iteration.
    pub(crate) fn add(&mut self, analysis: &Analysis) {
        let (Some(best), Some(score)) = (analysis.best_move(), analysis.score()) else { return };
        self.changes *= DECAY;
        match self.best.replace(best) {
            Some(other) if other != best => {
                self.stable = 0;
                self.changes += 1.0;
            }
            _ => self.stable += 1,
        }
        let before = f64::from(self.score);
        self.average = Some(match self.average {
            Some(average) => average * DECAY + before * (1.0 - DECAY),
            None => f64::from(capped(score, self.scale)),
        });
        self.score = capped(score, self.scale);
    }

    /// Records the state of a tree search after this time.
    pub(crate) fn add_snapshot(&mut self, analysis: &Analysis, thought: Duration) {
        if self.best.is_none() || thought >= scaled(self.counted, GROWTH) {
            self.counted = thought;
            self.add(analysis);
        }
    }

    /// The value of the last iteration, if there was one, in centipawns of an evaluation of scale 1.
    pub(crate) fn score(&self) -> Option<Score> {
        self.best.map(|_| Score::cp(self.score))
    }

    /// Returns the difficulty of this move compared with others: about 1, from 0.5 to 2.5.
    pub(crate) fn difficulty(&self) -> f64 {
        if self.best.is_none() {
            return 1.0;
        }
        let product = falling(self.fall()) * settled(self.stable) * unsettled(self.changes);
        product.clamp(0.5, 2.5)
    }

    /// Returns the loss of value, in centipawns.
    fn fall(&self) -> f64 {
        let score = f64::from(self.score);
        let within = self.average.map_or(0.0, |average| average - score);
        let since_last_move = self.last_move.map_or(0.0, |before| f64::from(before) - score);
        within + since_last_move / 2.0
    }

    /// Returns the time at which to end the search, counted from the start of the clock. It is
    /// called between iterations, `thought` after the start of the search and `elapsed` after the
    /// start of the clock. The two differ after pondering, during which no clock runs.
    pub(crate) fn end(
        &self,
        limits: &TimeLimits,
        thought: Duration,
        elapsed: Duration,
    ) -> Duration {
        if limits.is_exact() || self.best.is_none() {
            return limits.maximum;
        }
        let wanted = scaled(limits.optimum, self.difficulty());
        let pondered = thought.saturating_sub(elapsed);
        if thought >= scaled(wanted, ALMOST_ALL) {
            // The time spent pondering counts towards the minimum.
            let minimum = limits.minimum.saturating_sub(pondered);
            return TimeLimits { minimum, ..*limits }.end_after(elapsed);
        }
        limits.end_after(scaled(wanted, LONGEST).saturating_sub(pondered))
    }

    /// Returns the time at which to end a tree search; the arguments are those of
    /// [`end`](Self::end).
    pub(crate) fn end_of_tree(
        &self,
        limits: &TimeLimits,
        thought: Duration,
        elapsed: Duration,
        lead: Lead,
    ) -> Duration {
        if limits.is_exact() || self.best.is_none() {
            return limits.maximum;
        }
        let wanted = scaled(limits.optimum, self.difficulty());
        let pondered = thought.saturating_sub(elapsed);
        // The results to come, at the speed until now.
        let rest = wanted.saturating_sub(thought).as_secs_f64() / thought.as_secs_f64().max(1e-9);
        let is_decided = f64::from(lead.visits) > rest * lead.results as f64;
        let end = if is_decided { elapsed } else { wanted.saturating_sub(pondered) };
        let minimum = limits.minimum.saturating_sub(pondered);
        TimeLimits { minimum, ..*limits }.end_after(end.max(elapsed))
    }
}

/// Converts a score to centipawns of an evaluation of scale 1, limited to ±2,000. Beyond that the
/// game is decided, and changes mean nothing.
fn capped(score: Score, scale: f64) -> i32 {
    (f64::from(score.raw()) / scale).clamp(-2_000.0, 2_000.0) as i32
}

/// Factor for a value that has fallen by `centipawns`: one pawn adds half of the time; a rising
/// value saves little.
fn falling(centipawns: f64) -> f64 {
    (1.0 + centipawns / 200.0).clamp(0.85, 1.6)
}

/// Factor for a best move that has stayed the same for `iterations` iterations.
fn settled(iterations: u32) -> f64 {
    1.2 - 0.06 * f64::from(iterations.min(8))
}

/// Factor for a best move that has recently changed `changes` times.
fn unsettled(changes: f64) -> f64 {
    1.0 + 0.4 * changes
}

/// Returns `time` multiplied by `factor`.
fn scaled(time: Duration, factor: f64) -> Duration {
    Duration::try_from_secs_f64(time.as_secs_f64() * factor).unwrap_or(Duration::MAX)
}

#[cfg(test)]
mod tests;
