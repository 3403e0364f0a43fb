//! Which positions to judge anew, and in which order.

use core::cmp::Reverse;
use std::collections::HashMap;

use komadai_core::{Color, Position};

use crate::evaluation::AnalystIndex;
use crate::stored_record::StoredRecord;
use komadai_bookfile::EntryError;
use komadai_bookfile::position_key::PositionKey;

/// Which values count as fresh, and how far from the best a move may be to matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RefreshOptions {
    /// The engine whose values are wanted; `None` for one that has not judged anything, so that no
    /// value is fresh.
    pub wanted: Option<AnalystIndex>,
    /// The fewest nodes that such a value must rest on.
    pub min_nodes: u64,
    /// The most centipawns that a move may be worse than the best to be a contender. After an engine
    /// change 30 to 50, as scales differ.
    pub eval_diff: u32,
}

/// A position that is to be judged before others, such as one of the frontier or of the principal
/// variation.
#[derive(Debug, Clone)]
pub struct Urgent {
    /// The position, in the book or not.
    pub position: Position,
    /// How urgent it is: higher first.
    pub priority: i64,
}

/// A position to be judged anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct RefreshItem {
    /// Why it stands where it stands in the plan.
    pub rank: RefreshRank,
    /// The number of its moves whose value is not fresh; 0 for a position that is not in the book.
    pub stale_moves: usize,
    key: PositionKey,
    side: Color,
    ply: u32,
}

/// Why a position stands where it stands in a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RefreshRank {
    /// It was named as urgent, with this priority.
    Urgent(i64),
    /// Its best move is in question.
    Contested {
        /// The number of moves within `eval_diff` of the best whose value is not fresh, the best
        /// included. The more there are, the likelier another becomes the best.
        contenders: usize,
        /// How far these are from the best, all together, in centipawns.
        distance: u64,
    },
}

impl RefreshItem {
    /// The position, in the orientation in which the book or the list of urgent ones has it.
    #[must_use]
    pub fn position(&self) -> Position {
        self.key.position(self.side, self.ply).expect("the key was made of a position")
    }
}

/// The positions to be judged anew, in this order:
///
/// 1. urgent ones, the highest priority first: those that the book does not have, and those of which
///    some value is not fresh;
/// 2. others of which the best move is in question: a value within `eval_diff` of the best is not
///    fresh. Those with most contenders come first, of these those whose contenders are nearest to the
///    best.
///
/// Equal ones are in the order of their packed positions. A value is fresh if it comes from the wanted
/// engine and at least `min_nodes` nodes.
/// Takes time O(n log n) and about a hundred bytes a position planned.
///
/// # Errors
///
/// If one of the urgent positions is none that a book can hold.
pub fn plan_refresh<R: core::borrow::Borrow<StoredRecord>>(
    records: impl IntoIterator<Item = R>,
    urgent: &[Urgent],
    options: &RefreshOptions,
) -> Result<Vec<RefreshItem>, EntryError> {
    let mut planner = RefreshPlanner::new(urgent, *options)?;
    for record in records {
        planner.add(record.borrow())?;
    }
    Ok(planner.finish())
}

/// Makes the plan of [`plan_refresh`] from records that come one at a time, as from
/// `Store::for_each_position`.
#[derive(Debug)]
pub struct RefreshPlanner {
    options: RefreshOptions,
    /// Those not met in the book so far.
    urgent: HashMap<PositionKey, RefreshItem>,
    items: Vec<RefreshItem>,
}

impl RefreshPlanner {
    /// A plan that begins with these positions. Of one named twice the higher priority counts.
    ///
    /// # Errors
    ///
    /// If one of them is none that a book can hold.
    pub fn new(urgent: &[Urgent], options: RefreshOptions) -> Result<Self, EntryError> {
        let mut named: HashMap<PositionKey, RefreshItem> = HashMap::new();
        for Urgent { position, priority } in urgent {
            let key = PositionKey::of(position)?;
            let item = item(position, key, RefreshRank::Urgent(*priority), 0);
            let known = named.entry(key).or_insert(item);
            if matches!(known.rank, RefreshRank::Urgent(known) if known < *priority) {
                known.rank = item.rank;
            }
        }
        Ok(Self { options, urgent: named, items: Vec::new() })
    }

    /// Takes in a position of the book.
    ///
    /// # Errors
    ///
    /// If it is none that a book can hold.
    pub fn add(&mut self, record: &StoredRecord) -> Result<(), EntryError> {
        let key = PositionKey::of(&record.record.position)?;
        let named = self.urgent.remove(&key);
        let Some(best) = record.best_score() else {
            // Nothing is known of any move: as urgent as before, or not at all.
            self.items.extend(named);
            return Ok(());
        };
        let (mut stale_moves, mut contenders, mut distance) = (0, 0, 0);
        for value in record.values.iter().flatten() {
            if Some(value.analyst) == self.options.wanted && value.nodes >= self.options.min_nodes {
                continue;
            }
            stale_moves += 1;
            let behind = best.raw().abs_diff(value.score.raw());
            if behind <= self.options.eval_diff {
                contenders += 1;
                distance += u64::from(behind);
            }
        }
        let rank = match named {
            Some(named) if stale_moves > 0 => named.rank,
            None if contenders > 0 => RefreshRank::Contested { contenders, distance },
            _ => return Ok(()),
        };
        self.items.push(item(&record.record.position, key, rank, stale_moves));
        Ok(())
    }

