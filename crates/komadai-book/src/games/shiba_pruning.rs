//! Moves that lose games.

use komadai_core::{Move, Position};

use super::game_results::{CountedGame, GameResults, MoveResults, distinct};
use super::{GameOutcome, WinDrawLoss};

/// When a move's results make it a candidate for pruning.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PruneOptions {
    /// The number of games below which nothing is said about a move.
    pub min_games: u32,
    /// The number of games that differ in their moves below which nothing is said about a move.
    pub min_distinct_games: u32,
    /// The share of points below which a move is a candidate, from 0 to 1; a draw is half a win. A
    /// move that lost all its games is one in any case.
    pub min_rate: f64,
    /// Which games are looked at together.
    pub scope: PruneScope,
}

/// Which games are looked at together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum PruneScope {
    /// All games.
    Together,
    /// All games, and then those against each opponent by themselves: a move may do well in all and
    /// fail against one program, which then knows how to beat the book.
    #[default]
    EachOpponent,
}

/// A move that should perhaps go, and why (S1.4).
#[derive(Debug, Clone, PartialEq)]
pub struct PruneCandidate {
    /// The position, turned so that Black is to move.
    pub position: Position,
    /// The move, turned with the position.
    pub m: Move,
    /// The opponent against whom it fails; `None` if it fails in all games together.
    pub opponent: Option<String>,
    /// The results of the book's side against that opponent, or in all games.
    pub results: WinDrawLoss,
    /// Its results in all games.
    pub all: WinDrawLoss,
    /// What is wrong with them.
    pub reason: PruneReason,
    /// How many of the games behind the results differ in their moves: intervals take all games for
    /// different ones.
    pub distinct_games: u32,
    /// How many other moves the book has there.
    pub alternatives: u32,
    /// The games behind the results.
    pub games: Vec<CountedGame>,
}

/// What is wrong with a move's results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PruneReason {
    /// Every game was lost.
    AllLost,
    /// The share of points is too low.
    LowRate,
}

impl Default for PruneOptions {
    /// The paper's limits, 30 % or all lost, from three games on, be they the same, also against
    /// single opponents.
    fn default() -> Self {
        let scope = PruneScope::default();
        Self { min_games: 3, min_distinct_games: 1, min_rate: 0.30, scope }
    }
}

impl PruneOptions {
    /// What is wrong with these results, if anything is.
    #[must_use]
    pub fn judge(&self, results: WinDrawLoss) -> Option<PruneReason> {
        let rate = results.rate().filter(|_| results.games() >= self.min_games.into())?;
        if u64::from(results.losses) == results.games() {
            return Some(PruneReason::AllLost);
        }
        (rate < self.min_rate).then_some(PruneReason::LowRate)
    }
}

impl PruneReason {
    /// The reason in words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::AllLost => "all lost",
            Self::LowRate => "low rate",
        }
    }
}

impl GameResults {
    /// The moves whose results are too bad, sorted by the texts of position and move.
    ///
    /// A move that fails in all games together is not named for single opponents again.
    #[must_use]
    pub fn prune_candidates(&self, options: &PruneOptions) -> Vec<PruneCandidate> {
        let mut candidates = Vec::new();
        let of_different =
            |candidate: &PruneCandidate| candidate.distinct_games >= options.min_distinct_games;
        for results in self.moves() {
            match options.judge(results.results()) {
                Some(reason) => candidates.push(PruneCandidate::new(results, None, reason)),
                None if options.scope == PruneScope::EachOpponent => {
                    let bad = results.by_opponent().into_iter().filter_map(|(name, against)| {
                        let reason = options.judge(against)?;
                        Some(PruneCandidate::new(results, Some(name), reason))
                    });
                    candidates.extend(bad);
                }
                None => {}
            }
        }
        candidates.retain(of_different);
        candidates
    }
}

impl PruneCandidate {
    fn new(results: &MoveResults, opponent: Option<&str>, reason: PruneReason) -> Self {
        let is_meant = |game: &&CountedGame| opponent.is_none_or(|name| *game.opponent == *name);
        let games: Vec<CountedGame> = results.games().iter().filter(is_meant).cloned().collect();
        Self {
            position: results.position(),
            m: results.m(),
            opponent: opponent.map(str::to_owned),
            results: games.iter().map(|game| game.outcome).collect(),
            all: results.results(),
            reason,
            distinct_games: distinct(&games),
            alternatives: results.alternatives(),
            games,
        }
    }

    /// The numbers of the games that were lost.
    pub fn lost_games(&self) -> impl Iterator<Item = u64> + '_ {
        let lost = self.games.iter().filter(|game| game.outcome == GameOutcome::Loss);
        lost.map(|game| game.number)
    }
}
