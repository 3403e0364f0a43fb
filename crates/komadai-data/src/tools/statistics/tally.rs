//! The counts while statistics are made.

use crate::records::{PackedSfenValue, RecordResult};
use komadai_core::{Color, Score};
use komadai_kifu::Outcome;

use super::calibration::{Calibration, ScoreCount};
use super::duplicates::Sample;
use super::facts::Facts;
use super::histogram::Histogram;
use super::report::{
    GameStatistics, PositionStatistics, ResultCounts, ScoreStatistics, Statistics,
};
use crate::tools::games::{Games, side};

/// The counts of the records so far.
pub(super) struct Tally {
    records: u64,
    games: Games,
    /// The last record of the game and the number of its records.
    game: Option<(PackedSfenValue, u64)>,
    ended: GameStatistics,
    results: ResultCounts,
    /// By the score, from the least one.
    scores: Vec<ScoreCount>,
    positions: PositionStatistics,
    plies: Histogram,
    progress: Histogram,
    sample: Sample,
    pieces_in_hand: Histogram,
    in_hand: [u64; 7],
}

impl Default for Tally {
    fn default() -> Self {
        let ended = GameStatistics {
            games: 0,
            black_wins: 0,
            white_wins: 0,
            draws: 0,
            ends_with_mate: 0,
            lengths: Histogram::new(10),
            extremes: [0, 0],
        };
        Self {
            records: 0,
            games: Games::default(),
            game: None,
            ended,
            results: ResultCounts::default(),
            scores: vec![ScoreCount::default(); 1 << 16],
            positions: PositionStatistics::default(),
            plies: Histogram::new(10),
            progress: Histogram::new(1),
            sample: Sample::default(),
            pieces_in_hand: Histogram::new(1),
            in_hand: [0; 7],
        }
    }
}

impl Tally {
    pub(super) fn add(
        &mut self,
        file: usize,
        has_whole_games: bool,
        record: &PackedSfenValue,
        facts: &Facts,
    ) {
        self.records += 1;
        if self.games.begins(file, has_whole_games, record) {
            self.end_game();
        }
        let length = self.game.map_or(1, |(_, length)| length + 1);
        self.game = Some((*record, length));
        let (result, halves) = match record.result {
            RecordResult::Win => (&mut self.results.wins, 2),
            RecordResult::Draw => (&mut self.results.draws, 1),
            RecordResult::Loss => (&mut self.results.losses, 0),
        };
        *result += 1;
        let score = &mut self.scores[(i32::from(record.score) - i32::from(i16::MIN)) as usize];
        score.records += 1;
        score.halves += halves;
        self.plies.add(i64::from(record.ply));
        self.add_position(record, facts);
    }

    fn add_position(&mut self, record: &PackedSfenValue, facts: &Facts) {
        let promotes = record.best_move.is_some_and(|m| m.is_promotion());
        let found = &mut self.positions;
        found.black_to_move += u64::from(side(record) == Color::Black);
        found.checks += u64::from(facts.is_check);
        found.captures += u64::from(facts.captures);
        found.promotions += u64::from(promotes);
        found.drops += u64::from(record.best_move.is_some_and(|m| m.is_drop()));
        found.without_move += u64::from(record.best_move.is_none());
        found.quiet += u64::from(facts.is_quiet);
        found.entered_kings += u64::from(facts.has_entered_king);
        self.progress.add(i64::from(facts.progress));
        self.pieces_in_hand.add(facts.in_hand.iter().map(|&count| i64::from(count)).sum());
        for (sum, count) in self.in_hand.iter_mut().zip(facts.in_hand) {
            *sum += u64::from(count);
        }
        self.sample.add(facts.hash);
    }

    /// Counts the game that has ended.
    fn end_game(&mut self) {
        let Some((last, length)) = self.game.take() else { return };
        let ended = &mut self.ended;
        ended.games += 1;
        match last.result.outcome(side(&last)) {
            Outcome::Win(Color::Black) => ended.black_wins += 1,
            Outcome::Win(Color::White) => ended.white_wins += 1,
            _ => ended.draws += 1,
        }
        ended.ends_with_mate += u64::from(is_mate(last.score.into()));
        ended.lengths.add(length as i64);
        let [shortest, longest] = ended.extremes;
        let shortest = if ended.games == 1 { length } else { shortest.min(length) };
        ended.extremes = [shortest, longest.max(length)];
    }

    pub(super) fn finish(mut self, files: u64, damaged: u64) -> Statistics {
        self.end_game();
        let counted = (i32::from(i16::MIN)..).zip(self.scores);
        let (mates, scores): (Vec<_>, Vec<_>) =
            counted.filter(|(_, count)| count.records > 0).partition(|(score, _)| is_mate(*score));
        let records = self.records.max(1) as f64;
        Statistics {
            files,
            records: self.records,
            damaged,
            games: self.ended,
            results: self.results,
            scores: score_statistics(mates.iter().map(|(_, count)| count.records).sum(), &scores),
            positions: self.positions,
            plies: self.plies,
            progress: self.progress,
            calibration: Calibration::of(&scores),
            duplicates: self.sample.estimate(),
            pieces_in_hand: self.pieces_in_hand,
            mean_in_hand: self.in_hand.map(|sum| sum as f64 / records),
        }
    }
}

/// Returns whether a score is beyond all centipawns.
fn is_mate(score: i32) -> bool {
    score.abs() > Score::MAX_CP
}

fn score_statistics(mates: u64, scores: &[(i32, ScoreCount)]) -> ScoreStatistics {
    let mut histogram = Histogram::new(100);
    let mut sizes: Vec<(i32, u64)> = Vec::new();
    let (mut records, mut sum, mut squares) = (0, 0.0, 0.0);
    for &(score, count) in scores {
        let (value, times) = (f64::from(score), count.records as f64);
        records += count.records;
        sum += value * times;
        squares += value * value * times;
        histogram.add_many(i64::from(score), count.records);
        sizes.push((score.abs(), count.records));
    }
    let mean = sum / (records.max(1) as f64);
    let deviation = (squares / records.max(1) as f64 - mean * mean).max(0.0).sqrt();
    sizes.sort_unstable();
    ScoreStatistics { mates, mean, deviation, median_size: median(&sizes, records), histogram }
}

/// Returns the median of numbers with their counts, in order.
fn median(sizes: &[(i32, u64)], records: u64) -> f64 {
    let at = |place: u64| {
        let mut before = 0;
        let found = sizes.iter().find(|(_, count)| {
            before += count;
            before > place
        });
        found.map_or(0.0, |(size, _)| f64::from(*size))
    };
    (at(records.saturating_sub(1) / 2) + at(records / 2)) / 2.0
}