    /// The plan. What was urgent and never came is not in the book, and belongs to it.
    #[must_use]
    pub fn finish(mut self) -> Vec<RefreshItem> {
        self.items.extend(self.urgent.into_values());
        self.items.sort_by_key(|item| match item.rank {
            RefreshRank::Urgent(priority) => (0, Reverse(priority), Reverse(0), 0, item.key),
            RefreshRank::Contested { contenders, distance } => {
                (1, Reverse(0), Reverse(contenders), distance, item.key)
            }
        });
        self.items
    }
}

fn item(
    position: &Position,
    key: PositionKey,
    rank: RefreshRank,
    stale_moves: usize,
) -> RefreshItem {
    RefreshItem { rank, stale_moves, key, side: position.side(), ply: position.ply() }
}

#[cfg(test)]
mod tests {
    use komadai_core::{Bound, Score};

    use super::*;
    use crate::evaluation::Source;
    use crate::stored_record::StoredValue;
    use komadai_bookfile::{BookRecord, RecordMove};

    const OLD: AnalystIndex = AnalystIndex(0);
    const NEW: AnalystIndex = AnalystIndex(1);
    const OPTIONS: RefreshOptions =
        RefreshOptions { wanted: Some(NEW), min_nodes: 1_000, eval_diff: 30 };

    /// A position after one move, with the values of its answers.
    fn record(first: &str, values: &[(&str, i32, AnalystIndex, u64)]) -> StoredRecord {
        let position = Position::hirate().after(first.parse().unwrap());
        let mut record = BookRecord::new(position);
        let mut stored = Vec::new();
        for &(m, cp, analyst, nodes) in values {
            let score = Score::cp(cp);
            let m = m.parse().unwrap();
            record.moves.push(RecordMove { score: Some(score), ..RecordMove::new(m) });
            stored.push(Some(StoredValue {
                score,
                bound: Bound::Exact,
                depth: 0,
                nodes,
                analyst,
                source: Source::Search,
                when: 0,
                sequence: 0,
                evaluations: 1,
            }));
        }
        StoredRecord { record, values: stored, barred: Vec::new() }
    }

    fn plan(records: &[StoredRecord], urgent: &[(&str, i64)]) -> Vec<(String, RefreshRank)> {
        let position = |first: &str| Position::hirate().after(first.parse().unwrap());
        let urgent: Vec<_> = urgent
            .iter()
            .map(|&(first, priority)| Urgent { position: position(first), priority })
            .collect();
        let items = plan_refresh(records, &urgent, &OPTIONS).unwrap();
        let name = |item: &RefreshItem| {
            let moves = ["7g7f", "2g2f", "5g5f", "6g6f", "1g1f", "9g9f", "3g3f"];
            let sfen = item.position().to_string();
            let found = moves.iter().find(|first| position(first).to_string() == sfen);
            found.unwrap().to_string()
        };
        items.iter().map(|item| (name(item), item.rank)).collect()
    }

    #[test]
    fn urgent_ones_come_first_and_contested_ones_by_their_contenders() {
        let records = [
            // One contender: the second move is 31 behind.
            record("7g7f", &[("3c3d", 40, OLD, 5_000), ("8c8d", 9, OLD, 5_000)]),
            // Fresh, and fresh but for its nodes.
            record("2g2f", &[("3c3d", 40, NEW, 1_000), ("8c8d", 39, NEW, 2_000)]),
            record("5g5f", &[("3c3d", 40, NEW, 999), ("8c8d", 20, OLD, 5_000)]),
            // Two contenders, nearer to each other.
            record("6g6f", &[("3c3d", 40, OLD, 5_000), ("8c8d", 35, OLD, 5_000)]),
            // The only stale move is far behind: nobody would play it.
            record("1g1f", &[("3c3d", 40, NEW, 5_000), ("8c8d", -90, OLD, 5_000)]),
            // Fresh, though urgent.
            record("9g9f", &[("3c3d", 40, NEW, 5_000)]),
        ];
        let contested = |contenders, distance| RefreshRank::Contested { contenders, distance };
        assert_eq!(
            plan(&records, &[]),
            [
                ("6g6f".into(), contested(2, 5)),
                ("5g5f".into(), contested(2, 20)),
                ("7g7f".into(), contested(1, 0)),
            ]
        );
        // Urgent: not in the book; in the book and stale, even far behind; fresh ones are not asked for.
        let urgent = [("7g7f", 1), ("3g3f", 5), ("1g1f", -3), ("9g9f", 9), ("3g3f", 2)];
        assert_eq!(
            plan(&records, &urgent),
            [
                ("3g3f".into(), RefreshRank::Urgent(5)),
                ("7g7f".into(), RefreshRank::Urgent(1)),
                ("1g1f".into(), RefreshRank::Urgent(-3)),
                ("6g6f".into(), contested(2, 5)),
                ("5g5f".into(), contested(2, 20)),
            ]
        );
    }

    #[test]
    fn of_an_engine_that_has_said_nothing_no_value_is_fresh() {
        let fresh = [record("7g7f", &[("3c3d", 40, NEW, 5_000)])];
        let wanted = RefreshOptions { wanted: None, ..OPTIONS };
        assert_eq!(plan_refresh(&fresh, &[], &wanted).unwrap().len(), 1);
        assert_eq!(plan_refresh(&fresh, &[], &OPTIONS).unwrap(), []);
    }

    #[test]
    fn a_position_without_values_is_asked_for_only_if_urgent() {
        let mut unknown = record("7g7f", &[]);
        unknown.record.moves.push(RecordMove::new("3c3d".parse().unwrap()));
        unknown.values.push(None);
        assert_eq!(plan(std::slice::from_ref(&unknown), &[]), []);
        let planned = plan(std::slice::from_ref(&unknown), &[("7g7f", 4)]);
        assert_eq!(planned, [("7g7f".into(), RefreshRank::Urgent(4))]);
    }
}
