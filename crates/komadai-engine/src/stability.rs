//! How hard a move is, as the search shows while it goes on.
//!
//! The optimum of [`TimeLimits`](crate::TimeLimits) is for a move of the usual difficulty. Three signs
//! stretch or shrink it:
//!
//! 1. a value that falls, against the last iterations and against the last move, asks for time to
//!    find out what is wrong;
//! 2. a best move that has stayed the same for many iterations will not change now;
//! 3. a best move that keeps changing has not been found.
//!
//! Source of the signs: Stockfish's time management since 2018 (`search.cpp`, GPL: nothing but the idea
//! is taken). The figures are our own, and have not been fitted to games.

use std::time::Duration;

use komadai_core::{Analysis, Move, Score};

use crate::clock::TimeLimits;

/// What has been seen of one search.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pace {
    /// The value that the last move of the game was chosen for, in centipawns.
    last_move: Option<i32>,
    best: Option<Move>,
    /// How many iterations in a row have had the same best move.
    stable: u32,
    /// How often the best move has changed, old changes counting for less and less.
    changes: f64,
    /// The value, old iterations counting for less and less.
    average: Option<f64>,
    /// The value of the last iteration.
    score: i32,
}

/// What is left of the weight of an iteration after another one.
const FADING: f64 = 0.5;

/// The iterations after which the optimum, stretched or shrunk, is this nearly used up begin no
/// further one: it would take about as long as all before it.
const ENOUGH: f64 = 0.75;

/// However an iteration drags on, it may take this many times the stretched or shrunk optimum.
const DRAGGING: f64 = 3.0;

impl Pace {
    /// Nothing has been seen yet but the value that the last move was chosen for.
    pub(crate) fn after(last_move: Option<Score>) -> Self {
        Self { last_move: last_move.map(capped), ..Self::default() }
    }

    /// Takes note of an iteration.
    pub(crate) fn hear(&mut self, analysis: &Analysis) {
        let (Some(best), Some(score)) = (analysis.best_move(), analysis.score()) else { return };
        self.changes *= FADING;
        match self.best.replace(best) {
            Some(other) if other != best => {
                self.stable = 0;
                self.changes += 1.0;
            }
            _ => self.stable += 1,
        }
        let before = f64::from(self.score);
        self.average = Some(match self.average {
            Some(average) => average * FADING + before * (1.0 - FADING),
            None => f64::from(capped(score)),
        });
        self.score = capped(score);
    }

    /// The value of the last iteration, if there was one.
    pub(crate) fn score(&self) -> Option<Score> {
        self.best.map(|_| Score::cp(self.score))
    }

    /// By how much this move is harder than others: about 1, from 0.5 to 2.5.
    pub(crate) fn difficulty(&self) -> f64 {
        if self.best.is_none() {
            return 1.0;
        }
        let product = falling(self.fall()) * settled(self.stable) * unsettled(self.changes);
        product.clamp(0.5, 2.5)
    }

    /// How much the value has fallen, in centipawns.
    fn fall(&self) -> f64 {
        let score = f64::from(self.score);
        let within = self.average.map_or(0.0, |average| average - score);
        let since_last_move = self.last_move.map_or(0.0, |before| f64::from(before) - score);
        within + since_last_move / 2.0
    }

    /// When to end the search between iterations, `thought` after its start, counted like `elapsed`
    /// from the start of the clock. (While pondering the clock stands.)
    pub(crate) fn end(
        &self,
        limits: &TimeLimits,
        thought: Duration,
        elapsed: Duration,
    ) -> Duration {
        if limits.is_exact() || self.best.is_none() {
            return limits.maximum;
        }
        let wanted = stretched(limits.optimum, self.difficulty());
        let for_nothing = thought.saturating_sub(elapsed);
        if thought >= stretched(wanted, ENOUGH) {
            // Thinking for nothing was thinking, too.
            let minimum = limits.minimum.saturating_sub(for_nothing);
            return TimeLimits { minimum, ..*limits }.end_after(elapsed);
        }
        limits.end_after(stretched(wanted, DRAGGING).saturating_sub(for_nothing))
    }
}

/// Values beyond which a game is decided are all alike.
fn capped(score: Score) -> i32 {
    score.raw().clamp(-2_000, 2_000)
}

/// A pawn less asks for half the time more; a value that rises saves little.
fn falling(centipawns: f64) -> f64 {
    (1.0 + centipawns / 200.0).clamp(0.85, 1.6)
}

/// A best move of `iterations` in a row.
fn settled(iterations: u32) -> f64 {
    1.2 - 0.06 * f64::from(iterations.min(8))
}

/// A best move that has changed, lately `changes` times.
fn unsettled(changes: f64) -> f64 {
    1.0 + 0.4 * changes
}

/// `time`, `factor` times as long.
fn stretched(time: Duration, factor: f64) -> Duration {
    Duration::try_from_secs_f64(time.as_secs_f64() * factor).unwrap_or(Duration::MAX)
}

#[cfg(test)]
mod tests;
