//! Shiba pruning: moves of a book that lose games become candidates for deletion.
//!
//! Source: Seiji Shiba, "Offering an effective method to make opening books on computer shogi",
//! IPSJ SIG Game Informatics, 2018.

use std::collections::HashMap;

use komadai_core::{Move, Position};

use super::game_results::{CountedGame, GameResults, MoveResults, distinct};
use super::{GameOutcome, WinDrawLoss};

/// Limits on the results of a move below which it is a candidate for pruning.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct PruneOptions {
    /// Minimum number of games. A move with fewer games is no candidate.
    pub min_games: u32,
    /// Minimum number of games that differ in their moves. A move with fewer is no candidate.
    pub min_distinct_games: u32,
    /// Minimum share of points, from 0 to 1; a draw is half a win. A move with a smaller share, or
    /// with losses only, is a candidate.
    #[cfg_attr(feature = "serde", serde(deserialize_with = "deserialize_share"))]
    pub min_rate: f64,
    /// The groups of games to which the limits apply.
    pub scope: PruneScope,
    /// Lead over every other move of the position, in centipawns, from which on the value of a move
    /// outweighs a few lost games: see [`guard_games`](Self::guard_games).
    pub guard_cp: u16,
    /// Number of games with different moves up to which such a move is kept; 0 keeps none.
    pub guard_games: u32,
}

#[cfg(feature = "serde")]
fn deserialize_share<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    let share: f64 = serde::Deserialize::deserialize(deserializer)?;
    if !(0.0..=1.0).contains(&share) {
        return Err(serde::de::Error::custom(format!(
            "found {share}, expected a share from 0 to 1"
        )));
    }
    Ok(share)
}

/// The groups of games to which the limits of pruning apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum PruneScope {
    /// All games.
    Together,
    /// All games, and then the games against each opponent separately. A move can score well in all
    /// games and still fail against one program, which then wins the same line again and again.
    #[default]
    EachOpponent,
}

/// A move that may be deleted, with the reason.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct PruneCandidate {
    /// The position, turned so that Black is to move.
    pub position: Position,
    /// The move, turned with the position.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub m: Move,
    /// The opponent against which the move fails; `None` if it fails in all games together.
    pub opponent: Option<String>,
    /// The results of the book's side against that opponent, or in all games.
    pub results: WinDrawLoss,
    /// The results of the move in all games.
    pub all: WinDrawLoss,
    /// The limit that the results fail.
    pub reason: PruneReason,
    /// The number of counted games that differ in their moves. Confidence intervals assume that all
    /// games are independent, so they are too narrow if this number is small.
    pub distinct_games: u32,
    /// The number of other moves that the book has in the position.
    pub alternatives: u32,
    /// The games of `results`.
    pub games: Vec<CountedGame>,
    /// The reason to keep the move all the same, for the time being.
    pub hold: Option<PruneHold>,
}

/// The limit that the results of a move fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum PruneReason {
    /// Every game was lost.
    AllLost,
    /// The share of points is too low.
    LowRate,
}

/// A reason to keep a move whose results fail a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum PruneHold {
    /// A later move of the same lost games goes first. If the games are lost without it as well,
    /// this move goes in a later generation.
    LaterMove,
    /// Its value says otherwise, and the games are few.
    Value,
}

impl Default for PruneOptions {
    /// The limits of Shiba's paper: less than 30 % or all lost, from three games on, even if the
    /// games are the same. They apply to each opponent separately, too. A move that leads all
    /// others by half a pawn is kept until eleven different games speak against it.
    fn default() -> Self {
        Self {
            min_games: 3,
            min_distinct_games: 1,
            min_rate: 0.30,
            scope: PruneScope::default(),
            guard_cp: 50,
            guard_games: 10,
        }
    }
}

impl PruneOptions {
    /// Returns the limit that the results fail, or `None` if they pass or the games are too few.
    ///
    /// # Examples
    ///
    /// ```
    /// use komadai_book::games::{PruneOptions, PruneReason, WinDrawLoss};
    ///
    /// let options = PruneOptions::default();
    /// let reason = |wins, losses| {
    ///     options.reason_to_prune(WinDrawLoss { wins, losses, ..WinDrawLoss::default() })
    /// };
    /// assert_eq!(reason(0, 3), Some(PruneReason::AllLost));
    /// assert_eq!(reason(2, 8), Some(PruneReason::LowRate));
    /// assert_eq!(reason(0, 2), None);
    /// ```
    pub fn reason_to_prune(&self, results: WinDrawLoss) -> Option<PruneReason> {
        let rate = results.rate().filter(|_| results.games() >= self.min_games.into())?;
        if u64::from(results.losses) == results.games() {
            return Some(PruneReason::AllLost);
        }
        (rate < self.min_rate).then_some(PruneReason::LowRate)
    }
}

