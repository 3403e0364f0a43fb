//! The options of self-play.

use serde::{Deserialize, Serialize};

/// The conditions of self-play games.
///
/// Scores are in centipawns of an evaluation of [scale](komadai_eval::Evaluator::scale) 1; for other
/// evaluations they are multiplied by the scale.
///
/// # Examples
///
/// ```
/// use komadai_data::SelfPlayOptions;
///
/// let options = SelfPlayOptions { nodes: 2_000, ..SelfPlayOptions::default() };
/// assert_eq!(options.castles_percent + options.special_percent, 25);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfPlayOptions {
    /// About the nodes per move: a search ends with the iteration that reaches them, or within one
    /// at [`HARD_FACTOR`](komadai_core::Budget::HARD_FACTOR) times as many. The first iteration is
    /// finished in any case.
    pub nodes: u64,
    /// The least and the largest number of random moves at the start of a game from the even start.
    /// Other games start with up to half of the largest number.
    pub random_plies: [u32; 2],
    /// Share of the games that start from two castles, in percent.
    pub castles_percent: u32,
    /// Share of the games that start from a handicap or with both kings in the camp of the other
    /// side, in percent.
    pub special_percent: u32,
    /// Starts with a larger score than this, in centipawns, are discarded; handicaps have no limit.
    pub lopsided_cp: i32,
    /// Number of plies after the start in which moves vary.
    pub variety_plies: u32,
    /// One move in this many varies: any move whose score is near the best one. 0 for none.
    pub variety_one_in: u32,
    /// The largest difference of a move's score from the best one, in centipawns.
    pub variety_cp: i32,
    /// The score, in centipawns, from which on a game counts as decided.
    pub decided_cp: i32,
    /// Number of plies in a row with such a score that end the game.
    pub decided_plies: u32,
    /// The move number at which a game is a draw.
    pub max_plies: u32,
    /// Size of the transposition table of a thread, in MiB.
    pub hash_mib: usize,
}

impl SelfPlayOptions {
    /// Returns the options with all scores in the centipawns of an evaluation of this scale.
    pub(super) fn times(self, scale: f64) -> Self {
        let [lopsided_cp, variety_cp, decided_cp] =
            [self.lopsided_cp, self.variety_cp, self.decided_cp]
                .map(|cp| (f64::from(cp) * scale).round() as i32);
        Self { lopsided_cp, variety_cp, decided_cp, ..self }
    }
}

impl Default for SelfPlayOptions {
    /// Returns 500 nodes per move to begin the last iteration within, which are about 800 in the
    /// mean, 20 % castles and 5 % other starts.
    fn default() -> Self {
        Self {
            nodes: 500,
            random_plies: [4, 10],
            castles_percent: 20,
            special_percent: 5,
            lopsided_cp: 500,
            variety_plies: 30,
            variety_one_in: 8,
            variety_cp: 40,
            decided_cp: 3_000,
            decided_plies: 4,
            max_plies: 320,
            hash_mib: 4,
        }
    }
}
