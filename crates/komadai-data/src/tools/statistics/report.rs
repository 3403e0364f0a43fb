//! The numbers that statistics consist of.

use serde::Serialize;

use super::calibration::Calibration;
use super::duplicates::DuplicateEstimate;
use super::histogram::Histogram;

/// The statistics of training data.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Statistics {
    /// Number of files.
    pub files: u64,
    /// Number of sound records, which are counted.
    pub records: u64,
    /// Number of faults, which are not.
    pub damaged: u64,
    /// The games.
    pub games: GameStatistics,
    /// The results of the records, for the side to move.
    pub results: ResultCounts,
    /// The scores.
    pub scores: ScoreStatistics,
    /// The positions and their best moves.
    pub positions: PositionStatistics,
    /// Move numbers, ten a bin.
    pub plies: Histogram,
    /// The progress of the game, 0 to 15.
    pub progress: Histogram,
    /// Results against scores; `None` if no score decides more or less games than another.
    pub calibration: Option<Calibration>,
    /// The share of duplicates.
    pub duplicates: DuplicateEstimate,
    /// The number of pieces in both hands.
    pub pieces_in_hand: Histogram,
    /// The mean number of pieces of each kind in both hands, in the order pawn, lance, knight,
    /// silver, bishop, rook, gold.
    pub mean_in_hand: [f64; 7],
}

/// The games of the data.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GameStatistics {
    /// Number of games, or of runs of increasing move numbers where the records are in another
    /// order.
    pub games: u64,
    /// Number of games that Black won.
    pub black_wins: u64,
    /// Number of games that White won.
    pub white_wins: u64,
    /// Number of draws.
    pub draws: u64,
    /// Number of games whose last record has a mate score.
    pub ends_with_mate: u64,
    /// Number of records of a game, ten a bin.
    pub lengths: Histogram,
    /// Number of records of the shortest and of the longest game.
    pub extremes: [u64; 2],
}

/// Numbers of records by result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct ResultCounts {
    /// The side to move won.
    pub wins: u64,
    /// Draws.
    pub draws: u64,
    /// The side to move lost.
    pub losses: u64,
}

/// The scores of the data, for the side to move.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScoreStatistics {
    /// Number of mate scores.
    pub mates: u64,
    /// The mean of the scores that are no mates, in centipawns.
    pub mean: f64,
    /// Their standard deviation.
    pub deviation: f64,
    /// The median of their sizes.
    pub median_size: f64,
    /// The scores that are no mates, a hundred centipawns a bin.
    pub histogram: Histogram,
}

/// The positions of the data and their best moves.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct PositionStatistics {
    /// Black is to move.
    pub black_to_move: u64,
    /// The side to move is in check.
    pub checks: u64,
    /// The best move captures.
    pub captures: u64,
    /// The best move promotes.
    pub promotions: u64,
    /// The best move is a drop.
    pub drops: u64,
    /// There is no best move.
    pub without_move: u64,
    /// Neither in check, nor with a best move that captures or promotes.
    pub quiet: u64,
    /// A king is in the camp of the other side.
    pub entered_kings: u64,
}