impl PruneReason {
    /// Returns the reason in words, as lists and the store contain it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::AllLost => "all lost",
            Self::LowRate => "low rate",
        }
    }
}

impl PruneHold {
    /// Returns the reason in words.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::LaterMove => "a later move goes first",
            Self::Value => "its value says otherwise",
        }
    }
}

impl GameResults {
    /// Returns the moves whose results fail the limits, sorted by the SFEN of the position and the
    /// USI of the move.
    ///
    /// A move that fails in all games together is not listed again for single opponents. Of moves
    /// that share lost games only the last one of the line is to be deleted at once, because the
    /// games do not tell which of them lost: the others are [held](PruneCandidate::hold), as are
    /// moves that a [guard](PruneOptions::guard_cp) protects.
    pub fn prune_candidates(&self, options: &PruneOptions) -> Vec<PruneCandidate> {
        let mut candidates = Vec::new();
        for results in self.moves() {
            let new = |opponent, reason| PruneCandidate::new(results, opponent, reason, options);
            match options.reason_to_prune(results.results()) {
                Some(reason) => candidates.push(new(None, reason)),
                None if options.scope == PruneScope::EachOpponent => {
                    let failing =
                        results.by_opponent().into_iter().filter_map(|(name, against)| {
                            let reason = options.reason_to_prune(against)?;
                            Some(new(Some(name), reason))
                        });
                    candidates.extend(failing);
                }
                None => {}
            }
        }
        candidates.retain(|candidate| candidate.distinct_games >= options.min_distinct_games);
        hold_earlier_moves(&mut candidates);
        candidates
    }
}

/// Number of lost games that two moves must share for the earlier one to wait for the later one. A
/// single game in common is chance, unless the earlier move has lost no other.
const SHARED_LOSSES: usize = 2;

/// Holds the candidates for which a later one goes first. A candidate that is kept for its value
/// holds no other.
fn hold_earlier_moves(candidates: &mut [PruneCandidate]) {
    let mut losses: HashMap<u64, Vec<usize>> = HashMap::new();
    for (index, candidate) in candidates.iter().enumerate().filter(|(_, c)| c.hold.is_none()) {
        for game in candidate.lost_games() {
            losses.entry(game).or_default().push(index);
        }
    }
    let waits = |index: usize| {
        let ply = |index: usize| candidates[index].position.ply();
        let mut shared: HashMap<usize, usize> = HashMap::new();
        let own = candidates[index].lost_games();
        for &other in own.filter_map(|game| losses.get(&game)).flatten() {
            if ply(other) > ply(index) {
                *shared.entry(other).or_default() += 1;
            }
        }
        let enough = candidates[index].lost_games().count().min(SHARED_LOSSES);
        shared.values().any(|&count| count >= enough)
    };
    let waiting: Vec<usize> = (0..candidates.len())
        .filter(|&index| candidates[index].hold.is_none() && waits(index))
        .collect();
    for index in waiting {
        candidates[index].hold = Some(PruneHold::LaterMove);
    }
}

impl PruneCandidate {
    /// Creates a candidate from the games against `opponent`, or from all games.
    fn new(
        results: &MoveResults,
        opponent: Option<&str>,
        reason: PruneReason,
        options: &PruneOptions,
    ) -> Self {
        let is_counted = |game: &&CountedGame| opponent.is_none_or(|name| *game.opponent == *name);
        let games: Vec<CountedGame> = results.games().iter().filter(is_counted).cloned().collect();
        let distinct_games = distinct(&games);
        let leads = results.lead_cp().is_some_and(|lead| lead >= options.guard_cp.into());
        Self {
            position: results.position(),
            m: results.m(),
            opponent: opponent.map(str::to_owned),
            results: games.iter().map(|game| game.outcome).collect(),
            all: results.results(),
            reason,
            distinct_games,
            alternatives: results.alternatives(),
            games,
            hold: (leads && distinct_games <= options.guard_games).then_some(PruneHold::Value),
        }
    }

    /// Returns the numbers of the lost games.
    pub fn lost_games(&self) -> impl Iterator<Item = u64> + '_ {
        let lost = self.games.iter().filter(|game| game.outcome == GameOutcome::Loss);
        lost.map(|game| game.number)
    }
}
