//! Random records of positions of random games.

use std::collections::HashSet;

use komadai_bookfile::{BookRecord, MoveMark, RecordEval, RecordMove, RecordResults};
use komadai_core::{Handicap, Move, Position, Score, Setup, SplitMix64};
use komadai_movegen::MoveGen;

/// A source of random records.
pub(crate) struct Random(SplitMix64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.0.next_u64() % limit
    }

    fn one_in(&mut self, limit: u64) -> bool {
        self.below(limit) == 0
    }

    fn optional<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        (!self.one_in(3)).then(|| make(self))
    }

    fn text(&mut self) -> String {
        let parts = ["", "", "定跡", "a line\nanother", "#", "\u{feff}x"];
        parts[self.below(parts.len() as u64) as usize].to_owned()
    }

    /// Records of distinct positions, each of them a root or the target of a listed move of
    /// another.
    pub(crate) fn records(&mut self) -> Vec<BookRecord> {
        let mut seen = HashSet::new();
        let mut records: Vec<BookRecord> = Vec::new();
        for _ in 0..1 + self.below(4) {
            let root = if self.one_in(4) {
                Handicap::ALL[self.below(Handicap::ALL.len() as u64) as usize].to_setup()
            } else {
                Setup::hirate()
            };
            let mut position = Position::from_setup(&root).expect("a start");
            for _ in 0..self.below(25) {
                let moves: Vec<Move> = position.legal_moves().into_iter().collect();
                if moves.is_empty() {
                    break;
                }
                let played = moves[self.below(moves.len() as u64) as usize];
                if seen.insert(position.key()) {
                    let record = self.record(&position, &moves, played);
                    records.push(record);
                } else if let Some(record) =
                    records.iter_mut().find(|other| other.position.key() == position.key())
                    && record.moves.iter().all(|listed| listed.m != played)
                {
                    let listed = self.listed(&record.position, played);
                    record.moves.push(listed);
                }
                position = position.after(played).without_history();
            }
        }
        records
    }

    fn record(&mut self, position: &Position, moves: &[Move], played: Move) -> BookRecord {
        let ply = self.optional(|random| match random.below(3) {
            0 => position.ply() + random.below(100_000) as u32,
            _ => position.ply(),
        });
        let setup = Setup { ply: ply.unwrap_or(1), ..position.to_setup() };
        let mut record =
            BookRecord { ply, ..BookRecord::new(Position::from_setup(&setup).expect("as before")) };
        for &m in moves {
            if m == played || self.one_in(moves.len() as u64 / 2 + 1) {
                let listed = self.listed(&record.position, m);
                record.moves.push(listed);
            }
        }
        record.comment = self.text();
        record.results = self.optional(|random| RecordResults {
            games: 1 + random.below(1000) as u32,
            black_wins: random.below(1000) as u32,
            white_wins: random.below(u64::from(u32::MAX)) as u32,
        });
        for _ in 0..self.below(3) {
            record.evals.push(RecordEval {
                score: self.score(),
                depth: self.below(100) as u32,
                seldepth: self.below(100) as u32,
                nodes: self.below(u64::MAX),
                variation: self.text(),
                engine: self.text(),
            });
        }
        record
    }

    fn score(&mut self) -> Score {
        Score::from_raw(self.below(64_001) as i32 - 32_000)
    }

    fn listed(&mut self, position: &Position, m: Move) -> RecordMove {
        let after = position.after(m);
        RecordMove {
            m,
            ponder: after.legal_moves().into_iter().next().filter(|_| self.below(2) == 0),
            score: self.optional(Self::score),
            depth: self.optional(|random| 1 + random.below(65_535) as u16),
            count: self.optional(|random| match random.below(4) {
                0 => random.below(u64::from(u32::MAX)) as u32,
                _ => random.below(70_000) as u32,
            }),
            mark: [None, Some(MoveMark::Forced), Some(MoveMark::Good), Some(MoveMark::Bad)]
                [self.below(4) as usize]
                .or(self.one_in(5).then_some(MoveMark::Blunder)),
            comment: self.text(),
        }
    }
}

/// The loss by a simple independent count of items, kind by kind.
pub(crate) fn count(records: &[BookRecord], is_lost: impl Fn(&RecordMove) -> bool) -> u64 {
    records.iter().flat_map(|record| &record.moves).filter(|listed| is_lost(listed)).count() as u64
}

/// The records in an order that depends only on their positions.
pub(crate) fn sorted(mut records: Vec<BookRecord>) -> Vec<BookRecord> {
    records.sort_by_key(|record| record.position.key());
    records
}
